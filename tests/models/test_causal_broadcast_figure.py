"""Figures 1 and 2 of "Crash-Tolerant Causal Broadcast in O(n) Messages", in Algorithm 1 as printed and repaired. In
Figure 1 p1 broadcasts m0 and m1, p2 m3 and m4, p3 m2.

The text says what the figure must show: m0 before m1 and m3 before m4 everywhere, m2 before or after m1 and m3. It does
not say which process broadcasts m2; p3 is the only one left.
"""

from __future__ import annotations

import pytest

from checker.models.causal_broadcast import WaitFirst, WholeHandler
from tests.models.test_causal_broadcast_flaws import Run

FIGURE = {"m1.1": "m0", "m1.2": "m1", "m3.1": "m2", "m2.1": "m3", "m2.2": "m4"}
BOTH = pytest.mark.parametrize("cls", [WholeHandler, WaitFirst])


def order(run: Run, p: str) -> list[str]:
    """What p has delivered, named as in the figure."""
    return [FIGURE[m] for m in run.delivered(p)]


@BOTH
def test_what_is_not_related_is_delivered_in_different_orders(cls: type) -> None:
    """m2 comes before m1 at p2 and after it at p1, before m3 at p1 and after it at p2."""
    run = Run(cls, (2, 2, 1))
    for p in ("p1", "p1", "p2", "p3"):
        run.broadcast(p)
    run.receive("p2", "m2.1", "m1.1", "m3.1", "m1.2")  # a process receives its own messages too
    run.broadcast("p2")
    run.receive("p2", "m2.2")
    run.receive("p1", "m1.1", "m1.2", "m3.1", "m2.1", "m2.2")
    assert order(run, "p1") == ["m0", "m1", "m2", "m3", "m4"]
    assert order(run, "p2") == ["m3", "m0", "m2", "m1", "m4"]
    assert run.violated() == []


@BOTH
def test_messages_of_one_process_are_delivered_in_their_order(cls: type) -> None:
    """m1 reaches p3 before m0, and m4 before m3."""
    run = Run(cls, (2, 2, 1))
    for p in ("p1", "p1", "p2", "p2"):
        run.broadcast(p)
    run.receive("p3", "m1.2", "m2.2")
    assert order(run, "p3") == []
    run.receive("p3", "m2.1", "m1.1")
    assert order(run, "p3") == ["m3", "m4", "m0", "m1"]


@BOTH
def test_m3_depends_on_m2_once_p2_has_delivered_it(cls: type) -> None:
    """Then nobody delivers m3 before m2, though m3 comes first."""
    run = Run(cls, (2, 2, 1))
    run.broadcast("p3")
    run.receive("p2", "m3.1")
    run.broadcast("p2")
    run.receive("p1", "m2.1")
    assert order(run, "p1") == ["m2", "m3"]
    assert run.violated() == []


def sequence(run: Run, last: str) -> list[str]:
    """The protocol message that ends with this message, on its way to p2."""
    p1, p2, *_ = run.model.Process
    return next([str(m) for m in found] for found in run.model.net.between(p1, p2) if str(list(found)[-1]) == last)


@BOTH
def test_a_broadcast_carries_what_was_delivered_since_the_last_one(cls: type) -> None:
    """Figure 2: between m1 and m2 its process delivers m, m' and m''. The next broadcast carries these three, in this
    order, and m1 no more, whether it was delivered too or not; then copr is empty."""
    run = Run(cls, (2, 1, 1, 1))
    for p in ("p1", "p2", "p3", "p4"):
        run.broadcast(p)
    run.receive("p1", "m3.1", "m1.1", "m2.1", "m4.1")
    assert sequence(run, "m1.1") == ["m1.1"]
    run.broadcast("p1")
    assert sequence(run, "m1.2") == ["m3.1", "m2.1", "m4.1", "m1.2"]
    assert list(run.model.copr[run.model.Process[0]]) == []


@BOTH
def test_of_two_messages_of_a_process_the_next_broadcast_carries_the_later_one(cls: type) -> None:
    """The meaning of copr: no more recent message of that process has been delivered since."""
    run = Run(cls, (1, 2))
    run.broadcast("p2")
    run.broadcast("p2")
    run.receive("p1", "m2.1", "m2.2")
    run.broadcast("p1")
    assert sequence(run, "m1.1") == ["m2.2", "m1.1"]
