"""A block of stored states as rows of the tables of states and edges, in this process or in a task on Spark.

Only compiled code and numpy process single rows.  A row of the table of edges has the number of an instance of an
action; `checker.analysis.graph.steps` describes each instance once in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.analysis.graph.columns import column, titles
from checker.backends.native.graph import GraphKernel, Steps, compile_graph
from checker.backends.native.judging import FAILED
from checker.backends.native.kernel import FEW_STATES
from checker.backends.native.layout import Layout, state_layout
from checker.contract import States
from checker.ir.model import Model as Lowered
from checker.search.numbering import Numbering, numbering
from checker.search.trails import Members

ROWS = 1 << 17
STATED = ("invariant", "reachable", "quiescence")
"""Kinds of properties that are predicates of one state."""
OWN = ("id", "level", "quiescent", "outcome", "packed")
"""Columns of the table of states, whose names no variable may have."""


@frozen
class Wanted:
    """A lowered model with its fair actions, the actions with `fair="change"`, and its outcomes."""

    model: Lowered
    fair: tuple[bool, ...]
    changing: tuple[bool, ...]
    outcome: NDArray[np.uint64]
    """The bits of the outcome variables, (words,)."""
    outcomes: States
    """Distinct outcomes, (n, words), in the order in which they are numbered from 1."""

    def kernel(self, states: int) -> GraphKernel:
        """The kernel for labelled steps, with room for the given number of states."""
        functions = tuple(p.function for p in self.model.properties if p.kind in STATED)
        return compile_graph(self.model, self.fair, self.changing, functions, quick=states <= FEW_STATES)

    def rows(self) -> StateRows:
        """The object that makes rows of states."""
        known = numbering(self.outcomes) if len(self.outcomes) else None
        return StateRows(self, state_layout(self.model), known)


@frozen(eq=False)
class StateRows:
    """Rows of the table of states."""

    wanted: Wanted
    layout: Layout
    known: Numbering | None

    def variables(self, states: States, names: Sequence[str]) -> list[Any]:
        """The columns of some variables."""
        types = {v.name: v.type for v in self.wanted.model.variables}
        return [column(states, types[name], self.layout.nodes[name]) for name in names]

    def table(self, kernel: GraphKernel, states: States, level: int, first: int, ends: Members | None) -> Any:
        """The states (n, words) of a level, numbered from `first`; ends: the quiescent states of the level, None if the
        level is not expanded.
        """
        import pyarrow as pa

        rows, model = len(states), self.wanted.model
        quiet = np.zeros(rows, np.bool_) if ends is None or not len(ends.states) else ends.contains(states)
        columns = {
            "id": pa.array(np.arange(first, first + rows, dtype=np.int64)),
            "level": pa.array(np.full(rows, level, np.int32)),
            "quiescent": pa.nulls(rows, pa.bool_()) if ends is None else pa.array(quiet),
            "outcome": self._outcomes(states, quiet),
            "packed": binary(states),
        }
        variables = [v.name for v in model.variables]
        named = titles(variables, OWN)
        columns |= dict(zip(named, self.variables(states, variables)))
        stated = [p for p in model.properties if p.kind in STATED]
        answers = kernel.answers(states)
        for title, of, answer in zip(titles([p.name for p in stated], (*OWN, *named)), stated, answers.T):
            unknown = answer == FAILED
            columns[title] = pa.array(answer == 1, mask=unknown | ~quiet if of.kind == "quiescence" else unknown)
        return pa.table(columns)

    def _outcomes(self, states: States, quiet: NDArray[np.bool_]) -> Any:
        import pyarrow as pa

        numbers = np.zeros(len(states), np.int32)
        if self.known is not None:
            numbers[quiet] = self.known.numbers(states[quiet] & self.wanted.outcome) + 1
        return pa.array(numbers, mask=numbers == 0)


def binary(states: States) -> Any:
    """The words of each state, as in the files."""
    import pyarrow as pa

    size, words = 8 * states.shape[1], np.ascontiguousarray(states, "<u8")
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(size), len(states), [None, pa.py_buffer(words)])


@frozen(eq=False)
class EdgeRows:
    """Edges of a block: sources (n,) by number, places (n,) among the edges of the source, successors (n, words),
    labels (n, label words)."""

    sources: NDArray[np.int64]
    places: NDArray[np.int32]
    successors: States
    labels: NDArray[np.uint64]


def edges(kernel: GraphKernel, states: States, first: int) -> Iterator[EdgeRows]:
    """The edges out of states numbered from `first`, in order; the arrays hold until the next piece."""
    for piece in kernel.steps(states, np.zeros(len(states), np.uint8)):
        if len(piece.sources):
            yield EdgeRows(piece.sources + first, _places(piece), piece.successors, piece.labels)


def _places(piece: Steps) -> NDArray[np.int32]:
    """0, 1, ... for the edges of each source; the sources ascend, and the edges of each source are adjacent."""
    starts = np.flatnonzero(np.diff(piece.sources, prepend=-1))
    lengths = np.diff(starts, append=len(piece.sources))
    return (np.arange(len(piece.sources)) - np.repeat(starts, lengths)).astype(np.int32)
