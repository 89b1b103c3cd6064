"""Optimistic Atomic Multicast in One Communication Delay, Sections 4.1.1 to 4.5: each claimed time, over all runs of
the model with time."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.latency.survey import survey
from checker.models.optimistic_latency import (
    Discarding,
    Leader,
    Optimistic,
    OptimisticEarly,
    OptimisticLatency,
    Parallel,
    ParallelEarly,
)
from checker.results.latency import Span, Survey

WAITING = "window"  # a blocker lets its window pass before it answers
TIMES = [(1, 1), (1, 2), (2, 1)]  # delta, T: three pairs tell a sum of both from any other


def measured(cls: Any, **constants: Any) -> Survey:
    """All messages and all runs; every message is delivered, unless some are thrown away."""
    found = survey(cls, cls.__name__, constants)
    assert found.complete and (cls is Discarding or not any(m.missed for m in found.messages))
    return found


def longest(found: Survey) -> int:
    """The greatest delay of any delivery."""
    assert found.last is not None
    return found.last.most


@pytest.mark.parametrize(("delta", "t"), TIMES)
def test_a_message_is_decided_within_delta_and_two_consensus_instances(delta: int, t: int) -> None:
    """4.1.1: delta + T to delta + 2 T. A message to its own group alone is delivered when it is decided."""
    found = measured(OptimisticLatency, workload=(2, 0), destinations=(1, 1), delta=delta, consensus=t)
    assert found.where == {"sender": Span(delta + t, delta + 2 * t)}


@pytest.mark.parametrize(("delta", "t"), TIMES)
def test_delivery_with_barriers_on_request_takes_at_most_three_delta_and_four_t(delta: int, t: int) -> None:
    """4.1.1: 3 delta + 4 T in the worst case. The bound is reached."""
    assert longest(measured(OptimisticLatency, workload=(2, 1), delta=delta, consensus=t)) == 3 * delta + 4 * t


@pytest.mark.parametrize(("delta", "t"), TIMES)
def test_a_lone_message_takes_three_delta_and_two_t(delta: int, t: int) -> None:
    """4.1.1, the best case: with one message, nothing waits for an instance. Its own group waits for the barrier; where
    that comes from, less is needed."""
    found = measured(OptimisticLatency, workload=(1, 0), senders_to=(12, 12), delta=delta, consensus=t)
    assert found.last == Span(3 * delta + 2 * t, 3 * delta + 2 * t)


def test_other_messages_serve_as_barriers_and_make_it_faster_than_the_best_case() -> None:
    """Two groups that multicast at the same time: 2 delta + T."""
    found = measured(OptimisticLatency, workload=(1, 1), delta=1, consensus=2)
    assert found.first is not None and found.first.least == 2 * 1 + 2


THOROUGH = pytest.mark.thorough
LATE = [(1, 1), (1, 2), pytest.param(2, 1, marks=THOROUGH)]  # delta, and how late
WINDOWS = [(1, 2, 1), (1, 2, 2), (2, 1, 2)]  # delta, T, w: such three tell a sum of them from any other


def test_the_measured_times_tell_one_sum_from_another() -> None:
    """No vector of coefficients but zero is zero at all triples: their determinant is not 0."""
    (a, b, c), (d, e, f), (g, h, i) = WINDOWS
    assert a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) != 0


@pytest.mark.parametrize(
    ("delta", "t", "w", "below"), [(1, 2, 1, 0), (1, 2, 2, 1), (2, 1, 2, 1), pytest.param(1, 3, 1, 0, marks=THOROUGH)]
)
def test_the_bound_of_4_2_holds_if_barriers_are_requested_with_the_multicast(
    delta: int, t: int, w: int, below: int
) -> None:
    """4.2 and Figure 1: w + 2 T + delta, if a blocker does not answer before its own window is over.  The longest delay
    reaches the bound with windows of 1, and is one unit less with windows of 2."""
    times = {"delta": delta, "consensus": t, "window": w}
    found = longest(measured(OptimisticEarly, workload=(2, 1), answers=WAITING, **times))
    assert found == w + 2 * t + delta - below


@pytest.mark.parametrize(("delta", "t", "w", "most"), [(1, 2, 1, 11), (1, 2, 2, 11), (2, 1, 2, 10)])
def test_the_bound_of_4_2_fails_if_blockers_answer_at_once(delta: int, t: int, w: int, most: int) -> None:
    """Answers overtake the blocker's own messages, whose timestamps are raised, and barriers are requested again."""
    times = {"delta": delta, "consensus": t, "window": w}
    assert longest(measured(OptimisticEarly, workload=(2, 1), **times)) == most > w + 2 * t + delta


@pytest.mark.parametrize(("delta", "t", "w"), WINDOWS)
def test_the_bound_of_4_2_fails_as_the_text_requests_barriers(delta: int, t: int, w: int) -> None:
    """The request after the window takes a delta that the claim does not count."""
    found = longest(measured(Optimistic, workload=(2, 1), delta=delta, consensus=t, window=w))
    assert found == w + 2 * t + 2 * delta > w + 2 * t + delta


