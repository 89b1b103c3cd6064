"""Types with fixed constants: the values that a variable may have, in Python and in raw form.  Types of collections are
in `collection_domains`, except sets: a type can be used as the set of its values.

A Domain checks Python values (`freeze`), makes the mutable container for the state (`place`), and converts to and from
raw values (`checker.ir.values`).  `ir` is the type of the intermediate representation.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from operator import itemgetter
from typing import Any

from checker.ir import domain as ir_domain
from checker.ir import types as ir
from checker.ir import values as ir_values
from checker.language.containers import SetValue
from checker.language.errors import ModelError
from checker.language.room import MEMBERS
from checker.language.values import Id, RecordValue, VariantValue

unset: Any = type("Unset", (), {"__repr__": lambda self: "unset", "__bool__": lambda self: False})()


def _of_all(operation: Callable[[Any, Any], Any]) -> Any:
    """An operator of sets on the set of all values of a type."""
    return lambda self, other: operation(self._all(), other)


class Domain:
    """A resolved type.  Iterating gives all its values in canonical order; len counts them; [k] is the k-th from 0."""

    ir: ir.Type
    changes: bool = False
    """Whether the state's form of a value (`place`) is a mutable container."""
    name: str

    def __repr__(self) -> str:
        return self.name

    def freeze(self, value: Any) -> Any:
        """The value as an immutable value of this type; raises ModelError if it is not of this type."""
        raise NotImplementedError

    def place(self, value: Any) -> Any:
        """A copy of the value in the form of the state: a mutable container, or the frozen value."""
        return self.freeze(value)

    def copied(self, placed: Any) -> Any:
        """A copy of a value that `place` returned, unchecked: changing one does not change the other."""
        return placed

    def to_raw(self, value: Any) -> Any:
        """Raw form of a value of this type."""
        raise NotImplementedError

    def from_raw(self, raw: Any) -> Any:
        """Frozen value of a raw form."""
        raise NotImplementedError

    def start(self) -> Any:
        """Initial value of a variable that declares none, or `unset`."""
        return unset

    @cached_property
    def members(self) -> Sequence[Any]:
        """All values in canonical order (enumerable types only)."""
        if (ir_domain.size(self.ir) or MEMBERS + 1) > MEMBERS:
            raise ModelError(
                f"{self!r} has too many values to be enumerated, more than {MEMBERS:,}",
                "too many values to be enumerated",
            )
        return tuple(self.from_raw(r) for r in ir_values.values(self.ir))

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {m: i for i, m in enumerate(self.members)}

    def index(self, value: Any) -> int:
        """Place of a value in the canonical order."""
        return self._places[value]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __bool__(self) -> bool:
        return True  # no type is empty; this needs no list of its members

    def __getitem__(self, number: int) -> Any:
        if not 0 <= number < len(self.members):
            raise ModelError(f"there is no member {number} of {self!r}", "index out of range")
        return self.members[number]

    def _all(self) -> SetValue:
        """The set of all values, for `self.Process - {p}` and the like."""
        return SetDomain(self).freeze(set(self.members))

    __or__ = __ror__ = _of_all(operator.or_)
    __and__ = __rand__ = _of_all(operator.and_)
    __xor__ = __rxor__ = _of_all(operator.xor)
    __sub__ = _of_all(operator.sub)
    __rsub__ = _of_all(lambda mine, other: other - mine)

    def __contains__(self, value: object) -> bool:
        try:
            self.freeze(value)
        except ModelError:
            return False
        return True

    def _wrong(self, value: Any) -> ModelError:
        return ModelError(f"{value!r} is not in {self!r}", "none has no value" if value is None else "")


class CollectionDomain(Domain):
    """The common part of maps, sets, sequences and bags."""

    changes = True

    def _convert(self, value: Any, frozen: bool) -> Any:
        """The container of a value; raises ModelError if the value is not of this type."""
        raise NotImplementedError

    def freeze(self, value: Any) -> Any:
        return self._convert(value, True)

    def place(self, value: Any) -> Any:
        return self._convert(value, False)

    def start(self) -> Any:
        return ()


class SetDomain(CollectionDomain):
    """Subsets of an enumerable type."""

    def __init__(self, item: Domain) -> None:
        self.item = item
        self.ir = ir.Set(item.ir)

    def _convert(self, value: Any, frozen: bool) -> SetValue:
        if not isinstance(value, SetValue | set | frozenset | Domain):
            raise self._wrong(value)
        # without order: the members of a set have none
        items = set.__iter__(value) if isinstance(value, SetValue) else value
        return SetValue(self, {self.item.freeze(i) for i in items}, frozen)

    def copied(self, placed: SetValue) -> SetValue:
        return SetValue(self, placed, False)

    def to_raw(self, value: Any) -> Any:
        items = set.__iter__(value) if isinstance(value, SetValue) else value
        return frozenset(map(self.item.to_raw, items))

    def from_raw(self, raw: Any) -> SetValue:
        return SetValue(self, {self.item.from_raw(r) for r in raw}, True)

    def start(self) -> Any:
        return frozenset()

    def __repr__(self) -> str:
        return f"Set[{self.item!r}]"


