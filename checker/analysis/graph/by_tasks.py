"""The rows of states and edges where one process has not enough room: tasks write them, each for some files of states.

An edge needs the number of its target. Every state has an owner, which its hash chooses. A task writes its states for
their owners, expands them, and asks the owner of each successor for its number, once for equal successors of a block
(`write_states`). The owner numbers what it owns, and answers (`answer`). The first task, or another one, then writes
the edges with the answers (`write_edges`). Questions, answers and edges without targets are files, which are checked
when read (`checker.search.block_files`). Each task is a function of files that reports have named, so a repeated one
gives the same rows.

Only compiled code and numpy process single rows. Where it stops: the states of one owner, and those of one file, must
fit into a process; there are at most OWNERS owners.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from checker.analysis.graph import made
from checker.analysis.graph.rows import ROWS, Piece, Wanted, edges
from checker.backends.native.graph import GraphKernel
from checker.contract import States
from checker.engines.behaviour import Labels
from checker.search.block_files import Block, BlockWriter, pieces, read_block
from checker.search.blocks import blocks
from checker.search.folders import Folder
from checker.search.numbering import Numbers, numbering
from checker.search.spark.partition import Partition
from checker.search.trails import Members

OWNERS = 400
"""The largest number of owners: a task has a file open for each."""
OWNED_BYTES = 1 << 28
"""Memory that an owner takes for its states and their index, as long as there are fewer owners."""
PLACE_BITS = 40
LEAST_STATES = 1 << 16
"""States of a task, if there are so many: a task takes some milliseconds to begin."""


@frozen
class File:
    """A file of states: its level, and the number of its first state."""

    level: int
    block: Block
    first: int


@frozen
class Parts:
    """The data that tasks need: the search, the files of each task, the quiescent states of each level (None: the level
    is not expanded), the number of owners, and the directory for rows.
    """

    wanted: Wanted
    words: int
    data: Folder
    graph: Folder
    files: tuple[tuple[File, ...], ...]
    quiescent: tuple[tuple[Block, ...] | None, ...]
    owners: int

    @property
    def exchange(self) -> Folder:
        """The directory for questions and answers."""
        return self.graph / "exchange"

    def kernel(self, number: int) -> GraphKernel:
        """The kernel for the states of a task."""
        return self.wanted.kernel(sum(file.block.rows for file in self.files[number]))

    def read(self, file: File) -> States:
        """The states of a file."""
        return np.ascontiguousarray(read_block(self.data, file.block, self.words))

    def writers(self, what: str, number: int) -> list[BlockWriter]:
        """Files for each owner."""
        return [BlockWriter(self.exchange, f"{what}-{number:05}", owner) for owner in range(self.owners)]


def tasks_of(files: Sequence[File], slots: int) -> tuple[tuple[File, ...], ...]:
    """Files in a row for each task, in order: with about equally many states, a few tasks for each slot."""
    most = max(LEAST_STATES, sum(file.block.rows for file in files) // (4 * slots))
    found, held = list[list[File]](), most
    for file in files:
        if held + file.block.rows > most:
            found.append([])
            held = 0
        found[-1].append(file)
        held += file.block.rows
    return tuple(map(tuple, found))


def owners_of(states: int, words: int, slots: int) -> int:
    """How many owners there are of so many states."""
    return min(OWNERS, max(slots, -(-states * 8 * (2 * words + 4) // OWNED_BYTES)))


@frozen
class Met:
    """An instance of an action as a task meets it first: its label, the state and its number, and the place of the
    edge.
    """

    source: int
    place: int
    label: bytes
    state: NDArray[np.uint64] = field(eq=False)


@frozen
class Expanded:
    """The result of `write_states`: the written rows; files of states with their numbers, and of successors, each
    Block's shard their owner; files of edges without targets; instances of actions, in the order of their numbers in
    these edges.
    """

    name: str
    owned: tuple[Block, ...]
    questions: tuple[Block, ...]
    edges: tuple[Block, ...]
    met: tuple[Met, ...]


def write_states(parts: Parts, number: int) -> Expanded:
    """Write the rows of states of a task, and ask for the numbers of their successors.

    Another attempt at the same task uses other names.
    """
    kernel, name = parts.kernel(number), f"part-{number}-{uuid.uuid4().hex[:8]}.parquet"
    rows, partition = parts.wanted.rows(lambda: kernel), Partition(parts.words, parts.owners)
    owned, ends = parts.writers("owned", number), _Ends(parts)
    with made.Writer(parts.graph / "states", name) as writer:
        for file in parts.files[number]:
            states, known = parts.read(file), partial(ends.of, file.level)
            for at, cut in zip(range(file.first, file.first + file.block.rows, ROWS), blocks(states, ROWS)):
                writer.write(rows.table(Piece(len(cut), file.level, at, partial(np.asarray, cut), known)))
                numbers = np.arange(at, at + len(cut), dtype=np.uint64)
                for owner, some in _by_owner(partition, np.column_stack([numbers, cut]), cut):
                    owned[owner].write(some)
    finished = tuple(block for writer in owned for block in writer.close(durable=False))
    questions, labels, met = _Questions.to(parts, number), Labels(), list[Met]()
    rest = BlockWriter(parts.exchange, f"edges-{number:05}", number)
    for file in parts.files[number]:
        states = parts.read(file) if ends.of(file.level) is not None else np.zeros((0, parts.words), np.uint64)
        for found in edges(kernel, states, file.first):
            steps = labels.numbers(found.labels)
            for new in range(len(met), len(labels.instances)):
                at = int(np.argmax(steps == new))
                source, label = int(found.sources[at]), found.labels[at].tobytes()
                met.append(Met(source, int(found.places[at]), label, states[source - file.first].copy()))
            slots = questions.ask(found.successors)
            rest.write(np.column_stack([found.sources, found.places.astype(np.int64) << 32 | steps, slots]))
    return Expanded(name, finished, questions.close(), rest.close(durable=False), tuple(met))


class _Ends:
    """The quiescent states of the latest level that was asked for."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.level, self.known = parts, -1, None

    known: Members | None

    def of(self, level: int) -> Members | None:
        """Those of a level; None: it is not expanded."""
        if level != self.level:
            files, words = self.parts.quiescent[level], self.parts.words
            none = np.zeros((0, words), np.uint64)
            read = (read_block(self.parts.data, block, words) for block in files or ())
            self.level, self.known = level, None if files is None else Members(np.concatenate([none, *read]))
        return self.known


