"""Limits on time, and Ctrl-C, before there is a search that tests for them: while a model is read, lowered and
compiled.

`within` raises OutOfTime in the code inside when the seconds are used up. A signal (SIGALRM) raises it, as Python
raises KeyboardInterrupt, and it is no Exception: code that handles errors does not catch it. `aside` calls a function
in another thread and waits there for the result. While the main thread is inside LLVM, Python cannot handle a signal;
while it waits, it can. An abandoned call continues in its thread until it is done, so a process that ends before must
not run the exit handlers of C libraries (`checker.cli.program.main` looks for a thread of this NAME).

Where it stops: signals arrive in the main thread only. In another thread the time is tested where `within` begins and
ends. One operation of C code on huge values (a tuple of billions) is not interrupted: sizes are checked before
(`checker.language.room`).
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TypeVar

from checker.search.limits import Limits

T = TypeVar("T")
AGAIN = 0.2
"""Seconds after which the signal is repeated, in case a destructor or a callback of C code has swallowed the exception.
"""
READING = 2.0
"""The least time for reading a model: without a model there is no report, only a message."""
LONGEST = 1e8
"""Years: the largest time that a timer certainly accepts."""
NAME = "checker-aside"


class OutOfTime(BaseException):
    """The limit on seconds is reached. doing: the interrupted work, as in "while compiling"."""

    def __init__(self, doing: str) -> None:
        super().__init__(f"the limit on seconds was reached while {doing}")
        self.doing = doing


@contextmanager
def within(limits: Limits, doing: str, least: float = 0.0) -> Iterator[None]:
    """Raise OutOfTime in the code inside when the time of the limits is over, and `least` seconds have passed."""
    left = limits.left()
    if left is None:
        yield
        return
    left = max(left, least)
    if left == 0:
        raise OutOfTime(doing)
    if threading.current_thread() is not threading.main_thread():
        yield
        if limits.left() == 0 and not least:
            raise OutOfTime(doing)
        return
    inside = True

    def ring(number: int, frame: FrameType | None) -> None:
        if inside:
            raise OutOfTime(doing)

    unraisable = sys.unraisablehook
    # in a destructor; the next signal comes soon
    sys.unraisablehook = lambda found: None if isinstance(found.exc_value, OutOfTime) else unraisable(found)
    before = signal.signal(signal.SIGALRM, ring)
    began = time.perf_counter()
    delay, again = signal.setitimer(signal.ITIMER_REAL, min(left, LONGEST), AGAIN)
    try:
        yield
    finally:
        inside = False
        signal.setitimer(signal.ITIMER_REAL, max(0.001, delay - (time.perf_counter() - began)) if delay else 0.0, again)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = unraisable


def aside(function: Callable[[], T], meanwhile: Callable[[], None] | None = None) -> T:
    """The result of a call in another thread. An exception raised here meanwhile (Ctrl-C, OutOfTime) abandons the call.
    meanwhile: a function that is called here before the wait.
    """
    if threading.current_thread() is not threading.main_thread():
        return function()
    result: Future[T] = Future()

    def work() -> None:
        try:
            result.set_result(function())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=work, name=NAME, daemon=True).start()
    if meanwhile is not None:
        meanwhile()
    return result.result()  # not join: if that is interrupted, Python 3.11 takes the thread for ended


@contextmanager
def ahead(function: Callable[[], object]) -> Iterator[None]:
    """Call a function in another thread while the code inside runs, and wait for its end.  The function caches a result
    that a later call needs; that call raises any error of it.
    """

    def work() -> None:
        with suppress(Exception):
            function()

    thread = threading.Thread(target=work, name=NAME, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()
