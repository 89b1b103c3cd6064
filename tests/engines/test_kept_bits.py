"""A search in rows of the bits that runs set finds what the search of the declared model finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from checker.backends.native import codec
from checker.backends.native.kernel import NativeKernel, compile_model
from checker.backends.native.layout import state_layout
from checker.backends.native.ones import set_bits
from checker.catalogue import find
from checker.engines import fitting, native
from checker.engines.fitting import Room, declared, room_of
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.fitted import fitted, networks, sequences
from checker.ir.model import StateVariable
from checker.language import Ids, Map, Model, Seq, Set, action, require, var
from checker.language.define import define
from checker.language.model import invariant
from checker.search import simulation
from checker.search.breadth_first import search
from checker.search.limits import Limits
from checker.search.result import SearchResult
from tests.engines.test_fitting import FEW, PROTOCOLS, Notes, explored, nowhere, told, words

ISIS = {"workload": (1, 1, 0)}


@pytest.mark.parametrize(
    "reference, constants",
    [
        pytest.param(m, c, id=f"{m} {c}", marks=pytest.mark.thorough if i > 1 else ())
        for i, (m, c) in enumerate(PROTOCOLS)
    ],
)
def test_bits_of_packed_states_are_those_of_their_values(reference: str, constants: dict[str, Any]) -> None:
    """Collected from the layout of one model for that of another, which has less room."""
    kernel = compile_model(lower(define(find(reference).cls, constants)), quick=True)
    states, model = search(kernel, limits=Limits(max_states=300)).states(), kernel.model
    room = room_of(kernel, states)
    short = {type: n for type, n in zip(sequences(model), room.lengths) if n < type.capacity}
    small = fitted(evolve(model, kept=(0,)), short, room.networks)
    layout, types = state_layout(small), {v.name: v.type for v in small.variables}
    expected = [0] * layout.words
    for row in states:
        for name, raw in kernel.decode(row).items():
            codec.write(expected, types[name], layout.nodes[name], 0, raw)
    found = set_bits(kernel.layout, {v.name: v.type for v in model.variables}, layout, types, states)
    assert found == expected


def test_bits_of_variants_and_shortened_lists_stay_apart() -> None:
    """In one word and in several, where all variants share the bits: the tag tells whose they are."""
    random = Random(3)
    for length in (4, 40):
        listed = t.Seq(t.Int(0, 5), length)
        some = t.Record("some", (("listed", t.Optional(listed)), ("n", t.Int(1, 3))))
        other = t.Record("other", (("wide", t.Int(0, 200)), ("flags", t.Set(t.Int(0, 3)))))
        kind = t.Map(t.Bool(), t.Union("either", (some, other)))
        model = evolve(
            lower(define(find("isis").cls, ISIS)), variables=(StateVariable("x", kind),), functions=(), actions=()
        )
        short = fitted(evolve(model, kept=(0,)), {listed: 2}, {})
        old, new = state_layout(model), state_layout(short)
        states, expected = [], [0] * new.words
        for _ in range(6):
            raw = tuple(_either(random) for _ in range(2))
            states.append([0] * old.words)
            codec.write(states[-1], kind, old.nodes["x"], 0, raw)
            codec.write(expected, short.variables[0].type, new.nodes["x"], 0, raw)
        assert set_bits(old, {"x": kind}, new, {"x": short.variables[0].type}, np.array(states, np.uint64)) == expected


class Gathered(Model):
    """Two sets of 69 possible members, which take two masks each, and a list with more room than runs need."""

    Side = Ids("s", 2)
    Member = Ids("x", 69)
    held = var(Map[Side, Set[Member]])
    told = var(Seq[Member, 40])

    @action
    def put(self, s: Side, x: Member) -> None:  # type: ignore[valid-type]
        require(x.index in (1, 34, 35, 68) and x not in self.held[s] and len(self.told) < 4)
        self.held[s].add(x)
        self.told.append(x)

    @invariant
    def both_know_what_was_told(self) -> bool:
        return all(any(x in self.held[s] for s in self.Side) for x in self.told)


def test_members_of_a_set_of_several_words_stay_where_they_are(kernels: list[NativeKernel]) -> None:
    """In rows its masks are whole bytes, but each has as many members as before."""
    definition = define(Gathered)
    whole, rows = explored(definition, 1 << 40), explored(definition, FEW)
    assert kernels[-1].model.kept and not kernels[0].model.kept
    assert told(whole) == told(rows)
    every = [p for k in range(5) for p in permutations(product(range(2), (1, 34, 35, 68)), k)]
    assert whole.distinct == len({(frozenset(p), tuple(x for _, x in p)) for p in every})


def _either(random: Random) -> Any:
    if random.random() < 0.5:
        return 1, (random.randrange(130), frozenset({random.randrange(4)}))
    return 0, (random.choice([None, (), (4,), (4, 1)]), 2)


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[NativeKernel]:
    """The kernel of each search of the test, which has a cache of its own."""
    begun, real = list[NativeKernel](), native.searched
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def noting(request: Request, kernel: NativeKernel, **how: Any) -> SearchResult:
        begun.append(kernel)
        return real(request, kernel, **how)

    monkeypatch.setattr(native, "searched", noting)
    return begun


def test_states_are_stored_in_fewer_words_than_they_are_laid_out(kernels: list[NativeKernel]) -> None:
    """With two threads too, and again by the note; the other searches of this file would pass without rows."""
    definition = define(find("isis").cls, ISIS)
    whole = explored(definition, 1 << 40)
    once, again = explored(definition, FEW, threads=2, notes=True), explored(definition, FEW, notes=True)
    assert told(whole) == told(once) == told(again)
    assert [bool(kernel.model.kept) for kernel in kernels] == [False, False, True, True]
    assert words(again) < kernels[-1].layout.words <= words(whole)


def test_bits_that_were_not_seen_cost_time_alone(kernels: list[NativeKernel], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without walks, 20 states do not show all bits: all bits of sequences with the room that was seen are tried, then
    the declared search goes on; later searches take what is declared at once.
    """
    monkeypatch.setattr(simulation, "random_walks", nowhere)
    definition = define(find("isis").cls, ISIS)
    searches = [explored(definition, FEW, notes=True) for _ in range(3)]
    assert told(searches[0]) == told(searches[1]) == told(searches[2])
    assert [bool(kernel.model.kept) for kernel in kernels] == [False, True, False, False, False]
    first, rows, *later = (kernel.words for kernel in kernels)
    assert rows < later[0] < first == later[1] == later[2]


