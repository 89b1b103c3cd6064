"""The driver of a search on shards: it decides, commits levels and starts over what has failed.

A search begins with the committed levels of a work directory, where the driver's own search (or an earlier run) has
left them, so a fault of any kind is answered in one way: begin again after the last committed level. The decisions are
those of the search in one process, taken at the end of each level: a violation ends the search if it is to stop at the
first, an empty level if not.

The limit on depth is looked at between levels. Those on states, memory and time are looked at while a level is under
way, too, from what its workers last said; a level that meets one is given up, and the search ends at the last committed
one. So a search on shards that a limit ends reports whole levels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from attrs import define, evolve, field, frozen

from checker.contract import Finding
from checker.search.checkpoint import least
from checker.search.folders import Folder
from checker.search.limits import Bound, Limits
from checker.search.progress import INTERVAL, Progress, ProgressCallback
from checker.search.spark.alive import Alive, Listener, Together
from checker.search.spark.failures import NobodyWorks, TasksFailed
from checker.search.spark.job import Expansion, Files, Job
from checker.search.spark.spent import Spent, total
from checker.search.spark.stages import Stage, StageReport, run_stage
from checker.search.workdir import Level, WorkDirectory

ATTEMPTS = 4
"""How often in a row work on the same level may fail before the search gives up."""

SKEW_ROWS = 5_000
SILENCE_SECONDS = 60.0


class SearchFailed(Exception):
    """The tasks of a search keep failing; what was committed can be resumed."""


class Recurring(Protocol):
    """A stage that runs for one argument after the other."""

    def run(self, argument: Any, exchange: Folder, listener: Listener) -> list[Any] | None:
        """The results, by number; None if the listener wants no more of them. TasksFailed."""


class Tasks(Protocol):
    """Where tasks run."""

    def run(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> list[Any]:
        """function(argument, number) for each number below count, anywhere, repeated if need be. TasksFailed."""

    def recurring(self, function: Callable[[Any, Any, int], Any], fixed: Any, count: int, silence: float) -> Recurring:
        """Stages of function(fixed, argument, number), in which no task may say nothing for longer than `silence`
        seconds."""


@frozen
class Plan:
    """What is decided before the search: limits, whether a violation ends it, the findings the source can show."""

    findings: Sequence[Finding]
    limits: Limits
    stop_at_first: bool
    progress: ProgressCallback | None = None


@define
class Outcome:
    """How a search on shards ended. small: findings of kind "grow" that made it void.

    sent: bytes on the way between shards; spilled: bytes that shards put on disk for want of memory; skew: how much
    more than its share a shard had at most, of a level with thousands of states for each; spent: seconds of all
    workers, by phase.
    """

    bound: Bound | None = None
    small: tuple[str, ...] = ()
    sent: int = 0
    spilled: int = 0
    skew: float = 1.0
    restarts: int = 0
    spent: dict[str, Spent] = field(factory=dict)


@frozen
class Reached:
    """A level the search has got to. rows: its states; distinct: of all levels so far; found: as in a stored level."""

    number: int
    rows: int
    distinct: int
    found: Mapping[int, int]


@define
class Driver:
    """Drives one search over a work directory with at least one committed level."""

    directory: WorkDirectory
    job: Job
    tasks: Tasks
    plan: Plan
    outcome: Outcome = field(factory=Outcome)
    _began: float = field(init=False, factory=time.perf_counter)
    _reported: tuple[float, int] = field(init=False, default=(0.0, 0))
    _level_began: float = field(init=False, factory=time.perf_counter)
    _recurring: tuple[Job, Recurring] | None = field(init=False, default=None)
    _level: int = field(init=False, default=0)
    _frontier: int = field(init=False, default=0)
    _together: Together = field(init=False, default=Together(0, 0, 0, 0, 0, 1.0))

    def __attrs_post_init__(self) -> None:
        self.plan = evolve(self.plan, limits=self.plan.limits.begun())

    # ---- decisions

    def finished(self, ahead: Reached | None = None) -> bool:
        """Whether to end the search at the last committed level, or at the level ahead of it that the workers have
        reached."""
        last, limits = ahead or self.committed(), self.plan.limits
        violated = any(self.plan.findings[number].kind != "reachable" for number in last.found)
        small = tuple(self.plan.findings[n].name for n in last.found if self.plan.findings[n].kind == "grow")
        if small:
            self.outcome.small = small
        if self.outcome.small or last.rows == 0 or violated and self.plan.stop_at_first:
            return True
        if limits.max_depth is not None and last.number >= limits.max_depth:
            self.outcome.bound = "depth"
        return self.outcome.bound is not None or self._exceeded(last.distinct)

    def _exceeded(self, distinct: int, memory: int = 0) -> bool:
        limits = self.plan.limits
        if limits.max_states is not None and distinct >= limits.max_states:
            self.outcome.bound = "states"
        elif limits.max_memory is not None and memory >= limits.max_memory:
            self.outcome.bound = "memory"
        elif limits.left() == 0:
            self.outcome.bound = "seconds"
        return self.outcome.bound is not None

    def committed(self) -> Reached:
        """The last committed level."""
        levels = self.directory.levels
        return Reached(levels[-1].number, levels[-1].rows, sum(level.rows for level in levels), levels[-1].found)

    def reached(self, before: Reached, rows: int, *found: Mapping[int, int]) -> Reached:
        """The level after this one."""
        return Reached(before.number + 1, rows, before.distinct + rows, least(before.found, *found))

    def commit(self, level: Reached, expansions: Sequence[Expansion], files: Sequence[Files]) -> None:
        """Commit the next level, unless the source found itself too small."""
        if self.outcome.small:
            return
        now = time.perf_counter()
        self.directory.commit(
            Level(
                level.number,
                self.job.shards,
                tuple(b for some in files for b in some.states),
                tuple(b for some in files for b in some.quiescent),
                tuple(sum(counts) for counts in zip(*(e.counters for e in expansions))),
                level.found,
                now - self._level_began,
            )
        )
        self._level_began = now

    # ---- while a level is under way

    def hear(self, shards: Sequence[Alive]) -> None:
        """What the workers told; the progress callback is told in turn."""
        self._together = Together.of(shards)
        now = time.perf_counter() - self._began
        if self.plan.progress is None or now - self._reported[0] < INTERVAL or len(shards) < self.job.shards:
            return
        together, last = self._together, self.committed()
        transitions = sum(level.counters[-3] for level in self.directory.levels) + together.transitions
        rate = (transitions - self._reported[1]) / max(1e-9, now - self._reported[0])
        self._reported = (now, transitions)
        self.plan.progress(
            Progress(
                self._level,
                max(last.distinct, together.rows),
                transitions,
                max(0.0, rate),
                max(0, self._frontier - together.expanded),
                together.memory,
                now,
                together.skew,
                together.spilled,
            )
        )

    def over(self) -> bool:
        """Whether a limit is reached before the level is."""
        return self._exceeded(self._together.rows - 1, self._together.memory)  # so many states are still allowed

    def retried(self, attempts: Callable[[], None]) -> Outcome:
        """Call until it returns; give up after ATTEMPTS failures in a row without a newly committed level.

        SearchFailed; WorkDirectoryError if tasks cannot use the work directory.
        """
        failures, committed = 0, len(self.directory.levels)
        while True:
            try:
                attempts()
                return self.outcome
            except KeyboardInterrupt:
                self.outcome.bound = "interrupted"
                return self.outcome
            except NobodyWorks as error:
                raise SearchFailed(str(error)) from error
            except TasksFailed as error:
                failures = 1 if len(self.directory.levels) > committed else failures + 1
                committed = len(self.directory.levels)
                self.outcome.restarts += 1
                if failures == ATTEMPTS:
                    raise SearchFailed(str(error)) from error

    # ---- levels

    def prepare(self) -> None:
        """Have processes for the tasks started, and the source loaded in them, before the search begins."""
        try:
            self._stages().run(None, self.job.exchange, self)
        except TasksFailed:
            pass  # the search will meet it again, and try more than once
        self._began = self._level_began = time.perf_counter()

    def _stages(self) -> Recurring:
        if self._recurring is None or self._recurring[0] != self.job:
            self._recurring = self.job, self.tasks.recurring(run_stage, self.job, self.job.shards, SILENCE_SECONDS)
        return self._recurring[1]

    def run(self) -> Outcome:
        """Run the search, one stage for each level."""
        return self.retried(self._levels)

    def _levels(self) -> None:
        stages = self._stages()
        reports: list[StageReport] | None = None
        while not self.finished():
            self._begin(self.committed())
            candidates = None if reports is None else tuple(b for r in reports for b in r.candidates)
            stage, before = Stage(len(self.directory.levels), candidates), reports
            reports = stages.run(stage, self.job.exchange, self)
            if reports is None:
                self._discard(before or [])
                return
            self._note(reports)
            if before is not None:
                level = self.reached(
                    self.committed(),
                    sum(r.rows for r in reports),
                    *(r.expansion.found for r in before),
                    *(r.shown for r in reports),
                )
                self.finished(level)
                quiescent = [evolve(r.files, quiescent=b.files.quiescent) for r, b in zip(reports, before)]
                self.commit(level, [r.expansion for r in before], quiescent)
                self._discard(before)
        self._discard(reports or [])

    def _begin(self, level: Reached) -> None:
        """The level that is expanded from now on."""
        self._level, self._frontier = level.number, level.rows
        self._together = evolve(self._together, expanded=0, transitions=0)

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