class BoolDomain(Domain):
    """False, True."""

    ir = ir.Bool()
    name = "Bool"

    def freeze(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self._wrong(value)
        return value

    def to_raw(self, value: Any) -> int:
        return int(value)

    def from_raw(self, raw: Any) -> bool:
        return bool(raw)

    def start(self) -> bool:
        return False


class IntDomain(Domain):
    """The integers lo..hi."""

    def __init__(self, lo: int, hi: int) -> None:
        self.lo, self.hi = lo, hi
        self.ir = ir.Int(lo, hi)
        self.members = range(lo, hi + 1)  # nothing is enumerated, however many values there are

    def index(self, value: Any) -> int:
        return int(value) - self.lo

    def freeze(self, value: Any) -> int:
        if not isinstance(value, int):
            raise self._wrong(value)
        if not self.lo <= value <= self.hi:
            raise ModelError(f"{value} is out of range {self!r}", "out of range")
        return int(value)

    def to_raw(self, value: Any) -> int:
        return int(value)

    def from_raw(self, raw: Any) -> int:
        return int(raw)

    def __repr__(self) -> str:
        return f"Int({self.lo}, {self.hi})"


class EnumDomain(Domain):
    """The members of a Python Enum, in definition order."""

    def __init__(self, enum: type[Enum]) -> None:
        self.enum, self.name = enum, enum.__name__
        self._members = tuple(enum)
        self.ir = ir.Enum(enum.__name__, tuple(m.name for m in enum))

    def freeze(self, value: Any) -> Enum:
        if not isinstance(value, self.enum):
            raise self._wrong(value)
        return value

    def to_raw(self, value: Any) -> int:
        return self._members.index(value)

    def from_raw(self, raw: Any) -> Enum:
        return self._members[raw]


class IdsDomain(Domain):
    """Named identities."""

    def __init__(self, name: str, members: tuple[str, ...], symmetric: bool) -> None:
        self.name, self.symmetric = name, symmetric
        self.ir = ir.Ids(name, members, symmetric)
        self._ids = tuple(Id(name, i, m, symmetric) for i, m in enumerate(members))

    def freeze(self, value: Any) -> Id:
        if not isinstance(value, Id) or value.family != self.name:
            raise self._wrong(value)
        return value

    def to_raw(self, value: Any) -> int:
        return int(value.index)

    def from_raw(self, raw: Any) -> Id:
        return self._ids[raw]


class OptionalDomain(Domain):
    """None, or a value of the item type."""

    def __init__(self, item: Domain) -> None:
        self.item = item
        self.ir = ir.Optional(item.ir)

    def freeze(self, value: Any) -> Any:
        return None if value is None else self.item.freeze(value)

    def to_raw(self, value: Any) -> Any:
        return None if value is None else self.item.to_raw(value)

    def from_raw(self, raw: Any) -> Any:
        return None if raw is None else self.item.from_raw(raw)

    def start(self) -> None:
        return None

    def __repr__(self) -> str:
        return f"Optional[{self.item!r}]"


class RecordDomain(Domain):
    """Named fields.  Calling the domain makes a value."""

    def __init__(self, name: str, fields: dict[str, Domain], number: int | None = None) -> None:
        self.name, self.fields, self.parts = name, fields, tuple(fields.values())
        self.ir = ir.Record(name, tuple((n, d.ir) for n, d in fields.items()))
        body: dict[str, Any] = {n: property(itemgetter(i)) for i, n in enumerate(fields)}
        body |= {"domain": self, "names": tuple(fields), "variant_place": number}
        body |= {"__slots__": (), "__match_args__": tuple(fields)}
        self.cls = type(name, (RecordValue if number is None else VariantValue,), body)

    def __call__(self, *args: Any, **fields: Any) -> Any:
        return self.cls(*args, **fields)

    def start(self) -> Any:
        starts = tuple(part.start() for part in self.parts)
        return unset if unset in starts else starts

    def freeze(self, value: Any) -> Any:
        if isinstance(value, self.cls):
            return value
        if isinstance(value, tuple) and not isinstance(value, VariantValue) and len(value) == len(self.parts):
            return self.cls(*value)
        raise self._wrong(value)

    def to_raw(self, value: Any) -> Any:
        return tuple([d.to_raw(v) for d, v in zip(self.parts, value)])

    def from_raw(self, raw: Any) -> Any:
        return tuple.__new__(self.cls, [d.from_raw(r) for d, r in zip(self.parts, raw)])


class UnionDomain(Domain):
    """One of several records; each variant is an attribute, a class that makes and recognises its values."""

    def __init__(self, name: str, variants: dict[str, dict[str, Domain]]) -> None:
        self.name = name
        self.variants = [RecordDomain(n, fields, i) for i, (n, fields) in enumerate(variants.items())]
        self.ir = ir.Union(name, tuple(_record(v.ir) for v in self.variants))
        for v in self.variants:
            setattr(self, v.name, v.cls)

    def freeze(self, value: Any) -> Any:
        if not any(type(value) is v.cls for v in self.variants):
            raise self._wrong(value)
        return value

    def to_raw(self, value: Any) -> Any:
        return (value.variant_place, self.variants[value.variant_place].to_raw(value))

    def from_raw(self, raw: Any) -> Any:
        return self.variants[raw[0]].from_raw(raw[1])


def _record(type: ir.Type) -> ir.Record:
    assert isinstance(type, ir.Record)
    return type
