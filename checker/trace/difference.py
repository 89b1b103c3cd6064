"""The changes between two states: only the leaves that differ, each with its path.

Maps and records are walked, everything else is compared as a whole. A variable that maps lanes (processes, groups) is
written from the lane's side, "p2.queue", because the reader follows a process, not a variable. A record all of whose
plain fields changed is shown as a whole: a timestamp that became (3, p1) is one change, not two.

The walk assumes that a map keeps its keys and a record its fields, as in typed models; a key of one side only is shown
by its value alone, or as a change to "absent". The difference from no state at all is therefore the whole state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from checker.frozen import frozen
from checker.trace.values import FrozenMap, Multiset, Rec, Value, order_key, ordered, show

ABSENT = Rec("absent")
LONG = 60


@frozen
class Change:
    """One changed leaf: `path` as printed, its `variable`, the `lane` it belongs to or None, both values."""

    path: str
    variable: str
    lane: str | None
    before: Value
    after: Value

    def text(self) -> str:
        """'p2.queue: [] → [m1]'; for a long collection only added and removed items; for a first value the value
        alone."""
        if self.before is ABSENT:
            return f"{self.path}: {show(self.after)}"
        whole = f"{show(self.before)} → {show(self.after)}"
        if len(whole) <= LONG:
            return f"{self.path}: {whole}"
        return f"{self.path}: {_shortened(self.before, self.after) or whole}"


def difference(
    before: Mapping[str, Value], after: Mapping[str, Value], lanes: Collection[str] = (), ignore: Collection[str] = ()
) -> tuple[Change, ...]:
    """The changed leaves from one state to the next.

    `lanes` are the names written in front of variables that map them; variables in `ignore` are left out. The order is
    that of the lanes, then of the variables in the state, then of the keys; changes that belong to no lane come last.
    """
    found: list[Change] = []
    for variable in list(after) + [name for name in before if name not in after]:
        if variable in ignore:
            continue
        old: Any = before.get(variable, ABSENT)
        new: Any = after.get(variable, ABSENT)
        if old == new:
            continue
        if maps_lanes(new, lanes) and (old is ABSENT or maps_lanes(old, lanes)):
            for lane, a, b in _items(FrozenMap() if old is ABSENT else old, new):
                found += [Change(p, variable, lane, x, y) for p, x, y in _leaves(f"{lane}.{variable}", a, b)]
        else:
            found += [Change(p, variable, None, x, y) for p, x, y in _leaves(variable, old, new)]
    place = {lane: number for number, lane in enumerate(lanes)}
    return tuple(sorted(found, key=lambda change: place.get(change.lane or "", len(place))))


def maps_lanes(value: Any, lanes: Collection[str]) -> bool:
    """Whether a value is a non-empty map from lanes to something."""
    return isinstance(value, FrozenMap) and len(value) > 0 and all(key in lanes for key in value)


def _leaves(path: str, before: Any, after: Any) -> Iterator[tuple[str, Value, Value]]:
    if before == after and type(before) is type(after):
        return
    if isinstance(before, FrozenMap) and isinstance(after, FrozenMap):
        for key, old, new in _items(before, after):
            yield from _leaves(f"{path}[{show(key)}]", old, new)
    elif _same_shape(before, after) and not _all_plain_fields_changed(before, after):
        for name, old in before.fields.items():
            yield from _leaves(f"{path}.{name}", old, after.fields[name])
    else:
        yield path, before, after


def _items(before: FrozenMap, after: FrozenMap) -> Iterator[tuple[Any, Any, Any]]:
    for key in ordered(set(before) | set(after)):
        yield key, before.get(key, ABSENT), after.get(key, ABSENT)


def _same_shape(before: Any, after: Any) -> bool:
    if not (isinstance(before, Rec) and isinstance(after, Rec) and before.fields):
        return False
    return before.name == after.name and set(before.fields) == set(after.fields)


def _all_plain_fields_changed(before: Rec, after: Rec) -> bool:
    pairs = [(old, after.fields[name]) for name, old in before.fields.items()]
    plain = (bool, int, str, type(None))
    return all(isinstance(old, plain) and isinstance(new, plain) and old != new for old, new in pairs)


def _shortened(before: Value, after: Value) -> str | None:
    """The added and removed items of two collections of one kind; None if that is not shorter."""
    if isinstance(before, frozenset) and isinstance(after, frozenset):
        return _came_and_went(ordered(after - before), ordered(before - after))
    if isinstance(before, Multiset) and isinstance(after, Multiset):
        return _came_and_went(_surplus(after, before), _surplus(before, after))
    if isinstance(before, tuple) and isinstance(after, tuple):
        if after[: len(before)] == before:
            return f"... → [..., {', '.join(show(item) for item in after[len(before) :])}]"
        if len(before) > len(after) and before[len(before) - len(after) :] == after:
            return f"without the first {len(before) - len(after)}: {show(after)}"
    return None


def _came_and_went(came: list[Value], went: list[Value]) -> str:
    parts = [f"{word} {', '.join(show(v) for v in values)}" for word, values in (("+", came), ("-", went)) if values]
    return "; ".join(parts)


def _surplus(more: Multiset, less: Multiset) -> list[Value]:
    return sorted((Counter(more.counts) - Counter(less.counts)).elements(), key=order_key)
