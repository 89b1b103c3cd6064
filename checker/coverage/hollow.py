"""Hollow verdicts: reasons why "holds" says less than it seems to, each a finding with a name.

A property can hold because nothing happened.  Some reasons show in the counts of any complete search; two need a look at the states (checker.coverage.tested): a
property whose condition is true in no state, and an observer whose variables never change.  `check --strict` turns any finding into a vacuous verdict.
"""

from __future__ import annotations

import difflib
import dis
import inspect
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, Literal

from attrs import frozen

from checker.engines.explored import Explored
from checker.frontend.functions import returns_value
from checker.frontend.refusal import Refused
from checker.frontend.source import source
from checker.frontend.unused import unused
from checker.language.definition import Definition
from checker.language.domains import UnionDomain
from checker.language.model import Model
from checker.wording import counted

Kind = Literal[
    "no-initial-state", "no-properties", "no-actions", "never-received", "never-enabled", "never-quiescent", "never-tested", "no-event", "within-constraint", "whole-runs-cut",
    "trivial-constants", "never-called", "never-read", "reads-nothing", "empty-domain",
]  # fmt: skip


@frozen
class Hollow:
    """One reason.  subject: the action, property or constant it is about."""

    kind: Kind
    subject: str
    text: str


def hollow(definition: Definition, explored: Explored) -> Iterator[Hollow]:
    """What shows without looking at the states again."""
    if explored.distinct == 0 and not explored.complete:
        return
    if explored.distinct == 0:
        yield Hollow("no-initial-state", definition.name, "there is no initial state: nothing was checked")
        return
    if not definition.properties:
        yield Hollow("no-properties", definition.name, "the model lists no properties: only its types were checked")
    if not any(not a.fault for a in definition.actions):
        yield Hollow("no-actions", definition.name, "the model has no action: @action or @on(...) stands before none of its methods")
    yield from unreceived(definition)
    yield from _constraints(definition, explored)
    yield from trivial(definition)
    yield from _deaf(definition)
    yield from uncalled(definition)
    yield from idle_procedures(definition)
    yield from idle_methods(definition)
    yield from (Hollow("never-read", u.name, f"the local {u.name} in {u.place} is assigned and not read afterwards") for u in unused(definition))
    yield from reading_nothing(definition)
    if explored.complete:
        for action in explored.actions:
            if action.fired == 0:
                yield Hollow("never-enabled", action.name, f"action {action.name} was never enabled")
        if explored.quiescent == 0 and (names := [p.name for p in definition.properties if p.kind == "quiescence"]):
            yield Hollow("never-quiescent", ", ".join(names), "no state is quiescent: the quiescence properties were never put to the test")


def _constraints(definition: Definition, explored: Explored) -> Iterator[Hollow]:
    if not explored.cut:
        return
    names = ", ".join(c.name for c in definition.constraints)
    yield Hollow("within-constraint", names, f"the constraint {names} cut off {counted(explored.cut, 'step')}: what lies beyond was not explored")
    if any(p.kind == "leads-to" for p in definition.properties):
        yield Hollow("whole-runs-cut", names, "a state constraint cuts states, so nothing can be said about whole runs (leads-to)")


def trivial(definition: Definition) -> Iterator[Hollow]:
    """Constants with which there is nothing to judge."""
    if definition.process is not None and definition.constants.get("processes") == 1:
        yield Hollow("trivial-constants", "processes", "there is one process: nobody can disagree with it")
    workload = definition.constants.get("workload")
    if isinstance(workload, tuple) and sum(workload) == 1:
        yield Hollow("trivial-constants", "workload", "there is one message: it cannot come in another order")


