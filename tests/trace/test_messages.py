"""The life of message copies."""

import pytest

from checker.trace.events import Crash, Duplicated, Event, Lost, Receive, Send
from checker.trace.messages import messages
from checker.trace.trace import Step, Trace


def run(*steps: tuple[Event, ...]) -> Trace:
    """A trace of the given events, one tuple a step."""
    numbered = [Step(i, "act", events=events) for i, events in enumerate(steps, 1)]
    return Trace(model="m", property="P", kind="invariant", states=[{}] * (len(steps) + 1), steps=numbered)


def test_a_copy_is_received_lost_or_in_flight() -> None:
    """One Send is one arrow with one fate."""
    found = messages(
        run(
            (Send(1, "p1", "p2", "m"), Send(2, "p1", "p3", "m"), Send(3, "p1", "p1", "m")),
            (Receive(1, "p2"),),
            (Lost(2),),
        )
    )
    assert (found[1].received, found[2].lost) == (2, 3)
    assert [found[i].in_flight for i in (1, 2, 3)] == [False, False, True]


def test_a_duplicate_has_its_own_life() -> None:
    """The copy inherits content and target, not the fate."""
    found = messages(run((Send(1, "p1", "p2", "m"),), (Duplicated(1, 2),), (Receive(2, "p2"),)))
    assert (found[2].source, found[2].target, found[2].text, found[2].born) == ("p1", "p2", "m", 2)
    assert found[2].received == 3
    assert found[1].in_flight


def test_what_a_crashed_process_has_not_taken_is_dropped() -> None:
    """Before the crash: dropped at the crash. After it: dropped at once. Received before: unaffected."""
    found = messages(
        run(
            (Send(1, "p1", "p2", "a"), Send(2, "p1", "p2", "b")),
            (Receive(1, "p2"),),
            (Crash("p2"),),
            (Send(3, "p1", "p2", "c"),),
        )
    )
    assert (found[1].dropped, found[2].dropped, found[3].dropped) == (None, 3, 4)
    assert not found[2].in_flight


def test_contradicting_events_are_refused() -> None:
    """An id names one copy, sent before it is received."""
    with pytest.raises(ValueError, match="sent twice"):
        messages(run((Send(1, "p1", "p2", "m"),), (Send(1, "p1", "p2", "m"),)))
    with pytest.raises(ValueError, match="nobody has sent"):
        messages(run((Receive(7, "p2"),)))
