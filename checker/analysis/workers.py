"""Processes that work beside this one, for commands with many searches: verify, sweep and gallery.  They never outlive
it, and nothing waits for them once they are not needed.

Each worker has a pipe of its own and no lock in common with any other, so none that dies can keep the others waiting.
A worker does not see Ctrl-C: this process does, and ends its workers at once.  If it ends in any other way, killed for
example, the pipe that only it holds open closes, which every worker watches.
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
from checker.search.limits import Limits
from checker.search.memory import available_memory

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R")
YOUNG = 50_000
"""Objects more in a worker until Python looks for garbage among them; 700 by default."""


def each_done(
    function: Callable[[T], R], given: Mapping[K, T], jobs: int
) -> Generator[tuple[K, R, list[K]], None, None]:
    """The result of each as it is done, with what is under way then; `jobs` processes work.  An exception of one is
    raised here; raises Undecided if one is killed.  Closing the iterator ends the processes.
    """
    held, ours = Pipe(duplex=False)  # no worker keeps `ours`: it closes with this process
    workers: dict[Connection, Process] = {}
    try:
        for _ in range(min(jobs, len(given))):
            _start(function, workers, held, ours)
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
    """The limits of each of several processes: where memory is not limited, each has its share of what is free."""
    if limits.max_memory is not None or jobs < 2:
        return limits
    return evolve(limits, max_memory=int(0.9 * available_memory() / jobs))


def _start(function: Callable[[T], R], workers: dict[Connection, Process], held: Connection, ours: Connection) -> None:
    """A worker more, by the pipe to it."""
    here, there = Pipe()
    with _no_interrupt():
        worker = Process(target=_work, args=(function, there, held, ours), daemon=True)
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
    """Why a process ended that should not: what is killed is no fault of the program, what crashes is."""
    worker.join()
    number = -(worker.exitcode or 0)  # of the signal
    if number in (signal.SIGKILL, signal.SIGTERM):
        what = "a process that searched was ended from outside, perhaps because memory ran out"
        return Undecided(what, remedy="Fewer at the same time (--jobs) need less.")
    how = signal.Signals(number).name if number > 0 else f"exit code {-number}"
    return RuntimeError(f"a process that searched ended with {how}")


def _work(function: Callable[[Any], Any], pipe: Connection, held: Connection, ours: Connection) -> None:
    """The life of a worker."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    ours.close()
    _seldom_look_for_garbage()
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
    """What the parent made stays as long as the worker: models that were read, with all their modules.  A search drops
    little that only a collection finds, so one is seldom made."""
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)


def _as_bytes(error: Exception) -> Any:
    """An exception as it is sent; one that cannot be, by what it says."""
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
