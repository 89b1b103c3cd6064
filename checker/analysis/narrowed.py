"""What a change takes away from the behaviour that is searched and from the assertions in it, at equal constants: an
`assert` that is gone, a state constraint that is new or another one, an event that a property reads and an action no
longer emits, a type with fewer values, an action that is fair now.

Each of these can keep an expectation met although the model is wrong, and none of them is part of an expectation or of
a property.  Assertions are compared by what they say (`checker.analysis.asserted`) without the place where they stand,
so an assertion that moves to a helper is none that is gone.

Where it stops: a constraint that is written otherwise counts as another one, also where it says the same; an assertion
that stands behind a stronger condition than before is found by its text.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from checker.analysis.as_before import text_of
from checker.analysis.asserted import Assertion, assertions
from checker.analysis.compare.sources import type_text
from checker.analysis.vacuity.uncalled import names
from checker.ir import types as t
from checker.language.declared import declarations
from checker.language.definition import ActionDefinition, Definition
from checker.language.events import events_of
from checker.language.model import anything
from checker.language.places import is_own
from checker.wording import counted, listed

Function = Callable[..., Any]
HANDLER = "on_"


@frozen
class Narrowed:
    """What is gone, in words; name: of the member of a class in which it was, for its line."""

    name: str
    text: str


def narrowed(before: Definition, now: Definition) -> Iterator[Narrowed]:
    """before and now: with the same constants, as far as both have them."""
    yield from _assertions(before, now)
    yield from _constraints(before, now)
    yield from _events(before, now)
    yield from _types(before, now)
    yield from _fair(before, now)


def _assertions(before: Definition, now: Definition) -> Iterator[Narrowed]:
    """Each assertion that none of today's says, wherever it stands, and none of today's in its method implies."""
    left = [(f.__name__, one) for f in _functions(now) for one in assertions(f, now.values)]
    gone: list[tuple[str, Assertion]] = []
    for name, former in [(f.__name__, one) for f in _functions(before) for one in assertions(f, before.values)]:
        same = next((pair for pair in left if pair[1].test == former.test), None)
        if same is not None:
            left.remove(same)
        else:
            gone.append((name, former))
    for name, former in gone:
        implying = next((pair for pair in left if pair[0] == name and pair[1].implies(former)), None)
        if implying is not None:
            left.remove(implying)
        else:
            values = _other_values(former, [one for _, one in left])
            told = f" with {listed([f'{n} = {value}' for n, value in values.items()])}" if values else ""
            yield Narrowed(next(iter(values), name), f"assert {former.text}{told} in {name} is no longer stated")


def _other_values(former: Assertion, left: Sequence[Assertion]) -> dict[str, str]:
    """The values that a former assertion read, where one with its text reads others."""
    other = next((one for one in left if one.text == former.text), None)
    return {} if other is None else {n: value for n, value in former.reads if (n, value) not in other.reads}


def _functions(side: Definition) -> Iterator[Function]:
    """The methods of a model that are in force: those that others of them override only if these call `super()`."""
    for name in dict(declarations(side.model)):
        for base in side.model.__mro__:
            function = vars(base).get(name)
            if function is None and name in vars(base):
                break
            if inspect.isfunction(function) and not is_own(function.__module__):
                yield function
                if "super" not in function.__code__.co_names:
                    break


def _constraints(before: Definition, now: Definition) -> Iterator[Narrowed]:
    former = {c.name: text_of(c.function) for c in before.constraints}
    for constraint in now.constraints:
        name = constraint.name
        if name not in former:
            yield Narrowed(name, f"the constraint {name} is new, and leaves out states")
        elif former[name] != text_of(constraint.function):
            yield Narrowed(name, f"the constraint {name} was changed, and may leave out more states")


def _events(before: Definition, now: Definition) -> Iterator[Narrowed]:
    read = {key.rpartition(".")[2].removeprefix(HANDLER) for key in before.methods if f".{HANDLER}" in key}
    today = {action.name: _emitted(now, action) for action in now.actions}
    every = set[str]().union(*today.values())
    for action in before.actions:
        gone = read & (_emitted(before, action) - today.get(action.name, every))
        for event in sorted(gone):
            by = f"{action.name} emits the event {event} no longer" if action.name in today else ""
            text = by if event in every and by else f"nothing emits the event {event} any more"
            yield Narrowed(action.name, f"{text}, which a property reads")


def _emitted(side: Definition, action: ActionDefinition) -> set[str]:
    """The events that an action emits, itself or through methods that it calls."""
    found, seen = set[str](), set[str]()
    waiting: list[Function] = [] if action.function is None else [action.function]
    while waiting:
        function = waiting.pop()
        found |= events_of(function)
        if "super" in function.__code__.co_names:
            waiting += _overridden(side, function)
        for name in names(function.__code__):
            called = getattr(side.model, name, None)
            if name not in seen and inspect.isfunction(called):
                seen.add(name)
                waiting.append(called)
    return found


def _overridden(side: Definition, function: Function) -> list[Function]:
    """The methods that this one overrides, the nearest alone."""
    held = [vars(c)[function.__name__] for c in side.model.__mro__ if function.__name__ in vars(c)]
    after = held[held.index(function) + 1 :] if function in held else []
    return [f for f in after[:1] if inspect.isfunction(f)]


def _types(before: Definition, now: Definition) -> Iterator[Narrowed]:
    found = [*_enumerated(before, now), *_of_variables(before, now)]
    yield from dict.fromkeys(found)


def _enumerated(before: Definition, now: Definition) -> Iterator[Narrowed]:
    """Types whose values methods, actions and initial states range over."""
    read = {name for function in _functions(now) for name in names(function.__code__)}
    read |= {name for m in now.methods.values() if m.owner is not None for name in names(m.function.__code__)}
    for name, domain in before.types.items():
        if name.rpartition(".")[2] in read and name in now.types:
            yield from _fewer(name, f"the type {name}", domain.ir, now.types[name].ir, whole=True)
    named = {domain.ir: name for name, domain in before.types.items()}
    for kind in ("actions", "properties"):
        today = {one.name: {p.name: p for p in one.parameters} for one in getattr(now, kind)}
        for one in getattr(before, kind):
            for p in one.parameters:
                if (other := today.get(one.name, {}).get(p.name)) is not None:
                    type = named.get(p.domain.ir)
                    what = f"the type {type}" if type else f"the parameter {p.name} of {one.name}"
                    yield from _fewer(type or one.name, what, p.domain.ir, other.domain.ir, whole=True)


def _of_variables(before: Definition, now: Definition) -> Iterator[Narrowed]:
    """Variables that start anywhere, and those of which a field is gone: a value out of the range of a variable ends a
    search."""
    today = {v.name: v for v in now.variables}
    for variable in before.variables:
        other = today.get(variable.name)
        if other is not None and variable.initial is anything and other.initial is not anything:
            text = f"{variable.name} no longer starts as any value"
            yield Narrowed(variable.name, text)
        elif other is not None:
            whole = variable.initial is anything
            yield from _fewer(variable.name, variable.name, variable.domain.ir, other.domain.ir, whole=whole)


def _fewer(name: str, what: str, before: t.Type, now: t.Type, *, whole: bool) -> Iterator[Narrowed]:
    if text := next(_lost(before, now, whole), ""):
        yield Narrowed(name, f"{what} {text}")


def _lost(before: t.Type, now: t.Type, whole: bool) -> Iterator[str]:
    """What values of a type lack, in words.  whole: whether fewer values count too, and not fields alone."""
    match before, now:
        case t.Int(lo, hi), t.Int(low, high) if whole and (low > lo or high < hi):
            yield f"is {type_text(now)}, and was {type_text(before)}"
        case ((t.Enum(_, was) | t.Ids(_, was)), (t.Enum(_, has) | t.Ids(_, has))) if whole and len(has) < len(was):
            yield f"has {counted(len(has), 'value')}, and had {len(was)}"
        case t.Record(_, fields), t.Record(_, others):
            if gone := [n for n, _ in fields if n not in dict(others)]:
                yield f"has no {listed(gone)} any more"
            for n, field in fields:
                if n in dict(others):
                    yield from _lost(field, dict(others)[n], whole)
        case t.Union(_, variants), t.Union(_, others):
            known = {v.name.rpartition(".")[2]: v for v in others}
            for variant in variants:
                form = known.get(variant.name.rpartition(".")[2])
                if form is None:
                    yield f"has no {variant.name} any more"
                else:
                    yield from (f"({variant.name}) {text}" for text in _lost(variant, form, whole))
        case t.Optional(), _ if whole and not isinstance(now, t.Optional):
            yield "is never None any more"
        case _ if type(before) is type(now):
            for part, other in zip(t.parts(before), t.parts(now)):
                yield from _lost(part, other, whole)


def _fair(before: Definition, now: Definition) -> Iterator[Narrowed]:
    """Actions that are fair where they were not: fewer runs count for a leads-to property."""
    if any(p.kind == "leads-to" for p in now.properties):
        today = {a.name: a for a in now.actions}
        for action in before.actions:
            other = today.get(action.name)
            if other is not None and other.fair and (not action.fair or other.changing and not action.changing):
                yield Narrowed(action.name, f"the action {action.name} is {_fairness(other)}, and was not")


def _fairness(action: ActionDefinition) -> str:
    return "fair in the steps that change the state" if action.changing else "fair"
