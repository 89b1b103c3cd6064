"""What a run costs: messages between processes, and chains of messages from a multicast to a delivery."""

from __future__ import annotations

from checker.check import examine
from checker.compare.costs import Range, cost, delays_of, messages_of
from checker.trace.events import Deliver, Event, Multicast, Receive, Send
from checker.trace.trace import Step, Trace
from models.isis import Isis
from models.sequencer import StartAtMinusOne
from tests.compare import lock


def trace(*steps: list[Event]) -> Trace:
    """A run with these events."""
    made = [Step(n, "step", events=tuple(events)) for n, events in enumerate(steps, 1)]
    return Trace(model="m", property="p", kind="reachable", states=[{}] * (len(made) + 1), steps=made)


def test_a_message_that_is_delivered_on_arrival_takes_one_delay() -> None:
    """At the sender itself none."""
    run = trace(
        [Multicast("p1", "m"), Send(1, "p1", "p1", "m"), Send(2, "p1", "p2", "m")], [Receive(1, "p1"), Deliver("p1", "m")], [Receive(2, "p2"), Deliver("p2", "m")]
    )
    assert list(delays_of(run)) == [0, 1]
    assert messages_of(run) == 1


def test_a_chain_counts_each_message_that_waits_for_another() -> None:
    """p2 asks p3 before it delivers: there and back are two more."""
    run = trace(
        [Multicast("p1", "m"), Send(1, "p1", "p2", "m")],
        [Receive(1, "p2"), Send(2, "p2", "p3", "ask")],
        [Receive(2, "p3"), Send(3, "p3", "p2", "yes")],
        [Receive(3, "p2"), Deliver("p2", "m")],
    )
    assert list(delays_of(run)) == [3]


def test_messages_that_do_not_follow_the_multicast_do_not_count() -> None:
    """What p2 heard before is no part of the chain."""
    run = trace(
        [Send(1, "p3", "p2", "hello")], [Receive(1, "p2"), Send(2, "p2", "p1", "hello")], [Receive(2, "p1"), Multicast("p1", "m"), Send(3, "p1", "p2", "m")],
        [Receive(3, "p2"), Deliver("p2", "m")],
    )  # fmt: skip
    assert list(delays_of(run)) == [1]


def test_isis_takes_three_delays_and_the_sequencer_two() -> None:
    """Data, proposal, final; data, order.  The sender of ISIS saves the last, the sequencer itself the second."""
    isis = cost(examine(Isis, "isis", {"workload": (1, 0)}))
    sequencer = cost(examine(StartAtMinusOne, "sequencer", {"workload": (0, 1)}))
    assert isis is not None and isis.delays == Range(2, 3)
    assert isis.messages == Range(3, 3)
    assert sequencer is not None and sequencer.delays == Range(1, 2)


def test_a_model_without_messages_costs_steps() -> None:
    """The lock: four steps for two processes."""
    found = cost(examine(lock.Lock, "lock", engine="interpreter"))
    assert found is not None
    assert (found.steps, found.messages, found.delays) == (Range(4, 4), Range(0, 0), None)
