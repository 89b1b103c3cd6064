"""The time that the configurations of a comparison share: of this process, so that other load on the machine does not
change which configurations are compared.

A search has a limit on wall-clock time.  It is derived from the processor time left and from how much of the processor
this process had so far.  Where it stops: a machine that gives the process less than a SLOWEST-th of a processor ends
the comparison earlier; time that was requested, and the time of engines in other processes, is wall-clock time.
"""

from __future__ import annotations

import time

from attrs import define, field

SLOWEST = 10.0


@define
class SharedTime:
    """seconds: to share, from now; threads: of a search; own: count processor time, and not wall-clock time."""

    seconds: float
    threads: int = 1
    own: bool = True
    _wall: float = field(init=False, factory=lambda: time.monotonic())
    _processor: float = field(init=False, factory=lambda: time.process_time())

    @property
    def _spent(self) -> float:
        """Seconds so far."""
        wall = time.monotonic() - self._wall
        return max((time.process_time() - self._processor) / self.threads, wall / SLOWEST) if self.own else wall

    def left(self) -> float:
        """Seconds that are left; negative if they are over."""
        return self.seconds - self._spent

    def at_most(self, seconds: float) -> None:
        """Leave no more than this from now."""
        self.seconds = min(self.seconds, self._spent + seconds)

    def until(self) -> float:
        """The moment, as time.monotonic() gives it, at which the time will be over if the machine stays as loaded."""
        wall = time.monotonic() - self._wall
        slower = min(max(wall / max(self._spent, 0.05), 1.0), SLOWEST) if self.own else 1.0
        return time.monotonic() + max(self.left(), 0.0) * slower
