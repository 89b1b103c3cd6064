"""The search on Spark as an engine of `check`: small searches end in this process, large ones are handed to tasks by
shard.

This module joins the compiled kernel with the search on shards, which knows no back end: tasks get the lowered model,
and compile it for their processor or find it in the cache on disk.  They never need the model's source.
"""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from attrs import evolve, frozen

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import NativeKernel
from checker.bound import Bound
from checker.engines import shipped
from checker.engines.checkpointed import Prepare, in_directory, of_all_states
from checker.engines.committed import HERE, Elsewhere, StoredPiece, ended, explored_from
from checker.engines.explored import Explored
from checker.engines.growing import require_room
from checker.engines.native import explored, searched
from checker.engines.placement import Placement
from checker.engines.request import Request
from checker.engines.shipped import answered, shipped_kernel
from checker.engines.survey import Question, ask_some
from checker.language.errors import UsageError
from checker.search.block_files import write_blocks
from checker.search.checkpoint import Checkpoint
from checker.search.deadline import OutOfTime, within
from checker.search.disk import DiskFull, SpillError
from checker.search.limits import Limits
from checker.search.result import SearchResult
from checker.search.spark.cluster import SparkTasks, connect
from checker.search.spark.driver import Driver, Outcome, SearchFailed
from checker.search.spark.failures import TasksFailed
from checker.search.spark.job import LEAST_BUDGET, Job
from checker.search.spark.session import JAVA_ENDED, SparkUnavailable, lost, refuse_connect, spark_log
from checker.search.spark.trimming import trimmed_by_shard
from checker.search.trails import Found, Held, Piece, Run
from checker.search.trails import Request as PathRequest
from checker.search.trimming import Judged, Trimmed
from checker.search.workdir import WorkDirectory
from checker.stored.owned import NotPrivate, temporary_place

LISTS = 4
"""The number of tasks for each slot that share the files of states when a question concerns all of them."""
QUICK = False
"""Whether shards begin with quickly compiled code: a search that is handed to Spark is a long one, except in tests."""


def explore(request: Request) -> Explored:
    """Explore in this process up to the handover, then on Spark.  Raises UsageError if Spark or the work directory
    cannot be used.
    """

    def prepared(kept: Request) -> Prepare:
        def attempt(kernel: NativeKernel, work: WorkDirectory) -> Explored:
            stored = partial(explored_from, kept, kernel)
            return on_shards(kept, kernel, work, partial(explored, kept), stored)

        return of_all_states(kept, attempt)

    return in_cluster(request, prepared)


def in_cluster(request: Request, prepared: Callable[[Request], Prepare]) -> Explored:
    """A search in the work directory of a request, or in a temporary one.  prepared: given the request with that
    directory.  Raises UsageError if Spark or the work directory cannot be used.
    """
    options = request.placement
    try:
        refuse_connect(options.master)
    except SparkUnavailable as error:
        raise UsageError(str(error)) from None
    if options.workdir is None and not options.master.startswith("local"):
        raise UsageError(
            f"a search on {options.master} needs a work directory that the driver and all executors see",
            remedy="Name one on a shared file system, or a URL: --workdir DIR-or-URL.",
        )
    temporary = None if options.workdir else _temporary()
    kept = request
    if temporary is not None:
        kept = evolve(request, placement=evolve(options, workdir=temporary.name, temporary=True))
    found = in_directory(kept, prepared(kept))
    # a temporary directory lives as long as the functions that read it
    survey = found.survey
    return evolve(
        found,
        outcomes=lambda: (temporary, found.outcomes())[1],
        outcome_runs=lambda: [evolve(run, path=partial(_beside, temporary, run.path)) for run in found.outcome_runs()],
        behaviour=lambda: (temporary, found.behaviour())[1],
        survey=None if survey is None else lambda: (temporary, survey())[1],
    )


def _temporary() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="checker-", dir=temporary_place(), ignore_cleanup_errors=True)
    except NotPrivate as error:
        raise UsageError(str(error)) from None


