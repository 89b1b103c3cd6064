"""The interface between back ends and searches: a source of successors, its findings, and its counts.

It is below both, so that neither side has a copy of its own: a back end imports nothing of the search, and the search
knows about a model only what this module defines.

A state is `words` unsigned 64-bit words; a block of states is a C-contiguous uint64 array of shape (rows, words).
Unused bits are zero, so equal states have equal words. The search does not depend on which back end computes the
successors, what the words mean or what actions do. One call handles a block of thousands of states, which keeps a
Python driver cheap.

Reduction (symmetry, partial order) is invisible at this interface: to the search, a source that yields canonical
representatives is a model with fewer states.
"""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from checker.frozen import frozen

States = NDArray[np.uint64]

FindingKind = Literal["invariant", "reachable", "step", "quiescence", "error", "assert", "grow"]

NEVER = 1 << 62
"""The value of `first[f]` as long as finding f has not occurred."""

PARTS = 3
"""Parts of `first`, each with a place for every finding: findings of a step, of a pruned successor, and of a quiescent
state when it is expanded.
"""

STEPS, CUT, QUIET = range(PARTS)


@frozen
class Finding:
    """Something a search can find: a property of states or steps, or an error the model can make.

    "invariant": a predicate that must hold in every state; found when false. "reachable": a predicate whose truth in
    some state is wanted (a witness, not a violation). "step": a predicate over (state, action, successor) that must
    hold. "quiescence": a predicate that must hold in quiescent states, in which no action but faults is enabled.
    "error": a model error (a value out of range, an overflow) at `line` of the model's file. "assert": a failed
    assertion at this line. "grow": the packed state has no room for a message that the model put into the network
    `name`, so the search is void; it ends at once.
    """

    kind: FindingKind
    name: str
    line: int


class Source(Protocol):
    """Initial states, successors and checks of one model. Thread-safe: concurrent calls may use disjoint buffers."""

    @property
    def words(self) -> int:
        """Words per state, at least 1."""

    @property
    def actions(self) -> tuple[str, ...]:
        """Names of the actions, in declaration order."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All possible findings; the index is the finding's id."""

    @property
    def expand_address(self) -> int:
        """The address of `expand` for callers in native code:

        int64 expand(states, n, start, successors, parents, capacity, counters, first, quiescent, written) with the
        arrays of `expand` as pointers, n, start and capacity int64, and `written` a pointer to an int64; it returns
        next_row.
        """

    @property
    def check_address(self) -> int:
        """The address of `check` for callers in native code: void check(states, n, first)."""

    def initial(self) -> States:
        """The initial states, (n, words), in canonical order; duplicates are allowed."""

    def expand(
        self,
        states: States,
        start: int,
        successors: States,
        parents: NDArray[np.uint32],
        counters: NDArray[np.int64],
        first: NDArray[np.int64],
        quiescent: NDArray[np.uint8],
    ) -> tuple[int, int]:
        """Write all successors of `states[start:]`; return (next_row, written).

        Order: row by row; for a row, action instances in declaration order, then parameters, then choices.

        states      (n, words), read.
        successors  (capacity, words), out: successor k.
        parents     (capacity,), out: the row of successor k's parent, counted from the start of `states`.
        counters    (2A + 3,), added to, with A actions: [0:A] states in which the action was enabled; [A:2A]
                    transitions of the action; [2A] transitions; [2A + 1] quiescent states; [2A + 2] pruned successors.
        first       (3F,), lowered, with F findings: first[f] = smallest row with a step that shows f (kinds step,
                    error, assert, grow); first[F + f] = smallest row that has a pruned successor at which f shows;
                    first[2F + f] = smallest quiescent row at which f shows (kind quiescence, and errors in the
                    evaluation of such a property).
        quiescent   (n,), out for rows [start, next_row): 1 where no action but faults is enabled, else 0; such a state
                    may have successors, and one whose successors are all pruned need not be quiescent.

        A pruned successor is one that a state constraint excludes: it counts as a transition, its properties are
        checked, it is not written. Rows [start, next_row) are complete. When the buffer cannot hold all successors of a
        row, that row is rolled back (nothing of it is counted or written) and next_row is that row. next_row == start
        with written == 0 means that this one row needs a larger buffer.
        """

    def check(self, states: States, first: NDArray[np.int64]) -> None:
        """Evaluate the properties of single states on each row, lowering first[f] (length >= F) to the smallest row
        with finding f: an invariant is false, a reachability predicate is true, or the evaluation of one was an error.
        """


def nowhere(source: Source) -> NDArray[np.int64]:
    """The value of `first` as long as there is no finding."""
    return np.full(PARTS * len(source.findings) + 1, NEVER, np.int64)


def uncounted(source: Source) -> NDArray[np.int64]:
    """The initial value of `counters`."""
    return np.zeros(2 * len(source.actions) + 3, np.int64)
