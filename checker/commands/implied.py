"""When the verdict of one configuration follows from that of another: the same constants, but other budgets of faults or another kind of channel.

A budget only says how many faults there may be.  So each run with fewer faults allowed is a run with more allowed.  What holds in every run of the larger
configuration holds in every run of the smaller, and a run of the smaller that violates a property is a run of the larger that does: invariants and step
properties at once; properties of quiescent states and of whole runs because the same actions are enabled in the states that both have, faults aside.  This
is the meaning of the language, not of a protocol; hence the conditions below, without which nothing follows:

* no constant, type, variable, action or method of the model or its properties depends on a budget, but those of the language itself;
* for quiescent states and whole runs, if crashes are added: no action can be given up after a point at which its process may crash.  It would be enabled only
  as a step that ends in the crash, so a state may be quiescent without the crash and not with it;
* the property does not ask what can be reached.

In the same way each run with FIFO channels is one with channels without order: queues are bags of which only some messages may be received.  Conditions here:

* no method reads `channels`, or looks at what is in flight between two processes (how many messages there are is the same);
* for quiescent states, no handler may refuse a message and each variant has a handler: what stands first in a queue would hold up the others;
* the property is not one of whole runs: fairness is not compared.

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
from checker.ir import types as t
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.distributed import BUDGETS, Distributed
from checker.language.model import Model

COUNTERS = ("lost", "duplicated", "apart", "splits")
ORDERED = (*BUDGETS, "channels")
"""The constants between whose values something may follow."""
EVERY_STATE = ("invariant", "step")
"""Kinds of property that do not depend on what is enabled."""


def larger(constants: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the first allows more, faults or orders of messages, and differs in nothing else that was given."""
    if constants.keys() != other.keys():
        return False
    differing = [n for n in constants if constants[n] != other[n]]
    return bool(differing) and all(n in ORDERED and _more(n, constants[n], other[n]) for n in differing)


def _more(name: str, value: Any, other: Any) -> bool:
    return (value, other) == ("unordered", "fifo") if name == "channels" else bool(value > other)


@frozen
class Standing:
    """What decides whether anything follows for a configuration: its constants; their values but for the budgets, and types, variables and actions.

    reads: a method that names a budget; looks: one that names the channels or what is in them; kinds: of the properties checked, by name."""

    constants: Mapping[str, Any]
    values: Mapping[str, Any]
    shape: tuple[Any, ...]
    reads: str | None
    looks: str | None
    kinds: Mapping[str, str]


def standing(definition: Definition) -> Standing:
    """The standing of a configuration."""
    values = {n: v for n, v in definition.values.items() if n not in ORDERED}
    reads, looks = _naming(definition, set(BUDGETS)), _naming(definition, {"channels", "between"})
    return Standing(definition.constants, values, _shape(definition), reads, looks, {p.name: p.kind for p in definition.properties})


def hindrance(less: Standing, more: Standing) -> str | None:
    """Why nothing follows between two configurations, of which the second allows more; None if it does."""
    for name in more.values:
        if less.values.get(name) != more.values[name]:
            return f"{name} depends on a budget of faults"
    if more.reads is not None:
        return f"{more.reads} reads a budget of faults"
    if more.constants.get("channels") != less.constants.get("channels") and more.looks is not None:
        return f"{more.looks} reads the channels"
    return "types, variables or actions depend on a budget of faults" if less.shape != more.shape else None


def given_up_late(model: type[Model], constants: Mapping[str, Any]) -> str | None:
    """An action that can be given up after a point at which its process may crash: nothing follows from crashes for quiescent states and whole runs."""
    actions = lower(define(model, dict(constants), None)).actions
    return next((a.name for a in actions if not a.fault and _gives_up_late(a.body)), None)


def refused(model: type[Model], constants: Mapping[str, Any]) -> str | None:
    """A handler that may refuse a message, or a network with messages that nobody handles: nothing follows from unordered channels for quiescent states."""
    definition = define(model, dict(constants), None)
    bodies = {a.name: a.body for a in lower(definition).actions}
    for variable in definition.variables:
        if variable.network is not None:
            handlers = [a for a in definition.actions if a.kind == "receive" and a.network == variable.name]
            for handler in handlers:
                taken = next(i for i, x in enumerate(bodies[handler.name]) if isinstance(x, s.BagRemove))
                if any(_may_disable(x) for x, _ in _walk(bodies[handler.name][taken:], True)):
                    return handler.name
            body = variable.network.body.ir
            variants = {v.name for v in body.variants} if isinstance(body, t.Union) else set()
            if not handlers or all(a.variant is not None for a in handlers) and variants != {a.variant for a in handlers}:
                return variable.name
    return None


def _shape(definition: Definition) -> tuple[Any, ...]:
    """Types, variables and actions but for those of the language that bound and count faults, and for how a network keeps its messages."""
    declared = [v for v in definition.variables if v.name not in COUNTERS]
    variables = [(v.name, v.domain.ir, repr(v.initial), v.local) if v.network is None else (v.name, v.network.body.ir) for v in declared]  # networks start empty
    actions = [(a.name, a.kind, [(p.name, p.domain.ir) for p in a.parameters], a.fair) for a in definition.actions if not a.fault]
    own = [a.name for a in definition.actions if a.fault and a.function is not None and a.function.__module__ != Distributed.__module__]
    return {n: d.ir for n, d in definition.types.items()}, variables, actions, own


def _naming(definition: Definition, names: set[str]) -> str | None:
    """A method that names one of these: of the model or of a property in use, but not of the language."""
    model = definition.model
    observers = [c for c in getattr(model, "properties", ()) if c.__name__ in definition.observers]
    for cls in dict.fromkeys(base for c in (model, *observers) for base in c.__mro__):
        if cls not in Distributed.__mro__:
            for name, value in vars(cls).items():
                if isinstance(value, FunctionType) and _names(value.__code__) & names:
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
            yield from _walk(statement.body[1:] if _chooses_one(statement) else statement.body, after or _has_crash_point([statement]))
        elif isinstance(statement, s.If):
            for branch in (statement.then, statement.other):
                if not _crashes(branch):
                    yield from _walk(branch, after)
        elif isinstance(statement, s.Block):
            yield from _walk(statement.body, after)
        else:
            yield statement, after and _may_disable(statement)
        after = after or _has_crash_point([statement])


def _chooses_one(loop: s.For | s.While) -> bool:
    """The loop goes on while a collection has members, and begins with the choice of one."""
    if not (isinstance(loop, s.While) and isinstance(loop.body[0], s.Choose) and isinstance(loop.condition, e.Compare)):
        return False
    test = loop.condition
    return test.operator == ">" and isinstance(test.left, e.Length) and test.left.value == loop.body[0].iterable and isinstance(test.right, e.Const) and test.right.value == 0


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
