"""Plain values: what the variables of a state hold once they have left the engine.

A value is a bool, an int, a string (an enumeration member or an identity such as "p1" or "m1.1"), None, a tuple
(sequence), a frozenset (set), a FrozenMap (total function), a Rec (record or tagged union) or a Multiset (bag,
network). All of them are immutable and hashable, so that any value may be a member of a set or a key.

`show` prints a value the way it is written on a blackboard. The order of printed elements is fixed by `order_key`:
natural order, in which m1.2 comes before m1.10. The text is for people: two different values may print alike (the
enumeration member "1" and the integer 1). Use the ITF form where values must be read back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, Union

from attrs import field

from checker.frozen import frozen
from checker.wording import digits

Value: TypeAlias = Union[bool, int, str, None, "tuple[Value, ...]", "frozenset[Value]", "FrozenMap", "Rec", "Multiset"]

IN_FLIGHT = ("source", "target", "body")  # of the record "Message" that a network holds


class FrozenMap(Mapping[Any, Any]):
    """An immutable, hashable mapping which keeps the order of its items; equality does not see that order."""

    __slots__ = ("_hash", "_items")

    def __init__(self, items: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = ()) -> None:
        self._items: dict[Any, Any] = dict(items)
        self._hash: int | None = None

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenMap) and self._items == other._items

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._items.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"


@frozen
class Rec:
    """A record, or a tagged union member: `name` is "" for a plain record, the tag otherwise."""

    name: str
    fields: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)


class Multiset:
    """An unordered collection in which a value may occur several times: a bag, or a network."""

    __slots__ = ("counts",)

    def __init__(self, values: Mapping[Any, int] | Iterable[Any] = ()) -> None:
        counts = values if isinstance(values, Mapping) else Counter(values)
        for value, count in counts.items():
            if count < 0:
                raise ValueError(f"a multiset cannot hold {show(value)} {count} times")
        self.counts = FrozenMap((value, count) for value, count in counts.items() if count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Multiset) and self.counts == other.counts

    def __hash__(self) -> int:
        return hash((Multiset, self.counts))

    def __len__(self) -> int:
        return sum(self.counts.values())

    def __repr__(self) -> str:
        return f"Multiset({dict(self.counts)!r})"


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key under which the digits of a text count as numbers: m1.2 before m1.10, p2 before p10."""
    pieces = re.split(r"([0-9]+)", text)
    return tuple((0, int(p), p) if p[:1] in "0123456789" and p else (1, 0, p) for p in pieces if p)


def mentions(text: str, phrase: str) -> bool:
    """Whether a text already holds a phrase as whole words: "deliver m1" is not in "deliver m10" or "deliver m1.2"."""
    return re.search(rf"(?<![\w.]){re.escape(phrase)}(?![\w]|\.\w)", text) is not None


def texts_in(value: Value) -> Iterator[str]:
    """The names that a value is made of: of a record those in its fields, of a collection those of its members; of a
    map those of its values."""
    match value:
        case str():
            yield value
        case tuple() | frozenset():
            for member in value if isinstance(value, tuple) else sorted(value, key=order_key):
                yield from texts_in(member)
        case Rec():
            yield from texts_in(value.fields)
        case FrozenMap():
            for member in value.values():
                yield from texts_in(member)


def order_key(value: Value) -> tuple[Any, ...]:
    """A sort key that orders any two values: by type first, then by content; names in natural order."""
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, int(value))
    if isinstance(value, int):
        return (2, value)
    if isinstance(value, str):
        return (3, natural_key(value), value)
    if isinstance(value, tuple):
        return (4, tuple(order_key(v) for v in value))
    if isinstance(value, frozenset):
        return (5, tuple(sorted(order_key(v) for v in value)))
    if isinstance(value, FrozenMap):
        return (6, _pairs_key(value))
    if isinstance(value, Rec):
        return (7, natural_key(value.name), tuple(order_key(v) for v in value.fields.values()))
    return (8, _pairs_key(value.counts))


def _pairs_key(items: FrozenMap) -> tuple[Any, ...]:
    return tuple(sorted((order_key(key), order_key(value)) for key, value in items.items()))


def ordered(values: Iterable[Any]) -> list[Any]:
    """The values in printing order."""
    return sorted(values, key=order_key)


def is_blank(value: Value) -> bool:
    """Whether a value carries no information: empty, zero, false, none, or a collection of such values."""
    if isinstance(value, FrozenMap):
        return all(is_blank(item) for item in value.values())
    if isinstance(value, Rec):
        return not value.name and all(is_blank(item) for item in value.fields.values())
    return not value


def show(value: Value) -> str:
    """The short conventional text of a value.

    p1, [a, b], {a, b}, {p1: 0, p2: 1}, (time: 3, by: p1), Stamp(3, p1), {a, b × 2} and none; a message in flight is Ack
    p1 → p2. A value of a foreign type raises TypeError: it has slipped past the engine's decoding.
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value or '""'
    for kind, printer in _PRINTERS.items():
        if isinstance(value, kind):
            return printer(value)
    raise TypeError(f"not a plain value: {value!r} of type {type(value).__name__}")


def _show_record(value: Rec) -> str:
    if not value.name:
        return "(" + ", ".join(f"{key}: {show(item)}" for key, item in value.fields.items()) + ")"
    if not value.fields:
        return value.name
    if value.name == "Message" and tuple(value.fields) == IN_FLIGHT:
        source, target, body = map(show, value.fields.values())
        return f"{body} {source} → {target}"
    return f"{value.name}({', '.join(show(item) for item in value.fields.values())})"


def _show_multiset(value: Multiset) -> str:
    counts = ((show(item), value.counts[item]) for item in ordered(value.counts))
    texts = (text if count == 1 else f"{text} × {count}" for text, count in counts)
    return "{" + ", ".join(texts) + "}"


_PRINTERS: dict[type, Callable[[Any], str]] = {
    int: digits,
    tuple: lambda value: "[" + ", ".join(show(item) for item in value) + "]",
    frozenset: lambda value: "{" + ", ".join(show(item) for item in ordered(value)) + "}",
    FrozenMap: lambda value: "{" + ", ".join(f"{show(key)}: {show(value[key])}" for key in ordered(value)) + "}",
    Rec: _show_record,
    Multiset: _show_multiset,
}
