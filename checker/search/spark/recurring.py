"""A stage that runs once for each level: the constant part is sent and read once, the changing part goes with each
task.

A task prefers the executor that has its shard, by Spark's preferred locations, and in it the process. Spark keeps idle
Python processes apart by the environment with which they were started; so an executor of n cores gets n environments,
and a shard always the same one.

While a stage runs, its tasks report their progress in small files of the exchange directory. The driver reads them for
its progress line, ends the stage when a limit is reached, and calls it failed when a task has reported nothing for too
long: Spark itself would wait for ever for a stopped task, and for executors when all of them are lost.
"""

from __future__ import annotations

import base64
import pickle
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from attrs import define, field, frozen

from checker.search.folders import Folder
from checker.search.spark.alive import Alive, Listener, said
from checker.search.spark.failures import NobodyWorks, Silent, failed
from checker.search.spark.payload import ARGUMENT
from checker.search.spark.session import executor_names, executors_of

SHARD = "CHECKER_PROCESS"
IMPORTS = "CHECKER_IMPORTS"
_POLL = 0.25
_ASK = 1.0


@frozen
class Place:
    """Where a shard is: an executor, by name and host (None: anywhere), and one of its processes."""

    executor: tuple[str, str] | None
    process: int


def settled(
    former: Sequence[Place], count: int, executors: Sequence[tuple[str, str]], processes: int
) -> tuple[Place, ...]:
    """Places for this many shards, with no more than its share on any executor. A shard keeps its former place if
    possible, because building it again takes time.
    """
    homes: Sequence[tuple[str, str] | None] = executors or (None,)
    most = -(-count // len(homes))
    found: dict[int, Place] = {}
    held, used = Counter[tuple[str, str] | None](), Counter[Place]()

    def settle(number: int, place: Place) -> None:
        found[number] = place
        held[place.executor] += 1
        used[place] += 1

    for number, place in enumerate(former):
        if place.executor in homes and held[place.executor] < most:
            settle(number, place)
    for number in range(count):
        if number not in found:
            home = min(homes, key=lambda home: held[home])  # the first of them
            settle(number, min((Place(home, process) for process in range(processes)), key=lambda place: used[place]))
    return tuple(found[number] for number in range(count))


@define(eq=False)
class Recurring:
    """function(fixed, argument, number) for each number below count, for one argument after the other.

    work: maps an iterator of numbers to one of pickled results; it finds the argument in the local property ARGUMENT.
    processes: of each executor.
    """

    context: Any
    work: Callable[..., Any]
    count: int
    processes: int
    silence: float
    places: tuple[Place, ...] = field(init=False, default=())
    numbers: Any = field(init=False, default=None)
    _parts: list[Any] = field(init=False, factory=list)
    _executors: frozenset[str] = field(init=False, default=frozenset())

    def __attrs_post_init__(self) -> None:
        self._place()

    def _place(self) -> None:
        """Assign shards to the present executors."""
        executors = executors_of(self.context)
        if self.places and not executors:
            return  # all are lost: others may come
        former, self.places = self.places, settled(self.places, self.count, executors, self.processes)
        self._executors = frozenset(name for name, _ in executors)
        self._parts = [
            self._parts[number] if number < len(former) and former[number] == place else self._part(number, place)
            for number, place in enumerate(self.places)
        ]
        self.numbers = self.context.union(self._parts)

    def _part(self, number: int, place: Place) -> Any:
        with environment(self.context, SHARD, str(place.process)):
            part = _placed(self.context, number, place.executor).mapPartitions(self.work)
            part._jrdd  # noqa: B018 - this is when the environment is noted
        return part

    def run(self, argument: Any, exchange: Folder, listener: Listener) -> list[Any] | None:
        """The results, by number; None if the listener ends the stage. Always to be called in the same thread.

        Raises what `failed` makes of errors.
        """
        if executor_names(self.context) != self._executors:
            self._place()
        self.context.setLocalProperty(ARGUMENT, base64.b64encode(pickle.dumps(argument)).decode())
        return collected(self.context, self.numbers, exchange, listener, self.silence)


@contextmanager
def environment(context: Any, name: str, value: str) -> Iterator[None]:
    """Let the RDDs defined in this context be computed by Python processes that were started with this variable."""
    variables = context.environment
    former = dict(variables)
    try:
        variables[name] = value
        yield
    finally:
        variables.clear()
        variables.update(former)


def collected(
    context: Any, numbers: Any, exchange: Folder | None, listener: Listener, silence: float
) -> list[Any] | None:
    """The results of the tasks of an RDD, under observation; None if the listener ends the stage.  exchange: None if
    tasks report nothing; then only a cluster without executors is noticed.

    Raises what `failed` makes of errors; raises Silent and NobodyWorks if a wait would not end.
    """
    group = f"checker-{uuid.uuid4().hex[:8]}"
    context.setJobGroup(group, "tasks of a search", interruptOnCancel=True)
    watch = _Watch(exchange, listener, silence, lambda: _active(context, group), lambda: context.cancelJobGroup(group))
    with watch:
        try:
            return [pickle.loads(result) for result in numbers.collect()]
        except KeyboardInterrupt:
            with suppress(Exception):
                context.cancelJobGroup(group)
            raise
        except Exception as error:  # noqa: BLE001 - py4j and pyspark have many
            if watch.idle:
                raise NobodyWorks(
                    f"no task has run for {2 * silence:.0f} s: the executors are lost, and no others have come"
                ) from None
            if watch.silent is not None:
                raise Silent(f"{watch.silent} has said nothing for {silence:.0f} s") from None
            if watch.over:
                return None
            raise failed(error) from error


def _active(context: Any, group: str) -> int:
    """The tasks that Spark has started and that have not ended."""
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    stages = [tracker.getStageInfo(stage) for job in jobs if job is not None for stage in job.stageIds]
    return sum(stage.numActiveTasks for stage in stages if stage is not None)


def _placed(context: Any, number: int, home: tuple[str, str] | None) -> Any:
    """An RDD of one number, which Spark computes on this executor if possible."""
    if home is None:
        return context.parallelize([number], 1)
    from pyspark import RDD
    from pyspark.serializers import CPickleSerializer

    name, host = home
    jvm, serializer = context._jvm, CPickleSerializer()
    sequence = jvm.org.apache.spark.api.python.PythonUtils.toSeq
    place = sequence([f"executor_{host}_{name}"])
    tag = jvm.scala.reflect.ClassTag.apply(jvm.java.lang.Class.forName("[B"))
    placed = context._jsc.sc().makeRDD(sequence([jvm.scala.Tuple2(bytearray(serializer.dumps(number)), place)]), tag)
    return RDD(jvm.org.apache.spark.api.java.JavaRDD.fromRDD(placed, tag), context, serializer)


@define(eq=False)
class _Watch:
    """Reads the reports of tasks, in a thread. Use as a context manager."""

    exchange: Folder | None
    listener: Listener
    silence: float
    active: Callable[[], int]
    cancel: Callable[[], None]
    over: bool = False
    silent: str | None = None
    idle: bool = False
    _ended: threading.Event = field(init=False, factory=threading.Event)
    _thread: threading.Thread = field(init=False)

    def __enter__(self) -> _Watch:
        if self.exchange is not None:
            for name in said(self.exchange):
                self.exchange.remove(name)  # left by tasks that were killed
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        heard: dict[str, float] = {}
        last: dict[int, Alive] = {}
        # when all that are active had said something; when that was looked at; when some task was there
        complete = asked = worked = looked = time.monotonic()
        while not self._ended.wait(_POLL):
            now, names = time.monotonic(), {} if self.exchange is None else said(self.exchange)
            if now - looked > self.silence / 2:  # this process stood still itself (Ctrl-Z): tasks may have, too
                heard, complete, worked = {}, now, now
            looked = now
            last |= {shard.shard: shard for shard in names.values()}
            # a file that stays comes from a task that stands still
            heard = {name: heard.get(name, now) for name in names}
            if last:
                self.listener.hear(list(last.values()))
            self.over = self.listener.over()
            still = next((names[name].shard for name, since in heard.items() if now - since > self.silence), None)
            self.silent = None if still is None else f"the task of shard {still}"
            if now - asked > _ASK:
                asked, active = now, self._active_now()
                complete = now if active is None or active <= len(names) or self.exchange is None else complete
                worked = now if active is None or active or names else worked
                if now - complete > 2 * self.silence:  # a process takes its time to start
                    self.silent = "a task that has not begun its work"
                self.idle = now - worked > 2 * self.silence  # a cluster takes its time to replace executors
            if self.over or self.idle or self.silent is not None:
                with suppress(Exception):  # Spark itself may be gone: the stage ends with that error
                    self.cancel()
                return

    def _active_now(self) -> int | None:
        """The number of running tasks, as far as Spark knows; None if Spark does not answer, which ends the stage by
        itself.
        """
        try:
            return self.active()
        except Exception:  # noqa: BLE001 - py4j has many
            return None
