"""The tasks that remove states from which no run stays among the chosen ones (`checker.search.trimming`), by shard.

A shard decides about its own states, level by level. It expands a level and asks the owners of the chosen successors
which of them are still there; the owners answer, and the level is expanded again, with the answers: a state stays if a
run may end in it or one of its successors is there. Questions and answers are files of the exchange directory.

Each task is a function of files that reports have named: the levels, the removed states, questions, answers. A process
keeps the set of its removed states as a cache of their files, so a repeated, duplicated or moved task reports the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from checker.contract import States
from checker.search.block_files import Block, BlockWriter, pieces, read_block
from checker.search.disk import Disk
from checker.search.runs import Runs, distinct, keys_of, ordered
from checker.search.spark.alive import Alive, Beacon, Said
from checker.search.spark.job import PIECE, Job, budget, forget, kept, once, owned, spill_directory
from checker.search.spark.partition import Partition
from checker.search.trimming import Flags, Judged, Left, Unreadable, expanded, filter_room, not_in, still_there
from checker.search.workdir import read_level

FILTER_SHARE = 0.5
"""The largest share of a shard's memory for the filter of its removed states."""


@frozen
class Removal:
    """What all tasks of a removal share.  judged: what is known of states, made once in each process; states: how many
    the search has found; stem: with which the names of its files begin.
    """

    job: Job
    judged: Callable[[], Judged]
    states: int
    stem: str


@frozen
class Answer:
    """A file with an answer for each state that `asker` asked about, in order: whether it is there."""

    asker: int
    block: Block
    states: int


@frozen
class Look:
    """Decide about the states of a level with the answers to its questions, and ask about the successors of the next
    one (None: of none).  removed: the files of removed states, all in the order in which they were made.
    """

    removed: tuple[Block, ...]
    decide: int | None
    answers: tuple[Answer, ...]
    ask: int | None


@frozen
class Reply:
    """Answer questions: who asks, and a file of states; each Block's shard is their owner."""

    removed: tuple[Block, ...]
    questions: tuple[tuple[int, Block], ...]


@frozen
class Collect:
    """Look for a state that begins a run among those that are left; write: put all of them into files, by level."""

    removed: tuple[Block, ...]
    levels: int
    write: bool


Work = Look | Reply | Collect


@frozen
class Report:
    """The result of a task.  left: of the decided level; removed: files of states removed from it; questions: files of
    states, each Block's shard their owner; answers: to the questions, in their order; begins: whether a state begins a
    run; collected: level and file of the states that are left; unreadable: a predicate that cannot be evaluated.
    """

    left: Left = Left(0, 0)
    removed: tuple[Block, ...] = ()
    questions: tuple[Block, ...] = ()
    answers: tuple[Answer, ...] = ()
    begins: bool = False
    collected: tuple[tuple[int, Block], ...] = ()
    unreadable: tuple[str, int] | None = None


def run_removal(removal: Removal, work: Work, number: int) -> Report:
    """The work of shard `number` in a stage."""
    voice = Said(removal.job.exchange, number)
    try:
        voice.say(Alive(number))
        with Beacon(lambda: voice.say(Alive(number))):
            shard = kept(removal.job, number, lambda: _Shard.of(removal, number))
            shard.follow(work.removed)
            if isinstance(work, Look):
                return shard.look(work)
            return shard.reply(work) if isinstance(work, Reply) else shard.collect(work)
    except Unreadable as error:
        return Report(unreadable=(error.message, error.line))
    except BaseException:
        forget(removal.job, number)
        raise
    finally:
        voice.forget()


