"""Where the parts of a value are in memory: atoms in bit fields, larger values as structures of arrays.

A type that fits one word is a single atom. In a larger type one atom with all its elements is a *slot*, an array of bit
fields (docs/native.md). In a state, slots share words (first-fit decreasing); in a temporary, every element has a word
of its own and is read without masks. Unused bits are zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import define, field, fields

from checker.backends.native.packing import WORD, bits, count, is_atom
from checker.backends.native.rows import Kept, row_words
from checker.frozen import frozen
from checker.ir import types as t
from checker.ir.footprints.crashing import CHOSEN
from checker.ir.model import Model


@define(eq=False)
class Slot:
    """An array of `count` bit fields of `width` bits: element e stands in word `word + e // per_word`.  lanes: fields
    are whole bytes, 1, 2, 4 or 8, which are read and written as such; only their lowest `bits` bits are ever set.
    """

    width: int
    count: int
    word: int = 0
    shift: int = 0
    per_word: int = 1
    alone: bool = False
    lanes: bool = False
    bits: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.bits = self.width

    @property
    def words(self) -> int:
        """The number of words that have fields of the array."""
        return -(-self.count // self.per_word)

    def widen(self) -> None:
        """Make the fields lanes."""
        self.width, self.lanes = max(8, 1 << (self.width - 1).bit_length()), True


@frozen(eq=False)
class Node:
    """Base of the memory forms of types."""


@frozen(eq=False)
class AtomNode(Node):
    """An atom."""

    slot: Slot


@frozen(eq=False)
class MapNode(Node):
    """A map: its value's slots have an element for each key."""

    keys: int
    value: Node


@frozen(eq=False)
class SetNode(Node):
    """A set of more than 64 possible members: `chunks` bit masks of `width` members each.

    The fields of the slot may be wider: whole bytes, or shared with another variant.
    """

    chunks: int
    slot: Slot
    width: int


@frozen(eq=False)
class SequenceNode(Node):
    """A sequence or a sorted bag."""

    length: AtomNode
    capacity: int
    item: Node


@frozen(eq=False)
class RecordNode(Node):
    """A record."""

    fields: tuple[Node, ...]


@frozen(eq=False)
class OptionalNode(Node):
    """None or an item."""

    flag: AtomNode
    item: Node


@frozen(eq=False)
class UnionNode(Node):
    """One of several variants, each the nodes of its fields."""

    tag: AtomNode
    variants: tuple[tuple[Node, ...], ...]


Allocate = Callable[[int, int], Slot]


