"""What a run costs: steps, messages, and how many messages in a row a delivery had to wait for.

Measured on a shortest run to each outcome, one run each: the fewest steps that lead to that outcome.  The delay of a
delivery is the number of messages on the longest chain from the multicast to it, each sent after the one before had
arrived (the latency degree of Schiper, "Early consensus in an asynchronous system with a weak failure detector", 1997);
what a process sends to itself does not count.  Other runs to the same outcome may cost more.

Where checker.compare.delays can tell it, the delay of the last delivery is known for each outcome over all its runs,
least and greatest; in models with time it is the time.  An edit delivers earlier at an outcome that both protocols have
if the greatest is smaller, or as great and the least smaller; where it is not known, the two shortest runs are
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from checker.check import Examined
from checker.compare.delays import Extremes, unit_of
from checker.engines.explored import OutcomeRun
from checker.engines.plain import plain_raw
from checker.trace.events import Deliver, Multicast, Receive, Send
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, Value

MOST_RUNS = 64  # outcomes measured on each side, those that both have before the others


@frozen
class Spread:
    """How often each number occurs, in order: ((number, times), ...), never empty."""

    counts: tuple[tuple[int, int], ...]

    @property
    def least(self) -> int:
        """The smallest number."""
        return self.counts[0][0]

    @property
    def most(self) -> int:
        """The greatest number."""
        return self.counts[-1][0]

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least}..{self.most}"


@frozen
class Cost:
    """Of a shortest run to each outcome: steps, messages between different processes, delays of all deliveries, and of
    the last one.  None where there is none.

    last_of: the delay of the last delivery for each outcome measured that has one; slowest and fastest: over all runs,
    by outcome, if that is known, in messages or time.
    """

    runs: int
    outcomes: int
    states: int
    steps: Spread | None
    messages: Spread | None
    delays: Spread | None
    last: Spread | None
    last_of: Mapping[FrozenMap, int]
    extremes: Mapping[FrozenMap, Extremes] | None = None
    unit: str = "messages"  # of the extremes

    @property
    def slowest(self) -> Spread | None:
        """Outcomes by the greatest delay of their last delivery over all runs."""
        return None if self.extremes is None else spread(most for _, most in self.extremes.values())

    @property
    def fastest(self) -> Spread | None:
        """Outcomes by the least delay of their last delivery over all runs."""
        return None if self.extremes is None else spread(least for least, _ in self.extremes.values())


@frozen
class Pace:
    """Outcomes that both protocols have, by the delay of the last delivery: how many the edit reaches earlier, later,
    and after as many messages in a row.

    example: an outcome with the greatest change, and the delays before and after; None if there is no change.
    everywhere: over all runs, the delays as least and greatest; else on two shortest runs; unit: messages or time.
    """

    earlier: int
    later: int
    alike: int
    example: tuple[FrozenMap, Extremes, Extremes] | None
    everywhere: bool
    unit: str = "messages"


def costs(
    base: Examined,
    edit: Examined,
    extremes: tuple[Mapping[FrozenMap, Extremes] | None, Mapping[FrozenMap, Extremes] | None] = (None, None),
) -> tuple[Cost, Cost] | None:
    """The costs of both sides; None if the outcomes of one are not known, or the two name different ones.  extremes: of
    checker.compare.delays, if asked for."""
    names = base.definition.model.outcome
    if not names or names != edit.definition.model.outcome or not (base.explored.complete and edit.explored.complete):
        return None
    runs = dict(_runs(base)), dict(_runs(edit))
    units = unit_of(base.definition), unit_of(edit.definition)
    a, b = _cost(base, runs[0], runs[1]), _cost(edit, runs[1], runs[0])
    if units[0] is None or units[0] != units[1]:
        return a, b
    return evolve(a, extremes=extremes[0], unit=units[0]), evolve(b, extremes=extremes[1], unit=units[0])


def cost(side: Examined) -> Cost | None:
    """The cost of one protocol."""
    found = costs(side, side)
    return None if found is None else found[0]


def _runs(side: Examined) -> Iterator[tuple[FrozenMap, OutcomeRun]]:
    """Outcomes as plain values, shortest run first."""
    domains = {v.name: v.domain for v in side.definition.variables}
    known = set()
    for run in sorted(side.explored.outcome_runs(), key=lambda r: r.number):
        outcome = FrozenMap({n: plain_raw(domains[n], raw) for n, raw in run.outcome.items()})
        if outcome not in known:
            known.add(outcome)
            yield outcome, run


def _cost(side: Examined, runs: Mapping[FrozenMap, OutcomeRun], others: Mapping[FrozenMap, Any]) -> Cost:
    replay = evolve(side.replay, base=None)  # it knows the steps of the runs shown before
    chosen = sorted(runs, key=lambda o: o not in others)[:MOST_RUNS]  # stable: shortest runs first within either part
    traces = {outcome: replay.run(runs[outcome].path(), "cost") for outcome in chosen}
    delays = {outcome: list(delays_of(trace)) for outcome, trace in traces.items()}
    last = {outcome: max(found) for outcome, found in delays.items() if found}
    return Cost(
        len(traces),
        len(runs),
        side.report.distinct,
        spread(len(t.steps) for t in traces.values()),
        spread(map(messages_of, traces.values())),
        spread(d for found in delays.values() for d in found),
        spread(last.values()),
        last,
    )


def spread(numbers: Iterable[int]) -> Spread | None:
    """How often each number occurs; None if there is none."""
    found = Counter(numbers)
    return Spread(tuple(sorted(found.items()))) if found else None


def pace(before: Cost, after: Cost) -> Pace | None:
    """Whether the edit delivers earlier, where both were measured; None if no outcome was."""
    everywhere = before.extremes is not None and after.extremes is not None
    a, b = (_known(c) if everywhere else {o: (d, d) for o, d in c.last_of.items()} for c in (before, after))
    gains = {o: (a[o][1] - b[o][1], a[o][0] - b[o][0]) for o in a if o in b}
    if not gains:
        return None
    far = max(gains, key=lambda o: tuple(map(abs, gains[o])))
    example = (far, a[far], b[far]) if gains[far] != (0, 0) else None
    earlier, later = (
        sum(sign * g[0] > 0 or (g[0] == 0 and sign * g[1] > 0) for g in gains.values()) for sign in (1, -1)
    )
    return Pace(
        earlier, later, len(gains) - earlier - later, example, everywhere, before.unit if everywhere else "messages"
    )


def _known(c: Cost) -> Mapping[FrozenMap, Extremes]:
    return c.extremes or {}


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
