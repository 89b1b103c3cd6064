"""What a diagram leaves out, so that it fits a page: idle lanes, and runs of uneventful steps in a long trace.

A diagram of up to 40 steps shows every step. A longer one first folds runs of steps in which nothing is sent,
received or observed, and then, if that is not enough, the earliest steps of the longest runs that neither break the
property nor lead up to its end. A folded run keeps one row with its numbers: nothing disappears silently, and steps
that matter are never folded, however many rows that takes.
"""

from __future__ import annotations

from itertools import groupby

from attrs import frozen

from checker.report.boxes import acting_lane
from checker.report.phrases import event_lane
from checker.report.step_marks import step_marks
from checker.trace.events import Crash, Lost, is_seen
from checker.trace.messages import messages
from checker.trace.trace import Trace

ROWS = 40
PAGE_LANES = 5
KEPT_AT_START, KEPT_AT_END = 3, 12


@frozen
class Span:
    """Steps shown in one row: a single step, or the folded run from `first` to `last`."""

    first: int
    last: int

    @property
    def folded(self) -> bool:
        """Whether the row stands for steps it does not show."""
        return self.last > self.first


def spans(trace: Trace) -> list[Span]:
    """The rows of a diagram in order; together they cover every step once."""
    total = len(trace.steps)
    folded: set[int] = set()
    if total > ROWS:
        quiet = {step.number for step in trace.steps if not step.events and not step.fault} - _essential(trace)
        folded.update(number for run in _runs(quiet) if len(run) > 1 for number in run)
        _fold_further(trace, folded)
    result: list[Span] = []
    for number in range(1, total + 1):
        if number in folded and result and result[-1].last in folded:
            result[-1] = Span(result[-1].first, number)
        else:
            result.append(Span(number, number))
    return result


def rows_of(parts: list[Span]) -> dict[int, int]:
    """The row of each step."""
    return {number: row for row, span in enumerate(parts, 1) for number in range(span.first, span.last + 1)}


def shown_lanes(trace: Trace) -> list[str]:
    """The lanes that get a column: those that act, are guilty, or exchange messages; if there are none, those with a
    value to show at the end.

    If there are more than five, a lane that takes no step is left out even if messages are on their way to it.
    """
    acting = acting_lanes(trace) | set(trace.guilty)
    if len(trace.lanes) <= PAGE_LANES:
        for message in messages(trace).values():
            acting |= {message.source, message.target}
    shown = [lane for lane in trace.lanes if lane in acting]
    return shown or [lane for lane in trace.lanes if lane in trace.final_values]


def acting_lanes(trace: Trace) -> set[str]:
    """The lanes that take a step or at which something happens."""
    sent = messages(trace)
    lanes = {acting_lane(step, sent) for step in trace.steps}
    lanes |= {event_lane(event, sent) for step in trace.steps for event in step.events}
    return {lane for lane in lanes if lane is not None}


def _essential(trace: Trace) -> set[int]:
    total = len(trace.steps)
    kept = {*step_marks(trace), *range(1, KEPT_AT_START + 1), *range(total - KEPT_AT_END + 1, total + 1)}
    if trace.loop is not None:
        kept.add(trace.loop + 1)
    for step in trace.steps:
        observed = any(is_seen(e) and event_lane(e, {}) in trace.guilty for e in step.events)
        fault = any(isinstance(event, (Crash, Lost)) for event in step.events)
        if step.note or observed or fault:
            kept.add(step.number)
    return kept


def _fold_further(trace: Trace, folded: set[int]) -> None:
    """Fold the start of the longest foldable run until the rows fit or nothing is left to fold."""
    kept = _essential(trace)
    while True:
        excess = len(trace.steps) - len(folded) + len(_runs(folded)) - ROWS
        open_runs = [run for run in _runs(set(range(1, len(trace.steps) + 1)) - kept - folded) if len(run) > 1]
        if excess <= 0 or not open_runs:
            return
        longest = max(open_runs, key=lambda run: (len(run), -run[0]))
        folded.update(longest[: max(excess + 1, 2)])


def _runs(numbers: set[int]) -> list[list[int]]:
    """Maximal runs of consecutive numbers: within one, the difference between number and index is constant."""
    placed = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    return [[number for _, number in run] for _, run in placed]
