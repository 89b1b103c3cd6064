"""Kinds of collections: which of Python's several types a value has, where the intermediate representation has one type
for all.

A `Seq` of the intermediate representation may be a Seq of the state, a list, a tuple or a range in Python; a `Set` may
be a Set of the state, a set made in a method, a frozenset or a type.  Python distinguishes them: a tuple equals no
list, a frozenset has no `add`, a set made in a method has no order. The front end's types therefore have the kinds that
a value may be (`Seq`, `Set`, `Map` below; a plain type is one of the state), joins unite them, and an operation is
accepted only if it is accepted for each of them.  `OPERATIONS` and `PAIRS` define the accepted operations as tables:
docs/language.md shows them, and tests/language/enumeration tries every entry.  The finished model has plain types again
(`lattice.known`).
"""

from __future__ import annotations

import enum
from itertools import product

from checker.frozen import frozen
from checker.ir import types as t


class Kind(enum.Enum):
    """What a collection is in Python; the value is the name in messages."""

    SEQ = "Seq"
    LIST = "list"
    TUPLE = "tuple"
    RANGE = "range"
    SET = "Set"
    MADE = "set"
    FROZEN = "frozenset"
    TYPE = "type"
    BAG = "Bag"
    MAP = "Map"
    DICT = "dict"


K = Kind
SEQUENCES = frozenset({K.SEQ, K.LIST, K.TUPLE, K.RANGE})
SETS = frozenset({K.SET, K.MADE, K.FROZEN, K.TYPE})
MAPS = frozenset({K.MAP, K.DICT})
ALL = frozenset(Kind)
UNORDERED = frozenset({K.MADE, K.FROZEN})
"""Kinds that Python iterates in the order of hashes."""


class _OfKinds:
    """The common part of the types below."""

    __slots__ = ()
    kinds: frozenset[Kind]

    def __str__(self) -> str:
        return f"{' or '.join(sorted(k.value for k in self.kinds))} of {t.parts(self)[-1]}"  # type: ignore[arg-type]


@frozen
class Seq(_OfKinds, t.Seq):
    """A sequence of one of these kinds."""

    kinds: frozenset[Kind] = frozenset()


@frozen
class Set(_OfKinds, t.Set):
    """A set of one of these kinds."""

    kinds: frozenset[Kind] = frozenset()


@frozen
class Map(_OfKinds, t.Map):
    """A map of one of these kinds."""

    kinds: frozenset[Kind] = frozenset()


OF_STATE = {t.Seq: Kind.SEQ, t.Set: Kind.SET, t.Bag: Kind.BAG, t.Map: Kind.MAP}
"""The kind of a type without kinds."""


def of(type: t.Type) -> frozenset[Kind]:
    """The kinds that a value of a type may have; none if it is no collection."""
    if isinstance(type, _OfKinds):
        return type.kinds
    return frozenset({OF_STATE[type.__class__]}) if type.__class__ in OF_STATE else frozenset()


def as_kind(type: t.Type, *kinds: Kind) -> t.Type:
    """The type for values of these kinds."""
    type = bare(type)
    if not isinstance(type, t.Seq | t.Set | t.Map) or set(kinds) == of(type):
        return type
    match type:
        case t.Seq(item, capacity, grow):
            return Seq(item, capacity, grow, frozenset(kinds))
        case t.Set(item):
            return Set(item, frozenset(kinds))
        case t.Map(key, value):
            return Map(key, value, frozenset(kinds))


def bare(type: t.Type) -> t.Type:
    """The type without its own kinds."""
    if not isinstance(type, _OfKinds):
        return type
    match type:
        case Seq(item, capacity, grow):
            return t.Seq(item, capacity, grow)
        case Set(item):
            return t.Set(item)
        case Map(key, value):
            return t.Map(key, value)
    return type


def plain(type: t.Type) -> t.Type:
    """The type of the intermediate representation, without kinds anywhere inside."""
    return t.mapped(type, bare)


# The tables.  A row gives what is accepted; anything else is refused with what to write instead.

