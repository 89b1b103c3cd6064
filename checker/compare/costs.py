"""What a run costs: steps, messages, and how many messages in a row a delivery had to wait for.

Measured on a shortest run to each outcome, one run each: the fewest steps that lead to that outcome.  The delay of a delivery is the number of messages on the longest chain
from the multicast to it, each sent after the one before had arrived (the latency degree of Schiper, "Early consensus in an asynchronous system with a weak failure
detector", 1997); what a process sends to itself does not count.  Other runs to the same outcome may cost more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from checker.check import Examined
from checker.engines.replay import Replay
from checker.trace.events import Deliver, Multicast, Receive, Send
from checker.trace.trace import Trace
from checker.trace.values import Value

MOST_RUNS = 24  # outcomes measured on each side


@frozen
class Range:
    """Least and greatest of some numbers."""

    least: int
    most: int

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least}..{self.most}"


@frozen
class Cost:
    """Of a shortest run to each outcome: steps, messages between different processes, delays of deliveries.  None where there is none."""

    runs: int
    outcomes: int
    steps: Range | None
    messages: Range | None
    delays: Range | None


def cost(side: Examined) -> Cost | None:
    """The cost of a side; None if its outcomes are not known."""
    if not side.definition.model.outcome or not side.explored.complete:
        return None
    runs = sorted(side.explored.outcome_runs(), key=lambda r: r.number)
    replay = Replay(side.replay.interpreter, side.report.reference, side.report.engine)
    traces = [replay.run(r.path(), "cost") for r in runs[:MOST_RUNS]]
    delays = [d for trace in traces for d in delays_of(trace)]
    return Cost(len(traces), len(runs), _range(len(t.steps) for t in traces), _range(messages_of(t) for t in traces), _range(delays))


def _range(numbers: Iterable[int]) -> Range | None:
    found = list(numbers)
    return Range(min(found), max(found)) if found else None


def messages_of(trace: Trace) -> int:
    """Messages sent from one process to another."""
    return sum(isinstance(e, Send) and e.source != e.target for step in trace.steps for e in step.events)


def delays_of(trace: Trace) -> Iterator[int]:
    """For each delivery the longest chain of messages since its multicast."""
    known: dict[str, dict[Value, int]] = {}  # lane -> message multicast -> length of the longest chain from there
    carried: dict[int, tuple[bool, dict[Value, int]]] = {}  # copy -> whether it goes to another process, what its sender knew
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


def cost_lines(before: Cost, after: Cost) -> Iterator[tuple[str, str]]:
    """Lines (text, style) of a report."""
    for name, a, b in (
        ("steps to an outcome", before.steps, after.steps),
        ("messages between processes", before.messages, after.messages),
        ("message delays of a delivery", before.delays, after.delays),
    ):
        if a is not None or b is not None:
            yield f"{name:<29} {a or '-'} → {b or '-'}" if a != b else f"{name:<29} {a}", "" if a != b else "dim"
    if before.runs < before.outcomes or after.runs < after.outcomes:
        yield f"measured on a shortest run to each of the first {MOST_RUNS} outcomes of each side", "dim"
