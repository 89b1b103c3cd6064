"""What is noticed while a level is under way: limits, workers that stand still, and how far all shards are together."""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.contract import Source
from checker.engines.placement import Placement
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.folder_errors import WorkDirectoryError
from checker.search.folders import LocalFolder, folder_at
from checker.search.limits import Limits
from checker.search.progress import Progress, describe
from checker.search.spark.alive import Alive, Said, Together, said, spoken
from checker.search.spark.cluster import connect
from checker.search.spark.driver import Driver, NobodyWorks, SearchFailed
from checker.search.spark.failures import TasksFailed, failed
from checker.search.spark.job import Job
from checker.search.spark.recurring import _Watch
from checker.search.spark.session import SparkUnavailable
from checker.search.spark.shard import Shard
from checker.search.workdir import WorkDirectory
from tests.engines.spark.test_spark_engine import case, natively, on_spark, workers
from tests.search.graphs import GraphSource, counting, levels_of
from tests.search.spark.tasks import HereTasks, stopping
from tests.search.spark.test_shards import run
from tests.search.spark.test_work_directory import told
from tests.search.test_breadth_first import random_graph


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that tell often how far they are, and take their time."""
    accept = Shard.accept

    def slowly(self: Shard, *arguments: Any, **options: Any) -> int:
        time.sleep(0.01)
        return accept(self, *arguments, **options)

    monkeypatch.setattr(Shard, "accept", slowly)
    monkeypatch.setattr("checker.search.spark.alive.SECONDS", 0.002)
    monkeypatch.setattr("checker.search.spark.recurring._POLL", 0.002)
    monkeypatch.setattr("checker.search.spark.partition.BLOCK_BYTES", 1 << 11)


@pytest.mark.parametrize(
    "limits, bound",
    [({"max_states": 10_000}, "states"), ({"max_memory": 200_000}, "memory"), ({"max_seconds": 1.0}, "seconds")],
)
def test_a_limit_within_a_level_ends_the_search_with_the_level_before(
    slow: None, limits: dict[str, Any], bound: str
) -> None:
    """What is reported are whole levels, as one process counts them, and never more states than are allowed."""
    source = GraphSource(random_graph(60_000, 6), counting(60_000, 1))
    whole = search(cast(Source, source))
    work, levels, _, outcome = run(source, 2, **limits)
    assert outcome.bound == bound
    sizes = [level.rows for level in work.levels]
    assert 0 < len(sizes) < len(whole.levels)
    assert sizes == list(whole.levels[: len(sizes)])
    assert sum(sizes) <= limits.get("max_states", whole.distinct)
    for blocks, states in zip(levels, levels_of(whole)):
        assert sorted(bytes(row) for block in blocks for row in block) == sorted(map(bytes, states))


class Listener:
    """Notes what it hears; has enough from so many states on."""

    def __init__(self, most: int = 1 << 60) -> None:
        self.most = most
        self.heard: list[Together] = []

    def hear(self, shards: Sequence[Alive]) -> None:
        self.heard.append(Together.of(shards))

    def over(self) -> bool:
        return bool(self.heard) and self.heard[-1].rows > self.most


class Clock:
    """For a watch: a second and a half passes from one look to the next, in which tasks do something."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self.meanwhile = meanwhile
        self.looks = 0

    def monotonic(self) -> float:
        self.looks += 1
        self.meanwhile()
        return 1.5 * self.looks


@pytest.fixture
def watching(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., tuple[_Watch, bool]]:
    """A watch over the directory of the test that has ended by itself, or has looked so often; whether it wanted the
    stage to be cancelled."""

    def watching(
        listener: Listener,
        silence: float,
        meanwhile: Callable[[], None],
        active: Callable[[], int] = lambda: 0,
        looks: int = 1_000,
    ) -> tuple[_Watch, bool]:
        clock = Clock(meanwhile)
        monkeypatch.setattr("checker.search.spark.recurring.time", clock)
        monkeypatch.setattr("checker.search.spark.recurring._POLL", 0.001)
        cancelled: list[bool] = []
        watch = _Watch(folder_at(tmp_path), listener, silence, active, lambda: cancelled.append(True))
        with watch:
            while watch._thread.is_alive() and clock.looks < looks:
                watch._thread.join(0.001)
        return watch, bool(cancelled)

    return watching


Watching = Callable[..., tuple[_Watch, bool]]


