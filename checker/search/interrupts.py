"""Ctrl-C as a request that a search tests where it can end, instead of an exception at an arbitrary place.

The second Ctrl-C raises KeyboardInterrupt at once.  Where it stops: Python handles signals in the main thread alone; a
search in another thread must be ended by its caller.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self


class Interrupts:
    """Turns the first SIGINT into a flag, where signals can be handled: in the main thread."""

    def __init__(self) -> None:
        self.requested = False
        self._immediate = False
        self._installed = False
        self._previous: Any = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._previous = signal.signal(signal.SIGINT, self._request)
            self._installed = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, self._previous)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Inside, the first SIGINT raises KeyboardInterrupt, as later ones do anyway."""
        self._immediate = True
        try:
            if self.requested:
                raise KeyboardInterrupt
            yield
        finally:
            self._immediate = False

    def _request(self, number: int, frame: FrameType | None) -> None:
        if self.requested or self._immediate:
            raise KeyboardInterrupt
        self.requested = True
