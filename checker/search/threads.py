"""The threads of a search: the caller, who leads, and helpers that sleep until they are woken.

A helper that is awake looks for work by itself, in native code (`crew_native`), and returns when it found none for a
while; only then does it sleep.  Wake-ups are therefore rare; a helper that wakes after a batch is finished skips it.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Self

from attrs import define

PATIENCE = 1.0  # seconds


@define
class _Helper:
    """A thread besides the caller; `calls` has a True for each wake-up, and None at the end."""

    calls: SimpleQueue[bool | None]
    asleep: bool = True
    thread: Thread | None = None


class Threads:
    """`size` threads, the caller included. Use as a context manager: leaving it ends the others."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._helpers: list[_Helper] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for helper in self._helpers:
            helper.calls.put(None)
        for helper in self._helpers:
            if helper.thread is not None:
                helper.thread.join(PATIENCE)  # it holds the tables of the search until it has ended
        self._helpers.clear()

    def start(self, serve: Callable[[int], None]) -> None:
        """Have each helper call serve(its number, from 1) whenever it is woken."""
        for number in range(1, self.size):
            helper = _Helper(SimpleQueue())
            self._helpers.append(helper)
            arguments = (helper, serve, number)
            helper.thread = Thread(target=_run, args=arguments, name=f"search-{number}", daemon=True)
            helper.thread.start()

    def wake(self) -> None:
        """Wake the helpers that sleep."""
        for helper in self._helpers:
            if helper.asleep:
                helper.asleep = False
                helper.calls.put(True)


def _run(helper: _Helper, serve: Callable[[int], None], number: int) -> None:
    while helper.calls.get():
        serve(number)
        helper.asleep = True
