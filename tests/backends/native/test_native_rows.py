"""States that are stored as rows of the bits that runs set mean what they mean as they are laid out."""

from __future__ import annotations

import ctypes
import random as randoms
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from checker.assembly import DECLARATIONS, Assembly, signed
from checker.backends.native import context
from checker.backends.native.build import object_code
from checker.backends.native.kernel import NativeKernel, compile_model
from checker.backends.native.layout import AtomNode, Layout, SequenceNode, Slot, state_layout
from checker.backends.native.ones import with_spare_bits
from checker.backends.native.rows import (
    emit_pack,
    emit_unpack,
    gather,
    packed,
    pieces,
    row_words,
    runs_of,
    scatter,
    unpacked,
)
from checker.catalogue import find
from checker.contract import NEVER, PARTS
from checker.frontend.lower import lower
from checker.ir.fitted import ROOM
from checker.ir.model import Model
from checker.language.define import define
from checker.search.breadth_first import search
from checker.stored import machine_code
from checker.stored.machine_code import gathers_bits
from tests.backends.agreement import compare
from tests.backends.random_models import Builder


def in_rows(model: Model) -> Model:
    """The model with rows that have every bit of a value."""
    return evolve(model, kept=tuple(state_layout(evolve(model, kept=(0,))).used))


