"""The words of emphasis at the steps of a run: the CAUSE, the violation, the steps that settle or contradict it.

Every form of report has them.  A form chooses a colour or a frame by the mark, never by its text.
"""

from __future__ import annotations

from enum import StrEnum

from checker.trace.trace import Step, Trace


class Mark(StrEnum):
    """A mark; its value is the word that is shown."""

    CAUSE = "CAUSE"
    CAUSE_TOO = "CAUSE, TOO"
    SETTLED = "SETTLED"
    AGAINST = "AGAINST"
    VIOLATION = "VIOLATION"
    CAUSE_AND_VIOLATION = "CAUSE AND VIOLATION"
    REACHED = "REACHED"

    @property
    def leads_to_violation(self) -> bool:
        """Whether the step matters for a violation that comes later."""
        return self in (Mark.CAUSE, Mark.CAUSE_TOO, Mark.SETTLED, Mark.AGAINST)


def violating_step(trace: Trace) -> int | None:
    """The number of the step that violates the property, None if no single step does."""
    return len(trace.steps) if trace.steps and trace.kind in ("invariant", "step", "error", "assert") else None


def cause_mark(trace: Trace, step: Step) -> Mark | None:
    """The mark of the CAUSE, and of further steps that are as much the CAUSE."""
    return Mark.CAUSE if step.cause else Mark.CAUSE_TOO if step.number in trace.also else None


def marks(trace: Trace, step: Step) -> list[Mark]:
    """The marks of a step in a list of steps."""
    violation = Mark.VIOLATION if step.number == violating_step(trace) else None
    return [mark for mark in (cause_mark(trace, step), violation) if mark is not None]


def one_mark(trace: Trace, step: Step) -> Mark | None:
    """The mark of a step in a picture.  If a step is both cause and violation, it is that of the violation."""
    cause = cause_mark(trace, step)
    if step.number == violating_step(trace):
        return Mark.VIOLATION if cause is None else Mark.CAUSE_AND_VIOLATION
    if trace.kind == "reachable" and step.number == len(trace.steps):
        return Mark.REACHED
    if cause is None and step.number == trace.settled:
        return Mark.SETTLED
    return Mark.AGAINST if cause is None and step.number in trace.opposite else cause
