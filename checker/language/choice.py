"""`require` and `choose`: guards and choices inside an action.

The current Script decides each choice.  To try every choice, an action is executed repeatedly, each time with the next
script, like an odometer: the last choice varies fastest.  Outside a search (in a REPL) the first element is chosen.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from types import FrameType
from typing import Any, TypeVar

from attrs import define, field

from checker.language.errors import Disabled

T = TypeVar("T")


@define
class Script:
    """The choices of one execution: for each, the index of the chosen element and the number of elements."""

    entries: list[list[int]] = field(factory=list)
    position: int = 0

    def next(self, size: int) -> int:
        """Index of the next choice among `size`."""
        if self.position == len(self.entries):
            self.entries.append([0, size])
        index = self.entries[self.position][0]
        self.position += 1
        return index

    def advance(self) -> bool:
        """Turn to the next script; False when all have been executed."""
        del self.entries[self.position :]
        while self.entries and self.entries[-1][0] + 1 == self.entries[-1][1]:
            self.entries.pop()
        if not self.entries:
            return False
        self.entries[-1][0] += 1
        self.position = 0
        return True


_current: list[Script] = []
_waived: list[Callable[[FrameType], bool]] = []


def executing(script: Script | None) -> None:
    """Use this script for the choices that follow (None: always the first)."""
    _current[:] = [] if script is None else [script]


def choice(size: int) -> int:
    """The next choice among `size` possibilities; raises Disabled if there are none."""
    if size == 0:
        raise Disabled
    return _current[0].next(size) if _current else 0


def require(condition: object) -> None:
    """Guard: the instance of the action is enabled only if the condition holds."""
    if not condition and not (_waived and _waived[0](sys._getframe(1))):
        raise Disabled


@contextmanager
def waiving(guard: Callable[[FrameType], bool]) -> Iterator[None]:
    """In this context, a false guard does not disable the action if `guard` is true of the frame that calls `require`.
    Analyses of the effect of a guard use it; no search does.
    """
    _waived.append(guard)
    try:
        yield
    finally:
        _waived.pop()


def choose(collection: Iterable[T]) -> T:
    """Any element; each element gives a step of its own.  Elements of a set are tried in canonical order."""
    if isinstance(collection, range):
        return collection[choice(len(collection))]  # type: ignore[return-value]
    items = list(collection)
    if isinstance(collection, set | frozenset):
        items.sort(key=order)
    return items[choice(len(items))]


class _Least:
    """Sort key of None: before everything else."""

    def __lt__(self, other: object) -> bool:
        return other is not self

    def __gt__(self, other: object) -> bool:
        return False


LEAST = _Least()


def order(value: Any) -> Any:
    """Sort key of the canonical order for plain values."""
    if type(value) is int:
        return value
    if value is None:
        return LEAST
    if hasattr(value, "canonical"):
        return value.canonical()
    if isinstance(value, Enum):
        return list(type(value)).index(value)
    if isinstance(value, tuple):
        return tuple(map(order, value))
    return value