def flatten(type: t.Type, elements: int, allocate: Allocate) -> Node:
    """The node of a type below `elements` enclosing map keys and sequence places."""
    if is_atom(type):
        return AtomNode(allocate(bits(type), elements))
    match type:
        case t.Map(key, value):
            return MapNode(count(key), flatten(value, elements * count(key), allocate))
        case t.Set(item):
            chunks = -(-count(item) // WORD)
            width = -(-count(item) // chunks)
            return SetNode(chunks, allocate(width, elements * chunks), width)
        case t.Seq(item, capacity) | t.Bag(item, capacity, _):
            length = AtomNode(allocate(capacity.bit_length(), elements))
            return SequenceNode(length, capacity, flatten(item, elements * capacity, allocate))
        case t.Record(_, fields):
            return RecordNode(tuple(flatten(f, elements, allocate) for _, f in fields))
        case t.Optional(item):
            return OptionalNode(AtomNode(allocate(1, elements)), flatten(item, elements, allocate))
        case t.Union(_, variants):
            return _flatten_union(variants, elements, allocate)
    raise TypeError(f"no memory form for {type}")


def _flatten_union(variants: tuple[t.Record, ...], elements: int, allocate: Allocate) -> UnionNode:
    tag = AtomNode(allocate((len(variants) - 1).bit_length(), elements))
    pool: list[Slot] = []
    nodes = []
    for variant in variants:
        share = _sharing(pool, allocate)
        nodes.append(tuple(flatten(f, elements, share) for _, f in variant.fields))
    return UnionNode(tag, tuple(nodes))


def _sharing(pool: list[Slot], allocate: Allocate) -> Allocate:
    """An allocation for one variant: it uses slots of the pool that this variant has not used yet."""
    free = list(pool)

    def share(width: int, elements: int) -> Slot:
        for slot in free:
            if slot.count == elements:
                free.remove(slot)
                slot.width = slot.bits = max(slot.width, width)
                return slot
        slot = allocate(width, elements)
        pool.append(slot)
        return slot

    return share


@frozen(eq=False)
class Layout:
    """Nodes of named values inside one block of `words` words.  kept: the bits that stored states have (empty: all)."""

    nodes: dict[str, Node]
    words: int
    kept: Kept = ()

    @property
    def used(self) -> list[int]:
        """The words in which all bits of values are set."""
        return mask_of(self.nodes.values(), self.words)

    @property
    def stored_words(self) -> int:
        """Words of a stored state."""
        return row_words(self.kept) if self.kept else self.words


def slots_of(part: object) -> Iterator[Slot]:
    """The slots of a node, those of its parts included."""
    if isinstance(part, Slot):
        yield part
    elif isinstance(part, tuple | Node):
        for inner in part if isinstance(part, tuple) else (getattr(part, a.name) for a in fields(type(part))):
            yield from slots_of(inner)


def mask_of(nodes: Iterable[Node], words: int) -> list[int]:
    """Words in which exactly the bits of these nodes' values are set."""
    mask = [0] * words
    for slot in slots_of(tuple(nodes)):
        for element in range(slot.count if slot.width else 0):
            part = ((1 << slot.bits) - 1) << (slot.shift + element % slot.per_word * slot.width)
            mask[slot.word + element // slot.per_word] |= part
    return mask


def state_layout(model: Model) -> Layout:
    """Packed layout of a model's variables.  Variables that only some searches have are behind the others, in separate
    words; without these words it is the layout of the model without these variables.
    """
    slots: list[Slot] = []

    def allocate(width: int, elements: int) -> Slot:
        slots.append(Slot(width, elements))
        return slots[-1]

    nodes = {v.name: flatten(v.type, 1, allocate) for v in model.variables if v.name not in CHOSEN}
    lanes = bool(model.kept)
    words, before = max(1, _place(slots, lanes)), len(slots)
    nodes |= {v.name: flatten(v.type, 1, allocate) for v in model.variables if v.name in CHOSEN}
    added = slots[before:]
    more = _place(added, lanes)
    for slot in added:
        slot.word += words
    return Layout(nodes, words + more, model.kept)


def temporary_layout(type: t.Type) -> Layout:
    """Layout of one value with a word for each element."""
    slots: list[Slot] = []

    def allocate(width: int, elements: int) -> Slot:
        slots.append(Slot(width, elements, alone=True))
        return slots[-1]

    node = flatten(type, 1, allocate)
    words = 0
    for slot in slots:
        slot.word = words
        words += slot.count
    return Layout({"": node}, words)


def _place(slots: list[Slot], lanes: bool) -> int:
    """Give every slot its words; returns the number of used words.

    Elements of long arrays are addressed by shifts if their number in a word is a power of two, which may cost words;
    both ways are tried.  lanes: elements of long arrays are whole bytes instead.
    """
    for slot in slots if lanes else ():
        if slot.width * slot.count > WORD:
            slot.widen()
    if _placed(slots, True) > _placed(slots, False):
        return _placed(slots, False)
    return _placed(slots, True)


def _placed(slots: list[Slot], powers: bool) -> int:
    used: list[int] = []
    for slot in slots:
        if slot.width * slot.count > WORD:
            _place_large(slot, used, powers)
    for slot in sorted(slots, key=lambda s: -s.width * s.count):
        if 0 < slot.width * slot.count <= WORD:
            _place_small(slot, used)
    return len(used)


def _place_large(slot: Slot, used: list[int], powers: bool) -> None:
    slot.per_word = WORD // slot.width
    power = 1 << (slot.per_word.bit_length() - 1)
    if powers and -(-slot.count // power) == -(-slot.count // slot.per_word):
        slot.per_word = power
    slot.word = len(used)
    left = slot.count
    while left > 0:
        used.append(min(left, slot.per_word) * slot.width)
        left -= slot.per_word


def _place_small(slot: Slot, used: list[int]) -> None:
    need = slot.width * slot.count
    slot.per_word = slot.count
    slot.word = next((word for word, taken in enumerate(used) if taken + need <= WORD), len(used))
    if slot.word == len(used):
        used.append(0)
    slot.shift = used[slot.word]
    used[slot.word] += need
