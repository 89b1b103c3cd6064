"""The lowered form of a rule, compared with its Python method, in states and for arguments drawn from their types.

z3 compares lowered rules over all states, reachable or not, so they are validated in a sample of such states: in each,
the method that the interpreter executes and the lowered function must have the same value, or both fail in the same
line. Drawn values are the same in every run.

Where it stops: an argument of a type that no annotation names as a domain cannot be passed to the method, and such an
instance of the rule is not compared; variants of a union with equal fields count as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import GeneratorType
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw, failure_of
from checker.ir import model as m
from checker.ir import types as t
from checker.ir.draw import drawn
from checker.ir.evaluate.environment import Environment
from checker.ir.evaluate.environment import Failure as LoweredFailure
from checker.ir.evaluate.statements import call
from checker.language import domains as d
from checker.language.definition import Definition
from checker.replay.plain import plain, plain_typed
from checker.trace.values import FrozenMap, Multiset, Rec
from checker.validation.answers import differ

STATES = 24
"""The number of states, each with arguments of its own, in which an instance of a rule is compared."""


def confirmed(definition: Definition, model: m.Model, function: m.Function, name: str) -> int:
    """The number of states in which the lowered function has the value of the rule.  Raises Disagreement if the value
    differs in one.
    """
    wanted = [_domain(definition, p.type) for p in function.parameters]
    domains = [domain for domain in wanted if domain is not None]
    if len(domains) < len(wanted):
        return 0
    interpreter, random = Interpreter(definition), Random(0)
    owner = definition.methods[name].owner
    compared = 0
    for _ in range(STATES if function.parameters or model.variables else 1):
        state = tuple(drawn(v.type, random) for v in model.variables)
        arguments = tuple(drawn(p.type, random) for p in function.parameters)
        given = [domain.from_raw(raw) for domain, raw in zip(domains, arguments)]
        found = _lowered(model, function, state, arguments)
        expected = _expected(interpreter, name.rpartition(".")[2], owner, state, given)
        if found is None or expected is None:
            continue
        if expected != found:
            call = f"{name}({', '.join(map(repr, given))})"
            raise differ(definition, call, expected, found, state, "lowered model")
        compared += 1
    return compared


def _lowered(model: m.Model, function: m.Function, state: Raw, arguments: tuple[Raw, ...]) -> Any:
    """The value of the lowered rule, or the line of its failure; None if a collection exceeds a bound that Python does
    not have.
    """
    values = {v.name: raw for v, raw in zip(model.variables, state)}
    try:
        value = call(Environment(model, values, values, call=call), function, list(arguments))
        return _bare(plain_typed(function.result, value))
    except LoweredFailure as failure:
        return None if failure.kind == "grow" else f"an error in line {failure.line}"


def _expected(interpreter: Interpreter, name: str, owner: str | None, state: Raw, arguments: list[Any]) -> Any:
    """The value of the method, or the line of its failure."""
    try:
        value = getattr(interpreter.viewpoint(state, owner), name)(*arguments)
        return _bare(plain(tuple(value) if isinstance(value, GeneratorType | range | map | filter | zip) else value))
    except Exception as error:
        return f"an error in line {failure_of(error, interpreter.definition).line}"


def _bare(value: Any) -> Any:
    """A plain value without the information that its type implies: records as tuples, maps and bags as their items."""
    if isinstance(value, Rec):
        return tuple(map(_bare, value.fields.values()))
    if isinstance(value, FrozenMap | dict):
        return frozenset((_bare(plain(k)), _bare(plain(v))) for k, v in value.items())
    if isinstance(value, Multiset):
        return frozenset((_bare(k), n) for k, n in value.counts.items())
    if isinstance(value, frozenset):
        return frozenset(map(_bare, value))
    return tuple(_bare(plain(v)) for v in value) if isinstance(value, tuple | list) else value


def _domain(definition: Definition, kind: t.Type) -> d.Domain | None:
    """The domain whose values are those of a type."""
    match kind:
        case t.Bool():
            return d.BoolDomain()
        case t.Int(lo, hi):
            return d.IntDomain(lo, hi)
        case t.Optional(item):
            inner = _domain(definition, item)
            return None if inner is None else d.OptionalDomain(inner)
    return next((domain for domain in _known(definition) if domain.ir == kind), None)


def _known(definition: Definition) -> Iterator[d.Domain]:
    """The domains that a model names, and all domains inside these."""
    waiting: list[Any] = [*definition.types.values(), *definition.enums.values()]
    waiting += (v.domain for v in definition.variables)
    waiting += (domain for method in definition.methods.values() for _, domain in method.parameters)
    known = set[int]()
    while waiting:
        domain = waiting.pop()
        if isinstance(domain, d.Domain) and id(domain) not in known:
            known.add(id(domain))
            yield domain
            for part in vars(domain).values():
                waiting += part if isinstance(part, list | tuple) else [part]