def test_what_tasks_say_is_summed_and_a_limit_ends_the_stage(watching: Watching, tmp_path: Path) -> None:
    """Through files of the exchange directory, of which only the latest of each task stays."""
    exchange = folder_at(tmp_path)
    tasks = [Said(exchange, number) for number in range(3)]
    rows = [0]
    files: list[int] = []

    def work() -> None:
        rows[0] += 100
        for task in tasks:
            task.say(Alive(task.number, rows[0] * (2 if task.number == 0 else 1), memory=10))
        files.append(len(said(exchange)))

    listener = Listener(most=2_000)
    watch, cancelled = watching(listener, 60.0, work)
    assert (cancelled, watch.over, watch.silent) == (True, True, None)
    assert set(files) == {3}
    assert listener.heard[-1].rows > 2_000
    assert listener.heard[-1].memory == 30
    assert listener.heard[-1].skew == pytest.approx(1.5)
    for task in tasks:
        task.forget()
    assert said(exchange) == {}


def test_a_task_that_cannot_say_anything_tells_of_the_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first report may meet it, where another attempt begins beside full files: what to do is said."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "alive")

    monkeypatch.setattr(LocalFolder, "create", full)
    with pytest.raises(WorkDirectoryError, match="the disk is full"):
        spoken((lambda _, number: number, None, LocalFolder(tmp_path)), 0)


def test_a_task_that_says_nothing_new_is_found(watching: Watching, tmp_path: Path) -> None:
    """One goes on and one stands still; those that have ended are not waited for."""
    exchange = folder_at(tmp_path)
    going, still, ended = (Said(exchange, number) for number in range(3))

    def work() -> None:
        going.say(Alive(0, 1))
        if not still.count:
            still.say(Alive(1))
            ended.say(Alive(2))
            ended.forget()

    watch, cancelled = watching(Listener(), 60.0, work)
    assert (cancelled, watch.over, watch.silent) == (True, False, "the task of shard 1")


def test_a_task_that_never_says_anything_is_found(watching: Watching, tmp_path: Path) -> None:
    """Spark has started two tasks, of which only one speaks: the other's process may have been stopped before."""
    going = Said(folder_at(tmp_path), 0)
    watch, cancelled = watching(Listener(), 60.0, lambda: going.say(Alive(0, 1)), active=lambda: 2)
    assert (cancelled, watch.silent) == (True, "a task that has not begun its work")


def test_a_stage_on_which_nobody_works_is_ended(watching: Watching) -> None:
    """All executors are lost: Spark has no task under way, and would wait for new executors for ever."""
    watch, cancelled = watching(Listener(), 60.0, lambda: None, active=lambda: 0)
    assert (cancelled, watch.idle, watch.silent) == (True, True, None)


