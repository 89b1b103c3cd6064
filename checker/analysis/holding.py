"""In how many of the explored states each rule of a model is true, for some of its arguments.

Compiled code evaluates the rules in the stored states after the search, as for antecedents of properties
(`checker.analysis.vacuity.tested`), and the interpreter confirms a sample.  Arguments are tried in the order of their
types until one makes the rule true; a state in which the rule fails before (None used as a value) does not count.  Left
out are rules that return no truth value, rules that nothing calls, rules with an argument without a known type or with
values that no call passes, and rules with more than MOST argument lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

import numpy as np
from attrs import evolve

from checker.analysis.check import Examined
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.backends.native.graph import GraphKernel, compile_graph
from checker.contract import States
from checker.engines.native import state_of
from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.build import BOOL
from checker.ir.domain import size
from checker.ir.model import Function, Model, Parameter
from checker.language.definition import Definition
from checker.language.domains import Domain
from checker.search.blocks import blocks
from checker.validation.answers import differ
from checker.validation.graph import TRUTHS
from checker.validation.sample import evenly

MOST = 10_000
"""The largest number of argument lists of a rule that are tried in each state."""
CHUNK = 1 << 16
SAMPLE = 8
"""The number of states in which the interpreter evaluates the rules, too."""


@frozen
class Holding:
    """states: those in which the rule is true for some arguments."""

    rule: str
    states: int


def holding(examined: Examined) -> list[Holding]:
    """For each rule of the model the number of explored states in which it is true.  Raises Disagreement if the
    interpreter differs.
    """
    packed, definition = examined.explored.packed, examined.definition
    if packed is None:
        return []
    model = packed.kernel.model
    asked = {f.name: f for f in (_somewhere(f, domains) for f, domains in _rules(model, definition))}
    names = tuple(asked)
    if not names:
        return []
    extended = evolve(model, actions=(), functions=(*model.functions, *asked.values()))
    kernel = compile_graph(extended, (), (), names, quick=True)
    states, counts = packed.result.states(), np.zeros(len(names), np.int64)
    for block in blocks(states, CHUNK):
        counts += (kernel.answers(block) == 1).sum(axis=0)
    found = [name.removeprefix(PREFIX) for name in names]
    _confirm(examined, found, kernel, states)
    return [Holding(rule, int(count)) for rule, count in zip(found, counts)]


PREFIX = "some arguments of "


def _rules(model: Model, definition: Definition) -> Iterator[tuple[Function, list[Domain]]]:
    """The rules that can be evaluated for all arguments of their types, with these arguments."""
    for function in model.functions:
        method = definition.methods.get(function.name)
        if method is None or method.owner is not None or not method.rule or not isinstance(function.result, t.Bool):
            continue
        domains = _domains(definition, function)
        if domains is not None and prod(size(d.ir) or MOST + 1 for d in domains) <= MOST:
            yield function, domains


def _domains(definition: Definition, function: Function) -> list[Domain] | None:
    """The types of a rule's parameters in the interpreter: annotated, else of a named type of the model; None if a
    parameter has no such type, or if the type has values that no call passes.
    """
    stated, named = definition.methods[function.name].parameters, {d.ir: d for d in definition.types.values()}
    found = [domain or named.get(p.type) for (_, domain), p in zip(stated, function.parameters)]
    fitting = [d for d, p in zip(found, function.parameters) if d is not None and _fits(d.ir, p.type)]
    return fitting if len(fitting) == len(found) else None


def _fits(type: t.Type, wanted: t.Type) -> bool:
    """Whether each value of a type can be an argument of another one."""
    if isinstance(type, t.Int) and isinstance(wanted, t.Int):
        return wanted.lo <= type.lo and type.hi <= wanted.hi
    return type == wanted or isinstance(wanted, t.Optional) and _fits(type, wanted.item)


def _argument(local: e.Expression, wanted: t.Type) -> e.Expression:
    """A value of a type that fits, converted to the other type."""
    if local.type == wanted:
        return local
    if isinstance(wanted, t.Optional):
        return e.Some(wanted, _argument(local, wanted.item))
    return e.Narrow(wanted, local)


def _somewhere(function: Function, domains: list[Domain]) -> Function:
    """The predicate that the rule is true for some arguments."""
    names = tuple(Parameter(p.name, d.ir) for p, d in zip(function.parameters, domains))
    given = tuple(e.Local(p.type, p.name) for p in names)
    call = e.Call(BOOL, function.name, tuple(_argument(x, p.type) for x, p in zip(given, function.parameters)))
    over = tuple(e.Generator(local, e.Domain(t.Set(local.type))) for local in given)
    body = e.Quantifier(BOOL, "any", over, call) if over else call
    return Function(PREFIX + function.name, (), names, BOOL, (s.Return(0, body),))


def _confirm(examined: Examined, rules: list[str], kernel: GraphKernel, states: States) -> None:
    """Compare some states with the interpreter.  Raises Disagreement if it differs."""
    packed, definition = examined.explored.packed, examined.definition
    assert packed is not None
    interpreter = Interpreter(definition)
    given = {rule: _domains(definition, packed.kernel.model.function(rule)) or [] for rule in rules}
    for place in evenly(len(states), SAMPLE):
        state = state_of(definition, packed.kernel, states[place])
        answers = kernel.answers(np.ascontiguousarray(states[place : place + 1]))[0].tolist()
        expected = [_truth(interpreter, rule, given[rule], state) for rule in rules]
        if expected != [TRUTHS[answer] for answer in answers]:
            raise differ(definition, f"the rules {', '.join(rules)}", expected, answers, state)


def _truth(interpreter: Interpreter, rule: str, domains: list[Domain], state: Raw) -> bool | str:
    """Whether some arguments make a rule true in a state: one of TRUTHS."""
    function, view = interpreter.definition.methods[rule].function, interpreter.viewpoint(state)
    try:
        return any(function(view, *arguments) for arguments in product(*(d.members for d in domains)))
    except Exception:  # noqa: BLE001 - whatever the model's own code raises
        return TRUTHS[2]
