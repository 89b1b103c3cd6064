"""Networks that turn out too small: the one place that gives them more room and starts a search again.

A network has no bound in the language; in packed states it has one.  When a search exceeds it, the model is lowered
again with twice the capacity and the search starts again: counts and traces never depend on the guess.

Where it stops: a model that exceeds LARGEST_NETWORK messages counts as sending without bound, and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from checker.backends.native.kernel import NativeKernel
from checker.ir.fitted import ROOM
from checker.language.errors import UsageError

T = TypeVar("T")
LARGEST_NETWORK = 1024


class TooSmall(Exception):
    """Networks had no room for their messages; `room`: their capacities."""

    def __init__(self, room: Mapping[str, int]) -> None:
        super().__init__(", ".join(room))
        self.room = dict(room)


def require_room(kernel: NativeKernel, small: Iterable[str]) -> None:
    """Raise TooSmall if any network of a kernel was too small."""
    room = {name: 0 if name == ROOM else kernel.capacity(name) for name in small}
    if room:
        raise TooSmall(room)


def with_room(attempt: Callable[[Mapping[str, int]], T], room: Mapping[str, int] | None = None) -> T:
    """The result of attempt(capacities), repeated until it no longer raises TooSmall; the first attempt gets `room`."""
    capacities = dict(room or {})
    while True:
        try:
            return attempt(dict(capacities))
        except TooSmall as small:
            capacities |= {name: 2 * had for name, had in small.room.items()}
        for name, capacity in capacities.items():
            if capacity > LARGEST_NETWORK:
                raise UsageError(
                    f"more than {LARGEST_NETWORK} messages are in flight on {name}",
                    remedy="Does the model send without bound? Add a constraint or a budget.",
                )