@pytest.mark.parametrize(
    "active, speaking", [(lambda: 0, True), (lambda: 1 // 0, False)], ids=["a task speaks", "Spark does not answer"]
)
def test_a_stage_whose_tasks_may_work_goes_on(
    active: Callable[[], int], speaking: bool, watching: Watching, tmp_path: Path
) -> None:
    """For five minutes and more. A task that speaks is there, whatever Spark counts; a Spark that does not answer is
    not taken for one without tasks."""
    going = Said(folder_at(tmp_path), 0)

    def work() -> None:
        if speaking:
            going.say(Alive(0, going.count))

    _, cancelled = watching(Listener(), 60.0, work, active, looks=200)
    assert not cancelled


def test_a_driver_that_stood_still_itself_calls_no_task_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-Z stops the driver and the processes of its tasks, for as long as one likes: what was said last was said
    before."""
    going = Said(folder_at(tmp_path), 0)
    going.say(Alive(0, 1))
    times = [0.0, 1.5, 3.0, 7_000.0, 7_001.5, 7_003.0]
    stopped = SimpleNamespace(monotonic=lambda: times.pop(0))
    monkeypatch.setattr("checker.search.spark.recurring.time", stopped)
    monkeypatch.setattr("checker.search.spark.recurring._POLL", 0.001)
    watch = _Watch(folder_at(tmp_path), Listener(), 60.0, lambda: 1, bool)
    watch._ended = SimpleNamespace(wait=lambda _: not times)  # type: ignore[assignment]
    watch._look()
    assert watch.silent is None


def test_a_search_on_which_nobody_works_fails_without_another_attempt(tmp_path: Path) -> None:
    """Each would wait as long. The committed levels stay, and the message says what is missing."""
    source = GraphSource(random_graph(100, 3), counting(100, 1))

    class Nobody(HereTasks):
        attempts = 0

        def recurring(self, *_: Any) -> Any:
            return self

        def run(self, *_: Any) -> Any:  # type: ignore[override]
            Nobody.attempts += 1
            raise NobodyWorks("the executors are lost")

    with WorkDirectory.create(tmp_path / "w", {}) as work:
        search(cast(Source, source), checkpoint=Checkpoint(work, source.words, 0))
        committed = len(work.levels)
        job = Job("x", lambda: cast(Source, source), work.folder, 2)
        with pytest.raises(SearchFailed, match="the executors are lost"):
            Driver(work, job, Nobody(), source.findings, Limits(), False).run()
        assert (Nobody.attempts, len(work.levels)) == (1, committed)


def test_seconds_count_from_the_beginning_of_the_work_and_not_of_the_part_on_spark(tmp_path: Path) -> None:
    """An hour was used up before the handover: nothing more is committed, and the bound is named."""
    source = GraphSource(random_graph(100, 3), counting(100, 1))
    with WorkDirectory.create(tmp_path / "w", {}) as work:
        search(cast(Source, source), checkpoint=Checkpoint(work, source.words, 0))
        committed = len(work.levels)
        limits = Limits(max_seconds=3600.0, began=time.perf_counter() - 3600)
        outcome = Driver(
            work, Job("x", lambda: cast(Source, source), work.folder, 2), HereTasks(), source.findings, limits, False
        ).run()
        assert (outcome.bound, len(work.levels)) == ("seconds", committed)


@pytest.mark.parametrize(
    "error, ended", [(ConnectionRefusedError(), True), (ConnectionResetError(), True), (ValueError(), False)]
)
def test_the_end_of_java_is_told_from_the_failure_of_a_task(error: Exception, ended: bool) -> None:
    """It is nothing that another attempt would mend."""
    pytest.importorskip("pyspark")
    assert isinstance(failed(error), SparkUnavailable) == ended


def test_the_progress_line_tells_skew_and_what_was_spilled() -> None:
    """For a search on shards; one process has neither."""
    line = describe(Progress(7, 1_000, 5_000, 2e6, 300, 4_000_000, 12.0, skew=1.25, spilled=7_000_000))
    assert "level 7  1,000 states" in line
    assert "300 of the level to go" in line
    assert "skew 1.25  7 MB on disk" in line
    assert "skew" not in describe(Progress(7, 1_000, 5_000, 2e6, 300, 4_000_000, 12.0))


@pytest.fixture
def ended() -> Iterator[None]:
    """No Python worker is left: Spark would give the next test's tasks to one that stands still."""
    yield
    for process in workers():
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


@pytest.mark.thorough
@pytest.mark.usefixtures("ended")
def test_tasks_of_a_stopped_process_are_run_by_another(spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGSTOP of all idle Python workers before tasks that are no level of a search: Spark alone would wait for ever.
    On a busy machine a new process may be given up, too, before it begins: there are attempts enough for that. There
    nothing may begin for 10 seconds; so the silence is not that short.
    """
    tasks = connect(spark)
    assert tasks.run(pow, 3, 2) == [1, 3]
    monkeypatch.setattr("checker.search.spark.cluster.SILENCE_SECONDS", 15.0)
    stopped = workers()
    assert stopped
    for process in stopped:
        with suppress(ProcessLookupError):  # Spark has ended it
            os.kill(process, signal.SIGSTOP)
    assert tasks.run(pow, 3, 2, attempts=20) == [1, 3]


@pytest.mark.usefixtures("ended")
def test_tasks_that_stand_still_again_and_again_fail(spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that stops itself: after so many attempts that is told.  On a busy machine it may be given up before
    it begins.
    """
    tasks = connect(spark)
    assert tasks.run(pow, 3, 1) == [1]
    monkeypatch.setattr("checker.search.spark.cluster.SILENCE_SECONDS", 1.0)
    silent = "(the task of shard 0|a task that has not begun its work) has said nothing for 1 s"
    with pytest.raises(TasksFailed, match=silent):
        tasks.run(stopping, None, 1, attempts=2)


@pytest.mark.thorough
@pytest.mark.usefixtures("ended")
def test_a_task_that_is_stopped_in_a_stage_is_given_up(spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGSTOP of all Python workers before a level: Spark alone would wait for ever."""
    monkeypatch.setattr("checker.search.spark.driver.SILENCE_SECONDS", 5.0)
    commit: Callable[..., None] = WorkDirectory.commit
    hit: list[int] = []

    def commit_and_strike(self: WorkDirectory, level: Any) -> None:
        commit(self, level)
        if level.number == 8 and not hit:
            hit.extend(workers())
            for process in hit:
                os.kill(process, signal.SIGSTOP)

    monkeypatch.setattr(WorkDirectory, "commit", commit_and_strike)
    definition = case(TWO_PHASE_COMMIT, {"managers": 5})
    explored = on_spark(definition, TWO_PHASE_COMMIT, Placement(master=spark, partitions=2, handover=0))
    assert hit
    assert told(explored) == told(natively(definition))
