"""The collections a model's methods work on: maps, sets, sequences and bags.

Containers know their types, so every change is checked when it is made.  A container reached from the state (`self.held[p]`) is the state: changing
it changes the state.  Containers inside records, sets, sequences and bags are frozen.  Iteration is always in canonical order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from checker.language.choice import order
from checker.language.errors import ModelError

if TYPE_CHECKING:
    from checker.language.domains import Domain


class Container:
    """Base of maps, sets, sequences and bags; a frozen one can be hashed and not be changed."""

    __slots__ = ("domain", "frozen")

    def __init__(self, domain: Domain, frozen: bool) -> None:
        self.domain: Any = domain
        self.frozen = frozen

    def _changing(self) -> None:
        if self.frozen:
            raise ModelError("a value inside a record, set, sequence or message cannot be changed; build a new one")

    def raw(self) -> Any:
        """The raw value (checker.ir.values)."""
        return self.domain.to_raw(self)

    def __hash__(self) -> int:
        if not self.frozen:
            raise ModelError("a container of the state is not a value; copy it with set(...) or tuple(...)")
        return hash(self.raw())


class MapValue(Container):
    """A total function from an enumerable type."""

    __slots__ = ("entries",)

    def __init__(self, domain: Any, entries: dict[Any, Any], frozen: bool) -> None:
        super().__init__(domain, frozen)
        self.entries = entries

    def __getitem__(self, key: Any) -> Any:
        try:
            return self.entries[key]
        except KeyError:
            raise self._outside(key) from None

    def __setitem__(self, key: Any, value: Any) -> None:
        self._changing()
        if key not in self.entries:
            raise self._outside(key)
        self.entries[key] = self.domain.value.place(value)

    def _outside(self, key: Any) -> ModelError:
        return ModelError(f"index {key!r} is outside the map's domain", "none has no value" if key is None else "out of range")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MapValue):
            return self.entries == other.entries
        return isinstance(other, dict) and self.entries == other

    __hash__ = Container.__hash__

    def canonical(self) -> Any:
        """Sort key of the canonical order: entry by entry."""
        return tuple(order(v) for v in self.entries.values())

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{k!r}: {v!r}" for k, v in self.entries.items()) + "}"


class SetValue(Container):
    """A subset of an enumerable type."""

    __slots__ = ("items",)

    def __init__(self, domain: Any, items: set[Any], frozen: bool) -> None:
        super().__init__(domain, frozen)
        self.items = items

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def __iter__(self) -> Iterator[Any]:
        return iter(sorted(self.items, key=order))

    def __len__(self) -> int:
        return len(self.items)

    def __bool__(self) -> bool:
        return bool(self.items)

    def add(self, item: Any) -> None:
        """Put an item in."""
        self._changing()
        self.items.add(self.domain.item.freeze(item))

    def remove(self, item: Any) -> None:
        """Take an item out that must be there."""
        self._changing()
        if item not in self.items:
            raise ModelError(f"{item!r} is removed from a set that does not hold it", "no such item to remove")
        self.items.remove(item)

    def discard(self, item: Any) -> None:
        """Take an item out if it is there."""
        self._changing()
        self.items.discard(item)

    def clear(self) -> None:
        """Take everything out."""
        self._changing()
        self.items.clear()

    def update(self, items: Iterable[Any]) -> None:
        """Put all these items in."""
        for item in items:
            self.add(item)

    def _new(self, items: set[Any]) -> SetValue:
        return SetValue(self.domain, items, True)

    def __or__(self, other: Iterable[Any]) -> SetValue:
        return self._new(self.items | set(other))

    def __and__(self, other: Iterable[Any]) -> SetValue:
        return self._new(self.items & set(other))

    def __sub__(self, other: Iterable[Any]) -> SetValue:
        return self._new(self.items - set(other))

    def __xor__(self, other: Iterable[Any]) -> SetValue:
        return self._new(self.items ^ set(other))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __rsub__(self, other: Iterable[Any]) -> SetValue:
        return self._new(set(other) - self.items)

    def __le__(self, other: Iterable[Any]) -> bool:
        return self.items <= set(other)

    def __lt__(self, other: Iterable[Any]) -> bool:
        return self.items < set(other)

    def __ge__(self, other: Iterable[Any]) -> bool:
        return self.items >= set(other)

    def __gt__(self, other: Iterable[Any]) -> bool:
        return self.items > set(other)

    def __ior__(self, other: Iterable[Any]) -> SetValue:
        if self.frozen:
            return self | other
        self.update(set(other))
        return self

    def __isub__(self, other: Iterable[Any]) -> SetValue:
        if self.frozen:
            return self - other
        self.items -= set(other)
        return self

    def __iand__(self, other: Iterable[Any]) -> SetValue:
        if self.frozen:
            return self & other
        self.items &= set(other)
        return self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SetValue):
            return self.items == other.items
        return isinstance(other, set | frozenset) and self.items == other

    __hash__ = Container.__hash__

    def canonical(self) -> Any:
        """Sort key of the canonical order."""
        return sum(1 << self.domain.item.index(i) for i in self.items)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"


class SeqValue(Container):
    """A sequence with a largest length."""

    __slots__ = ("items",)

    def __init__(self, domain: Any, items: list[Any], frozen: bool) -> None:
        super().__init__(domain, frozen)
        self.items = items

    def _fits(self) -> None:
        capacity = self.domain.capacity
        if capacity is not None and len(self.items) > capacity:
            raise ModelError(f"a sequence of at most {capacity} items overflows", "overflow")

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self.items[index]
        if not -len(self.items) <= index < len(self.items):
            raise ModelError(f"index {index} of a sequence of {len(self.items)} items", "index out of range")
        return self.items[index]

    def __setitem__(self, index: int, value: Any) -> None:
        self._changing()
        self[index]
        self.items[index] = self.domain.item.freeze(value)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self.items))

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def append(self, item: Any) -> None:
        """Put an item at the end."""
        self._changing()
        self.items.append(self.domain.item.freeze(item))
        self._fits()

    def insert(self, index: int, item: Any) -> None:
        """Put an item before an index."""
        self._changing()
        value = self.domain.item.freeze(item)
        if not 0 <= index <= len(self.items):
            raise ModelError(f"index {index} of a sequence of {len(self.items)} items", "index out of range")
        self.items.insert(index, value)
        self._fits()

    def pop(self, index: int = -1) -> Any:
        """Take the item at an index out."""
        self._changing()
        item = self[index]
        del self.items[index]
        return item

    def remove(self, item: Any) -> None:
        """Take the first such item out; it must be there."""
        self._changing()
        if item not in self.items:
            raise ModelError(f"{item!r} is removed from a sequence that does not hold it", "no such item to remove")
        self.items.remove(item)

    def clear(self) -> None:
        """Take everything out."""
        self._changing()
        self.items.clear()

    def index(self, item: Any) -> int:
        """Place of the first such item; it must be there."""
        if item not in self.items:
            raise ModelError(f"{item!r} is not in the sequence", "no such item")
        return self.items.index(item)

    def count(self, item: Any) -> int:
        """Number of such items."""
        return self.items.count(item)

    def __add__(self, other: Iterable[Any]) -> list[Any]:
        return self.items + list(other)

    def __radd__(self, other: Iterable[Any]) -> list[Any]:
        return list(other) + self.items

    def __iadd__(self, other: Iterable[Any]) -> Any:
        if self.frozen:
            return self + other
        for item in list(other):
            self.append(item)
        return self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SeqValue):
            return self.items == other.items
        return isinstance(other, list | tuple) and self.items == list(other)

    __hash__ = Container.__hash__

    def canonical(self) -> Any:
        """Sort key of the canonical order: by length first."""
        return (len(self.items), *(order(i) for i in self.items))

    def __repr__(self) -> str:
        return "[" + ", ".join(map(repr, self.items)) + "]"


class BagValue(Container):
    """A multiset."""

    __slots__ = ("counts",)

    def __init__(self, domain: Any, counts: Counter[Any], frozen: bool) -> None:
        super().__init__(domain, frozen)
        self.counts = counts

    def __contains__(self, item: object) -> bool:
        return self.counts[item] > 0

    def __iter__(self) -> Iterator[Any]:
        """Distinct items in canonical order."""
        return iter(sorted(self.counts, key=order))

    def __len__(self) -> int:
        return self.counts.total()

    def count(self, item: Any) -> int:
        """Copies of an item."""
        return self.counts[item]

    def add(self, item: Any) -> None:
        """Add one copy."""
        self._changing()
        self.counts[self.domain.item.freeze(item)] += 1
        if self.domain.capacity is not None and len(self) > self.domain.capacity:
            raise ModelError(f"a bag of at most {self.domain.capacity} items overflows", "overflow")

    def remove(self, item: Any) -> None:
        """Remove one copy of an item that must be there."""
        if item not in self:
            raise ModelError(f"{item!r} is removed from a bag that does not hold it", "no such item to remove")
        self.discard(item)

    def discard(self, item: Any) -> None:
        """Remove one copy of an item if it is there."""
        self._changing()
        self.counts[item] -= 1
        if self.counts[item] <= 0:
            del self.counts[item]

    def clear(self) -> None:
        """Take everything out."""
        self._changing()
        self.counts.clear()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BagValue) and self.counts == other.counts

    __hash__ = Container.__hash__

    def canonical(self) -> Any:
        """Sort key of the canonical order: by size first."""
        return (len(self), *(order(i) for i in sorted(self.counts.elements(), key=order)))

    def __repr__(self) -> str:
        return "⟅" + ", ".join(f"{i!r}" + (f" x{n}" if (n := self.counts[i]) > 1 else "") for i in self) + "⟆"
