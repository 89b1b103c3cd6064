"""Ctrl-C in a comparison: what was compared until then is reported.

The part in which it happens and all later ones are left out and named; nothing is claimed of them.  A second Ctrl-C
ends the comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from attrs import define, field

INTERRUPTED = "interrupted"
T = TypeVar("T")


@define
class Stopping:
    """The parts of a comparison one after another, until Ctrl-C.  allowed: whether there is something to report
    without them; otherwise Ctrl-C is an exception as everywhere.
    """

    allowed: bool = True
    over: bool = field(init=False, default=False)
    left: list[str] = field(init=False, factory=list)

    def part(self, name: str, compared: Callable[[], T], otherwise: T) -> T:
        """The result of a part; after Ctrl-C, or if that ends the part, the other value."""
        if not self.over:
            try:
                return compared()
            except KeyboardInterrupt:
                if not self.allowed:
                    raise
                self.over = True
        self.left += [name] * (name not in self.left)
        return otherwise
