"""When the verdict of one configuration follows from that of another: the same constants, but another budget of faults.

A budget only says how many faults there may be.  So each run with fewer faults allowed is a run with more allowed.  What holds in every run of the larger
configuration holds in every run of the smaller, and a run of the smaller that violates a property is a run of the larger that does: invariants and step
properties at once; properties of quiescent states and of whole runs because the same actions are enabled in the states that both have, faults aside.  This
is the meaning of the language, not of a protocol; hence the conditions below, without which nothing follows:

* no constant, type, variable, action or method of the model or its properties depends on a budget, but those of the language itself;
* for quiescent states and whole runs, if crashes are added: no action can be given up after a point at which its process may crash.  It would be enabled only
  as a step that ends in the crash, so a state may be quiescent without the crash and not with it;
* the property does not ask what can be reached.

Only what a search decided is carried over: `holds` downwards from a search that was complete, `violated` upwards.  Whether a property was put to the test is
not known then, but what was never put to the test with more faults is not with fewer.  What to search, and what follows in all: `checker.commands.following`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

from attrs import frozen

from checker.frontend.lower import lower
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.distributed import BUDGETS, Distributed
from checker.language.model import Model

COUNTERS = ("lost", "duplicated", "apart", "splits")
EVERY_STATE = ("invariant", "step")
"""Kinds of property that do not depend on what is enabled."""


def larger(constants: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the first allows more faults, and differs in nothing else that was given."""
    if constants.keys() != other.keys():
        return False
    differing = [n for n in constants if constants[n] != other[n]]
    return bool(differing) and all(n in BUDGETS and constants[n] > other[n] for n in differing)


@frozen
class Standing:
    """What decides whether anything follows for a configuration: constants and their values but for the budgets, types, variables and actions.

    reads: a method that names a budget; kinds: of the properties checked, by name."""

    values: Mapping[str, Any]
    shape: tuple[Any, ...]
    reads: str | None
    kinds: Mapping[str, str]


def standing(model: type[Model], constants: Mapping[str, Any], only: list[str] | None) -> Standing:
    """The standing of a configuration.  only: the properties checked."""
    definition = define(model, dict(constants), only)
    values = {n: v for n, v in definition.values.items() if n not in BUDGETS}
    return Standing(values, _shape(definition), _reads_budget(model, definition), {p.name: p.kind for p in definition.properties})


def hindrance(less: Standing, more: Standing) -> str | None:
    """Why nothing follows between two configurations, the second with larger budgets; None if it does."""
    for name in more.values:
        if less.values.get(name) != more.values[name]:
            return f"{name} depends on a budget of faults"
    if more.reads is not None:
        return f"{more.reads} reads a budget of faults"
    return "types, variables or actions depend on a budget of faults" if less.shape != more.shape else None


def given_up_late(model: type[Model], constants: Mapping[str, Any]) -> str | None:
    """An action that can be given up after a point at which its process may crash: nothing follows from crashes for quiescent states and whole runs."""
    actions = lower(define(model, dict(constants), None)).actions
    return next((a.name for a in actions if not a.fault and _gives_up_late(a.body)), None)


def _shape(definition: Definition) -> tuple[Any, ...]:
    """Types, variables and actions but for those of the language that bound and count faults."""
    variables = [(v.name, v.domain.ir, repr(v.initial), v.local) for v in definition.variables if v.name not in COUNTERS]
    actions = [(a.name, a.kind, [(p.name, p.domain.ir) for p in a.parameters], a.fair) for a in definition.actions if not a.fault]
    own = [a.name for a in definition.actions if a.fault and a.function is not None and a.function.__module__ != Distributed.__module__]
    return {n: d.ir for n, d in definition.types.items()}, variables, actions, own


def _reads_budget(model: type[Model], definition: Definition) -> str | None:
    """A method that names a budget: of the model or of a property in use, but not of the language."""
    observers = [c for c in getattr(model, "properties", ()) if c.__name__ in definition.observers]
    for cls in dict.fromkeys(base for c in (model, *observers) for base in c.__mro__):
        if cls not in Distributed.__mro__:
            for name, value in vars(cls).items():
                if isinstance(value, FunctionType) and _names(value.__code__) & set(BUDGETS):
                    return f"{cls.__name__}.{name}"
    return None


def _names(code: CodeType) -> set[str]:
    """Every name and attribute in a function, those of its comprehensions included."""
    return set(code.co_names).union(*(_names(c) for c in code.co_consts if isinstance(c, CodeType)))


def _gives_up_late(body: Sequence[s.Statement]) -> bool:
    """Whether a statement that may disable the instance can follow a crash point."""
    return any(late for _, late in _walk(body, False))


def _walk(body: Sequence[s.Statement], after: bool) -> Iterator[tuple[s.Statement, bool]]:
    """The statements outside crash branches, each with whether it may disable the instance though a crash point may have come before.

    In a loop the whole body may come after a crash point of its own.
    """
    for statement in body:
        if isinstance(statement, (s.For, s.While)):
            yield from _walk(statement.body, after or _has_crash_point([statement]))
        elif isinstance(statement, s.If):
            for branch in (statement.then, statement.other):
                if not _crashes(branch):
                    yield from _walk(branch, after)
        elif isinstance(statement, s.Block):
            yield from _walk(statement.body, after)
        else:
            yield statement, after and _may_disable(statement)
        after = after or _has_crash_point([statement])


def _may_disable(statement: s.Statement) -> bool:
    """A guard, or a choice that may have nothing to choose from."""
    if isinstance(statement, s.Require):
        return not (isinstance(statement.condition, e.Const) and statement.condition.value == 1)
    return isinstance(statement, s.Choose) and not isinstance(statement.iterable, e.Domain)


def _has_crash_point(body: Sequence[s.Statement]) -> bool:
    """Whether a branch in it is the crash of the acting process."""
    parts = [b for x in body for b in _branches(x)]
    return any(_crashes(b) or _has_crash_point(b) for b in parts)


def _branches(statement: s.Statement) -> tuple[tuple[s.Statement, ...], ...]:
    match statement:
        case s.If():
            return statement.then, statement.other
        case s.For() | s.While() | s.Block():
            return (statement.body,)
    return ()


def _crashes(branch: Sequence[s.Statement]) -> bool:
    """A branch that ends the step with the crash of a process, as the language adds them."""
    into = [x.target for x in branch if isinstance(x, s.SetAdd)]
    return bool(branch) and isinstance(branch[-1], s.Stop) and any(isinstance(place, e.Variable) and place.name == "crashed" for place in into)
