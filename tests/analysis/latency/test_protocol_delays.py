"""Delays and messages of the multicast protocols: what their sources say of their cost, over all runs."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.latency.survey import survey
from checker.catalogue import find
from checker.results.latency import Span, Survey


def measured(name: str, **constants: Any) -> Survey:
    """A survey of all runs."""
    entry = find(name)
    found = survey(entry.cls, entry.reference, constants)
    assert found.complete
    return found


def lone(n: int) -> tuple[int, ...]:
    """One message of the second of n processes."""
    return (0, 1, *(0,) * (n - 2))


SIZES = [2, 3, pytest.param(4, marks=pytest.mark.thorough)]
ONE_DELAY = [
    "basic_multicast",
    "fifo_multicast",
    "causal_vector_clock",
    "causal_broadcast:WaitFirst",
    "nack_multicast:AsSketched",
    "reliable_multicast:RelayOnFailure",
]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", ONE_DELAY)
def test_a_lone_message_takes_one_delay_and_a_message_to_each_other_process(name: str, n: int) -> None:
    """Causal broadcast in O(n) messages; NACKs cost nothing without loss; no relays unless the sender fails
    (slides)."""
    found = measured(name, workload=lone(n))
    assert found.where == {"sender": Span(0, 0), "others": Span(1, 1)}
    assert found.sent == Span(n - 1, n - 1)


@pytest.mark.parametrize("n", SIZES)
def test_reliable_multicast_sends_each_message_as_often_as_there_are_pairs(n: int) -> None:
    """The lecture: each message is sent |g| times to each process. What a process sends to itself is not counted here.

    A message may come by way of all others, and to its own sender too, if the relays overtake what it sent to itself.
    """
    found = measured("reliable_multicast", workload=lone(n))
    assert found.where == {"sender": Span(0, n), "others": Span(1, n - 1)}
    assert found.sent == Span(n * (n - 1), n * (n - 1))


@pytest.mark.parametrize("n", [2, 3])
def test_relaying_to_all_other_sites_costs_a_message_more_for_each_of_them(n: int) -> None:
    """The slides: every site that receives the message sends it on, the sender's own site too."""
    assert measured("reliable_multicast:Slides", workload=lone(n)).sent == Span(n * n - 1, n * n - 1)


@pytest.mark.parametrize("n", SIZES)
def test_isis_takes_three_messages_in_a_row_for_a_lone_message(n: int) -> None:
    """The lecture: 3 serial messages. The sender needs two; 3 (n - 1) messages in all."""
    found = measured("isis", workload=lone(n))
    assert found.where == {"sender": Span(2, 2), "others": Span(3, 3)}
    assert found.sent == Span(3 * (n - 1), 3 * (n - 1))


def test_isis_takes_longer_where_messages_wait_for_each_other() -> None:
    """Two messages: up to six in a row, seven with three processes; the bound of three is one for a lone message."""
    assert measured("isis", workload=(1, 1)).last == Span(3, 6)
    assert measured("isis", workload=(1, 1, 0)).last == Span(3, 7)


@pytest.mark.parametrize("n", [3, 4])
def test_the_sequencer_takes_one_delay_more_than_no_order(n: int) -> None:
    """The slides: increased message latency. The lecture's version costs 2 (n - 1) messages, the slides' n."""
    lecture, slides = (
        measured("sequencer:CountFirst", workload=lone(n)),
        measured("sequencer:ViaSequencer", workload=lone(n)),
    )
    assert lecture.last == slides.last == Span(2, 2)
    assert lecture.sent == Span(2 * (n - 1), 2 * (n - 1))
    assert slides.sent == Span(n, n)


def test_moving_the_wait_of_causal_broadcast_costs_no_delay_and_no_message() -> None:
    """The repair of line 7 and the printed loop (with line 6 tested again), all runs of 2,1,0."""
    printed, repaired = (
        measured(name, workload=(2, 1, 0)) for name in ("causal_broadcast:Retested", "causal_broadcast:WaitFirst")
    )
    assert printed.where == repaired.where
    assert printed.sent == repaired.sent == Span(6, 6)


def test_causal_order_by_vector_clocks_waits_for_the_past_and_sends_nothing_for_it() -> None:
    """Three messages may have to come one after the other; the messages are those of a multicast without order."""
    found = measured("causal_vector_clock", workload=(2, 1, 0))
    assert found.last == Span(1, 3)
    assert found.sent == Span(3 * 2, 3 * 2)


def test_requests_for_missing_messages_are_sent_without_any_loss() -> None:
    """Over unordered channels a message that overtakes another looks like a loss: up to six messages for two
    multicasts."""
    assert measured("nack_multicast:AsSketched", workload=(1, 1, 0)).sent == Span(4, 6)


@pytest.mark.parametrize("name", ["wait_for_all", "toto", "s_toto", "g_toto", "gl_toto"])
def test_agreed_delivery_sends_no_message_of_its_own(name: str) -> None:
    """Early delivery, Section 8: again, without additional messages. A delivery waits for up to as many messages in a
    row as are multicast."""
    found = measured(name, workload=(1, 1, 1))
    assert found.sent == Span(3 * 2, 3 * 2)
    assert found.last == Span(1, 3)


def test_relays_after_a_crash_are_counted() -> None:
    """Slides 4/4: fewer messages, unless the sender fails. The only message of three processes costs up to four then,
    and comes after two at most."""
    found = measured("reliable_multicast:RelayOnFailure", workload=(1, 0, 0), crashes=1)
    assert (found.sent, found.where["others"]) == (Span(0, 4), Span(1, 2))


def test_two_messages_take_up_to_three_delays_with_a_sequencer() -> None:
    """The number of the first may come behind that of the second, which was multicast in answer to the first."""
    assert measured("sequencer:CountFirst", workload=(1, 1, 0)).last == Span(1, 3)