def _beside(_: object, path: Callable[[], tuple[Raw, ...]]) -> tuple[Raw, ...]:
    """A path, made while the directory still exists."""
    return path()


Stored = Callable[[WorkDirectory, Bound | None, Elsewhere], Explored]


def on_shards(
    request: Request,
    kernel: NativeKernel,
    work: WorkDirectory,
    in_memory: Callable[[SearchResult], Explored],
    stored: Stored,
) -> Explored:
    """A search in a work directory, or its continuation.  in_memory: the report if it ends in this process; stored: the
    report from the directory.  Raises TooSmall.
    """
    with _spark_errors(work, request.placement):
        return _Search(request, kernel, work, in_memory, stored).explore()


@contextmanager
def _spark_errors(work: WorkDirectory, options: Placement) -> Iterator[None]:
    """Turn errors of Spark and of its tasks into usage errors, because the user can remedy them; committed levels can
    be resumed.
    """
    remedy = "With --workdir the search could be resumed."
    if not options.temporary:
        remedy = f"What was found is in {work.folder}: {options.resumed(work.folder)}"
    try:
        yield
    except SpillError as error:
        room = "Make room there" if isinstance(error, DiskFull) else "Use another disk"
        more = room if options.master.startswith("local") else f"{room}, or name other directories: spark.local.dir"
        raise UsageError(str(error), remedy=f"{more}. {remedy}") from None
    except (SparkUnavailable, NotPrivate) as error:
        raise UsageError(str(error), remedy=remedy if work.levels and not options.temporary else None) from None
    except (SearchFailed, TasksFailed) as error:
        again = "keep failing" if isinstance(error, SearchFailed) else "fail"
        raise UsageError(f"the tasks of the search {again}: {error}", remedy=remedy) from None
    except Exception as error:
        if not lost(error):
            raise
        raise UsageError(JAVA_ENDED, remedy=remedy) from None


