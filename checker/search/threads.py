"""The runner of a search in one process: threads that wait between phases, the caller being one of them.

Native calls release Python's lock, so threads help as long as the work is in blocks of some 10 microseconds or more.
A phase is a function applied to 0..count-1; which thread takes which number is left open, so a phase must not depend
on it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count as numbers
from queue import SimpleQueue
from threading import Thread
from typing import Self, TypeVar

from attrs import define, field

T = TypeVar("T")


@define
class Threads:
    """`size` threads, the caller included. Use as a context manager: leaving it ends the others."""

    size: int
    _queues: list[SimpleQueue[Callable[[int], None] | None]] = field(init=False, factory=list)
    _finished: SimpleQueue[BaseException | None] = field(init=False, factory=SimpleQueue)

    def __enter__(self) -> Self:
        for worker in range(1, self.size):
            queue: SimpleQueue[Callable[[int], None] | None] = SimpleQueue()
            self._queues.append(queue)
            Thread(target=self._serve, args=(queue, worker), name=f"search-{worker}", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for queue in self._queues:
            queue.put(None)
        self._queues.clear()

    def _serve(self, queue: SimpleQueue[Callable[[int], None] | None], worker: int) -> None:
        while (work := queue.get()) is not None:
            self._finished.put(_outcome(work, worker))

    def run(self, function: Callable[[int, int], T], count: int) -> list[T]:
        """[function(number, thread) for number in range(count)], numbers taken in increasing order by any thread.

        The first exception of any thread is raised once all threads have ended their work.
        """
        if self.size == 1 or count <= 1:
            return run_alone(function, count)
        results: list[T | None] = [None] * count
        following = numbers()

        def work(worker: int) -> None:
            while (number := next(following)) < count:
                results[number] = function(number, worker)

        helpers = self._queues[: count - 1]
        for queue in helpers:
            queue.put(work)
        failure = _outcome(work, 0)
        for _ in helpers:
            failure = self._finished.get() or failure
        if failure is not None:
            raise failure
        return results  # type: ignore[return-value]


def run_alone(function: Callable[[int, int], T], count: int) -> list[T]:
    """What `Threads.run` does, in the calling thread only."""
    return [function(number, 0) for number in range(count)]


def _outcome(work: Callable[[int], None], worker: int) -> BaseException | None:
    try:
        work(worker)
    except BaseException as error:  # noqa: BLE001 - handed to the caller of `run`
        return error
    return None
