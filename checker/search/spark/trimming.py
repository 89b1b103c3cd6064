"""Removes states by tasks (`removal`), level by level in two stages: questions are answered, and the level is decided
in the stage that asks for the next one.

Each stage is a function of files, so after a failure it is run again. Counts are sums over shards, so no result depends
on the partition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from attrs import define, evolve, field

from checker.contract import States
from checker.search.block_files import Block, read_block
from checker.search.deadline import OutOfTime
from checker.search.limits import Limits
from checker.search.spark.alive import Alive, Listener
from checker.search.spark.driver import ATTEMPTS, SILENCE_SECONDS
from checker.search.spark.failures import NobodyWorks, TasksFailed
from checker.search.spark.job import Job
from checker.search.spark.recurring import Recurring
from checker.search.spark.removal import Collect, Look, Removal, Reply, Report, Work, run_removal
from checker.search.trimming import Judged, Left, Trimmed, Unreadable, rounds


class Tasks(Protocol):
    """Where tasks run: `cluster.SparkTasks`."""

    def recurring(self, function: Callable[..., object], fixed: object, count: int, silence: float) -> Recurring: ...


@contextmanager
def trimmed_by_shard(
    tasks: Tasks, job: Job, judged: Callable[[], Judged], words: int, sizes: Sequence[int], limits: Limits
) -> Iterator[Trimmed]:
    """The chosen states of a stored search, by tasks.  judged: makes what is known of states, in a task; words: of a
    state; sizes: of the levels.  Methods also raise OutOfTime and TasksFailed.
    """
    removal = Removal(job, judged, sum(sizes), f"trim-{job.identity}")
    stages = tasks.recurring(run_removal, removal, job.shards, SILENCE_SECONDS)
    try:
        yield _ByShard(removal, stages, words, sizes, limits)
    finally:
        for name in job.exchange.names():
            if name.startswith(removal.stem):
                job.exchange.remove(name)


@define(eq=False)
class _ByShard:
    """removed: the files of removed states, in the order in which they were made; left: how many states of each level
    are left, as far as that is known.
    """

    removal: Removal
    stages: Recurring
    words: int
    sizes: Sequence[int]
    limits: Limits
    _removed: list[Block] = field(init=False, factory=list)
    _left: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left = list(self.sizes)

    def run(self, enough: Callable[[Left], bool]) -> Left:
        """As of Trimmed."""
        return rounds(self._round, enough)

    def _round(self) -> Left:
        levels = [level for level in reversed(range(len(self.sizes))) if self._left[level]]
        work, parts = Look((), None, (), None), list[Left]()
        for level in [*levels, None]:
            reports = self._stage(evolve(work, removed=tuple(self._removed), ask=level))
            self._discard([answer.block for answer in work.answers])
            self._removed += [block for report in reports for block in report.removed]
            if work.decide is not None:
                parts.append(Left.total(r.left for r in reports))
                self._left[work.decide] = parts[-1].states
            asked = tuple((asker, block) for asker, report in enumerate(reports) for block in report.questions)
            replies = self._stage(Reply(tuple(self._removed), asked)) if asked else []
            self._discard([block for _, block in asked])
            work = Look((), level, tuple(answer for reply in replies for answer in reply.answers), None)
        return Left.total(parts)

    def begins(self) -> bool:
        """As of Trimmed."""
        reports = self._stage(Collect(tuple(self._removed), len(self.sizes), write=False))
        return any(report.begins for report in reports)

    def left(self) -> Iterator[tuple[int, States]]:
        """As of Trimmed."""
        reports = self._stage(Collect(tuple(self._removed), len(self.sizes), write=True))
        collected = [found for report in reports for found in report.collected]
        for level, block in sorted(collected, key=lambda found: found[0]):
            yield level, read_block(self.removal.job.exchange, block, self.words)

    def _stage(self, work: Work) -> Sequence[Report]:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                found: Sequence[Report] | None = self.stages.run(work, self.removal.job.exchange, _Limit(self.limits))
                break
            except NobodyWorks:
                raise
            except TasksFailed:
                if attempt == ATTEMPTS:
                    raise
        if found is None:
            raise OutOfTime("deciding what every run comes to")
        for report in found:
            if report.unreadable is not None:
                raise Unreadable(*report.unreadable)
        return found

    def _discard(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            self.removal.job.exchange.remove(block.name)


@define
class _Limit(Listener):
    """Ends a stage when the time is over."""

    limits: Limits

    def hear(self, shards: Sequence[Alive]) -> None:
        """Tasks report only that they run."""

    def over(self) -> bool:
        """Whether the time is over."""
        return self.limits.left() == 0