def _by_owner(partition: Partition, rows: States, states: States) -> Iterator[tuple[int, States]]:
    """The rows of each owner of some states, in order."""
    owners = partition.owners_of(states)
    ordered = rows[np.argsort(owners, kind="stable")]
    ends = np.cumsum(np.bincount(owners, minlength=partition.shards)).tolist()
    for owner, (start, stop) in enumerate(zip([0, *ends], ends)):
        if start < stop:
            yield owner, ordered[start:stop]


@frozen(eq=False)
class _Questions:
    """The questions of a task to each owner.  A question has a slot: its owner, above PLACE_BITS bits with its place
    among the questions to this owner.
    """

    partition: Partition
    writers: list[BlockWriter]

    @classmethod
    def to(cls, parts: Parts, number: int) -> _Questions:
        """The questions of a task, none yet."""
        return cls(Partition(parts.words, parts.owners), parts.writers("asked", number))

    def ask(self, states: States) -> Numbers:
        """Ask for states, for equal ones once; the slot of each state's question."""
        first = numbering(states).find(states)
        there = first == np.arange(len(states))
        different, places = states[there], (np.cumsum(there) - 1)[first]
        owners = self.partition.owners_of(different).astype(np.int64)
        order = np.argsort(owners, kind="stable")
        slots = np.empty(len(different), np.int64)
        begun = 0
        for owner, some in _by_owner(self.partition, different, different):
            at = (owner << PLACE_BITS) + self.writers[owner].rows
            slots[order[begun : begun + len(some)]] = np.arange(at, at + len(some))
            self.writers[owner].write(some)
            begun += len(some)
        return slots[places]

    def close(self) -> tuple[Block, ...]:
        """The finished files."""
        return tuple(block for writer in self.writers for block in writer.close(durable=False))


# ---- answers


@frozen
class Questions:
    """For each owner the files of its states, and files of questions with the number of the task that asks."""

    parts: Parts
    owned: tuple[tuple[Block, ...], ...]
    asked: tuple[tuple[tuple[int, Block], ...], ...]


