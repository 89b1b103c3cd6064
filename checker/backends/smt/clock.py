"""The time that z3 and the building of formulas have together.

Formulas are built by Python and z3 in turn, in many small steps, and a large protocol's relation can take longer to
build than to solve.  So the clock is asked before each statement that is executed symbolically and each binding of a
quantifier, and it gives every call of the solver what is left.  What it cannot interrupt is one call that builds a
term.
"""

from __future__ import annotations

import time
from typing import Any

import z3
from attrs import frozen


class TimeUp(Exception):
    """The time given is over, or the solver gave up."""


@frozen
class Clock:
    """deadline: on time.monotonic(); None: there is no end."""

    deadline: float | None = None

    @classmethod
    def of(cls, seconds: float | None) -> Clock:
        """A clock that ends after so many seconds from now; None: never."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    def within(self, seconds: float) -> Clock:
        """A clock that ends after so many seconds from now, and not later than this one."""
        end = time.monotonic() + seconds
        return Clock(end if self.deadline is None else min(end, self.deadline))

    def over(self, seconds: float) -> bool:
        """Whether the time ends in less than so many seconds from now."""
        return self.deadline is not None and self.deadline < time.monotonic() + seconds

    def tick(self) -> None:
        """Raise TimeUp if the time is over."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TimeUp

    def satisfiable(self, solver: Any, *assumptions: Any) -> bool:
        """Whether a solver finds a solution.  Raises TimeUp if that is not decided in the time left, KeyboardInterrupt
        if Ctrl-C ended it.
        """
        solver.set("timeout", self._left())
        answer = solver.check(*assumptions)
        if answer == z3.unknown:
            if solver.reason_unknown() == INTERRUPTED:  # z3 takes the signal for itself
                raise KeyboardInterrupt
            raise TimeUp
        return bool(answer == z3.sat)

    def simplified(self, condition: Any) -> Any:
        """A simpler form of a condition.  Raises TimeUp if none is found in the time left."""
        try:
            return z3.simplify(condition, timeout=self._left())
        except z3.Z3Exception:
            raise TimeUp from None

    def _left(self) -> int:
        """Milliseconds, the largest number that z3 takes for "no end"."""
        if self.deadline is None:
            return ENDLESS
        left = int(1000 * (self.deadline - time.monotonic()))
        if left <= 0:
            raise TimeUp
        return min(left, ENDLESS)


ENDLESS = (1 << 32) - 1
INTERRUPTED = "interrupted from keyboard"
