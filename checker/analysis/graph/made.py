"""Making the tables of a stored search in this process: at once for all rows of a block, without Spark and Java.

Every state of the search is in memory, with an index that gives its number; a graph beyond that is made on Spark
(`checker.analysis.graph.on_spark`).  Both write the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any, Protocol

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.analysis.graph.columns import titles
from checker.analysis.graph.rows import OWN, ROWS, STATED, EdgeRows, Piece, StateRows, Wanted, edges
from checker.analysis.graph.steps import StepWords
from checker.analysis.graph.steps import table as table_of_steps
from checker.backends.native.graph import GraphKernel
from checker.backends.native.kernel import NativeKernel
from checker.contract import States
from checker.engines.behaviour import Labels
from checker.engines.native import state_of
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.replay.symmetry import canonical_of
from checker.search.block_files import Block, read_block
from checker.search.folders import Folder
from checker.search.memory import available_memory
from checker.search.numbering import numbering
from checker.search.trails import Members
from checker.search.workdir import Level, WorkDirectory
from checker.validation.graph import MOST, confirmed
from checker.validation.sample import evenly

AT_ONCE = 1 << 20
"""Rows of a row group."""
EDGE_COLUMNS = ("source", "place", "target", "level", "step")
EDGES = {"use_dictionary": False, "column_encoding": dict.fromkeys(EDGE_COLUMNS, "DELTA_BINARY_PACKED")}
"""The encoding of the numbers of edges: differences, which are small."""
_NONE = (np.zeros(0, np.int64),) * 5


@frozen(eq=False)
class Stored:
    """A stored search from which tables are made: its model, its kernel and its work directory."""

    definition: Definition
    kernel: NativeKernel
    work: WorkDirectory

    @cached_property
    def wanted(self) -> Wanted:
        """What tables are made of."""
        actions, kernel = self.definition.actions, self.kernel
        fair, changing = (tuple(getattr(a, name) for a in actions) for name in ("fair", "changing"))
        mask, names = self.mask, self.definition.model.outcome
        distinct = np.zeros((0, kernel.words), np.uint64)
        for level in self.work.levels if names else ():
            for states in self.read(level.quiescent):
                distinct = np.unique(np.concatenate([distinct, states & mask]), axis=0)
        decoded = [tuple(kernel.decode(row)[n] for n in names) for row in distinct]
        order = sorted(range(len(distinct)), key=lambda i: repr(dict(zip(names, decoded[i]))))  # as `outcomes` lists
        return Wanted(kernel.model, fair, changing, mask, distinct[order])

    @property
    def mask(self) -> NDArray[np.uint64]:
        """The bits of the outcome variables."""
        return self.kernel.mask(self.definition.model.outcome)

    @cached_property
    def rows(self) -> StateRows:
        """The object that makes rows of states."""
        return StateRows(self.kernel.model, self.mask, lambda: self.wanted.outcomes, lambda: self.graph)

    def read(self, blocks: Sequence[Block]) -> Iterator[States]:
        """The states of files."""
        return (read_block(self.work.data, block, self.kernel.words) for block in blocks)

    def levels(self) -> Iterator[tuple[Level, Level | None]]:
        """Each level with the next one, which has the counts of its expansion."""
        return followed(self.work)

    @cached_property
    def blocks(self) -> list[tuple[Level, Level | None, Block]]:
        """Each file of states, with its level and the next one."""
        return [(level, after, block) for level, after in self.levels() for block in level.files]

    @cached_property
    def graph(self) -> GraphKernel:
        """The kernel for labelled steps and predicates.  Raises Disagreement if the interpreter does not confirm it."""
        graph = self.wanted.kernel(sum(block.rows for _, _, block in self.blocks))
        self.confirm(graph, self.sample())
        return graph

    def sample(self) -> States:
        """States of all levels, as many as are compared."""
        ends = np.cumsum([block.rows for _, _, block in self.blocks])
        places = np.array(evenly(int(ends[-1]) if len(ends) else 0, MOST), np.int64)
        parts, files = [np.zeros((0, self.kernel.words), np.uint64)], np.searchsorted(ends, places, side="right")
        for number in np.unique(files):
            block = self.blocks[number][2]
            (states,) = self.read([block])
            parts.append(states[places[files == number] - (ends[number] - block.rows)])
        return np.concatenate(parts)

    def pieces(self) -> Iterator[Piece]:
        """All states, in order.  One piece without states, if there are none."""
        first, number, none = 0, -1, np.zeros((0, self.kernel.words), np.uint64)
        ends: Callable[[], Members | None] = _unknown
        for level, after, block in self.blocks:
            if level.number != number:
                number, ends = level.number, _unknown if after is None else cache(partial(self._ends, after))
            read = cache(partial(self._read, block))
            for start in range(0, block.rows, ROWS):
                rows = min(ROWS, block.rows - start)
                yield Piece(rows, level.number, first + start, partial(_cut, read, start, rows), ends)
            first += block.rows
        if not first:
            yield Piece(0, 0, 0, lambda: none, _unknown)

    def _read(self, block: Block) -> States:
        return read_block(self.work.data, block, self.kernel.words)

    def _ends(self, after: Level) -> Members:
        return Members(_joined(self, after.quiescent))

    def confirm(self, graph: GraphKernel, states: States) -> None:
        """Have the interpreter confirm labelled steps and predicates on a sample.  Raises Disagreement if it does
        not."""
        if len(states):
            decode = partial(state_of, self.definition, self.kernel)
            canonical = canonical_of(self.definition, self.kernel.model)
            confirmed(self.definition, graph, states, decode, STATED, canonical)

    def state(self, row: Any) -> Any:
        """The interpreter's form of a state."""
        return state_of(self.definition, self.kernel, row)