@pytest.fixture(params=[False, True], ids=["shifts", "instructions"])
def gathering(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to pack rows; on a processor without the instructions, one of them twice."""
    if not request.param:
        monkeypatch.setattr(context, "gathers_bits", lambda: False)


@pytest.mark.usefixtures("gathering")
@pytest.mark.parametrize("seed", [3, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(40))])
def test_kernel_and_evaluator_agree_on_random_models_in_rows(seed: int) -> None:
    """Same successors in the same order, same counters, same errors, same findings, same rows for equal states."""
    compare(in_rows(Builder(randoms.Random(seed).randrange).model()), 25)


@pytest.mark.usefixtures("gathering")
@pytest.mark.thorough
@pytest.mark.parametrize("reference", ["isis", "causal_broadcast:Retested", "sequencer"])
def test_kernel_and_evaluator_agree_on_protocols_in_rows(reference: str) -> None:
    """Long arrays, whose elements are whole bytes."""
    model = in_rows(lower(define(find(reference).cls)))
    assert compare(model, 60) == 60


def test_elements_of_long_arrays_are_whole_bytes() -> None:
    """Only in states that are stored as rows; without them a state has fewer words."""
    model = lower(define(find("isis").cls))
    tight, wide = (state_layout(m).nodes["net"] for m in (model, in_rows(model)))
    assert isinstance(tight, SequenceNode) and isinstance(wide, SequenceNode)
    narrow, lanes = tight.item, wide.item
    assert isinstance(narrow, AtomNode) and isinstance(lanes, AtomNode)
    assert (narrow.slot.lanes, lanes.slot.lanes) == (False, True)
    assert lanes.slot.bits == narrow.slot.width <= lanes.slot.width == 16


def random_masks(random: randoms.Random) -> tuple[int, ...]:
    """Dense, sparse, whole and empty words."""
    every, density = (1 << 64) - 1, random.choice([2, 8])
    some = [random.getrandbits(64) & (random.getrandbits(64) if density == 8 else every) for _ in range(4)]
    return tuple(random.sample([*some, every, 0, 1 << 63, 1], random.randrange(1, 8)))


def test_rows_have_all_kept_bits_and_no_others() -> None:
    """Packing and unpacking are inverse; a bit that is not kept is refused."""
    random = randoms.Random(7)
    for _ in range(200):
        kept = random_masks(random)
        words = [random.getrandbits(64) & mask for mask in kept]
        row = packed(words, kept)
        assert len(row) == row_words(kept) and unpacked(row, kept) == words
        assert sum(word.bit_count() for word in row) == sum(word.bit_count() for word in words)
        assert [(piece.word, piece.mask) for piece in pieces(kept)] == sorted((p.word, p.mask) for p in pieces(kept))
        for word, mask in enumerate(kept):
            if mask != (1 << 64) - 1:
                words[word] |= ~mask & mask + 1
                with pytest.raises(ValueError, match="no room"):
                    packed(words, kept)
                break


@pytest.mark.parametrize("gathers", sorted({False, gathers_bits()}))
def test_compiled_rows_are_those_of_python(gathers: bool) -> None:
    """Packing refuses a state with another bit of a value, and writes nothing; unpacking is its inverse."""
    random = randoms.Random(11)
    for _ in range(4):
        kept = random_masks(random)
        pack, unpack, code = compiled_rows(kept, gathers)
        words = np.array([random.getrandbits(64) & mask for mask in kept], np.uint64)
        row, back = np.zeros(row_words(kept), np.uint64), np.full(len(kept), 7, np.uint64)
        assert pack(words.ctypes.data, row.ctypes.data) == 0
        assert row.tolist() == packed(words.tolist(), kept)
        unpack(row.ctypes.data, back.ctypes.data)
        assert back.tolist() == words.tolist()
        for word, mask in enumerate(kept):
            row[:], other = 0, words.copy()
            other[word] |= np.uint64(~mask & mask + 1 & (1 << 64) - 1)
            assert (pack(other.ctypes.data, row.ctypes.data) != 0) == (mask != (1 << 64) - 1)
            assert mask == (1 << 64) - 1 or not row.any()
        assert code is not None


def compiled_rows(kept: tuple[int, ...], gathers: bool) -> tuple[Any, Any, machine_code.Code]:
    """Both functions; the code must outlive them."""
    texts = [DECLARATIONS, emit_pack(kept, [(1 << 64) - 1] * len(kept), gathers), emit_unpack(kept, gathers)]
    for name, result in (("pack", "i64"), ("unpack", "void")):
        b = Assembly(f"{name}_one", result, [("ptr", "%a"), ("ptr", "%b")], "")
        value = b.call(f"@{name}", "%a", "%b", result=result)
        b.give(f"{result} {value}".strip())
        texts.append(b.text())
    code = machine_code.loaded(object_code("\n".join(texts), quick=True), machine_code.target_machine())
    pack = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p)(code.address("pack_one"))
    return pack, ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(code.address("unpack_one")), code


def test_runs_of_a_constant_are_its_adjacent_bits() -> None:
    """Also of the signed form that LLVM has."""
    assert list(runs_of(0b1101_0110)) == [(1, 2, 0), (4, 1, 2), (6, 2, 3)]
    assert list(runs_of(signed(1 << 63 | 1))) == [(0, 1, 0), (63, 1, 1)]
    assert list(runs_of(-1)) == [(0, 64, 0)]
    b = Assembly("f", "i64", [])
    assert gather(b, 0b1010, 0b1110, True) == 0b101 and scatter(b, 0b101, 0b1110, True) == 0b1010


def smaller(kernel: NativeKernel, model: Model) -> NativeKernel:
    """A kernel whose rows have the bits of the first states alone."""
    states = search(kernel).states()[:10]
    ones = [0] * kernel.layout.words
    for row in states:
        ones = [one | word for one, word in zip(ones, unpacked(row.tolist(), kernel.layout.kept))]
    return compile_model(evolve(model, kept=tuple(ones)), quick=True, cache=False)


def test_a_successor_that_has_no_room_ends_the_search() -> None:
    """It is no error of the model, but the finding that asks for more room; every other successor is as it was."""
    model = in_rows(lower(define(find("reliable_multicast").cls, {"workload": (1, 1)})))
    kernel = compile_model(model, quick=True, cache=False)
    small = smaller(kernel, model)
    assert small.words <= kernel.words
    result = search(small, stop_at_first=False)
    assert result.small == (ROOM,)
    number = next(n for n, f in enumerate(small.findings) if f.name == ROOM)
    at = next(v.index for v in result.violations if v.finding.kind == "grow")
    row = result.states()[at]
    assert steps(small, row)[1][number] == 0
    every = steps(kernel, kernel.encode(small.decode(row)))[0]
    some = [small.decode(r) for r in steps(small, row)[0]]
    left = [state for state in map(kernel.decode, every) if state in some]
    assert some == left and len(some) < len(every)


def steps(kernel: NativeKernel, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The successors of a state, and where each finding occurs."""
    successors, parents = np.zeros((99, kernel.words), np.uint64), np.zeros(99, np.uint32)
    counters, quiescent = np.zeros(2 * len(kernel.actions) + 3, np.int64), np.zeros(1, np.uint8)
    first = np.full(PARTS * len(kernel.findings), NEVER, np.int64)
    block = np.ascontiguousarray(row).reshape(1, -1)
    _, written = kernel.expand(block, 0, successors, parents, counters, first, quiescent)
    return successors[:written], first


def test_spare_bits_are_those_that_other_elements_have_first() -> None:
    """Most of them first, none in an element that is not used; then words that can be completed, then bits above."""
    array = Slot(8, 4)
    array.widen()
    array.per_word = 4
    nodes = {"a": AtomNode(array), "b": AtomNode(Slot(60, 1, word=1)), "c": AtomNode(Slot(64, 1, word=2))}
    layout = Layout(dict(nodes), 3)
    assert layout.used == [0xFF_FF_FF_FF, (1 << 60) - 1, (1 << 64) - 1]
    a, wide = 0x0F_05_00_01, (1 << 60) - 1
    assert with_spare_bits(layout, [a, wide >> 4, 0]) == (0x0F_05_00_05, wide >> 4, 0)
    assert with_spare_bits(layout, [a, wide >> 8, 0]) == (0x0F_0F_00_0F, wide >> 8, 0)
    assert with_spare_bits(layout, [0x0F_0F_0F_0F, wide ^ 1, 0]) == (0xFF_FF_FF_FF, wide, 0)
    assert with_spare_bits(layout, [0, 0, 0b1000]) == (0xFF_FF_FF_FF, 0, (1 << 35) - 8)