OPERATIONS: dict[str, frozenset[Kind]] = {
    "for x in c": ALL - {K.DICT},
    "len(c)": ALL,
    "v in c": ALL,
    "if c": ALL - {K.RANGE, K.TYPE, K.MAP, K.DICT},
    "c[i]": SEQUENCES - {K.RANGE} | MAPS | {K.TYPE},
    "c[i:j]": SEQUENCES - {K.RANGE},
    "sorted(c)": ALL - {K.DICT},
    "list(c)": ALL - {K.DICT},
    "tuple(c)": ALL - {K.DICT},
    "set(c)": ALL - {K.DICT},
    "enumerate(c)": ALL - {K.DICT},
    "zip(c)": ALL - {K.DICT},
    "reversed(c)": SEQUENCES | {K.TYPE},
    "choose(c)": ALL - {K.DICT},
    "c.index(v)": SEQUENCES - {K.RANGE},
    "c.count(v)": SEQUENCES - {K.RANGE} | {K.BAG},
    "c.append(v)": frozenset({K.SEQ, K.LIST}),
    "c.insert(i, v)": frozenset({K.SEQ, K.LIST}),
    "c.pop(i)": frozenset({K.SEQ, K.LIST}),
    "c[i] = v": frozenset({K.SEQ, K.LIST}) | MAPS,
    "c += d": frozenset({K.SEQ, K.LIST}),
    "c.add(v)": frozenset({K.SET, K.MADE, K.BAG}),
    "c.discard(v)": frozenset({K.SET, K.MADE, K.BAG}),
    "c.update(d)": frozenset({K.SET, K.MADE}),
    "c |= d": frozenset({K.SET, K.MADE}),
    "c.remove(v)": frozenset({K.SEQ, K.LIST, K.SET, K.MADE, K.BAG}),
    "c.clear()": frozenset({K.SEQ, K.LIST, K.SET, K.MADE, K.BAG}),
}
"""Operations on one collection c, and the kinds of c that have them with one meaning in Python and in compiled code."""

LISTS = frozenset({K.SEQ, K.LIST})
TUPLES = frozenset({K.SEQ, K.TUPLE})


def _pairs(
    *blocks: tuple[frozenset[Kind] | set[Kind], frozenset[Kind] | set[Kind], Kind | None],
) -> dict[tuple[Kind, Kind], Kind | None]:
    return {
        (a, b): result
        for left, right, result in blocks
        for a, b in product(sorted(left, key=str), sorted(right, key=str))
    }


EQUAL = _pairs(
    (LISTS, LISTS, None),
    (TUPLES, TUPLES, None),
    (SETS - {K.TYPE}, SETS - {K.TYPE}, None),
    ({K.BAG}, {K.BAG}, None),
    (MAPS, MAPS, None),
)
"""Kinds whose values can be equal: c == d, c != d."""

CONCATENATED = _pairs(
    ({K.SEQ, K.LIST}, {K.SEQ, K.LIST}, K.LIST), ({K.SEQ}, {K.TUPLE}, K.LIST), ({K.TUPLE}, {K.TUPLE}, K.TUPLE)
)
"""c + d, and the kind of the result."""

COMBINED = _pairs(
    ({K.SET, K.TYPE}, SETS, K.SET),
    ({K.MADE}, {K.SET, K.TYPE}, K.SET),
    ({K.FROZEN}, {K.TYPE}, K.SET),
    ({K.MADE}, {K.MADE, K.FROZEN}, K.MADE),
    ({K.FROZEN}, {K.SET, K.MADE, K.FROZEN}, K.FROZEN),
)
"""c | d, c & d, c - d, c ^ d, and the kind of the result."""

ORDERED = _pairs((SETS - {K.TYPE}, SETS - {K.TYPE}, None))
"""c <= d, c < d of sets."""

PAIRS: dict[str, dict[tuple[Kind, Kind], Kind | None]] = {
    "c == d": EQUAL,
    "c + d": CONCATENATED,
    "c | d": COMBINED,
    "c <= d": ORDERED,
}
"""Operations on two collections."""

