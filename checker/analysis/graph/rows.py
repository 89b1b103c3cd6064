"""A block of stored states as rows of the tables of states and edges, in this process or in a task on Spark.

Only compiled code and numpy process single rows.  A row of the table of edges has the number of an instance of an
action; `checker.analysis.graph.steps` describes each instance once in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
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
from checker.ir.model import Property
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

    def rows(self, kernel: Callable[[], GraphKernel]) -> StateRows:
        """The object that makes rows of states; kernel: the one of these actions and properties."""
        return StateRows(self.model, self.outcome, lambda: self.outcomes, kernel)


@frozen(eq=False)
class Piece:
    """States of a level in a row, numbered from `first`: how many, how to read them, and how to read the quiescent
    states of the level (None: it is not expanded).  Nothing is read twice, and nothing before it is needed.
    """

    rows: int
    level: int
    first: int
    read: Callable[[], States]
    ends: Callable[[], Members | None]

    @cached_property
    def states(self) -> States:
        """The states, (rows, words)."""
        return self.read()

    @cached_property
    def quiescent(self) -> NDArray[np.bool_] | None:
        """Which of them are quiescent; None: the level is not expanded."""
        ends = self.ends()
        if ends is None:
            return None
        return ends.contains(self.states) if len(ends.states) else np.zeros(self.rows, np.bool_)

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Which of them are known to be quiescent."""
        return np.zeros(self.rows, np.bool_) if self.quiescent is None else self.quiescent


@frozen(eq=False)
class StateRows:
    """Columns of the table of states, each made by itself.  mask: the bits of the outcome variables; outcomes: reads
    the distinct outcomes; kernel: compiles the properties.  Columns that need neither do without.
    """

    model: Lowered
    mask: NDArray[np.uint64]
    outcomes: Callable[[], States]
    kernel: Callable[[], GraphKernel]

    @cached_property
    def layout(self) -> Layout:
        """Where the variables are in a state."""
        return state_layout(self.model)

    @cached_property
    def known(self) -> Numbering | None:
        """The numbers of outcomes; None: there are none."""
        outcomes = self.outcomes()
        return numbering(outcomes) if len(outcomes) else None

    @cached_property
    def variables(self) -> dict[str, str]:
        """The columns that are variables, with the names of these."""
        names = [v.name for v in self.model.variables]
        return dict(zip(titles(names, OWN), names))

    @cached_property
    def stated(self) -> dict[str, tuple[int, Property]]:
        """The columns that are properties, with the place of each among the answers of the kernel."""
        properties = [p for p in self.model.properties if p.kind in STATED]
        names = titles([p.name for p in properties], (*OWN, *self.variables))
        return dict(zip(names, enumerate(properties)))

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, in order."""
        return (*OWN, *self.variables, *self.stated)

    def values(self, states: States, names: Sequence[str]) -> list[Any]:
        """The values of some variables."""
        types = {v.name: v.type for v in self.model.variables}
        return [column(states, types[name], self.layout.nodes[name]) for name in names]

    def table(self, piece: Piece, names: Sequence[str] | None = None) -> Any:
        """Some columns of a piece, or all, as an Arrow table."""
        import pyarrow as pa

        names = self.names if names is None else names
        answers = np.zeros((piece.rows, len(self.stated)), np.uint8)
        if piece.rows and any(name in self.stated for name in names):
            answers = self.kernel().answers(piece.states)
        return pa.table({name: self._column(name, piece, answers) for name in names})

    def types(self) -> Any:
        """All columns with their types, an Arrow schema."""
        none = np.zeros((0, self.layout.words), np.uint64)
        return self.table(Piece(0, 0, 0, lambda: none, lambda: None)).schema

    def _column(self, name: str, piece: Piece, answers: Any) -> Any:
        import pyarrow as pa

        if name in self.variables:
            return self.values(piece.states, [self.variables[name]])[0]
        if name in self.stated:
            place, of = self.stated[name]
            unknown = answers[:, place] == FAILED
            masked = unknown | ~piece.ended if of.kind == "quiescence" else unknown
            return pa.array(answers[:, place] == 1, mask=masked)
        match name:
            case "id":
                return pa.array(np.arange(piece.first, piece.first + piece.rows, dtype=np.int64))
            case "level":
                return pa.array(np.full(piece.rows, piece.level, np.int32))
            case "quiescent":
                return pa.nulls(piece.rows, pa.bool_()) if piece.quiescent is None else pa.array(piece.quiescent)
            case "outcome":
                return self._outcomes(piece)
            case "packed":
                return binary(piece.states)
        raise LookupError(name)

    def _outcomes(self, piece: Piece) -> Any:
        import pyarrow as pa

        numbers = np.zeros(piece.rows, np.int32)
        if self.known is not None:
            ended = piece.ended
            numbers[ended] = self.known.numbers(piece.states[ended] & self.mask) + 1
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