@pytest.mark.parametrize(("delta", "t", "w"), [*WINDOWS, (1, 2, 3)])
def test_optimistic_delivery_takes_the_window(delta: int, t: int, w: int) -> None:
    """4.2: opt-delivered in the group within w, which is one communication delay where w is delta and clocks agree."""
    times = {"delta": delta, "consensus": t, "window": w}
    found = survey(OptimisticEarly, "", {"workload": (2, 1), "answers": WAITING, **times}, until="opt_deliver")
    assert found.where == {"sender": Span(w, w)}


@pytest.mark.parametrize(("cls", "claimed"), [(Optimistic, 2 + 2 * 1 + 2), (Parallel, 2 + 1 + 2)])
def test_a_single_message_exceeds_the_bounds_of_4_2_and_4_3(cls: Any, claimed: int) -> None:
    """delta = w = 2, T = 1, two groups: 7, as the window, the request, the decision on the empty message and its way
    back follow each other."""
    lone = {"workload": (1, 0), "senders_to": (12, 12), "delta": 2, "window": 2, "consensus": 1}
    assert longest(measured(cls, **lone)) == 7 > claimed


@pytest.mark.parametrize(("delta", "t", "w"), WINDOWS)
def test_parallel_instances_save_one_t(delta: int, t: int, w: int) -> None:
    """4.3: w + T + delta with requests at the multicast, always; a delta more as the text has it."""
    times = {"delta": delta, "consensus": t, "window": w, "answers": WAITING}
    assert measured(ParallelEarly, workload=(2, 1), **times).last == Span(w + t + delta, w + t + delta)
    assert longest(measured(Parallel, workload=(2, 1), **times)) == w + t + 2 * delta


@pytest.mark.parametrize(("delta", "w"), [(1, 1), (1, 2), (2, 2)])
def test_with_a_leader_every_message_takes_the_window_and_two_delta(delta: int, w: int) -> None:
    """4.4: w + 2 delta, and so 3 delta where the window is one delta, at every destination."""
    found = measured(Leader, workload=(2, 1), delta=delta, window=w, answers=WAITING)
    assert found.first == found.last == Span(w + 2 * delta, w + 2 * delta)


@pytest.mark.parametrize(("delta", "late"), LATE)
def test_with_a_leader_a_late_message_takes_six_delta_and_the_time_it_is_late(delta: int, late: int) -> None:
    """4.4 claims 6 delta; it does not count by how much the message itself came too late."""
    assert (
        longest(measured(Leader, workload=(2, 1), delta=delta, window=delta, late=late, answers=WAITING))
        == 6 * delta + late
    )


@pytest.mark.parametrize(("delta", "t", "w", "late", "most"), [(1, 2, 1, 1, 8), (1, 2, 2, 3, 10), (2, 1, 2, 1, 9)])
def test_with_parallel_instances_a_late_message_exceeds_the_bound(
    delta: int, t: int, w: int, late: int, most: int
) -> None:
    """4.3 claims 2 w + 2 T + delta if A2 fails; it would hold if the lateness were added."""
    times = {"delta": delta, "consensus": t, "window": w, "late": late, "answers": WAITING}
    claimed = 2 * w + 2 * t + delta
    assert claimed < longest(measured(ParallelEarly, workload=(2, 1), **times)) == most <= claimed + late


@pytest.mark.parametrize(("delta", "t", "w", "late", "most"), [(1, 2, 2, 5, 15), (2, 1, 2, 3, 11)])
def test_the_bound_of_4_2_fails_for_late_messages_with_other_times(
    delta: int, t: int, w: int, late: int, most: int
) -> None:
    """4.2 claims 2 w + 4 T + delta if A2 fails; it would hold if the lateness were added."""
    times = {"delta": delta, "consensus": t, "window": w, "late": late, "answers": WAITING}
    claimed = 2 * w + 4 * t + delta
    assert claimed < longest(measured(OptimisticEarly, workload=(2, 1), **times)) == most <= claimed + late


@pytest.mark.parametrize(("late", "most"), [(1, 10), (2, 11), (3, 12)])
def test_no_bound_holds_for_messages_that_are_late_without_bound(late: int, most: int) -> None:
    """4.2 claims 2 w + 4 T + delta = 11 if A2 fails; the delay grows with the lateness and passes it."""
    times = {"delta": 1, "consensus": 2, "window": 1, "late": late, "answers": WAITING}
    assert longest(measured(OptimisticEarly, workload=(2, 1), **times)) == most


@pytest.mark.parametrize(("delta", "late"), LATE)
def test_what_is_not_thrown_away_takes_three_delta_and_the_time_it_is_late(delta: int, late: int) -> None:
    """4.5: without raised timestamps nothing takes longer; some messages are not delivered."""
    found = measured(Discarding, workload=(2, 1), delta=delta, window=delta, late=late, answers=WAITING)
    assert longest(found) == 3 * delta + late
    assert any(m.missed for m in found.messages)