@define(eq=False)
class _Shard:
    """The removed states of a shard, as far as the first `followed` of all files of removed states."""

    removal: Removal
    number: int
    judged: Judged
    partition: Partition
    removed: Runs
    followed: int = field(init=False, default=0)

    @classmethod
    def of(cls, removal: Removal, number: int) -> _Shard:
        """A shard without removed states."""
        job, judged = removal.job, once(removal.job, removal.judged)
        room = filter_room(removal.states // job.shards, int(FILTER_SHARE * budget(job)))
        removed = Runs(Disk(spill_directory(job, number)), judged.words, room)
        return cls(removal, number, judged, Partition(judged.words, job.shards), removed)

    def follow(self, files: Sequence[Block]) -> None:
        """Read the files of removed states that it has not read."""
        for block in files[self.followed :]:
            if block.shard == self.number:
                for states in self._pieces(block):
                    self.removed.add(distinct(ordered(states)))
            self.followed += 1

    def _pieces(self, block: Block) -> Iterator[States]:
        return pieces(self.removal.job.exchange, block, self.judged.words, PIECE)

    def _there(self, level: int) -> Iterator[States]:
        """The chosen states of a level that are not removed."""
        job = self.removal.job
        for states in owned(job, self.judged.words, read_level(job.folder, level), self.number):
            yield from still_there(states, self.judged, self.removed)

    def _writer(self, what: str, shard: int) -> BlockWriter:
        return BlockWriter(self.removal.job.exchange, f"{self.removal.stem}-{self.number:03}-{what}", shard)

    # ---- a level

    def look(self, work: Look) -> Report:
        """Decide about one level, and ask for the next."""
        left, removed = (Left(0, 0), ()) if work.decide is None else self._decide(work.decide, work.answers)
        questions = () if work.ask is None else self._ask(work.ask)
        return Report(left, removed, questions)

    def _ask(self, level: int) -> tuple[Block, ...]:
        writers = [self._writer("ask", owner) for owner in range(self.removal.job.shards)]

        def ask(states: States) -> Flags:
            owners = self.partition.owners_of(states)
            for owner in np.unique(owners).tolist():
                writers[owner].write(states[owners == owner])
            return np.zeros(len(states), np.bool_)

        for states in self._there(level):
            expanded(self.judged, states, ask)
        return tuple(block for writer in writers for block in writer.close(durable=False))

    def _decide(self, level: int, answers: Sequence[Answer]) -> tuple[Left, tuple[Block, ...]]:
        told = _Told([self._read(answer) for answer in answers if answer.asker == self.number], self.partition)
        writer, states, transitions = self._writer("removed", self.number), 0, 0
        for block in self._there(level):
            staying, steps = expanded(self.judged, block, told)
            states, transitions = states + int(staying.sum()), transitions + int(steps[staying].sum())
            if not staying.all():
                writer.write(block[~staying])
        return Left(states, transitions), writer.close(durable=False)

    # ---- answers

    def reply(self, work: Reply) -> Report:
        """Answer the questions about own states."""
        asked = [(asker, block) for asker, block in work.questions if block.shard == self.number]
        return Report(answers=tuple(self._answer(asker, block) for asker, block in asked))

    def _answer(self, asker: int, block: Block) -> Answer:
        parts = [np.zeros(0, np.bool_)]
        for states in self._pieces(block):
            different, places = np.unique(keys_of(states), return_inverse=True)
            parts.append(not_in(self.removed, different)[places.reshape(-1)])
        bits = np.packbits(np.concatenate(parts))
        writer = self._writer("told", self.number)
        writer.write(np.pad(bits, (0, -len(bits) % 8)).view(np.uint64).reshape(-1, 1))
        (written,) = writer.close(durable=False)
        return Answer(asker, written, block.rows)

    def _read(self, answer: Answer) -> tuple[int, Flags]:
        """Who has answered, and what."""
        words = np.ascontiguousarray(read_block(self.removal.job.exchange, answer.block, 1))
        return answer.block.shard, np.unpackbits(words.view(np.uint8).reshape(-1))[: answer.states].astype(np.bool_)

    # ---- what is left

    def collect(self, work: Collect) -> Report:
        """The states that are left."""
        begins, collected = False, list[tuple[int, Block]]()
        for level in range(work.levels):
            writer = self._writer("left", self.number)
            for states in self._there(level):
                begins = begins or bool(self.judged.begins(states).any())
                if work.write:
                    writer.write(states)
            collected += [(level, block) for block in writer.close(durable=False)]
        return Report(begins=begins, collected=tuple(collected))


class _Told:
    """The answers to a shard's questions, which come in the order of the questions."""

    def __init__(self, answers: Sequence[tuple[int, Flags]], partition: Partition) -> None:
        self._answers, self._partition = dict(answers), partition
        self._used = dict.fromkeys(self._answers, 0)

    def __call__(self, states: States) -> Flags:
        flags = np.zeros(len(states), np.bool_)
        owners: NDArray[np.uint16] = self._partition.owners_of(states)
        for owner in np.unique(owners).tolist():
            own, start = owners == owner, self._used[owner]
            self._used[owner] = start + int(own.sum())
            flags[own] = self._answers[owner][start : self._used[owner]]
        return flags
