"""Facts about packed states: canonical, order-preserving, inside their words."""

from __future__ import annotations

import random

import numpy as np

from checker.backends.native import codec
from checker.backends.native.kernel import compile_model
from checker.backends.native.layout import slots_of, state_layout
from checker.backends.native.packing import WORD, bits, dense, is_atom
from checker.contract import PARTS
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.values import index, key, values
from checker.language import Int, action, choose, var
from checker.language import Model as Protocol
from checker.language.define import define
from tests.backends.native_models import two_phase_commit
from tests.backends.random_models import Builder


def small_types(number: int) -> list[t.Type]:
    """Random types of at most 300 values."""
    drawn = [Builder(random.Random(seed).randrange).type(2) for seed in range(number)]
    return [k for k in drawn if (size(k) or 1000) <= 300 and is_atom(k)]


def test_packed_values_come_back() -> None:
    """Unpacking is the inverse of packing."""
    for kind in small_types(400):
        for raw in values(kind):
            assert codec.unpacker(kind)(codec.pack(kind, raw)) == raw


def test_packing_preserves_the_canonical_order() -> None:
    """Of two values the greater has the greater packed word, so kernels compare numbers."""
    for kind in small_types(400):
        packed = [codec.pack(kind, raw) for raw in sorted(values(kind), key=lambda raw: key(kind, raw))]
        assert packed == sorted(set(packed))
        assert packed[-1] < 1 << bits(kind)


def test_dense_types_are_packed_as_their_place() -> None:
    """Where a type is called dense, no arithmetic is needed between a value and its place."""
    for kind in small_types(400):
        assert not dense(kind) or all(codec.pack(kind, raw) == index(kind, raw) for raw in values(kind))


def test_no_two_bit_fields_overlap() -> None:
    """Every element of every slot has bits of its own, inside one word (variants of a union share theirs)."""
    for seed in range(150):
        model = Builder(random.Random(seed).randrange).model()
        layout = state_layout(model)
        used: set[tuple[int, int]] = set()
        for slot in {id(s): s for v in model.variables for s in slots_of(layout.nodes[v.name])}.values():
            for element in range(slot.count if slot.width else 0):
                low = slot.shift + element % slot.per_word * slot.width
                word = slot.word + element // slot.per_word
                assert low + slot.width <= WORD and word < layout.words
                taken = {(word, bit) for bit in range(low, low + slot.width)}
                assert not used & taken
                used |= taken


def test_two_phase_commit_with_nine_managers_fits_one_word() -> None:
    """18 + 2 + 9 + 11 bits."""
    assert state_layout(two_phase_commit(9)).words == 1


def test_a_row_without_room_is_rolled_back() -> None:
    """Nothing of a row is counted or written unless all its successors fit."""
    kernel = compile_model(two_phase_commit(3), cache=False)
    start = kernel.initial()
    counters = np.zeros(2 * len(kernel.actions) + 3, np.int64)
    first, quiescent = np.full(2, 1 << 62, np.int64), np.zeros(1, np.uint8)
    successors, parents = np.zeros((3, 1), np.uint64), np.zeros(3, np.uint32)
    assert kernel.expand(start, 0, successors, parents, counters, first, quiescent) == (0, 0)
    assert not counters.any() and not successors.any()


class Picking(Protocol):
    """One action chooses, the other does not."""

    x = var(Int(0, 9), 0)

    @action
    def pick(self) -> None:
        self.x = choose(range(10))

    @action
    def reset(self) -> None:
        self.x = 0


def test_the_successors_of_a_choice_are_not_written_behind_the_buffer() -> None:
    """Two actions without parameters have eleven successors here, of which three fit."""
    kernel = compile_model(lower(define(Picking)), cache=False)
    counters = np.zeros(2 * len(kernel.actions) + 3, np.int64)
    first, quiescent = np.full(PARTS * len(kernel.findings), 1 << 62, np.int64), np.zeros(1, np.uint8)
    for capacity, expected in ((3, (0, 0)), (10, (0, 0)), (11, (1, 11))):
        successors, parents = np.full((20, 1), 77, np.uint64), np.zeros(20, np.uint32)
        assert (
            kernel.expand(kernel.initial(), 0, successors[:capacity], parents, counters, first, quiescent) == expected
        )
        assert (successors[capacity:] == 77).all()
