"""The time that configurations share does not pass while other processes have the processor."""

from __future__ import annotations

import time

import pytest

from checker.analysis.compare.shared_time import SLOWEST, SharedTime


class Clock:
    """A machine that gives this process a share of the processor."""

    def __init__(self, share: float, patch: pytest.MonkeyPatch) -> None:
        self.now, self.share = 100.0, share
        patch.setattr(time, "monotonic", lambda: self.now)
        patch.setattr(time, "process_time", lambda: self.now * self.share)


@pytest.mark.parametrize("share", [1.0, 0.5, 0.2])
def test_a_loaded_machine_gives_the_same_processor_time(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The moment at which the time is over lies as much further off as the machine is slower."""
    clock = Clock(share, monkeypatch)
    shared = SharedTime(30.0)
    clock.now += 10.0 / share
    assert shared.left() == pytest.approx(20.0)
    assert shared.until() - clock.now == pytest.approx(20.0 / share)
    shared.at_most(2.0)
    clock.now += 2.0 / share
    assert shared.left() == pytest.approx(0.0)


def test_a_process_that_is_hardly_executed_ends_and_requested_time_is_the_time_of_a_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without processor time the comparison ends after SLOWEST times as long; with two threads both are counted."""
    clock = Clock(0.0, monkeypatch)
    shared, requested = SharedTime(3.0), SharedTime(3.0, own=False)
    clock.now += 3.0
    assert requested.left() == 0.0 and shared.left() > 2.0
    clock.now += 3.0 * SLOWEST
    assert shared.left() < 0.0
    clock.share, clock.now = 2.0, 1000.0
    both = SharedTime(3.0, threads=2)
    clock.now += 2.0
    assert both.left() == pytest.approx(1.0)