def uncalled(definition: Definition) -> Iterator[Hollow]:
    """Methods by which an edit means to change something and changes nothing: they override nothing, and nothing calls them."""
    model = definition.model
    inherited, called = _inherited(model), _called(definition)
    if not any(issubclass(base, Model) and not base.__module__.startswith("checker.") for base in model.__mro__[1:]):
        return
    for name, method in definition.methods.items():
        if method.owner is None and name in vars(model) and name not in inherited | called:
            if getattr(vars(model)[name], "__checker__", None) is None or method.rule:
                near = difflib.get_close_matches(name, [n for n in inherited if inspect.isfunction(getattr(model, n, None))], 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                yield Hollow("never-called", name, f"{name} overrides nothing and nothing calls it{hint}")


def unreceived(definition: Definition) -> Iterator[Hollow]:
    """Messages that stay in flight for ever: their network has handlers, but none for them.  Variants that no method names are not sent."""
    for variable in definition.variables:
        network = variable.network
        handled = {a.variant for a in definition.actions if network is not None and a.kind == "receive" and a.network == network.name}
        if network is None or not handled or None in handled or not isinstance(network.body, UnionDomain):
            continue
        for variant in network.body.variants:
            if variant.name not in handled and variant.name in _called(definition):
                yield Hollow("never-received", variant.name, f"no handler receives {variant.name} on {network.name}")


def _inherited(model: type[Model]) -> set[str]:
    return {n for base in model.__mro__[1:] for n in vars(base)}


def _called(definition: Definition) -> set[str]:
    """Every name that some method of the model or of its properties looks up."""
    functions: list[Any] = [f for base in definition.model.__mro__ for f in vars(base).values() if inspect.isfunction(f)]
    functions += [f for p in definition.properties for f in (p.function, p.when, p.explain) if inspect.isfunction(f)]
    functions += [m.function for m in definition.methods.values() if m.owner is not None]
    return {name for f in functions for name in _names(f.__code__)}


def idle_procedures(definition: Definition) -> Iterator[Hollow]:
    """Methods that would change the state, and are neither actions nor called by one: a decorator was forgotten."""
    known = _inherited(definition.model) | _called(definition)
    for name, method in definition.methods.items():
        if method.owner is None and name in vars(definition.model) and name not in known and getattr(method.function, "__checker__", None) is None:
            try:
                procedure = not returns_value(source(method.function).node)
            except Refused:
                continue
            if procedure:
                yield Hollow("never-called", name, f"nothing calls {name}: is @action or @on(...) missing above it?")


def idle_methods(definition: Definition) -> Iterator[Hollow]:
    """Methods of properties with almost the name of a part of one, such as `When`, which would be left out."""
    called, parts = _called(definition), ("holds", "when", "then", "explain")
    for key, method in definition.methods.items():
        if method.owner is not None and method.name not in called and not method.name.startswith("on_"):
            for near in difflib.get_close_matches(method.name.lower(), parts, 1, 0.75):
                yield Hollow("never-called", key, f"nothing calls {key}; did you mean {near}?")


def reading_nothing(definition: Definition) -> Iterator[Hollow]:
    """Properties that read no variable, themselves or through what they call: they are true or false whatever the state."""
    variables = {v.name.rpartition(".")[2] for v in definition.variables}
    for p in definition.properties:
        read, pending = set[str](), [f for f in (p.function, p.when) if f is not None]
        while pending:
            new = set(_names(pending.pop().__code__)) - read
            read |= new
            pending += [f for n in new for f in _methods(definition, n, p.owner)]
        if not read & variables:
            yield Hollow("reads-nothing", p.name, f"{p.name} reads no variable: it says nothing about the states")


def _methods(definition: Definition, name: str, owner: str | None) -> list[Callable[..., Any]]:
    """What a name may call: a method of the property, of the model, or a property of the model itself."""
    found = [definition.methods[n].function for n in (name, f"{owner}.{name}") if n in definition.methods]
    return found + [p.function for p in definition.properties if p.name == name]


# Observers


def _deaf(definition: Definition) -> Iterator[Hollow]:
    """Properties that watch events of which the model's methods emit none.  Crashes, sending and receptions are events of the language."""
    emitted = {"crash"} | {"send" for v in definition.variables if v.network is not None} | {"receive" for a in definition.actions if a.kind == "receive"}
    for function in (*(a.function for a in definition.actions), *(m.function for m in definition.methods.values() if m.owner is None)):
        if function is not None:
            emitted |= events_of(function)
    for owner in definition.observers:
        own = [*(m.function for m in definition.methods.values() if m.owner == owner), *(p.function for p in definition.properties if p.owner == owner)]
        used = {name for function in own for name in _names(function.__code__)}
        watched = [n.removeprefix(f"{owner}.on_") for n in definition.methods if n.startswith(f"{owner}.on_") and n.removeprefix(f"{owner}.") not in used]
        if watched and not emitted & set(watched):
            yield Hollow("no-event", owner, f"{owner} watches for {' and '.join(watched)}, which nothing emits")


def _names(code: CodeType) -> Iterator[str]:
    """Every name that a function looks up: a method that its own class calls is no handler, whatever it is called."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def events_of(function: Callable[..., Any]) -> set[str]:
    """The names of the events that a method emits itself: `self.emit.NAME(...)`."""
    return set(_emitted(function.__code__))


def _emitted(code: CodeType) -> Iterator[str]:
    instructions = list(dis.get_instructions(code))
    for first, second in zip(instructions, instructions[1:]):
        if first.argval == "emit" and second.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            yield str(second.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _emitted(constant)