def questions(parts: Parts, done: Sequence[Expanded]) -> Questions:
    """What owners must know of the results of `write_states`, which are in the order of the tasks."""
    owned, files = ([list[Any]() for _ in range(parts.owners)] for _ in range(2))
    for number, each in enumerate(done):
        for block in each.owned:
            owned[block.shard].append(block)
        for block in each.questions:
            files[block.shard].append((number, block))
    return Questions(parts, tuple(map(tuple, owned)), tuple(map(tuple, files)))


def answer(questions: Questions, owner: int) -> tuple[tuple[int, Block], ...]:
    """Answer all questions to an owner: for each who asked, and a file with the number of each state, or with -1."""
    parts = questions.parts
    read = [read_block(parts.exchange, block, parts.words + 1) for block in questions.owned[owner]]
    rows = np.concatenate([np.zeros((0, parts.words + 1), np.uint64), *read])
    numbers, known = rows[:, 0].astype(np.int64), numbering(rows[:, 1:])
    found = list[tuple[int, Block]]()
    for asker, block in questions.asked[owner]:
        writer = BlockWriter(parts.exchange, f"told-{asker:05}", owner)
        for states in pieces(parts.exchange, block, parts.words, ROWS):
            places = known.find(states)
            writer.write(np.where(places < 0, np.int64(-1), numbers[places]).view(np.uint64).reshape(-1, 1))
        found += [(asker, written) for written in writer.close(durable=False)]
    return tuple(found)


# ---- edges


@frozen
class Told:
    """For each task its edges without targets, the files with the answers to its questions, each Block's shard who
    answers, and the numbers of its instances of actions.
    """

    parts: Parts
    edges: tuple[tuple[Block, ...], ...]
    answers: tuple[tuple[Block, ...], ...]
    steps: tuple[tuple[int, ...], ...]


def first_met(done: Sequence[Expanded]) -> list[Met]:
    """The instances of actions, each as it is met first, in the order in which they are met."""
    found = dict[bytes, Met]()
    for met in sorted((met for each in done for met in each.met), key=lambda met: (met.source, met.place)):
        found.setdefault(met.label, met)
    return list(found.values())


def told_by(parts: Parts, done: Sequence[Expanded], answers: Sequence[tuple[tuple[int, Block], ...]]) -> Told:
    """What the tasks must know of the results of `write_states` and of `answer`."""
    files = [list[Block]() for _ in done]
    for asker, block in (each for some in answers for each in some):
        files[asker].append(block)
    number = {met.label: n for n, met in enumerate(first_met(done))}
    steps = tuple(tuple(number[met.label] for met in each.met) for each in done)
    return Told(parts, tuple(each.edges for each in done), tuple(map(tuple, files)), steps)


def write_edges(told: Told, number: int) -> str:
    """Write the edges of a task.  Returns the name of the file."""
    parts, files, steps = told.parts, told.parts.files[number], np.array(told.steps[number], np.int64)
    read = [(block.shard, read_block(parts.exchange, block, 1)[:, 0].view(np.int64)) for block in told.answers[number]]
    begins, answers = (
        np.zeros(parts.owners, np.int64),
        np.concatenate([np.zeros(0, np.int64), *(some for _, some in read)]),
    )
    begins[[owner for owner, _ in read]] = np.cumsum([0, *(len(some) for _, some in read)])[:-1]
    firsts, levels = [file.first for file in files], np.array([file.level for file in files], np.int32)
    name = f"part-{number}-{uuid.uuid4().hex[:8]}.parquet"
    with made.Writer(parts.graph / "edges", name, made.EDGES) as writer:
        for block in told.edges[number]:
            for rows in pieces(parts.exchange, block, 3, ROWS):
                sources, placed, slots = (np.ascontiguousarray(column) for column in rows.view(np.int64).T)
                targets = answers[begins[slots >> PLACE_BITS] + (slots & (1 << PLACE_BITS) - 1)]
                of = levels[np.searchsorted(firsts, sources, side="right") - 1]
                writer.write(made.edge_table(sources, placed >> 32, targets, of, steps[placed & (1 << 32) - 1]))
    return name