def followed(work: WorkDirectory) -> Iterator[tuple[Level, Level | None]]:
    """Each level of a search with the next one, which has the counts of its expansion."""
    return zip(work.levels, [*work.levels[1:], None])


def require_room(stored: Stored) -> None:
    """Raise UsageError if the states of the search and their index do not fit into memory."""
    states, free = sum(level.rows for level in stored.work.levels), available_memory()
    needed = states * (2 * 8 * stored.kernel.words + 64)
    if needed > free:
        what = f"tables of {states:,} states take {needed / 1e9:.0f} GB of memory here; {free / 1e9:.0f} GB are free"
        raise UsageError(what, remedy="Have them made on Spark: --master local[*], or the URL of a cluster.")


def write(stored: Stored, graph: Folder) -> None:
    """Write all tables of a search.  Raises UsageError."""
    require_room(stored)
    with Writer(graph / "states") as writer:
        for piece in stored.pieces():
            writer.write(stored.rows.table(piece))
    with Writer(graph / "edges", options=EDGES) as writer:
        words = write_edges(stored, writer)
    write_steps(graph, words)
    write_small(stored, graph)


class Sink(Protocol):
    """Takes the rows of a table."""

    def write(self, table: Any) -> None:
        """Add rows."""


def _unknown() -> None:
    """The quiescent states of a level that is not expanded."""


def _cut(read: Callable[[], States], start: int, rows: int) -> States:
    return read()[start : start + rows]


def _joined(stored: Stored, blocks: Sequence[Block]) -> States:
    return np.concatenate([np.zeros((0, stored.kernel.words), np.uint64), *stored.read(blocks)])


def write_edges(stored: Stored, sink: Sink) -> StepWords:
    """Write the edges out of the expanded states; return the instances of actions in them."""
    states = np.concatenate(
        [np.zeros((0, stored.kernel.words), np.uint64), *stored.read([b for *_, b in stored.blocks])]
    )
    expanded = sum(block.rows for _, after, block in stored.blocks if after is not None)
    known, labels, words = numbering(states), Labels(), StepWords(stored.definition)
    ends = np.cumsum([level.rows for level in stored.work.levels])
    sink.write(edge_table(*_NONE))
    for piece in edges(stored.graph, states[:expanded], 0):
        numbers, targets = labels.numbers(piece.labels), known.find(piece.successors)
        if len(words.rows) < len(labels.instances):
            for source, places in _described(piece, numbers, len(words.rows), len(labels.instances)):
                words.add(stored.state(states[source]), places)
        levels = np.searchsorted(ends, piece.sources, side="right")
        sink.write(edge_table(piece.sources, piece.places, targets, levels, numbers))
    return words


def _described(piece: EdgeRows, numbers: Any, begin: int, end: int) -> Iterator[tuple[int, dict[int, int]]]:
    """States whose steps describe the instances from one number to another, all of which are among these edges: a
    state, and by the places of steps the numbers of their instances.

    Of each instance two edges are looked at: the latest, and one of a state with as many edges as possible. Of these
    states the one that gives the most is taken next, because the interpreter is slow.
    """
    places = piece.sources - piece.sources[0]
    degrees = np.minimum(np.bincount(places)[places], 255).astype(np.uint8)
    order = np.argsort(degrees, kind="stable")  # of bytes: it takes some nanoseconds for each
    latest, most = np.zeros(end, np.int64), np.zeros(end, np.int64)
    latest[numbers], most[numbers[order]] = np.arange(len(numbers)), order
    sources = np.unique(piece.sources[np.concatenate([latest[begin:], most[begin:]])])
    starts, stops = (np.searchsorted(piece.sources, sources, side) for side in ("left", "right"))
    given = {
        int(source): {n: int(piece.places[at]) for at in range(start, stop) if (n := int(numbers[at])) >= begin}
        for source, start, stop in zip(sources, starts, stops)
    }
    left = set(range(begin, end))
    while left:
        source = max(given, key=lambda source: len(left & given[source].keys()))
        found = given.pop(source)
        yield source, {place: number for number, place in found.items() if number in left}
        left -= found.keys()


def edge_table(sources: Any, places: Any, targets: Any, levels: Any, steps: Any) -> Any:
    """Edges by number; a target of -1 was not stored."""
    import pyarrow as pa

    return pa.table(
        {
            "source": pa.array(sources),
            "place": pa.array(places, pa.int32()),
            "target": pa.array(targets, mask=targets < 0),
            "level": pa.array(levels.astype(np.int32)),
            "step": pa.array(steps.astype(np.int32)),
        }
    )


