"""Arrays of whole bytes as one vector: moving items by one place.

A network that is stored in rows is worked on as an array of whole bytes (`Slot.lanes`). Its items fit one vector, so a
gap is opened or closed in all places at once. A loop would have as many rounds as items move, a number that no
processor can predict, and would leave narrow stores, which the wider loads behind it wait for. Where it stops: arrays
of more than eight words, and those that are part of a larger array, are moved item by item.
"""

from __future__ import annotations

from collections.abc import Callable

from checker.assembly import Operand
from checker.backends.native.context import Big, Context, Ref
from checker.backends.native.layout import AtomNode, SequenceNode, Slot
from checker.backends.native.packing import WORD
from checker.backends.native.words import slot_of_all
from checker.frozen import frozen

MOST_WORDS = 8


def moves(ref: Ref) -> bool:
    """Whether gaps are opened and closed here."""
    slot = slot_of_all(ref)
    return slot is not None and slot.lanes and slot.words <= MOST_WORDS


def insert(f: Context, ref: Big, at: Operand, word: Operand) -> None:
    """Put an item, given as a packed word, before the place `at`; the last place is free."""
    array = _array(f, ref, ref)
    opened = array.where(f, "ule", at, array.moved(f, lambda place: max(place - 1, 0)), array.items)
    array.store(f, array.where(f, "eq", at, array.splat(f, word), opened))


def remove(f: Context, ref: Big, at: Operand, before: Big) -> None:
    """Drop the item at the place `at`; the items behind it move down by one, the last place becomes zero.  before: the
    array where it is read, in a state whose words around it are the same.
    """
    array = _array(f, ref, before)
    zero = array.number  # the first of the zeros that follow the items in a shuffle
    closed = array.moved(f, lambda place: zero if place == array.used - 1 else place + 1)
    array.store(f, array.where(f, "ule", at, closed, array.items))


@frozen
class _Array:
    """The words of an array as a vector: where it is, its items, and how many they are; the first `used` are the
    array's, the others belong to other values and stay."""

    pointer: str
    width: int
    number: int
    used: int
    items: str

    @property
    def kind(self) -> str:
        return f"<{self.number} x i{self.width}>"

    def moved(self, f: Context, source: Callable[[int], int]) -> str:
        """The items, each from another place; the places from `number` on are zeros."""
        places = [source(place) if place < self.used else place for place in range(self.number)]
        chosen = ", ".join(f"i32 {place}" for place in places)
        return f.b.register(
            f"shufflevector {self.kind} {self.items}, {self.kind} zeroinitializer, <{self.number} x i32> <{chosen}>"
        )

    def splat(self, f: Context, word: Operand) -> str:
        """A word in all places."""
        narrow = f.b.register(f"trunc i64 {word} to i{self.width}") if self.width < WORD else str(word)
        one = f.b.register(f"insertelement {self.kind} zeroinitializer, i{self.width} {narrow}, i32 0")
        return f.b.register(
            f"shufflevector {self.kind} {one}, {self.kind} zeroinitializer, <{self.number} x i32> zeroinitializer"
        )

    def where(self, f: Context, predicate: str, at: Operand, chosen: str, other: str) -> str:
        """Chosen items at the places of which the predicate of `at` and the place is true, elsewhere other items."""
        places = ", ".join(f"i{self.width} {place}" for place in range(self.number))
        holds = f.b.register(f"icmp {predicate} {self.kind} {self.splat(f, at)}, <{places}>")
        return f.b.register(f"select <{self.number} x i1> {holds}, {self.kind} {chosen}, {self.kind} {other}")

    def store(self, f: Context, items: str) -> None:
        f.b.line(f"store {self.kind} {items}, ptr {self.pointer}, align 8")


def _array(f: Context, ref: Big, before: Big) -> _Array:
    assert isinstance(ref.node, SequenceNode) and isinstance(ref.node.item, AtomNode)
    slot = ref.node.item.slot
    number = _loaded(slot, f.module.layout.words) * (WORD // slot.width)
    source, pointer = (f.b.address(array.pointer, slot.word) for array in (before, ref))
    items = f.b.register(f"load <{number} x i{slot.width}>, ptr {source}, align 8")
    return _Array(pointer, slot.width, number, slot.count, items)


def _loaded(slot: Slot, words: int) -> int:
    """Words of the vector: a power of two if the state has so many from there on, since LLVM divides others."""
    power = 1 << (slot.words - 1).bit_length()
    return power if slot.word + power <= words else slot.words
