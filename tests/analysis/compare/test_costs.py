"""What a run costs: messages between processes, and chains of messages from a multicast to a delivery."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attrs import evolve

from checker.analysis.check import examine
from checker.analysis.compare.comparison import compare
from checker.analysis.compare.costs import cost, costs, delays_of, messages_of
from checker.analysis.compare.delays import outcome_delays
from checker.analysis.compare.side import Side
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.language.define import define
from checker.language.model import Model
from checker.models.isis import Isis, NothingToItself
from checker.models.optimistic_delivery import AtTheEnd, OptimisticDelivery
from checker.models.sequencer import StartAtMinusOne
from checker.replay.replay import Replay
from checker.report.compare.cost_table import cost_lines, pace_words
from checker.report.lines import plain
from checker.results.costs import Cost, Pace, pace, spread
from checker.search.limits import Limits
from checker.trace.events import Deliver, Event, Multicast, Receive, Send
from checker.trace.trace import Step, Trace
from checker.trace.values import FrozenMap
from tests.analysis.compare import lock


def trace(*steps: list[Event]) -> Trace:
    """A run with these events."""
    made = [Step(n, "step", events=tuple(events)) for n, events in enumerate(steps, 1)]
    return Trace(model="m", property="p", kind="reachable", states=[{}] * (len(made) + 1), steps=made)


def test_a_message_that_is_delivered_on_arrival_takes_one_delay() -> None:
    """At the sender itself none."""
    run = trace(
        [Multicast("p1", "m"), Send(1, "p1", "p1", "m"), Send(2, "p1", "p2", "m")],
        [Receive(1, "p1"), Deliver("p1", "m")],
        [Receive(2, "p2"), Deliver("p2", "m")],
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
        [Send(1, "p3", "p2", "hello")],
        [Receive(1, "p2"), Send(2, "p2", "p1", "hello")],
        [Receive(2, "p1"), Multicast("p1", "m"), Send(3, "p1", "p2", "m")],
        [Receive(3, "p2"), Deliver("p2", "m")],
    )
    assert list(delays_of(run)) == [1]


def test_isis_takes_three_delays_and_the_sequencer_two() -> None:
    """Data, proposal, final; data, order.  The sender of ISIS saves the last, the sequencer itself the second."""
    isis = cost(examine(Isis, "isis", {"workload": (1, 0)}))
    sequencer = cost(examine(StartAtMinusOne, "sequencer", {"workload": (0, 1)}))
    assert isis is not None and isis.delays is not None and (isis.delays.least, isis.delays.most) == (2, 3)
    assert isis.messages == spread([3])
    assert (
        sequencer is not None
        and sequencer.delays is not None
        and (sequencer.delays.least, sequencer.delays.most) == (1, 2)
    )


def test_a_model_without_messages_costs_steps() -> None:
    """The lock: four steps for two processes."""
    found = cost(examine(lock.Lock, "lock", engine="interpreter"))
    assert found is not None
    assert (found.steps, found.messages, found.delays) == (spread([4]), spread([0]), None)


def compared(before: type[Model], after: type[Model], workload: tuple[int, ...]) -> tuple[Cost, Cost]:
    """Both costs."""
    sides = [examine(cls, cls.__name__, {"workload": workload}) for cls in (before, after)]
    found = costs(sides[0], sides[1])
    assert found is not None
    return found


def test_outcomes_are_counted_by_the_delay_of_their_last_delivery() -> None:
    """The two orders of two messages: either takes three messages in a row, wherever the deliveries before it came."""
    before, _ = compared(Isis, Isis, (1, 1))
    assert before.last == spread([3, 3])
    assert before.delays is not None and sum(times for _, times in before.delays.counts) == 8


def test_a_sender_that_finishes_on_the_spot_delivers_as_early_with_fewer_steps() -> None:
    """Messages to itself are no delay: what they save is steps, not time."""
    before, after = compared(Isis, NothingToItself, (1, 1))
    assert before.steps is not None and after.steps is not None and after.steps.most < before.steps.least
    assert pace(before, after) == Pace(0, 0, 2, None, False)


def test_early_delivery_is_a_finding_with_an_outcome() -> None:
    """A sequencer orders with two messages in a row where ISIS takes three: earlier at each order that both have, and
    later the other way round."""
    isis, sequencer = compared(Isis, StartAtMinusOne, (1, 1))
    found, turned = pace(isis, sequencer), pace(sequencer, isis)
    assert found is not None and found.example is not None and turned is not None
    assert (found.earlier, found.later, found.alike) == (2, 0, 0)
    assert (turned.earlier, turned.later, turned.alike) == (0, 2, 0)
    assert (found.example.before, found.example.after) == ((3, 3), (2, 2))
    assert pace_words(isis, sequencer) == "delivers earlier at 2 of 2 common outcomes"
    assert "delivers earlier at 2 of 2 outcomes that both have" in [plain(line) for line in cost_lines(isis, sequencer)]


def all_runs(interpreter: Interpreter, path: tuple[Raw, ...]) -> Iterator[tuple[Raw, ...]]:
    """Every run from the end of a path to where nothing can happen."""
    following = [s.after for s in interpreter.steps(path[-1]) if s.after is not None]
    for after in following:
        yield from all_runs(interpreter, (*path, after))
    if not following:
        yield path


@pytest.mark.parametrize(
    ("cls", "workload"),
    [(StartAtMinusOne, (0, 1)), (StartAtMinusOne, (1, 0)), (Isis, (1, 0)), (NothingToItself, (0, 1))],
)
def test_the_extremes_are_those_of_all_runs(cls: type[Model], workload: tuple[int, ...]) -> None:
    """Each run is gone through by itself, and its chains are counted on its trace."""
    interpreter = Interpreter(define(cls, {"workload": workload}, []))
    replay = Replay(interpreter, "x", "interpreter")
    found: dict[FrozenMap, set[int]] = {}
    for start in interpreter.initial():
        for path in all_runs(interpreter, (start,)):
            run = replay.run(path, "run")
            last = run.states[-1]
            found.setdefault(FrozenMap({n: last[n] for n in cls.outcome}), set()).add(max(delays_of(run)))
    assert outcome_delays(Side(cls, "a", {"workload": workload}), 1, Limits()) == {
        outcome: (min(d), max(d)) for outcome, d in found.items()
    }


def test_in_a_model_with_time_the_extremes_are_times() -> None:
    """From the state in which the message is multicast to the last one that delivers it, in every run."""
    interpreter = Interpreter(define(OptimisticDelivery, {"workload": (1, 0)}, []))
    replay = Replay(interpreter, "x", "interpreter")
    found: dict[FrozenMap, set[int]] = {}
    for start in interpreter.initial():
        for path in all_runs(interpreter, (start,)):
            run = replay.run(path, "run")
            times = {
                kind: [run.states[s.number]["now"] for s in run.steps for e in s.events if isinstance(e, kind)]
                for kind in (Multicast, Deliver)
            }
            found.setdefault(FrozenMap({n: run.states[-1][n] for n in OptimisticDelivery.outcome}), set()).add(
                max(times[Deliver]) - min(times[Multicast])
            )
    assert outcome_delays(Side(OptimisticDelivery, "a", {"workload": (1, 0)}), 1, Limits()) == {
        outcome: (min(d), max(d)) for outcome, d in found.items()
    }


def test_delivering_without_waiting_is_earlier_in_time() -> None:
    """The window of optimistic delivery is what it costs: without it every outcome is reached earlier."""
    found = compare(
        Side(OptimisticDelivery, "a"),
        Side(AtTheEnd, "b"),
        {"workload": (1, 1)},
        rule_seconds=0,
        step_seconds=0,
        delay_seconds=60,
    )
    assert found.costs is not None
    lines = [plain(line) for line in cost_lines(*found.costs)]
    faster = pace(*found.costs)
    assert (
        faster is not None
        and (faster.unit, faster.over_all_runs, faster.later) == ("time", True, 0)
        and faster.earlier > 0
    )
    assert any(text.startswith("last delivery, slowest run (time)") for text in lines)
    assert not any("messages" in text for text in lines)  # it has none


def test_over_all_runs_a_sequencer_is_never_later_than_isis() -> None:
    """Both the fastest and the slowest run to each order have fewer messages in a row."""
    found = compare(
        Side(Isis, "isis"),
        Side(StartAtMinusOne, "sequencer"),
        {"workload": (1, 1)},
        rule_seconds=0,
        step_seconds=0,
        delay_seconds=60,
    )
    assert found.costs is not None
    before, after = found.costs
    assert (before.fastest, before.slowest) == (spread([3, 3]), spread([6, 6]))
    assert (after.fastest, after.slowest) == (spread([2, 2]), spread([3, 3]))
    faster = pace(before, after)
    assert faster is not None and faster.over_all_runs and (faster.earlier, faster.later) == (2, 0)
    assert "last delivery, slowest run      6 → 3" in [plain(line) for line in cost_lines(before, after)]


def test_without_time_for_all_runs_the_shortest_are_compared() -> None:
    """A search that was cut short says nothing of all runs."""
    assert outcome_delays(Side(Isis, "a", {"workload": (1, 1)}), 1, Limits(max_depth=3)) is None
    assert outcome_delays(Side(lock.Lock, "a", {}), 1, Limits()) is None


def test_no_finding_without_a_common_outcome() -> None:
    """A protocol that delivers something else is not compared in time."""
    before, after = compared(Isis, Isis, (1, 0))
    assert pace(before, evolve(after, last_of={})) is None
    assert pace_words(before, evolve(after, last_of={})) == ""
