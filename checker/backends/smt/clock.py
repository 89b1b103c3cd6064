"""The time limit of a proof, shared by z3 and by the construction of formulas.

Python and z3 build formulas in turn, in many small steps, and the relation of a large protocol can take longer to build
than to solve.  The clock is therefore read before each symbolically executed statement and each binding of a
quantifier, and every call of the solver gets the remaining time.  Where it stops: a single call that builds a term
cannot be interrupted.
"""

from __future__ import annotations

import time
from typing import Any

import z3
from attrs import frozen


class TimeUp(Exception):
    """The time is over, or the solver gave up."""


@frozen
class Clock:
    """deadline: on time.monotonic(); None: no limit."""

    deadline: float | None = None

    @classmethod
    def of(cls, seconds: float | None) -> Clock:
        """A clock that ends the given number of seconds from now; None: never."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    def within(self, seconds: float) -> Clock:
        """A clock that ends the given number of seconds from now, and not later than this one."""
        end = time.monotonic() + seconds
        return Clock(end if self.deadline is None else min(end, self.deadline))

    def over(self, seconds: float) -> bool:
        """Whether less than the given number of seconds is left."""
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
            if solver.reason_unknown() == INTERRUPTED:  # z3 handles the signal itself
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
        """The remaining milliseconds; at most the largest number, which z3 reads as "no limit"."""
        if self.deadline is None:
            return ENDLESS
        left = int(1000 * (self.deadline - time.monotonic()))
        if left <= 0:
            raise TimeUp
        return min(left, ENDLESS)


ENDLESS = (1 << 32) - 1
INTERRUPTED = "interrupted from keyboard"