@frozen
class _Search:
    """One attempt: a kernel with a work directory for its states."""

    request: Request
    kernel: NativeKernel
    work: WorkDirectory
    in_memory: Callable[[SearchResult], Explored]
    stored: Stored

    @property
    def options(self) -> Placement:
        return self.request.placement

    def explore(self) -> Explored:
        """The search, here and on Spark.  Raises TooSmall."""
        request, kernel, work = self.request, self.kernel, self.work
        if not self.options.resume or not work.levels:
            result = searched(request, kernel, Checkpoint(work, kernel.words, self.options.handover))
            if result.bound is not Bound.HANDOVER:
                return self.in_memory(result)
            del result  # its states are in the work directory now; --max-memory counts those of the workers
        if ended(work):
            handed_over = any(level.rows >= self.options.handover for level in work.levels)
            return self.stored(work, None, self._by_tasks() if handed_over else HERE)
        try:
            outcome = self._on_spark()
        except OutOfTime:
            return self.stored(work, Bound.SECONDS, HERE)
        except KeyboardInterrupt:
            return self.stored(work, Bound.INTERRUPTED, HERE)
        require_room(kernel, outcome.small)
        return self.stored(work, outcome.bound, self._by_tasks())

    def _by_tasks(self) -> Elsewhere:
        """Tasks work on the stored states.  Spark starts with the first of them, if it has not started before."""
        return Elsewhere(self._rebuilding(), self._ask, self._trim)

    def _tasks(self) -> SparkTasks:
        folder = self.work.folder
        return connect(self.options.master, spark_log(folder), self.options.partitions, [shipped.__name__])

    def _rebuilding(self) -> Run:
        """Answers the requests of rebuilding paths, now and after the search."""

        @cache
        def answers() -> Run:  # all requests are of one job: processes keep its kernel
            tasks = self._tasks()
            return _answering(tasks, self._job(tasks))

        def run(requests: Sequence[PathRequest]) -> Iterable[Found]:
            with _spark_errors(self.work, self.options):
                return answers()(requests) if requests else []

        return run

    def _ask(self, question: Question, pieces: Sequence[Piece]) -> Iterable[Any]:
        """Have tasks answer about the stored states, some files each."""
        with _spark_errors(self.work, self.options):
            tasks = self._tasks()
            count = min(len(pieces), LISTS * tasks.slots)
            lists = [pieces[number::count] for number in range(count)]
            answers = tasks.run(ask_some, (question, lists), count, self.work.folder / "exchange") if count else []
        return [answers[place % count][place // count] for place in range(len(pieces))]

    @contextmanager
    def _trim(self, judged: Callable[[], Judged], sizes: tuple[int, ...], limits: Limits) -> Iterator[Trimmed]:
        """Have tasks remove states, each those of a shard."""
        with _spark_errors(self.work, self.options):
            with within(limits, "starting Spark"):
                tasks = self._tasks()
            with trimmed_by_shard(tasks, self._job(tasks), judged, self.kernel.words, sizes, limits) as trimmed:
                yield trimmed

    def _job(self, tasks: SparkTasks) -> Job:
        shards, folder = self.options.partitions or tasks.slots, self.work.folder
        here = str(tasks.context.master).startswith("local[")
        return Job(
            uuid.uuid4().hex,
            shipped_kernel(self.kernel.model, QUICK, self.kernel.reduction),
            folder,
            shards,
            self.options.worker_memory,
            held=-(-shards // tasks.slots),
            beside=tasks.beside,
            spill=(folder / "exchange").scratch if here else None,
            quick=QUICK,
        )

    def _on_spark(self) -> Outcome:
        request = self.request
        with request.phases("spark"), within(request.limits, "starting Spark"):
            tasks = self._tasks()
            given = request.limits, request.stop_at_first, request.progress
            driver = Driver(self.work, _with_enough(self._job(tasks)), tasks, self.kernel.findings, *given)
            self.options.say(f"spark: {driver.job.shards} partitions, {tasks.slots} task slots")
            driver.prepare()
        with request.phases("search"):
            outcome = driver.run()
        self.options.say(_summary(outcome))
        self.options.note(outcome)
        return outcome


def _with_enough(job: Job) -> Job:
    """The job.  Raises UsageError if its shards have too little memory."""
    if job.budget is not None and job.budget < LEAST_BUDGET:
        raise UsageError(
            f"{job.budget:,} bytes of memory for a shard are too few",
            remedy="More --worker-memory (1M for each shard of a worker), or fewer --partitions.",
        )
    return job


def _summary(outcome: Outcome) -> str:
    """A line about the cost of the search on Spark."""
    parts = [f"{outcome.sent / 1e6:,.1f} MB between shards", f"largest shard {outcome.skew:.2f} times its share"]
    parts += [f"{outcome.spilled / 1e6:,.1f} MB spilled"] if outcome.spilled else []
    parts += [f"{outcome.restarts} times started over from the last level"] if outcome.restarts else []
    phases = ", ".join(f"{phase} {spent.wall:.1f}" for phase, spent in outcome.spent.items() if spent.wall >= 0.05)
    return f"spark: {', '.join(parts)}" + (f"; seconds of all workers: {phases}" if phases else "")


# ---- rebuilding paths


def _answering(tasks: SparkTasks, job: Job) -> Run:
    """Answers requests, at least one, in tasks, one for each file; sets that are looked for go to tasks as files."""

    def run(requests: Sequence[PathRequest]) -> Iterable[Found]:
        stored: dict[int, list[StoredPiece]] = {}
        for n, pieces in requests[0].targets.items():
            states = [piece.states for piece in pieces if isinstance(piece, Held)]
            words = states[0].shape[1]
            stored[n] = [
                StoredPiece(job.exchange, block, words)
                for some in states
                for block in write_blocks(job.exchange, "target", n, some)
            ]
        try:
            return tasks.run(
                answered, (job, [evolve(r, targets=stored) for r in requests]), len(requests), job.exchange
            )
        finally:
            for pieces in stored.values():
                for piece in pieces:
                    piece.data.remove(piece.block.name)

    return run