INSTEAD: dict[tuple[str, Kind], str] = {
    ("c.pop(i)", K.SET): "Write x = choose(s) and s.remove(x), or take min(s).",
    ("c.pop(i)", K.MADE): "Write x = choose(s) and s.remove(x), or take min(s).",
    ("if c", K.RANGE): "Write len(c) > 0.",
    ("if c", K.TYPE): "Write len(c) > 0.",
    ("for x in c", K.DICT): "Loop over its key type: for k in self.T.",
    ("c.append(v)", K.TUPLE): "A tuple never changes: write list(...) where it is made, or t = t + (v,).",
    ("c += d", K.TUPLE): "A tuple never changes: write t = t + (...), or list(...) where it is made.",
    ("c.add(v)", K.FROZEN): "A frozenset never changes: write set(...) where it is made, or s = s | {v}.",
    ("c |= d", K.FROZEN): "A frozenset never changes: write s = s | {...}, or set(...) where it is made.",
    ("reversed(c)", K.MAP): "A map has no order: loop over its key type.",
    ("c == d", K.TYPE): "Write set(...) around the type for the set of its values.",
    ("c <= d", K.TYPE): "Write set(...) around the type for the set of its values.",
    ("c == d", K.RANGE): "Write list(...) around the range.",
    ("c + d", K.RANGE): "Write list(...) around the range.",
    ("c[i:j]", K.RANGE): "Write list(...) around the range.",
}
GENERAL: dict[Kind, str] = {
    K.SEQ: "Write set(...) or list(...) around it.",
    K.LIST: "Write set(...) around the list.",
    K.RANGE: "Write list(...) around the range.",
    K.TUPLE: "Write list(...) where the tuple is made.",
    K.FROZEN: "Write set(...) where the frozenset is made.",
    K.SET: "A set has no order: write sorted(...) around it.",
    K.MADE: "A set has no order: write sorted(...) around it.",
    K.DICT: "Loop over its key type: for k in self.T.",
    K.MAP: "Take the value at one key: m[k].",
    K.BAG: "A bag has no order: write sorted(...) around it.",
    K.TYPE: "Write set(...) or list(...) around the type.",
}

CONVERT: dict[frozenset[Kind], str] = {
    frozenset({K.LIST, K.TUPLE}): "A tuple equals no list and is not added to one: write list(...) around the tuple."
}


def family(type: t.Type) -> frozenset[Kind]:
    """All kinds that share the type's class in the intermediate representation."""
    found = of(type)
    return next((group for group in (SEQUENCES, SETS, MAPS, frozenset({K.BAG})) if found & group), frozenset())


def refused(operation: str, type: t.Type) -> tuple[str, str] | None:
    """Why an operation is not in the language for a collection of this type, and what to write instead; None if it is
    in the language.
    """
    wrong = sorted(k.value for k in of(type) - OPERATIONS[operation])
    if not wrong:
        return None
    kind = Kind(wrong[0])
    return f"`{operation}` is not in the language for a {kind.value}", INSTEAD.get((operation, kind)) or GENERAL.get(
        kind, ""
    )


def combined(operation: str, left: t.Type, right: t.Type) -> frozenset[Kind] | tuple[str, str]:
    """The kinds of the result of an operation on two collections (none: it is no collection); or why it is refused, and
    what to write instead.
    """
    table = PAIRS[operation]
    results = set()
    for a, b in product(sorted(of(left), key=str), sorted(of(right), key=str)):
        if (a, b) not in table:
            either = (
                INSTEAD.get((operation, a)),
                INSTEAD.get((operation, b)),
                CONVERT.get(frozenset({a, b})),
                GENERAL.get(b),
                GENERAL.get(a),
            )
            return (f"`{operation}` is not in the language for a {a.value} and a {b.value}"), next(
                (text for text in either if text), ""
            )
        results.add(table[a, b])
    return frozenset(k for k in results if k is not None)


def unequal(left: t.Type, right: t.Type) -> tuple[str, str] | None:
    """Why values of two types are not compared, anywhere inside; None if they are."""
    match left, right:
        case t.Optional(item), _:
            return unequal(item, right)
        case _, t.Optional(item):
            return unequal(left, item)
        case t.Record(_, fields), t.Record(_, others):
            return next((found for (_, a), (_, b) in zip(fields, others) if (found := unequal(a, b))), None)
    if not of(left) or not of(right):
        return None
    together = combined("c == d", left, right)
    if isinstance(together, tuple):
        return together
    match left, right:
        case (t.Seq(a) | t.Set(a) | t.Bag(a), t.Seq(b) | t.Set(b) | t.Bag(b)) | (t.Map(_, a), t.Map(_, b)):
            return unequal(a, b)
    return None
