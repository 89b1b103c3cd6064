"""The picture declarations of a model as text for all reports: lanes of shared variables, clocks, badges; and the
changes of a step in lanes that do not act in it.

A shared variable is shown by its entries: of a map each changed value with its keys, of a sequence each new item with
its place, of a set each new member; of other types, and where something was removed, the whole value.  The state column
contains only the other changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from checker.trace.difference import ABSENT, Change, difference, maps_lanes
from checker.trace.events import Crash, Receive
from checker.trace.trace import Step, Trace
from checker.trace.values import FrozenMap, Value, is_blank, ordered, show

ENTRIES = 6  # of a lane that one row has room for
NO_EFFECT = "no effect"
Keys = tuple[Any, ...]


def shared_lanes(trace: Trace) -> tuple[str, ...]:
    """The heads of the lanes of shared variables that a run changes, in order."""
    changed = (name for name in trace.shared if len({state.get(name) for state in trace.states}) > 1)
    return tuple(dict.fromkeys(trace.shared[name][0] for name in changed))


def entries(trace: Trace, before: Mapping[str, Value], after: Mapping[str, Value]) -> dict[str, list[str]]:
    """The new entries in each shared lane between two states."""
    found: dict[str, list[str]] = {}
    for name, (title, text) in trace.shared.items():
        if name in after and before.get(name) != after[name]:
            pairs = _came(before.get(name, ABSENT), after[name], ())
            found.setdefault(title, []).extend(_told(name, title, text, keys, value) for keys, value in pairs)
    return {title: _fitted(list(dict.fromkeys(texts))) for title, texts in found.items()}


def at_the_end(trace: Trace) -> dict[str, list[str]]:
    """The contents of each shared lane at the end, if there are any; those of variables that the property reads come
    first."""
    found: dict[str, list[str]] = {}
    for name, (title, text) in sorted(trace.shared.items(), key=lambda pair: pair[0] not in trace.final_values):
        if name in trace.states[-1]:
            pairs = list(_came(ABSENT, trace.states[-1][name], ()))
            told = [_told(name, title, text, keys, value) for keys, value in pairs if not is_blank(value)]
            found.setdefault(title, []).extend(told)
    return {title: _fitted(list(dict.fromkeys(texts))) for title, texts in found.items()}


def other_changes(trace: Trace, before: Mapping[str, Value], after: Mapping[str, Value]) -> list[Change]:
    """The changes for a diagram's state column: those that nothing else in the diagram shows."""
    told = {*trace.networks, *trace.shared, *trace.clocks, *trace.aside}
    return list(difference(before, after, trace.lanes, told))


def without_effect(trace: Trace, step: Step) -> bool:
    """Whether a step takes messages out of the network, and nothing else happens in it."""
    before, after = trace.states[step.number - 1], trace.states[step.number]
    same = all(before.get(name) == value for name, value in after.items() if name not in trace.networks)
    return same and bool(step.events) and all(isinstance(event, Receive) for event in step.events)


def given(changes: list[Change], actor: str | None) -> dict[str, list[Change]]:
    """What a step of one lane sets in others, by lane; emptied or reset values do not count."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        reset = is_blank(change.after) and not is_blank(change.before)
        if actor is not None and change.lane not in (None, actor) and not reset:
            found.setdefault(str(change.lane), []).append(change)
    return found


def change_text(step: Step, change: Change) -> str:
    """A change of a step; of a value that a process loses because it crashes the value."""
    crashed = {event.lane for event in step.events if isinstance(event, Crash)}
    gone = is_blank(change.after) and not is_blank(change.before) and not isinstance(change.before, bool)
    if change.lane in crashed and gone:
        return f"{change.path}: {show(change.before)}, gone with the crash"
    return change.text()


def set_text(change: Change) -> str:
    """A value that is set in another lane, as the model declares it: "told true"."""
    return f"{change.path.removeprefix(f'{change.lane}.')} {show(change.after)}"


def shared_clock(trace: Trace, before: Mapping[str, Value], after: Mapping[str, Value]) -> str:
    """The global clocks that a step changes: "now 2"."""
    moved = (name for name in trace.clocks if name in after and not maps_lanes(after[name], trace.lanes))
    return ", ".join(f"{name} {show(after[name])}" for name in moved if before.get(name) != after[name])


def own_clocks(trace: Trace, before: Mapping[str, Value], after: Mapping[str, Value]) -> dict[str, str]:
    """The clocks of each lane that a step changes: "clock 3", "clock (1, 0, 2)"."""
    found: dict[str, list[str]] = {}
    for name in trace.clocks:
        old, new = before.get(name), after.get(name)
        if isinstance(new, FrozenMap) and isinstance(old, FrozenMap) and maps_lanes(new, trace.lanes):
            for lane in (lane for lane in new if new[lane] != old.get(lane)):
                found.setdefault(str(lane), []).append(f"{name} {_reading(trace, new[lane])}")
    return {lane: ", ".join(texts) for lane, texts in found.items()}


def badges(trace: Trace, lane: str) -> list[str]:
    """The initial badges of each lane."""
    return [word for name, word in trace.badges.items() if _bears(trace.states[0].get(name), lane)]


def _bears(value: Any, lane: str) -> bool:
    if isinstance(value, FrozenMap):
        return value.get(lane) is True
    return isinstance(value, frozenset) and lane in value


def _reading(trace: Trace, value: Any) -> str:
    """A clock; of a vector clock the entries in the order of the lanes."""
    if isinstance(value, FrozenMap) and maps_lanes(value, trace.lanes):
        return f"({', '.join(show(value[lane]) for lane in trace.lanes if lane in value)})"
    return show(value)


def _came(before: Any, after: Any, keys: Keys) -> Iterator[tuple[Keys, Any]]:
    """New values, with their keys; whole values where something was removed."""
    if before == after and type(before) is type(after):
        return
    if before is ABSENT:
        before = type(after)() if isinstance(after, FrozenMap | tuple) else ABSENT
    if isinstance(after, FrozenMap) and isinstance(before, FrozenMap):
        for key in ordered(after):
            yield from _came(before.get(key, ABSENT), after[key], (*keys, key))
    elif isinstance(after, tuple) and isinstance(before, tuple) and after[: len(before)] == before:
        yield from (((*keys, place), item) for place, item in enumerate(after) if place >= len(before))
    elif isinstance(after, frozenset) and isinstance(before, frozenset) and before < after:
        yield from ((keys, item) for item in ordered(after - before))
    else:
        yield keys, after


def _told(name: str, title: str, text: str, keys: Keys, value: Any) -> str:
    """An entry in the model's form, else in the default form [k][i]: value, with its name if the lane has another
    title.
    """
    if text and _places(text) <= len(keys):
        return text.format(*map(show, keys), value=show(value))
    path = ("" if name == title else name) + "".join(f"[{show(key)}]" for key in keys)
    return f"{path}: {show(value)}" if path else show(value)


def _places(text: str) -> int:
    """How many keys a text wants."""
    return max((number + 1 for number in range(9) if f"{{{number}}}" in text), default=0)


def _fitted(texts: list[str]) -> list[str]:
    more = len(texts) - ENTRIES
    return texts if more <= 0 else [*texts[:ENTRIES], f"and {more} more"]
