"""Whether the antecedent of each property was ever satisfied: compiled code evaluates it in the stored states of a
complete search.

The antecedents (checker.analysis.vacuity.antecedents) are compiled as a separate kernel with the same layout and
without actions, and evaluated on the packed states after the search, wherever these are stored
(`checker.engines.survey`).  A search without this question pays nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from checker.analysis.vacuity.antecedents import Antecedent, antecedents, conjuncts, negated
from checker.analysis.vacuity.domains import Claims
from checker.backends.native.kernel import FEW_STATES, NativeKernel, compile_model
from checker.contract import NEVER, States, nowhere
from checker.engines.survey import Survey
from checker.ir import expressions as e
from checker.ir import show
from checker.ir import statements as s
from checker.ir.build import FALSE, TRUE
from checker.ir.model import Function, Property
from checker.ir.model import Model as Lowered
from checker.ir.visit import walk
from checker.language.definition import Definition
from checker.language.places import function_node
from checker.results.vacuity import Tested, Vacuity, own_words

CHUNK = 1 << 16
ASKED = "reachable"
"""The kind of property as which a predicate is evaluated."""


def tested(survey: Survey, definition: Definition) -> list[Tested]:
    """Which antecedents were satisfied.  The search must have been complete."""
    model = survey.kernel.model
    found = antecedents(model)
    levels = _firsts(model, found, survey)

    def steps(a: Antecedent) -> int | None:
        level = levels.get(a.function.name)
        return None if level is None else level + (a.kind == "step")

    return [Tested(a.property, a.kind, _written(a, definition) or condition_text(a), steps(a)) for a in found]


def _written(antecedent: Antecedent, definition: Definition) -> str:
    """The `when` of a leads-to property in the words of the model, if constants decide it or a part of it; else ""."""
    last, when = antecedent.function.body[-1], _when(definition, antecedent.property)
    if when is None or not (isinstance(last, s.Return) and any(part == FALSE for part in walk(last.value))):
        return ""
    end = node.body[-1] if (node := function_node(when)) is not None else None
    return own_words(ast.unparse(end.value)) if isinstance(end, ast.Return) and end.value is not None else ""


def _when(definition: Definition, name: str) -> Callable[..., Any] | None:
    return next((p.when for p in definition.properties if p.name == name), None)


def about_nothing(survey: Survey, without: Container[str]) -> Iterator[Vacuity]:
    """Claims inside properties whose quantification domain has no member in any state in which they are evaluated;
    `without` properties of these names.  The search must have been complete.
    """
    model = survey.kernel.model
    claims = Claims(model)
    made = [(p, c) for p in model.properties if p.name not in without for name in p.predicates for c in claims.of(name)]
    functions = {f.name: f for f in claims.functions}
    texts = [(p.name, "" if c.function in p.predicates else c.function, _plain(c.over)) for p, c in made]

    extended = evolve(model, functions=(*model.functions, *claims.functions))

    def ever(names: list[tuple[Property, str]]) -> dict[str, int]:
        return _firsts(extended, [Antecedent(p.name, p.kind, functions[n]) for p, n in names], survey)

    there = ever([(p, c.there) for p, c in made])
    filled = {text for text, (_, c) in zip(texts, made) if c.there in there}
    empty = [(text, p, c) for text, (p, c) in zip(texts, made) if text not in filled]
    come = ever([(p, c.come) for _, p, c in empty])
    for name, where, over in dict.fromkeys(text for text, _, c in empty if c.come in come):
        within = f" in {where}" if where else ""
        why = f"{name} is vacuous{within} for {over}: that is empty wherever it is evaluated"
        yield Vacuity("empty-domain", f"{name}: {over}", why, names=(name,))


def condition_text(antecedent: Antecedent) -> str:
    """The condition in the words of the model."""
    last = antecedent.function.body[-1]
    assert isinstance(last, s.Return)
    return _plain(last.value)


def _plain(condition: e.Expression) -> str:
    """`p in Process, m in delivered[p] with p == sender(m)`; other expressions as they are shown."""
    if not (isinstance(condition, e.Quantifier) and condition.operator == "any"):
        return _named(show.expression(condition))
    places = [f"{show.expression(g.local)} in {show.expression(g.iterable)}" for g in condition.generators]
    asked = (*(c for g in condition.generators for c in g.conditions), condition.body)
    parts = [_asked(part) for c in asked for part in conjuncts(c) if part != TRUE]
    return _named(", ".join(places) + (f" with {' and '.join(parts)}" if parts else ""))


def _asked(c: e.Expression) -> str:
    match c:
        case e.Not(_, e.IsNone(_, value)):
            return f"{show.expression(value)} is not None"
        case e.IsNone(_, value):
            return f"{show.expression(value)} is None"
        case e.Compare():
            return show.expression(c)[1:-1]
    return show.expression(c)


def _named(text: str) -> str:
    return re.sub(r"%(\w+)(\.\d+)?", r"\1", text).replace(" in all ", " in ")


def _firsts(model: Lowered, wanted: list[Antecedent], survey: Survey) -> dict[str, int]:
    """The first level with a state in which each predicate is true, or from which a step makes it true; of a quiescence
    property only quiescent states count.  A predicate that is never true is left out.
    """
    of_steps, of_ends = ([a.function for a in wanted if a.kind == kind] for kind in ("step", "quiescence"))
    of_states = [a.function for a in wanted if a.kind not in ("step", "quiescence")]
    found: dict[str, int] = {}
    for functions, rest in (of_states, False), (of_ends, True):
        if functions:
            names, asked = [f.name for f in functions], evolve(model, actions=(), constraints=())
            found |= survey.first_levels(_with(asked, ASKED, functions), ASKED, names, rest)
    if of_steps:  # their negations, taken for step invariants, are broken there
        names, asked = [f.name for f in of_steps], evolve(model, constraints=())
        found |= survey.first_levels(_with(asked, "step", [negated(f) for f in of_steps]), "step", names)
    return found


def predicates(model: Lowered, functions: list[Function], states: int) -> tuple[NativeKernel, dict[str, int]]:
    """A kernel that evaluates these functions in a number of states of the model, and the number of the finding of
    each.
    """
    asked = _with(evolve(model, actions=(), constraints=()), ASKED, functions)
    kernel = compile_model(asked, quick=states <= FEW_STATES)
    return kernel, {f.name: i for i, f in enumerate(kernel.findings) if f.kind == ASKED}


def scan(
    kernel: NativeKernel, numbers: Mapping[str, int], states: States, rows: NDArray[np.int64] | None
) -> dict[str, int]:
    """The number of the first state (of those in `rows`, ascending) in which each predicate is true; a predicate that
    is true in none is left out."""
    found: dict[str, int] = {}
    for start in range(0, len(states) if rows is None else len(rows), CHUNK):
        places = slice(start, start + CHUNK) if rows is None else rows[start : start + CHUNK]
        first, block = nowhere(kernel), np.ascontiguousarray(states[places])
        kernel.check(block, first)
        for name, number in numbers.items():
            if first[number] < NEVER and name not in found:
                row = start + int(first[number])
                found[name] = row if rows is None else int(rows[row])
        if len(found) == len(numbers):
            break
    return found


def _with(model: Lowered, kind: str, functions: list[Function]) -> Lowered:
    """The model with these functions as its only properties."""
    properties = tuple(Property(f.name, kind, f.name) for f in functions)
    names = {f.name for f in functions}
    others = (f for f in model.functions if f.name not in names)
    return evolve(model, functions=(*others, *functions), properties=properties)


def untested(
    definition: Definition, survey: Survey, conditions: list[Tested], already: list[Vacuity]
) -> Iterator[Vacuity]:
    """Findings that need the states: antecedents never satisfied, observers whose variables never change."""
    known = {f.subject for f in already}
    silent = any(f.kind == "never-quiescent" for f in already)
    for condition in conditions:
        if condition.first_steps is None and not (silent and condition.kind == "quiescence"):
            where = {"quiescence": "quiescent state", "step": "step"}.get(condition.kind, "reachable state")
            never = f"the antecedent of {condition.property} is never satisfied"
            why = f"{never}: no {where} has {condition.condition}"
            yield Vacuity("never-tested", condition.property, why, never)
    for owner in definition.observers:
        own = [v.name for v in definition.variables if v.owner == owner]
        if own and owner not in known | {m.owner for m in definition.starting} and survey.constant(own):
            names = ", ".join(n.split(".")[1] for n in own)
            yield Vacuity("no-event", owner, f"{owner} saw nothing: what it remembers ({names}) never changes")
