"""Types with fixed constants: what values a variable may hold, in Python and in raw form.

A Domain checks Python values (`freeze`), makes the mutable container that stands in the state (`place`), and converts to and
from raw values (`checker.ir.values`).  `ir` is the type of the intermediate representation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property
from operator import itemgetter
from typing import Any

from checker.ir import domain as ir_domain
from checker.ir import types as ir
from checker.ir import values as ir_values
from checker.language.errors import ModelError
from checker.language.values import (
    BagValue,
    Container,
    Id,
    MapValue,
    RecordValue,
    SeqValue,
    SetValue,
    VariantValue,
)

unset: Any = type("Unset", (), {"__repr__": lambda self: "unset", "__bool__": lambda self: False})()


class Domain:
    """A resolved type.  Iterating gives all its values in canonical order; len counts them; [k] is the k-th from 0."""

    ir: ir.Type

    def freeze(self, value: Any) -> Any:
        """The value as an immutable value of this type; ModelError if it is none."""
        raise NotImplementedError

    def place(self, value: Any) -> Any:
        """A copy of the value fit to stand in the state: a mutable container, or the frozen value."""
        return self.freeze(value)

    def to_raw(self, value: Any) -> Any:
        """Raw form of a value of this type."""
        raise NotImplementedError

    def from_raw(self, raw: Any) -> Any:
        """Frozen value of a raw form."""
        raise NotImplementedError

    def start(self) -> Any:
        """Initial value of a variable that states none, or `unset`."""
        return unset

    @cached_property
    def members(self) -> tuple[Any, ...]:
        """All values in canonical order (enumerable types only)."""
        if ir_domain.size(self.ir) is None:
            raise ModelError(f"{self!r} has too many values to be enumerated")
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

    def __getitem__(self, number: int) -> Any:
        if not 0 <= number < len(self.members):
            raise ModelError(f"there is no member {number} of {self!r}")
        return self.members[number]

    def _all(self) -> SetValue:
        """The set of all values, for `self.Process - {p}` and the like."""
        return SetValue(SetDomain(self), set(self.members), True)

    def __or__(self, other: Iterable[Any]) -> SetValue:
        return self._all() | other

    def __and__(self, other: Iterable[Any]) -> SetValue:
        return self._all() & other

    def __sub__(self, other: Iterable[Any]) -> SetValue:
        return self._all() - other

    def __xor__(self, other: Iterable[Any]) -> SetValue:
        return self._all() ^ other

    def __rsub__(self, other: Iterable[Any]) -> SetValue:
        return other - self._all()  # type: ignore[operator, no-any-return]

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __contains__(self, value: object) -> bool:
        try:
            self.freeze(value)
        except ModelError:
            return False
        return True

    def _wrong(self, value: Any) -> ModelError:
        return ModelError(f"{value!r} is not in {self!r}")


class BoolDomain(Domain):
    """False, True."""

    ir = ir.Bool()

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

    def __repr__(self) -> str:
        return "Bool"


class IntDomain(Domain):
    """The integers lo..hi."""

    def __init__(self, lo: int, hi: int) -> None:
        self.lo, self.hi = lo, hi
        self.ir = ir.Int(lo, hi)

    def freeze(self, value: Any) -> int:
        if not isinstance(value, int):
            raise self._wrong(value)
        if not self.lo <= value <= self.hi:
            raise ModelError(f"{value} is out of range {self!r}")
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
        self.enum = enum
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

    def __repr__(self) -> str:
        return self.enum.__name__


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

    def __repr__(self) -> str:
        return self.name


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

    base: type[RecordValue] = RecordValue

    def __init__(self, name: str, fields: dict[str, Domain], number: int | None = None) -> None:
        self.name, self.fields, self.parts = name, fields, tuple(fields.values())
        self.ir = ir.Record(name, tuple((n, d.ir) for n, d in fields.items()))
        body: dict[str, Any] = {n: property(itemgetter(i)) for i, n in enumerate(fields)}
        body |= {"domain": self, "names": tuple(fields), "__slots__": (), "__match_args__": tuple(fields), "variant_place": number}
        self.cls = type(name, (RecordValue if number is None else VariantValue,), body)

    def __call__(self, *args: Any, **fields: Any) -> Any:
        return self.cls(*args, **fields)

    def freeze(self, value: Any) -> Any:
        if isinstance(value, self.cls):
            return value
        if isinstance(value, tuple) and not isinstance(value, VariantValue) and len(value) == len(self.parts):
            return self.cls(*value)
        raise self._wrong(value)

    def to_raw(self, value: Any) -> Any:
        return tuple(d.to_raw(v) for d, v in zip(self.parts, value))

    def from_raw(self, raw: Any) -> Any:
        return tuple.__new__(self.cls, [d.from_raw(r) for d, r in zip(self.parts, raw)])

    def __repr__(self) -> str:
        return self.name


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

    def __repr__(self) -> str:
        return self.name


def _record(type: ir.Type) -> ir.Record:
    assert isinstance(type, ir.Record)
    return type


class MapDomain(Domain):
    """Total functions from an enumerable type."""

    def __init__(self, key: Domain, value: Domain) -> None:
        self.key, self.value = key, value
        self.ir = ir.Map(key.ir, value.ir)

    def _convert(self, value: Any, entry: Any, frozen: bool) -> MapValue:
        if not isinstance(value, MapValue | dict) or set(value) != set(self.key.members):
            raise self._wrong(value)
        return MapValue(self, {k: entry(value[k]) for k in self.key}, frozen)

    def freeze(self, value: Any) -> MapValue:
        return self._convert(value, self.value.freeze, True)

    def place(self, value: Any) -> MapValue:
        return self._convert(value, self.value.place, False)

    def everywhere(self, value: Any) -> dict[Any, Any]:
        """The map with the same value at every key."""
        return {k: value for k in self.key}

    def to_raw(self, value: Any) -> Any:
        return tuple(self.value.to_raw(value[k]) for k in self.key)

    def from_raw(self, raw: Any) -> MapValue:
        return MapValue(self, {k: self.value.from_raw(r) for k, r in zip(self.key, raw)}, True)

    def start(self) -> Any:
        value = self.value.start()
        return value if value is unset else self.everywhere(value)

    def __repr__(self) -> str:
        return f"Map[{self.key!r}, {self.value!r}]"


class SetDomain(Domain):
    """Subsets of an enumerable type."""

    def __init__(self, item: Domain) -> None:
        self.item = item
        self.ir = ir.Set(item.ir)

    def _convert(self, value: Any, frozen: bool) -> SetValue:
        if not isinstance(value, SetValue | set | frozenset | Domain):
            raise self._wrong(value)
        return SetValue(self, {self.item.freeze(i) for i in value}, frozen)

    def freeze(self, value: Any) -> SetValue:
        return self._convert(value, True)

    def place(self, value: Any) -> SetValue:
        return self._convert(value, False)

    def to_raw(self, value: Any) -> Any:
        return frozenset(self.item.to_raw(i) for i in value)

    def from_raw(self, raw: Any) -> SetValue:
        return SetValue(self, {self.item.from_raw(r) for r in raw}, True)

    def start(self) -> Any:
        return frozenset()

    def __repr__(self) -> str:
        return f"Set[{self.item!r}]"


class SeqDomain(Domain):
    """Sequences of at most `capacity` items (None: a network queue, without bound)."""

    def __init__(self, item: Domain, capacity: int | None, guess: int = 0, grow: str | None = None) -> None:
        self.item, self.capacity = item, capacity
        self.ir = ir.Seq(item.ir, guess if capacity is None else capacity, grow)

    def _convert(self, value: Any, frozen: bool) -> SeqValue:
        if not isinstance(value, SeqValue | list | tuple) or isinstance(value, RecordValue):
            raise self._wrong(value)
        result = SeqValue(self, [self.item.freeze(i) for i in value], frozen)
        result._fits()
        return result

    def freeze(self, value: Any) -> SeqValue:
        return self._convert(value, True)

    def place(self, value: Any) -> SeqValue:
        return self._convert(value, False)

    def to_raw(self, value: Any) -> Any:
        return tuple(self.item.to_raw(i) for i in value)

    def from_raw(self, raw: Any) -> SeqValue:
        return SeqValue(self, [self.item.from_raw(r) for r in raw], True)

    def start(self) -> Any:
        return ()

    def __repr__(self) -> str:
        return f"Seq[{self.item!r}, {self.capacity}]"


class BagDomain(Domain):
    """Multisets of at most `capacity` items (None: a network, without bound)."""

    def __init__(self, item: Domain, capacity: int | None, guess: int = 0, grow: str | None = None) -> None:
        self.item, self.capacity = item, capacity
        self.ir = ir.Bag(item.ir, guess if capacity is None else capacity, grow)

    def _convert(self, value: Any, frozen: bool) -> BagValue:
        if not isinstance(value, BagValue | Counter | tuple):
            raise self._wrong(value)
        counts = Counter(value.counts if isinstance(value, BagValue) else value)
        return BagValue(self, Counter({self.item.freeze(i): n for i, n in counts.items()}), frozen)

    def freeze(self, value: Any) -> BagValue:
        return self._convert(value, True)

    def place(self, value: Any) -> BagValue:
        return self._convert(value, False)

    def to_raw(self, value: Any) -> Any:
        raws = [self.item.to_raw(i) for i in value.counts.elements()]
        return tuple(sorted(raws, key=lambda r: ir_values.key(self.item.ir, r)))

    def from_raw(self, raw: Any) -> BagValue:
        return BagValue(self, Counter(self.item.from_raw(r) for r in raw), True)

    def start(self) -> Any:
        return ()

    def __repr__(self) -> str:
        return f"Bag[{self.item!r}, {self.capacity}]"


__all__ = ["BagDomain", "BoolDomain", "Container", "Domain", "EnumDomain", "IdsDomain", "IntDomain", "MapDomain", "OptionalDomain"]
__all__ += ["RecordDomain", "SeqDomain", "SetDomain", "UnionDomain", "unset"]
