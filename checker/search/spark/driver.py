"""The driver of a search on shards: it decides, commits levels and restarts failed tasks.

A search begins with the committed levels of a work directory, so the answer to every fault is the same: begin again
after the last of them. Decisions are made at the end of each level, as in one process.

The limit on depth is tested between levels. Those on states, memory and time, and Ctrl-C, are also tested while a level
is under way, from the last reports of its workers; a level that reaches a limit is abandoned, and the search ends at
the last committed one. A search on shards that a limit ends therefore reports whole levels. A second Ctrl-C raises
KeyboardInterrupt.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from attrs import define, evolve, field

from checker.bound import Bound
from checker.contract import Finding
from checker.search.checkpoint import least
from checker.search.interrupts import Interrupts
from checker.search.limits import Limits
from checker.search.progress import INTERVAL, Progress, ProgressCallback
from checker.search.spark.alive import Alive, Together
from checker.search.spark.cluster import SparkTasks
from checker.search.spark.failures import NobodyWorks, TasksFailed
from checker.search.spark.job import Job
from checker.search.spark.recurring import Recurring
from checker.search.spark.spent import Spent, total
from checker.search.spark.stages import Stage, StageReport, run_stage
from checker.search.workdir import Level, WorkDirectory

ATTEMPTS = 4
"""How often in a row work on the same level may fail before the search gives up."""

SKEW_ROWS = 5_000
SILENCE_SECONDS = 60.0


class SearchFailed(Exception):
    """The tasks of a search keep failing; committed levels can be resumed."""


@define
class Outcome:
    """The end of a search on shards. small: findings of kind "grow" that made it void.

    sent: bytes exchanged between shards; spilled: bytes that shards put on disk because memory was full; skew: the
    largest ratio of a shard's share to the mean, in levels with thousands of states for each; spent: seconds of all
    workers, by phase.
    """

    bound: Bound | None = None
    small: tuple[str, ...] = ()
    sent: int = 0
    spilled: int = 0
    skew: float = 1.0
    restarts: int = 0
    spent: dict[str, Spent] = field(factory=dict)


@define
class Driver:
    """Drives one search over a work directory with at least one committed level.  findings: of the source."""

    directory: WorkDirectory
    job: Job
    tasks: SparkTasks
    findings: Sequence[Finding]
    limits: Limits
    stop_at_first: bool
    progress: ProgressCallback | None = None
    outcome: Outcome = field(factory=Outcome)
    _began: float = field(init=False, factory=time.perf_counter)
    _reported: tuple[float, int] = field(init=False, default=(0.0, 0))
    _level_began: float = field(init=False, factory=time.perf_counter)
    _stages: Recurring = field(init=False)
    _interrupts: Interrupts = field(init=False, factory=Interrupts)
    _together: Together = field(init=False, default=Together(0, 0, 0, 0, 0, 1.0))

    def __attrs_post_init__(self) -> None:
        self.limits = self.limits.begun()
        self._stages = self.tasks.recurring(run_stage, self.job, self.job.shards, SILENCE_SECONDS)

    # ---- decisions

    def _finished(self) -> bool:
        """Whether to end the search at the last committed level."""
        last, limits = self.directory.levels[-1], self.limits
        violated = any(self.findings[number].kind != "reachable" for number in last.found)
        if last.rows == 0 or violated and self.stop_at_first:
            return True
        if limits.max_depth is not None and last.number >= limits.max_depth:
            self.outcome.bound = Bound.DEPTH
        return self.outcome.bound is not None or self._exceeded(self._distinct)

    def _exceeded(self, distinct: int, memory: int = 0) -> bool:
        bound = self.limits.reached(self._interrupts.requested, memory, distinct)
        self.outcome.bound = bound or self.outcome.bound
        return self.outcome.bound is not None

    @property
    def _distinct(self) -> int:
        """States of all committed levels."""
        return sum(level.rows for level in self.directory.levels)

    # ---- while a level is under way

    def hear(self, shards: Sequence[Alive]) -> None:
        """The reports of the workers, passed on to the progress callback."""
        self._together = Together.of(shards)
        now = time.perf_counter() - self._began
        if self.progress is None or now - self._reported[0] < INTERVAL or len(shards) < self.job.shards:
            return
        together, last = self._together, self.directory.levels[-1]
        transitions = sum(level.counters[-3] for level in self.directory.levels) + together.transitions
        rate = (transitions - self._reported[1]) / max(1e-9, now - self._reported[0])
        self._reported = (now, transitions)
        self.progress(
            Progress(
                last.number,
                max(self._distinct, together.rows),
                transitions,
                max(0.0, rate),
                max(0, last.rows - together.expanded),
                together.memory,
                now,
                together.skew,
                together.spilled,
            )
        )

    def over(self) -> bool:
        """Whether a limit is reached before the level is."""
        return self._exceeded(self._together.rows - 1, self._together.memory)  # so many states are still allowed

    # ---- levels

    def prepare(self) -> None:
        """Start processes for the tasks, and load the source in them, before the search begins."""
        try:
            self._stages.run(None, self.job.exchange, self)
        except TasksFailed:
            pass  # the search will meet it again, and try more than once
        self._began = self._level_began = time.perf_counter()

    def run(self) -> Outcome:
        """Run the search, one stage for each level; give up after ATTEMPTS failures in a row without a newly committed
        level.

        SearchFailed; raises WorkDirectoryError if tasks cannot use the work directory.
        """
        with self._interrupts:
            return self._run()

    def _run(self) -> Outcome:
        failures, committed = 0, len(self.directory.levels)
        while True:
            try:
                self._levels()
                return self.outcome
            except NobodyWorks as error:
                raise SearchFailed(str(error)) from error
            except TasksFailed as error:
                failures = 1 if len(self.directory.levels) > committed else failures + 1
                committed = len(self.directory.levels)
                self.outcome.restarts += 1
                if failures == ATTEMPTS:
                    raise SearchFailed(str(error)) from error

    def _levels(self) -> None:
        before: list[StageReport] | None = None
        while not self._finished():
            self._together = evolve(self._together, expanded=0, transitions=0)
            candidates = None if before is None else tuple(b for r in before for b in r.candidates)
            reports = self._stages.run(Stage(len(self.directory.levels), candidates), self.job.exchange, self)
            if reports is not None:
                self._note(reports)
                if before is not None:
                    self._commit(before, reports)
            self._discard(before or [])
            if reports is None or self.outcome.small:
                self._discard(reports or [])
                return
            before = reports
        self._discard(before or [])

    def _commit(self, before: Sequence[StageReport], reports: Sequence[StageReport]) -> None:
        """Commit the accepted level, which the expansion of the levels before has found, unless a network was too
        small.
        """
        last = self.directory.levels[-1]
        found = least(last.found, *(r.found for r in before), *(r.shown for r in reports))
        self.outcome.small = tuple(self.findings[n].name for n in found if self.findings[n].kind == "grow")
        if self.outcome.small:
            return
        now = time.perf_counter()
        self.directory.commit(
            Level(
                last.number + 1,
                self.job.shards,
                tuple(b for r in reports for b in r.states),
                tuple(b for r in before for b in r.quiescent),
                tuple(map(sum, zip(*(r.counters for r in before)))),
                found,
                now - self._level_began,
            )
        )
        self._level_began = now

    def _note(self, reports: Sequence[StageReport]) -> None:
        rows, outcome = [report.rows for report in reports], self.outcome
        outcome.sent += sum(report.sent for report in reports)
        outcome.spent = total(outcome.spent, *(report.spent for report in reports))
        outcome.spilled = max(outcome.spilled, sum(report.spilled for report in reports))
        if sum(rows) >= SKEW_ROWS * len(rows):
            outcome.skew = max(outcome.skew, max(rows) * len(rows) / sum(rows))

    def _discard(self, reports: Sequence[StageReport]) -> None:
        for report in reports:
            for block in report.candidates:
                self.job.exchange.remove(block.name)