def fill(stored: Stored, graph: Folder) -> None:
    """Write files without rows for tables of states and edges that have no file."""
    if not (graph / "states").names():
        none = np.zeros((0, stored.kernel.words), np.uint64)
        _write(graph / "states", stored.rows.table(Piece(0, 0, 0, lambda: none, _unknown)))
    if not (graph / "edges").names():
        _write(graph / "edges", edge_table(*_NONE))


def write_steps(graph: Folder, words: StepWords) -> None:
    """The table of instances."""
    _write(graph / "steps", words.table())


# ---- small tables


def write_small(stored: Stored, graph: Folder) -> None:
    """The tables of levels, of actions and of outcomes."""
    for part, table in {**counted(stored.work), "outcomes": outcomes(stored)}.items():
        _write(graph / part, table)


def counted(work: WorkDirectory) -> dict[str, Any]:
    """The tables of levels and of actions, from the counts of a search."""
    import pyarrow as pa

    names, levels, actions = work.header["actions"], [], []
    for level, after in followed(work):
        counts = [None] * (2 * len(names) + 3) if after is None else list(after.counters)
        if level.rows:
            levels.append((level.number, level.rows, *counts[-3:], level.seconds))
        if after is not None:
            actions += [(level.number, n, counts[i], counts[len(names) + i]) for i, n in enumerate(names)]
    integer, of_level = pa.int64(), ("states", "transitions", "quiescent", "cut")
    schema = [("level", pa.int32()), *((name, integer) for name in of_level), ("seconds", pa.float64())]
    of_action = [("level", pa.int32()), ("action", pa.string()), ("enabled", integer), ("fired", integer)]
    return {"levels": _rows(levels, schema), "actions": _rows(actions, of_action)}


def _rows(rows: list[tuple[Any, ...]], schema: list[tuple[str, Any]]) -> Any:
    import pyarrow as pa

    return pa.table({name: pa.array([row[i] for row in rows], type) for i, (name, type) in enumerate(schema)})


def outcomes(stored: Stored) -> Any:
    """The distinct outcomes: number, number of quiescent states, first level, and variables."""
    distinct, mask = stored.wanted.outcomes, stored.wanted.outcome
    states, first = np.zeros(len(distinct), np.int64), np.full(len(distinct), len(stored.work.levels), np.int32)
    known = numbering(distinct)
    for level in stored.work.levels:
        for rows in stored.read(level.quiescent) if len(distinct) else ():
            found = np.bincount(known.numbers(rows & mask), minlength=len(distinct))
            states += found
            first[(found > 0) & (first > level.number - 1)] = level.number - 1
    return outcome_table(stored, distinct, states, first)


def outcome_table(stored: Stored, distinct: States, states: Any, first: Any) -> Any:
    """Distinct outcomes, how many states have each, and in which level first."""
    import pyarrow as pa

    names = stored.definition.model.outcome
    columns = dict(zip(titles(names, OWN), stored.rows.values(distinct, names)))
    numbers = pa.array(np.arange(1, len(distinct) + 1, dtype=np.int32))
    return pa.table({"outcome": numbers, "states": pa.array(states), "level": pa.array(first), **columns})


def types(stored: Stored) -> dict[str, Any]:
    """The columns of all tables with their types, Arrow schemas."""
    none = np.zeros((0, stored.kernel.words), np.uint64)
    of_outcomes = outcome_table(stored, none, np.zeros(0, np.int64), np.zeros(0, np.int32))
    tables = {"edges": edge_table(*_NONE), "steps": table_of_steps([]), "outcomes": of_outcomes}
    of_tables = {part: table.schema for part, table in {**tables, **counted(stored.work)}.items()}
    return {"states": stored.rows.types(), **of_tables}


# ---- files


def _write(folder: Folder, table: Any) -> None:
    with Writer(folder) as writer:
        writer.write(table)


class Writer:
    """A Parquet file being written; small tables are combined to row groups.  Without any table no file is left."""

    def __init__(self, folder: Folder, name: str = "part-0.parquet", options: Mapping[str, Any] | None = None) -> None:
        self.folder, self.name, self.options = folder, name, options or {}
        self.file = folder.create(name)
        self.held: list[Any] = []
        self.rows = 0
        self.parquet: Any = None

    def __enter__(self) -> Writer:
        return self

    def write(self, table: Any) -> None:
        """Add rows."""
        self.held.append(table)
        self.rows += table.num_rows
        if self.rows >= AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        table = pa.concat_tables(self.held)
        if self.parquet is None:
            flat = [column.name for column in table.schema if not pa.types.is_nested(column.type)]
            self.parquet = parquet.ParquetWriter(self.file, table.schema, write_statistics=flat, **self.options)
        self.parquet.write_table(table)
        self.held, self.rows = [], 0

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self.file.close()
            return
        if self.held:
            self._flush()
        if self.parquet is not None:
            self.parquet.close()
        self.folder.finish(self.file, durable=True)
        if self.parquet is None:
            self.folder.remove(self.name)