def test_permuted_states_keep_all_bits() -> None:
    """A permutation may set bits that no representative has."""
    kernel = compile_model(lower(define(Notes, {"symmetry": True})), quick=True)
    states = search(kernel).states()
    alone = compile_model(evolve(kernel.model, symmetry=None), quick=True)
    assert [bool(fitting._kept(k, {}, {}, states, 2)) for k in (kernel, alone)] == [False, True]


def test_few_walks_leave_twice_the_room_and_all_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large states have few walks, which show neither the greatest lengths nor all bits."""
    kernel = compile_model(lower(define(find("isis").cls, ISIS)), quick=True)
    states = search(kernel, limits=Limits(max_states=300)).states()
    many = room_of(kernel, states)
    monkeypatch.setattr(fitting, "FEW_WALKS", 1 << 30)
    few, most = room_of(kernel, states), declared(kernel)
    assert many.kept and not few.kept
    assert few.lengths == tuple(min(had, max(least, 2 * n)) for n, had, least in _lengths(kernel, many, most))
    assert few.lengths != many.lengths and all(n <= most.networks[name] for name, n in few.networks.items())


def _lengths(kernel: NativeKernel, room: Room, most: Room) -> Iterator[tuple[int, int, int]]:
    return zip(room.lengths, most.lengths, sequences(kernel.model).values())


@pytest.mark.parametrize("words, states", [(1, 50_000), (20, 50_000), (95, 11_037), (465, 10_000)])
def test_large_states_are_measured_sooner(words: int, states: int) -> None:
    """The search as declared is the slower, the larger its states are."""
    kernel = compile_model(lower(define(find("isis").cls, ISIS)), quick=True)
    assert fitting.scouted(evolve(kernel, words=words)) == states


def test_a_note_with_other_words_decides_nothing() -> None:
    """As many masks as the layout has words, each of one word."""
    kernel = compile_model(lower(define(find("isis").cls, ISIS)), quick=True)
    room = room_of(kernel, search(kernel, limits=Limits(max_states=300)).states())
    assert room.kept and fitting.refitted(kernel, room) is not None
    for kept in (room.kept[:-1], (*room.kept, 0), (1 << 64, *room.kept[1:])):
        assert fitting.refitted(kernel, evolve(room, kept=kept)) is None
    assert fitting.looser(kernel, room) == evolve(room, kept=())
    assert fitting.looser(kernel, evolve(room, kept=())) == declared(kernel)
    assert declared(kernel) == Room(tuple(type.capacity for type in sequences(kernel.model)), networks(kernel.model))


def test_labelled_steps_and_predicates_are_the_same() -> None:
    """Leads-to properties are decided by a kernel of their own, on the rows of the search."""
    definition = define(find("basic_multicast:Acknowledged").cls)
    whole, rows = explored(definition, 1 << 40), explored(definition, FEW)
    assert rows.packed is not None and rows.packed.kernel.model.kept
    one, other = whole.behaviour(), rows.behaviour()
    for name in ("sources", "targets", "labels", "fair", "ends"):
        assert np.array_equal(getattr(one.graph, name), getattr(other.graph, name)), name
    for p in (p for p in definition.properties if p.kind == "leads-to"):
        assert all(map(np.array_equal, one.truth(p, 0), other.truth(p, 0)))
    assert one.confirmed == other.confirmed > 0
