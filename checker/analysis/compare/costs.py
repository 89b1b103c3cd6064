"""The cost of a run: steps, messages, and the number of consecutive messages before a delivery.

It is measured on one shortest run to each outcome.  The delay of a delivery is the number of messages on the longest
chain from the multicast to the delivery, each sent after the one before had arrived (the latency degree of Schiper,
"Early consensus in an asynchronous system with a weak failure detector", 1997); messages from a process to itself do
not count.  Other runs to the same outcome may cost more.

Where checker.analysis.compare.delays has a result, the delay of the last delivery is known for each outcome over all
its runs, least and greatest; in models with time it is the time.  An edit delivers earlier at a common outcome if its
greatest delay is smaller, or equal with a smaller least delay.  Where the delays are unknown, the two shortest runs are
compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve

from checker.analysis.check import Examined
from checker.analysis.compare.delays import unit_of
from checker.analysis.compare.outcomes import plain_outcomes
from checker.engines.explored import OutcomeRun
from checker.results.costs import MOST_RUNS, Cost, Extremes, spread
from checker.trace.events import Deliver, Multicast, Receive, Send
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, Value

Delays = Mapping[FrozenMap, Extremes] | None


def costs(base: Examined, edit: Examined, extremes: tuple[Delays, Delays] = (None, None)) -> tuple[Cost, Cost] | None:
    """The costs of both sides; None if the outcomes of one side are not known, or the two models name different outcome
    variables.  extremes: results of checker.analysis.compare.delays, if there are any.

    None also for a reduced graph: it keeps the length of a shortest run to an outcome, but the run that it contains is
    arbitrary.
    """
    names = base.definition.model.outcome
    if base.report.reduced or edit.report.reduced:
        return None
    if not names or names != edit.definition.model.outcome or not (base.explored.complete and edit.explored.complete):
        return None
    runs = plain_outcomes(base, names), plain_outcomes(edit, names)
    units = unit_of(base.definition), unit_of(edit.definition)
    a, b = _cost(base, runs[0], runs[1]), _cost(edit, runs[1], runs[0])
    if units[0] is None or units[0] != units[1]:
        return a, b
    return evolve(a, extremes=extremes[0], unit=units[0]), evolve(b, extremes=extremes[1], unit=units[0])


def cost(side: Examined) -> Cost | None:
    """The cost of one protocol."""
    found = costs(side, side)
    return None if found is None else found[0]


def _cost(side: Examined, runs: Mapping[FrozenMap, OutcomeRun], others: Mapping[FrozenMap, Any]) -> Cost:
    replay = evolve(side.replay, base=None)  # it knows the steps of the runs shown before
    chosen = sorted(runs, key=lambda o: o not in others)[:MOST_RUNS]  # stable: shortest runs first within either part
    traces = {outcome: replay.run(runs[outcome].path(), "cost") for outcome in chosen}
    delays = {outcome: list(delays_of(trace)) for outcome, trace in traces.items()}
    last = {outcome: max(found) for outcome, found in delays.items() if found}
    steps, messages = spread(len(t.steps) for t in traces.values()), spread(map(messages_of, traces.values()))
    every = spread(d for found in delays.values() for d in found)
    return Cost(len(traces), len(runs), side.report.distinct, steps, messages, every, spread(last.values()), last)


def messages_of(trace: Trace) -> int:
    """Messages sent from one process to another."""
    return sum(isinstance(e, Send) and e.source != e.target for step in trace.steps for e in step.events)


def delays_of(trace: Trace) -> Iterator[int]:
    """For each delivery the longest chain of messages since its multicast."""
    known: dict[str, dict[Value, int]] = {}  # lane -> message multicast -> length of the longest chain from there
    # copy -> whether it goes to another process, what its sender knew
    carried: dict[int, tuple[bool, dict[Value, int]]] = {}
    for step in trace.steps:
        for event in step.events:
            match event:
                case Multicast(lane, message):
                    known.setdefault(lane, {})[message] = 0
                case Send(number, source, target, _):
                    carried[number] = source != target, dict(known.get(source, {}))
                case Receive(number, target):
                    away, chains = carried.get(number, (False, {}))
                    own = known.setdefault(target, {})
                    for message, length in chains.items():
                        own[message] = max(own.get(message, 0), length + away)
                case Deliver(lane, message):
                    if message in known.get(lane, {}):
                        yield known[lane][message]
