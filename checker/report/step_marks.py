"""Which step of a run has which mark: every step that the head of a picture names has one.

A step has one mark in a picture, the first that applies of:

* the last step of a run that violates the property, or reaches what was sought;
* the CAUSE, and a step that is as much the CAUSE, or of which this is not known;
* a step of a further line of the head: SETTLED, AGAINST, EARLIER;
* a step that a reason "why not" of the head names: what it says may be a fault, such as a loss, or what a process did.
  Beside a step that is the CAUSE only a crash or a loss counts: what a process did there may be right.

Where it stops: reasons that only the text report has mark no step, and the title names the steps that repeat for ever,
which have a bracket.
"""

from __future__ import annotations

from collections.abc import Mapping

from checker.report.marks import Mark, cause_mark, violating_step
from checker.report.wording import head_reasons
from checker.trace.trace import Step, Trace


def step_marks(trace: Trace) -> Mapping[int, Mark]:
    """The mark of each step that has one, in a picture."""
    caused = any(step.cause for step in trace.steps)
    named = [reason for reason in head_reasons(trace) if not caused or reason.kind in ("crash", "lost")]
    reasons = {number for reason in named for number in reason.steps}
    return {s.number: mark for s in trace.steps if (mark := _mark(trace, s, s.number in reasons)) is not None}


def listed_marks(trace: Trace, step: Step, mark: Mark | None) -> list[Mark]:
    """The marks of a step in a list of steps, where CAUSE and VIOLATION stand beside each other; mark: its mark in a
    picture."""
    if mark is Mark.CAUSE_AND_VIOLATION:
        return [cause_mark(trace, step) or Mark.CAUSE, Mark.VIOLATION]
    return [] if mark is None else [mark]


def _mark(trace: Trace, step: Step, in_reason: bool) -> Mark | None:
    number, cause = step.number, cause_mark(trace, step)
    if number == violating_step(trace):
        return Mark.VIOLATION if cause is None else Mark.CAUSE_AND_VIOLATION
    if trace.kind == "reachable" and number == len(trace.steps):
        return Mark.REACHED
    roles = {
        Mark.DIFFERS: number in trace.differing,
        Mark.SETTLED: number == trace.settled,
        Mark.AGAINST: number in trace.opposite,
        Mark.EARLIER: number == trace.earlier,
        Mark.WHY_NOT: in_reason,
    }
    return cause or next((mark for mark, applies in roles.items() if applies), None)
