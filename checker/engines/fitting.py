"""Searches in states with only as much room as runs need.

The greatest lengths of sequences and networks are known only after states have been seen. A search of a model with
sequences or networks therefore begins as declared. If it is not over after SCOUTED states (fewer if they are large),
their lengths are measured, and those of states on random walks, which soon reach the ends of runs that a breadth-first
search reaches last. If states with only this room have fewer words, the model is fitted to it (`checker.ir.fitted`),
compiled, and searched from the beginning, while the search as declared waits. Each word less in a state is less to
copy, hash, compare and store.

The bits that these states set are collected too. If the kept bits alone take fewer words, states are stored as rows of
these bits (`checker.backends.native.rows`).

The guess has no effect on results: a state that does not fit ends the search of the fitted model, and the search as
declared goes on. Only time is lost.

The guess is stored for later searches of the same model, which begin with the small states: they search no states twice
and measure nothing. If the guess was too small, the store records that the model needs its declared room.

Where it stops: a search that writes its states (a work directory, Spark, states beyond memory) has the declared layout,
which is recorded there.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from attrs import asdict, evolve

from checker.backends.native.build import key
from checker.backends.native.kernel import NativeKernel
from checker.backends.native.layout import Layout, state_layout
from checker.backends.native.packing import WORD
from checker.backends.native.rows import Kept, row_words
from checker.contract import States
from checker.frozen import frozen
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.fitted import fitted, networks, sequences
from checker.ir.model import Model
from checker.search.limits import Limits
from checker.stored.notes import note, noted
from checker.stored.shape import array, record, table, whole

SCOUTED = 50_000
"""The number of states after which the room is measured, in some 30 ms; to fit and to compile takes 0.05 to 0.2 s."""
SCOUTED_WORDS, LEAST_SCOUTED = 1 << 20, 10_000
"""Large states take long to search: their room is measured after so many words, but at least so many states."""
LEAST_WORDS = 2
"""A state of fewer words cannot take fewer."""
LOOKS = 5_000
"""With more lengths in a state, measuring them takes longer than it may save: 30 microseconds each."""
WALKED = 1 << 20
"""Words of the states on random walks, about."""
WALKERS, MORE_WALKERS, STEPS, SEED = 128, 4096, 200, 1
"""First walks, more walks when their length is known, the steps of each, at most, and the beginning of their
choices."""
FEW_WALKS, MARGIN = 500, 2
"""Large states have few walks. A search soon meets bits that none of these sets, and longer sequences: with fewer walks
than this, all bits are kept, and lengths get this many times the room that was seen."""


def scouted(kernel: NativeKernel) -> int:
    """The number of states after which the room of the kernel's model is measured."""
    return min(SCOUTED, max(LEAST_SCOUTED, SCOUTED_WORDS // kernel.words))


def may_fit(kernel: NativeKernel, limits: Limits) -> bool:
    """Whether a search may have enough states, and its model sequences or networks that can be fitted."""
    if limits.max_states is not None and limits.max_states <= SCOUTED:
        return False
    return kernel.words >= LEAST_WORDS and 0 < sum(_looks(v.type) for v in kernel.model.variables) <= LOOKS


@frozen
class Room:
    """How long sequences are, in the order of `sequences`, and how many messages are in flight on each network.  kept:
    as of a model that is fitted to it."""

    lengths: tuple[int, ...]
    networks: dict[str, int]
    kept: tuple[int, ...] = ()


_ROOM = record(Room, {"lengths": array(whole(1)), "networks": table(whole(1)), "kept": array(whole(0))})


@lru_cache(1)
def _sequences(kernel: NativeKernel) -> dict[t.Seq, int]:
    """The sequences of the kernel's model that may be shortened: to find them, all of the model is read."""
    return sequences(kernel.model)


def declared(kernel: NativeKernel) -> Room:
    """The declared room of the kernel's model."""
    return Room(tuple(type.capacity for type in _sequences(kernel)), networks(kernel.model))


def noted_room(kernel: NativeKernel) -> Room | None:
    """The room that an earlier search recorded for the kernel's model."""
    room, model = noted(_name(kernel), _ROOM), kernel.model
    if room is None or room.networks.keys() != networks(model).keys() or len(room.lengths) != len(_sequences(kernel)):
        return None
    fits = all(n >= least for n, least in zip(room.lengths, _sequences(kernel).values()))
    return room if fits and all(room.networks[name] <= had for name, had in networks(model).items()) else None


def note_room(kernel: NativeKernel, room: Room) -> None:
    """Record the measured room of the kernel's model."""
    note(_name(kernel), asdict(room))


def _name(kernel: NativeKernel) -> str:
    return key(kernel.identity, "room", f"{SCOUTED} {FEW_WALKS} {MARGIN}")


def looser(kernel: NativeKernel, room: Room) -> Room:
    """What to try when that room was too small: all bits of sequences with this room, then what is declared."""
    return evolve(room, kept=()) if room.kept else declared(kernel)


def refitted(kernel: NativeKernel, room: Room) -> Model | None:
    """The kernel's model with that room; None if its states would have as many words."""
    model = kernel.model
    short = {type: n for type, n in zip(_sequences(kernel), room.lengths) if n < type.capacity}
    layout = _layout(model, short, room.networks, room.kept)
    if layout.stored_words >= kernel.words or not _masks(room.kept, layout):
        return None
    return evolve(fitted(model, short, room.networks), kept=room.kept)


def room_of(kernel: NativeKernel, states: States) -> Room:
    """The room that these states and walks need, and the fraction of their words that is left."""
    from checker.backends.native.lengths import most

    model = kernel.model
    walks, walked = _walked(kernel)
    seen = np.concatenate([states, *walked])
    few = walks < FEW_WALKS
    times = MARGIN if few else 1
    longest = most(kernel.layout, {v.name: v.type for v in model.variables}, seen)
    lengths = {type: min(type.capacity, max(n, times * longest.get(type, 0))) for type, n in _sequences(kernel).items()}
    short = {type: n for type, n in lengths.items() if n < type.capacity}
    given = networks(model)
    room = {name: min(had, max(1, times * _used(longest, name))) for name, had in given.items()}
    least = _words(model, short, room)
    for name, had in given.items():  # room that costs nothing
        while room[name] < had and _words(model, short, room | {name: room[name] + 1}) == least:
            room[name] += 1
    kept = () if few else _kept(kernel, short, room, seen, min(least, kernel.words))
    return Room(tuple(lengths.values()), room, kept)


def _kept(kernel: NativeKernel, short: dict[t.Seq, int], room: dict[str, int], seen: States, words: int) -> Kept:
    """The bits that stored states need, if these take fewer than so many words; otherwise none.  Representatives of
    orbits are permuted, which would set other bits, so models with symmetry keep all.
    """
    from checker.backends.native.ones import set_bits, with_spare_bits

    model = kernel.model
    if model.symmetry is not None or words < LEAST_WORDS:
        return ()
    bare = _bare(model, short, room, EVERYTHING)
    layout, types = state_layout(bare), [{v.name: v.type for v in m.variables} for m in (model, bare)]
    ones = set_bits(kernel.layout, types[0], layout, types[1], seen)
    return with_spare_bits(layout, ones) if row_words(tuple(ones)) < words else ()


def _masks(kept: Kept, layout: Layout) -> bool:
    """Whether these are masks of the words of a layout, or none."""
    return not kept or len(kept) == layout.words and max(kept) < 1 << WORD


EVERYTHING = (0,)
"""Any kept bits, for a layout of states that are stored as rows."""


def _bare(model: Model, short: dict[t.Seq, int], room: dict[str, int], kept: Kept) -> Model:
    bare = evolve(model, functions=(), actions=(), properties=(), constraints=(), symmetry=None, kept=kept)
    return fitted(bare, short, room)


def _layout(model: Model, short: dict[t.Seq, int], room: dict[str, int], kept: Kept) -> Layout:
    return state_layout(_bare(model, short, room, kept))


def _words(model: Model, short: dict[t.Seq, int], room: dict[str, int]) -> int:
    return _layout(model, short, room, ()).words


def _walked(kernel: NativeKernel) -> tuple[int, list[States]]:
    """The number of random walks, and the states on them: a few walks, and as many more as their length allows."""
    from checker.search.simulation import random_walks

    walkers = max(1, min(WALKERS, WALKED // (STEPS * kernel.words)))
    walked = list(random_walks(kernel, walkers, STEPS, SEED))
    more = min(MORE_WALKERS, WALKED // (max(1, len(walked)) * kernel.words)) - walkers
    if more > 0:
        walked += random_walks(kernel, more, STEPS, SEED + 1)
    return walkers + max(0, more), walked


def _looks(type: t.Type) -> int:
    """How many lengths a value has."""
    inner = sum(map(_looks, t.parts(type)))
    match type:
        case t.Map(key):
            return (size(key) or 1) * inner
        case t.Seq(_, capacity) | t.Bag(_, capacity):
            return 1 + capacity * inner
    return inner


def _used(longest: dict[t.Type, int], network: str) -> int:
    return max((n for type, n in longest.items() if getattr(type, "grow", None) == network), default=0)
