"""Worker processes for commands with many searches: verify, sweep and gallery.

Workers never outlive this process, and nothing waits for a worker that is no longer needed.  Each worker has a pipe of
its own and shares no lock with any other, so the death of one cannot block the others. A worker does not see Ctrl-C:
this process does, and ends its workers at once.  If this process ends in any other way (it is killed, for example), the
pipe whose other end only this process holds closes, and every worker watches its pipe.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from traceback import format_exception
from types import FrameType
from typing import Any, TypeVar, cast

from attrs import evolve

from checker.language.errors import Undecided
from checker.search.improving import optimise_in_turn
from checker.search.limits import Limits
from checker.search.memory import available_memory

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R")
ENDING = {signal.SIGINT, signal.SIGTERM}
"""Signals that end the command; its workers end with it."""
YOUNG = 50_000
"""How many more objects may exist in a worker before Python collects garbage; Python's default is 700."""


def each_done(
    function: Callable[[T], R], given: Mapping[K, T], jobs: int
) -> Generator[tuple[K, R, list[K]], None, None]:
    """The result of each item as it is done, with the items under way at that time; `jobs` processes work.  An
    exception of an item is raised here; raises Undecided if a process is killed.  Closing the iterator ends the
    processes.
    """
    held, ours = Pipe(duplex=False)  # no worker keeps `ours`: it closes with this process
    workers: dict[Connection, Process] = {}
    try:
        number = min(jobs, len(given))
        for _ in range(number):
            _start(function, workers, held, ours, alone=number == 1)
        idle, queue, running = list(workers), list(given), dict[Connection, K]()
        while queue or running:
            while queue and idle:  # no more than run at once: what waits in a worker could not be called off
                pipe = idle.pop()
                running[pipe] = queue.pop(0)
                _send(pipe, workers[pipe], given[running[pipe]])
            for pipe in cast(list[Connection], wait(list(running))):
                result = _received(pipe, workers[pipe])
                idle.append(pipe)
                yield running.pop(pipe), result, list(running.values())
    finally:
        for worker in workers.values():
            worker.kill()
        for worker in workers.values():
            worker.join()


def shared_out(limits: Limits, jobs: int) -> Limits:
    """The limits of each of several processes: without a memory limit each has its share of the free memory."""
    if limits.max_memory is not None or jobs < 2:
        return limits
    return evolve(limits, max_memory=int(0.9 * available_memory() / jobs))


def _start(
    function: Callable[[T], R], workers: dict[Connection, Process], held: Connection, ours: Connection, alone: bool
) -> None:
    """Start another worker and return the pipe to it."""
    here, there = Pipe()
    with _no_interrupt():
        worker = Process(target=_work, args=(function, there, held, ours, alone), daemon=True)
        worker.start()
        workers[here] = worker
    there.close()


def _send(pipe: Connection, worker: Process, one: Any) -> None:
    try:
        pipe.send(one)
    except (BrokenPipeError, ConnectionResetError):  # killed while it was idle
        raise _ended(worker) from None


def _received(pipe: Connection, worker: Process) -> Any:
    try:
        good, result = pipe.recv()
    except (EOFError, ConnectionResetError):
        raise _ended(worker) from None
    if not good:
        raise result
    return result


def _ended(worker: Process) -> Exception:
    """Why a process ended unexpectedly: a killed process is no fault of the program, a crashed one is."""
    worker.join()
    number = -(worker.exitcode or 0)  # of the signal
    if number in (signal.SIGKILL, signal.SIGTERM):
        what = "a process that searched was ended from outside, perhaps because memory ran out"
        return Undecided(what, remedy="Fewer at the same time (--jobs) need less.")
    how = signal.Signals(number).name if number > 0 else f"exit code {-number}"
    return RuntimeError(f"a process that searched ended with {how}")


def _work(function: Callable[[Any], Any], pipe: Connection, held: Connection, ours: Connection, alone: bool) -> None:
    """The life of a worker.  alone: there is no other."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    ours.close()
    _seldom_look_for_garbage()
    if not alone:
        optimise_in_turn()
    threading.Thread(target=_end_with, args=(held,), daemon=True).start()
    while True:
        try:
            answer = ForkingPickler.dumps((True, function(pipe.recv())))
        except EOFError:
            return
        except Exception as error:
            error.add_note("".join(format_exception(error)))
            answer = _as_bytes(error)
        pipe.send_bytes(answer)


def _seldom_look_for_garbage() -> None:
    """Collect garbage seldom: the objects of the parent (models that were read, with all their modules) live as long as
    the worker, and a search leaves little garbage that only a collection finds.
    """
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)


def _as_bytes(error: Exception) -> Any:
    """An exception as bytes; one that cannot be pickled as an error with its message."""
    try:
        ForkingPickler.loads(whole := ForkingPickler.dumps((False, error)))
    except Exception:
        return ForkingPickler.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return whole


def _end_with(held: Connection) -> None:
    """End this process when the other end of a pipe closes."""
    try:
        held.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


# Ctrl-C


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Block Ctrl-C and SIGTERM here, and in the processes that are started here."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interrupted_once() -> Iterator[None]:
    """The first Ctrl-C interrupts; later ones are ignored, because they would interrupt the printing of the finished
    results.
    """
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
