"""The types of collections except sets: maps, sequences and bags.

As a value of the state (`place`) each is a mutable container; inside another value (`freeze`) it is frozen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

from checker.ir import types as ir
from checker.ir import values as ir_values
from checker.language.containers import BagValue, MapValue, SeqValue
from checker.language.domains import CollectionDomain, Domain, unset
from checker.language.errors import ModelError
from checker.language.values import RecordValue
from checker.wording import counted


class MapDomain(CollectionDomain):
    """Total functions from an enumerable type."""

    def __init__(self, key: Domain, value: Domain) -> None:
        self.key, self.value = key, value
        self.ir = ir.Map(key.ir, value.ir)

    def _convert(self, value: Any, frozen: bool) -> MapValue:
        if not isinstance(value, MapValue | dict) or set(value) != set(self.key.members):
            raise self._wrong(value)
        entry = self.value.freeze if frozen else self.value.place
        return MapValue(self, {k: entry(value[k]) for k in self.key}, frozen)

    def copied(self, placed: MapValue) -> MapValue:
        copied, entries = self.value.copied, placed.entries
        entries = {k: copied(v) for k, v in entries.items()} if self.value.changes else entries.copy()
        return MapValue(self, entries, False)

    def everywhere(self, value: Any) -> dict[Any, Any]:
        """The map with the same value at every key."""
        return {k: value for k in self.key}

    def to_raw(self, value: Any) -> Any:
        entries = value.entries.values() if isinstance(value, MapValue) else [value[k] for k in self.key]
        return tuple(map(self.value.to_raw, entries))

    def from_raw(self, raw: Any) -> MapValue:
        return MapValue(self, {k: self.value.from_raw(r) for k, r in zip(self.key, raw)}, True)

    def start(self) -> Any:
        value = self.value.start()
        return value if value is unset else self.everywhere(value)

    def __repr__(self) -> str:
        return f"Map[{self.key!r}, {self.value!r}]"


class BoundedDomain(CollectionDomain):
    """Collections of at most `capacity` items (None: those of a network, without bound; compiled code begins with room
    for `guess`)."""

    of: type[ir.Seq] | type[ir.Bag]

    def __init__(self, item: Domain, capacity: int | None, guess: int = 0, grow: str | None = None) -> None:
        self.item, self.capacity = item, capacity
        self.ir = self.of(item.ir, guess if capacity is None else capacity, grow)

    def __repr__(self) -> str:
        return f"{self.of.__name__}[{self.item!r}, {self.capacity}]"


class SeqDomain(BoundedDomain):
    """Sequences."""

    of = ir.Seq

    def _convert(self, value: Any, frozen: bool) -> SeqValue:
        if not isinstance(value, SeqValue | list | tuple) or isinstance(value, RecordValue):
            raise self._wrong(value)
        if self.capacity is not None and len(value) > self.capacity:
            raise ModelError(f"a sequence of at most {counted(self.capacity, 'item')} overflows", "overflow")
        return SeqValue(self, [self.item.freeze(i) for i in value], frozen)

    def copied(self, placed: SeqValue) -> SeqValue:
        return SeqValue(self, list.copy(placed), False)

    def to_raw(self, value: Any) -> Any:
        return tuple(map(self.item.to_raw, list.copy(value) if isinstance(value, SeqValue) else value))

    def from_raw(self, raw: Any) -> SeqValue:
        return SeqValue(self, [self.item.from_raw(r) for r in raw], True)


class BagDomain(BoundedDomain):
    """Multisets."""

    of = ir.Bag

    def _convert(self, value: Any, frozen: bool) -> BagValue:
        if not isinstance(value, BagValue | Counter | tuple):
            raise self._wrong(value)
        counts = Counter(value.counts if isinstance(value, BagValue) else value)
        return BagValue(self, Counter({self.item.freeze(i): n for i, n in counts.items()}), frozen)

    def copied(self, placed: BagValue) -> BagValue:
        return BagValue(self, Counter(placed.counts), False)

    def to_raw(self, value: Any) -> Any:
        raws = [self.item.to_raw(i) for i in value.counts.elements()]
        return tuple(sorted(raws, key=self._sorted_by))

    @cached_property
    def _sorted_by(self) -> Callable[[Any], Any] | None:
        return None if ir_values.ordered(self.item.ir) else partial(ir_values.key, self.item.ir)

    def from_raw(self, raw: Any) -> BagValue:
        return BagValue(self, Counter(self.item.from_raw(r) for r in raw), True)
