"""The collections a model's methods work on: maps, sets, sequences and bags.

Containers know their types, so every change is checked when it is made.  A container reached from the state
(`self.held[p]`) is the state: changing it changes the state.  Containers inside records, sets, sequences and bags are
frozen.  Iteration is always in canonical order.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from checker.language.choice import order
from checker.language.errors import ModelError
from checker.wording import counted


class Container:
    """Base of maps, sets, sequences and bags; a frozen one can be hashed but not changed.  Equal values have equal
    hashes.
    """

    __slots__ = ()
    domain: Any
    frozen: bool

    def _changing(self) -> None:
        if self.frozen:
            raise ModelError("a value inside a record, set, sequence or message cannot be changed; build a new one")

    def _must_hold(self, item: Any, kind: str) -> None:
        if item not in self:  # type: ignore[operator]  # of the subclasses
            raise ModelError(f"{item!r} is removed from a {kind} that does not hold it", "no such item to remove")

    def __ne__(self, other: object) -> bool:
        return not self == other

    def raw(self) -> Any:
        """The raw value (checker.ir.values)."""
        return self.domain.to_raw(self)

    def _hashable(self) -> Any:
        """An immutable Python value that is equal to this one, if there is one."""
        return self.raw()

    def __hash__(self) -> int:
        if not self.frozen:
            raise ModelError(
                "a collection of the state can change, so it is no member of a set and no key; write "
                "frozenset(...) or tuple(...)"
            )
        return hash(self._hashable())


class MapValue(Container):
    """A total function from an enumerable type."""

    __slots__ = ("domain", "frozen", "entries")

    def __init__(self, domain: Any, entries: dict[Any, Any], frozen: bool) -> None:
        self.domain, self.frozen = domain, frozen
        self.entries = entries

    def __getitem__(self, key: Any) -> Any:
        try:
            return self.entries[key]
        except KeyError:
            raise self._outside(key) from None
        except (TypeError, ModelError):  # the key is a set or sequence that can change
            return self.entries[self._frozen(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._changing()
        if key not in self:
            raise self._outside(key)
        key = self._frozen(key)
        if value is not self.entries[key]:  # else `m[k] |= x` has changed it in place
            self.entries[key] = self.domain.value.place(value)

    def _frozen(self, key: Any) -> Any:
        try:
            return self.domain.key.freeze(key)
        except ModelError:
            raise self._outside(key) from None

    def _outside(self, key: Any) -> ModelError:
        return ModelError(
            f"index {key!r} is outside the map's domain", "none has no value" if key is None else "out of range"
        )

    def __contains__(self, key: object) -> bool:
        return key in self.domain.key

    def __iter__(self) -> Iterator[Any]:
        return iter(self.entries)

    __reversed__ = None  # a map has no order to reverse

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


def _making(operation: Callable[[set[Any], set[Any]], set[Any]]) -> Any:
    """A set operator that returns a new set."""
    return lambda self, other: self._new(operation(set(self), set(other)))


def _comparing(operation: Callable[[set[Any], set[Any]], bool]) -> Any:
    """A comparison of sets."""
    return lambda self, other: operation(set(self), set(other))


def _replacing(operation: Callable[[set[Any], set[Any]], set[Any]]) -> Any:
    """An operator that changes a set in place."""
    return lambda self, other: self._replaced(operation(set(self), set(other)))


class SetValue(Container, set[Any]):
    """A subset of an enumerable type.

    It is a subclass of Python's set, so that Python's own sets accept it: `seen |= self.held[p]` changes `seen`.
    """

    __slots__ = ("domain", "frozen")

    def __init__(self, domain: Any, items: Iterable[Any], frozen: bool) -> None:
        set.__init__(self, items)
        self.domain, self.frozen = domain, frozen

    def __contains__(self, item: object) -> bool:
        try:
            return set.__contains__(self, self.domain.item.freeze(item))
        except ModelError:  # no value of the item type; the result of an operator may hold other items
            return any(item == other for other in set.__iter__(self))

    def __iter__(self) -> Iterator[Any]:
        items = list(set.__iter__(self))
        if len(items) > 1:
            items.sort(key=order)
        return iter(items)

    __reversed__ = None

    def add(self, item: Any) -> None:
        """Put an item in."""
        self._changing()
        set.add(self, self.domain.item.freeze(item))

    def remove(self, item: Any) -> None:
        """Remove an item; its absence is an error."""
        self._changing()
        self._must_hold(item, "set")
        set.remove(self, self.domain.item.freeze(item))

    def discard(self, item: Any) -> None:
        """Remove an item if it is there."""
        self._changing()
        if item in self:
            set.discard(self, self.domain.item.freeze(item))

    def clear(self) -> None:
        """Take everything out."""
        self._changing()
        set.clear(self)

    def update(self, *others: Iterable[Any]) -> None:
        """Put all these items in."""
        for item in [item for other in others for item in other]:
            self.add(item)

    def _new(self, items: set[Any]) -> SetValue:
        return SetValue(self.domain, items, True)

    __or__ = __ror__ = _making(operator.or_)
    __and__ = __rand__ = _making(operator.and_)
    __xor__ = __rxor__ = _making(operator.xor)
    __sub__ = _making(operator.sub)
    __rsub__ = _making(lambda mine, other: other - mine)
    __le__, __lt__ = _comparing(operator.le), _comparing(operator.lt)
    __ge__, __gt__ = _comparing(operator.ge), _comparing(operator.gt)
    __ior__, __iand__ = _replacing(operator.or_), _replacing(operator.and_)
    __ixor__, __isub__ = _replacing(operator.xor), _replacing(operator.sub)

    def _replaced(self, items: set[Any]) -> SetValue:
        """This set with other items; for a frozen set, a new one."""
        if self.frozen:
            return self._new(items)
        fitting = {self.domain.item.freeze(i) for i in items}
        set.clear(self)
        set.update(self, fitting)
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, set | frozenset) and set.__eq__(self, other)

    __hash__ = Container.__hash__  # type: ignore[assignment]

    def _hashable(self) -> Any:
        return frozenset(self)

    def canonical(self) -> Any:
        """Sort key of the canonical order."""
        return sum(1 << self.domain.item.index(i) for i in set.__iter__(self))

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"


class SeqValue(Container, list[Any]):
    """A sequence with a largest length.

    It is a subclass of Python's list, so that Python's own lists accept it: `seen += self.queue[p]` changes `seen`,
    `seen + self.queue[p]` is a list.
    """

    __slots__ = ("domain", "frozen")

    def __init__(self, domain: Any, items: Iterable[Any], frozen: bool) -> None:
        list.__init__(self, items)
        self.domain, self.frozen = domain, frozen

    def _fits(self) -> None:
        capacity = self.domain.capacity
        if capacity is not None and len(self) > capacity:
            raise ModelError(f"a sequence of at most {counted(capacity, 'item')} overflows", "overflow")

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            self._within(index)
        return list.__getitem__(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._changing()
        self._within(index)
        list.__setitem__(self, index, self.domain.item.freeze(value))

    def _within(self, index: int) -> None:
        if not -len(self) <= index < len(self):
            raise ModelError(f"index {index} of a sequence of {counted(len(self), 'item')}", "index out of range")

    def __iter__(self) -> Iterator[Any]:
        return iter(list.copy(self))

    def append(self, item: Any) -> None:
        """Put an item at the end."""
        self._changing()
        list.append(self, self.domain.item.freeze(item))
        self._fits()

    def insert(self, index: Any, item: Any) -> None:
        """Put an item before an index."""
        self._changing()
        value = self.domain.item.freeze(item)
        if not 0 <= index <= len(self):
            raise ModelError(f"index {index} of a sequence of {counted(len(self), 'item')}", "index out of range")
        list.insert(self, index, value)
        self._fits()

    def pop(self, index: Any = -1) -> Any:
        """Take the item at an index out."""
        self._changing()
        self._within(index)
        return list.pop(self, index)

    def remove(self, item: Any) -> None:
        """Remove the first equal item; its absence is an error."""
        self._changing()
        self._must_hold(item, "sequence")
        list.remove(self, item)

    def clear(self) -> None:
        """Take everything out."""
        self._changing()
        list.clear(self)

    def index(self, item: Any, *bounds: Any) -> int:
        """Place of the first equal item; its absence is an error."""
        if item not in self:
            raise ModelError(f"{item!r} is not in the sequence", "no such item")
        return list.index(self, item, *bounds)

    def __add__(self, other: Iterable[Any]) -> list[Any]:  # type: ignore[override]
        return [*self, *other]

    def __iadd__(self, other: Iterable[Any]) -> Any:  # type: ignore[override,misc]
        if self.frozen:
            return self + other
        for item in list(other):
            self.append(item)
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list | tuple) and list.__eq__(self, list(other))

    __hash__ = Container.__hash__  # type: ignore[assignment]

    def _hashable(self) -> Any:
        return tuple(self)

    def canonical(self) -> Any:
        """Sort key of the canonical order: by length first."""
        return (len(self), *(order(i) for i in self))

    def __repr__(self) -> str:
        return "[" + ", ".join(map(repr, self)) + "]"


class BagValue(Container):
    """A multiset."""

    __slots__ = ("domain", "frozen", "counts")

    def __init__(self, domain: Any, counts: Counter[Any], frozen: bool) -> None:
        self.domain, self.frozen = domain, frozen
        self.counts = counts

    def __contains__(self, item: object) -> bool:
        return self.count(item) > 0

    def __iter__(self) -> Iterator[Any]:
        """Distinct items in canonical order."""
        return iter(sorted(self.counts, key=order))

    __reversed__ = None

    def __len__(self) -> int:
        return self.counts.total()

    def count(self, item: Any) -> int:
        """Copies of an item."""
        try:
            return self.counts[self.domain.item.freeze(item)]
        except ModelError:
            return 0  # no value of the item type

    def add(self, item: Any) -> None:
        """Add one copy."""
        self._changing()
        self.counts[self.domain.item.freeze(item)] += 1
        if self.domain.capacity is not None and len(self) > self.domain.capacity:
            raise ModelError(f"a bag of at most {counted(self.domain.capacity, 'item')} overflows", "overflow")

    def remove(self, item: Any) -> None:
        """Remove one copy of an item; its absence is an error."""
        self._must_hold(item, "bag")
        self.discard(item)

    def discard(self, item: Any) -> None:
        """Remove one copy of an item if it is there."""
        self._changing()
        if item in self:
            item = self.domain.item.freeze(item)
            self.counts[item] -= 1
            if not self.counts[item]:
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
