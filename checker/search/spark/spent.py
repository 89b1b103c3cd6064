"""The time of a process by phase: each moment belongs to the innermost current phase.

Wall-clock time shows waiting, CPU time shows work; on a shared machine only CPU times can be compared.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from attrs import define, field, frozen


@frozen
class Spent:
    """Seconds in one phase: by the clock, and of the processor."""

    wall: float = 0.0
    cpu: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall + other.wall, self.cpu + other.cpu)


@define
class Stopwatch:
    """Adds up seconds by phase. Time outside all phases belongs to `other`."""

    phases: dict[str, Spent] = field(factory=dict)
    _phase: str = "other"
    _since: tuple[float, float] = field(factory=lambda: (time.perf_counter(), time.process_time()))

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        outer = self._turn(phase)
        try:
            yield
        finally:
            self._turn(outer)

    def _turn(self, phase: str) -> str:
        now, (wall, cpu), former = (time.perf_counter(), time.process_time()), self._since, self._phase
        spent = self.phases.get(former, Spent())
        self.phases[former] = Spent(spent.wall + now[0] - wall, spent.cpu + now[1] - cpu)
        self._phase, self._since = phase, now
        return former

    def take(self) -> dict[str, Spent]:
        """The times since the last call."""
        self._turn(self._phase)
        taken, self.phases = self.phases, {}
        return taken


def total(*spent: Mapping[str, Spent]) -> dict[str, Spent]:
    """The sums by phase, the longest first."""
    sums: dict[str, Spent] = {}
    for some in spent:
        for phase, seconds in some.items():
            sums[phase] = sums.get(phase, Spent()) + seconds
    return dict(sorted(sums.items(), key=lambda item: -item[1].wall))
