"""Searches in states that have only the room which runs need.

How many items a sequence holds, and how many messages are in flight, is known when states have been seen, not before.
So a search of a model with sequences or networks begins as any other. If it is not over after SCOUTED states, their
lengths are looked at, and those of states on random walks, which soon come to the end of runs where a search by breadth
comes last. If states with no more room than that take a smaller number of words, the model is fitted to it
(`checker.ir.fitted`), compiled, and searched from the beginning. A word less in each state is less to copy, hash,
compare and store.

The guess decides nothing: a state that has no room ends the search, which is made again with the model as it is
declared. Only time is lost.

Where it stops: a search that writes its states (a work directory, Spark, states beyond memory) has the layout that is
noted there, and keeps to what is declared.
"""

from __future__ import annotations

import numpy as np
from attrs import evolve

from checker.backends.native.kernel import NativeKernel
from checker.backends.native.layout import state_layout
from checker.contract import States
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.fitted import fitted, networks, sequences
from checker.ir.model import Model
from checker.search.limits import Limits

SCOUTED = 50_000
"""States that a search finds before the room is looked at, in some 30 ms; to fit and to compile takes 0.05 to 0.2 s."""
LEAST_WORDS = 2
"""A state of fewer words cannot take fewer."""
LOOKS = 5_000
"""With more lengths in a state, looking at them takes longer than it may save: 30 microseconds each."""
WALKED = 1 << 18
"""Words of the states on random walks, about."""
WALKERS, STEPS, SEED = 128, 200, 1
"""Walks and the steps of each, at most, and the beginning of their choices."""


def scouting(kernel: NativeKernel, limits: Limits) -> Limits | None:
    """The limits of a search that looks whether the model can be fitted; None if it cannot, or ends before."""
    if limits.max_states is not None and limits.max_states <= SCOUTED:
        return None
    if kernel.words < LEAST_WORDS or not 0 < sum(_looks(v.type) for v in kernel.model.variables) <= LOOKS:
        return None
    return evolve(limits, max_states=SCOUTED)


def refitted(kernel: NativeKernel, states: States) -> Model | None:
    """The kernel's model with the room that these states and walks need; None if it would take as many words."""
    model = kernel.model
    longest = _longest(kernel, states)
    short = {type: max(n, longest.get(type, 0)) for type, n in sequences(model).items()}
    short = {type: n for type, n in short.items() if n < type.capacity}
    given = networks(model)
    room = {name: max(1, _used(longest, name)) for name in given}
    bare = evolve(model, functions=(), actions=(), properties=(), constraints=(), symmetry=None)

    def words(room: dict[str, int]) -> int:
        return state_layout(fitted(bare, short, room)).words

    least = words(room)
    if least >= kernel.words:
        return None
    for name, had in given.items():  # what is left of the words is room that costs nothing
        while room[name] < had and words(room | {name: room[name] + 1}) == least:
            room[name] += 1
    return fitted(model, short, room)


def _longest(kernel: NativeKernel, states: States) -> dict[t.Type, int]:
    from checker.backends.native.lengths import most
    from checker.search.simulation import wandered

    walkers = max(1, min(WALKERS, WALKED // (STEPS * kernel.words)))
    walked = list(wandered(kernel, walkers, STEPS, SEED))
    seen = np.concatenate([states, *walked])
    return most(kernel.layout, {v.name: v.type for v in kernel.model.variables}, seen)


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
