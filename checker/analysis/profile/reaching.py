"""The states of a search for a profile: samples of them, the actions that first reached them, and runs to them.

A search that ended in memory stores the parent of each state, so the parents of a sample are expanded again.  Stored
levels (a work directory, a search beyond memory, Spark) have neither parents nor an order of discovery.  There the
files of each level are expanded again, where they are, and the steps into the sample are counted.  In memory a state
counts for the action of the step that was found first; in files it counts in equal parts for all steps that lead to it
from the level before.  The sums over all actions are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from checker.backends.native.kernel import FEW_STATES, NativeKernel, compile_model
from checker.bound import Bound
from checker.contract import States, uncounted
from checker.engines.explored import Explored, Packed
from checker.engines.survey import CHUNK, Survey
from checker.ir.model import Model
from checker.search.blocks import blocks
from checker.search.expansions import expansions, successors_of
from checker.search.trails import Members, shortest_runs
from checker.validation.sample import evenly


class Source(Protocol):
    """What a profile asks about the states of a search.  distinct: how many states there are; taken: the steps of each
    action out of expanded states; depth: the number of levels.
    """

    @property
    def kernel(self) -> NativeKernel: ...

    @property
    def distinct(self) -> int: ...

    @property
    def initial(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def taken(self) -> tuple[int, ...]: ...

    def sample(self, most: int) -> States:
        """Evenly spaced states, about `most` of them, or all."""

    def reached(self, most: int) -> NDArray[np.float64]:
        """For each action how many states it reached first: of evenly spaced ones, about `most`, or of all."""

    def last(self, most: int) -> States:
        """Evenly spaced states of the last level."""

    def runs(self, states: States) -> Sequence[States]:
        """A shortest run (k, words) to each of these states of the last level."""


def source_of(explored: Explored, files: bool) -> Source | None:
    """The states of a search; None where there are none.  files: whether the files of levels may be read, all of them,
    unless Ctrl-C ended the search.
    """
    if explored.packed is not None:
        return InMemory(explored.packed)
    if explored.survey is None or explored.bound is Bound.INTERRUPTED or not files:
        return None
    return InLevels(explored.survey())


class Reaching:
    """Finds the action of a step."""

    def __init__(self, kernel: NativeKernel) -> None:
        self.kernel = kernel
        self.before: bytes | None = None
        self.successors = np.zeros((0, kernel.words), np.uint64)
        self.taken = np.zeros(0, np.int64)

    def action(self, before: NDArray[np.uint64], after: NDArray[np.uint64]) -> int | None:
        """The number of the first action with this step; None where steps across a constraint hide it, or a
        reduced search has dropped a message at its end.
        """
        if before.tobytes() != self.before:
            self.successors, self.taken = _taken(self.kernel, before)
            self.before = before.tobytes()
        if len(self.taken) != len(self.successors):
            return None
        places = np.flatnonzero((self.successors == after).all(axis=1))
        return int(self.taken[places[0]]) if len(places) else None


def _taken(kernel: NativeKernel, state: NDArray[np.uint64]) -> tuple[States, NDArray[np.int64]]:
    """The successors of a state, and the number of the action of each; no numbers where steps across a constraint hide
    them.
    """
    counters, actions = uncounted(kernel), len(kernel.actions)
    successors = successors_of(kernel, state, counters=counters, capacity=256)
    known = np.zeros(actions, np.int64) if counters[-1] else counters[actions : 2 * actions]
    return successors, np.repeat(np.arange(actions), known)


# ---- in memory


@frozen(eq=False)
class InMemory:
    """The states of a search that ended in memory."""

    packed: Packed
    kernel: NativeKernel = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "kernel", self.packed.kernel)

    @property
    def distinct(self) -> int:
        """How many states there are."""
        return self.packed.result.distinct

    @property
    def initial(self) -> int:
        """How many of them are initial."""
        return self.packed.result.initial

    @property
    def depth(self) -> int:
        """The number of levels."""
        return len(self.packed.result.levels)

    @property
    def taken(self) -> tuple[int, ...]:
        """The steps of each action."""
        return tuple(action.fired for action in self.packed.result.actions)

    def sample(self, most: int) -> States:
        """Evenly spaced states in the order of discovery."""
        return self.packed.result.states()[evenly(self.distinct, most)]

    def reached(self, most: int) -> NDArray[np.float64]:
        """From the parents of evenly spaced states."""
        result, states = self.packed.result, self.packed.result.states()
        tally, finder = np.zeros(len(self.kernel.actions)), Reaching(self.kernel)
        for child in evenly(self.distinct, most).tolist():
            parent = result.parent(child)
            action = None if parent is None else finder.action(states[parent], states[child])
            if action is not None:
                tally[action] += 1
        return tally

    def last(self, most: int) -> States:
        """Evenly spaced states of the last level."""
        first, end = self.packed.result.level_starts()[-2:]
        return self.packed.result.states()[first + evenly(end - first, most)]

    def runs(self, states: States) -> Sequence[States]:
        """The runs by which the search found these states."""
        first, end = self.packed.result.level_starts()[-2:]
        level = self.packed.result.states()[first:end]
        places = [int(np.flatnonzero((level == state).all(axis=1))[0]) for state in states]
        return [self.packed.result.path(first + place) for place in places]


# ---- in the files of levels


@frozen
class Spaced:
    """Evenly spaced states, that many of so many: the states themselves."""

    most: int
    of: int

    def answering(self) -> Callable[[States], States]:
        """A function that chooses among some states."""
        return self._answer

    def _answer(self, states: States) -> States:
        share = -(-len(states) * self.most // self.of) if self.most < self.of else len(states)
        return np.ascontiguousarray(states[evenly(len(states), share)])


@frozen(eq=False)
class StepsInto:
    """How many steps of each action lead out of the states to each target (n, words).  The answer: places in an array
    (n, actions), ascending, and the number there; steps of a state with steps across a constraint are not known.
    quick: as in `compile_model`.
    """

    model: Model
    targets: States
    quick: bool

    def answering(self) -> Callable[[States], tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """A function that answers for some states."""
        kernel, members = compile_model(self.model, quick=self.quick), Members(self.targets)
        actions = len(kernel.actions)

        def answer(states: States) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            places = [np.zeros(0, np.int64)]
            for block in blocks(states, CHUNK):
                for piece in expansions(kernel, block, capacity=CHUNK):
                    found = members.find(piece.successors)
                    hit = np.unique(piece.parents[found >= 0])
                    starts, ends = (np.searchsorted(piece.parents, hit, side) for side in ("left", "right"))
                    for parent, start, end in zip(hit, starts.tolist(), ends.tolist()):
                        into, (_, taken) = found[start:end], _taken(kernel, block[parent])
                        if len(taken) == len(into):
                            places.append((into * actions + taken)[into >= 0])
            return np.unique(np.concatenate(places), return_counts=True)

        return answer


@frozen(eq=False)
class InLevels:
    """The states of a search in the files of its levels, in this process or elsewhere."""

    survey: Survey
    kernel: NativeKernel = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "kernel", self.survey.kernel)

    @property
    def distinct(self) -> int:
        """How many states there are."""
        return self.survey.distinct

    @property
    def initial(self) -> int:
        """How many of them are initial."""
        return sum(self.survey.sizes[:1])

    @property
    def depth(self) -> int:
        """The number of levels that have states."""
        return sum(size > 0 for size in self.survey.sizes)

    @property
    def taken(self) -> tuple[int, ...]:
        """The steps of each action."""
        return self.survey.taken

    def sample(self, most: int) -> States:
        """Evenly spaced states of each file."""
        return np.concatenate([self._none(), *(some for _, some in self._spaced(most))])

    def reached(self, most: int) -> NDArray[np.float64]:
        """By expanding the levels again: the steps count that lead to a state from the level before it.  The chosen
        states of a level stand for all of it.
        """
        chosen, actions = [(level, some) for level, some in self._spaced(most) if level], len(self.kernel.actions)
        levels = np.concatenate([np.zeros(0, np.int64), *(np.full(len(some), level) for level, some in chosen)])
        targets = np.concatenate([self._none(), *(some for _, some in chosen)])
        steps = np.zeros((len(targets), actions))
        places = [(n, piece) for n, level in enumerate(self.survey.levels[: levels.max(initial=0)]) for piece in level]
        question = StepsInto(self.kernel.model, targets, self.distinct <= FEW_STATES)
        answers = self.survey.ask(question, [piece for _, piece in places]) if places else ()
        for (level, _), (at, counts) in zip(places, answers):
            right = levels[at // actions] == level + 1
            steps.reshape(-1)[at[right]] += counts[right]
        into = steps.sum(axis=1)
        known = np.bincount(levels[into > 0], minlength=len(self.survey.sizes))
        weights = np.divide(self.survey.sizes, known, out=np.zeros(len(known)), where=known > 0)
        shares: NDArray[np.float64] = (steps[into > 0].T / into[into > 0]) @ weights[levels[into > 0]]
        return shares

    def last(self, most: int) -> States:
        """Evenly spaced states of each file of the last level."""
        asked = Spaced(most, self.survey.sizes[self.depth - 1])
        return np.concatenate(list(self.survey.ask(asked, self.survey.levels[self.depth - 1])))

    def runs(self, states: States) -> Sequence[States]:
        """Shortest runs, by expanding the levels again."""
        survey = self.survey
        return shortest_runs(survey.kernel, survey.levels.__getitem__, self.depth - 1, states, survey.run)

    def _spaced(self, most: int) -> list[tuple[int, States]]:
        """Chosen states of each file, with the level of the file."""
        places = [(n, piece) for n, level in enumerate(self.survey.levels) for piece in level]
        asked = Spaced(most, self.distinct)
        return [(n, some) for (n, _), some in zip(places, self.survey.ask(asked, [piece for _, piece in places]))]

    def _none(self) -> States:
        return np.zeros((0, self.kernel.words), np.uint64)
