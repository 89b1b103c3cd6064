"""Processes that work beside this one, for commands with many searches: sweep and gallery.  They never outlive it, and
nothing waits for them once they are not needed.

Each worker has a pipe of its own and no lock in common with any other, so none that dies can keep the others waiting.
A worker does not see Ctrl-C: this process does, and ends its workers at once.  If it ends in any other way, killed for
example, the pipe that only it holds open closes, which every worker watches.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection, wait
from traceback import format_exception
from types import FrameType
from typing import Any, TypeVar, cast

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R")


def each_done(
    function: Callable[[T], R], given: Mapping[K, T], jobs: int
) -> Generator[tuple[K, R, list[K]], None, None]:
    """The result of each as it is done, with what is under way then; `jobs` processes work.  An exception of one is
    raised here.  Closing the iterator ends the processes."""
    held, ours = Pipe(duplex=False)  # no worker keeps `ours`: it closes with this process
    workers: list[Process] = []
    try:
        idle = [_started(function, workers, held, ours) for _ in range(min(jobs, len(given)))]
        queue, running = list(given), dict[Connection, K]()
        while queue or running:
            while queue and idle:  # no more than run at once: what waits in a worker could not be called off
                running[idle[-1]] = queue.pop(0)
                idle[-1].send(given[running[idle.pop()]])
            for pipe in cast(list[Connection], wait(list(running))):
                result = _received(pipe)
                idle.append(pipe)
                yield running.pop(pipe), result, list(running.values())
    finally:
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.join()


def _started(function: Callable[[T], R], workers: list[Process], held: Connection, ours: Connection) -> Connection:
    """A worker more, and the pipe to it."""
    here, there = Pipe()
    with _no_interrupt():
        worker = Process(target=_work, args=(function, there, held, ours), daemon=True)
        worker.start()
        workers.append(worker)
    there.close()
    return here


def _received(pipe: Connection) -> Any:
    try:
        good, result = pipe.recv()
    except EOFError:
        raise RuntimeError(
            "a process that searched was ended from outside, perhaps for want of memory: fewer at the same time "
            "(--jobs) need less"
        ) from None
    if not good:
        raise result
    return result


def _work(function: Callable[[Any], Any], pipe: Connection, held: Connection, ours: Connection) -> None:
    """The life of a worker."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    ours.close()
    threading.Thread(target=_end_with, args=(held,), daemon=True).start()
    while True:
        try:
            answer = True, function(pipe.recv())
        except EOFError:
            return
        except Exception as error:
            error.add_note("".join(format_exception(error)))
            answer = False, error
        pipe.send(answer)


def _end_with(held: Connection) -> None:
    """End this process when the other end of a pipe closes."""
    try:
        held.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


# Ctrl-C


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Ctrl-C waits here, and never comes to the processes that are started here."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interrupted_once() -> Iterator[None]:
    """The first Ctrl-C interrupts, those after it are ignored: they would interrupt what is still printed of the work
    done so far."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if callable(before):
            before(number, frame)
        raise KeyboardInterrupt

    try:
        if before is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, interrupt)
        yield
    finally:
        signal.signal(signal.SIGINT, before)
