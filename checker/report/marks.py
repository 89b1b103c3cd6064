"""The words of emphasis at the steps of a run: the CAUSE, the violation, the steps that lead up to it.

Every form of report has them.  A form chooses a colour or a frame by the mark, never by its text.  Which step has which
mark is decided in `checker.report.step_marks`.
"""

from __future__ import annotations

from enum import StrEnum

from checker.trace.trace import Step, Trace


class Mark(StrEnum):
    """A mark; its value is the word that is shown."""

    CAUSE = "CAUSE"
    CAUSE_TOO = "CAUSE, TOO"
    DIFFERS = "DIFFERS"
    SETTLED = "SETTLED"
    AGAINST = "AGAINST"
    EARLIER = "EARLIER"
    WHY_NOT = "WHY NOT"
    VIOLATION = "VIOLATION"
    CAUSE_AND_VIOLATION = "CAUSE AND VIOLATION"
    REACHED = "REACHED"

    @property
    def leads_up(self) -> bool:
        """Whether the step matters for a violation that comes later."""
        return self not in (Mark.VIOLATION, Mark.CAUSE_AND_VIOLATION, Mark.REACHED)

    @property
    def tinted(self) -> bool:
        """Whether the step is one to look at first of those that lead up to a violation."""
        return self in (Mark.CAUSE, Mark.CAUSE_TOO, Mark.SETTLED, Mark.AGAINST)


def violating_step(trace: Trace) -> int | None:
    """The number of the step that violates the property, None if no single step does."""
    return len(trace.steps) if trace.steps and trace.kind in ("invariant", "step", "error", "assert") else None


def cause_mark(trace: Trace, step: Step) -> Mark | None:
    """The mark of the CAUSE, and of further steps that are as much the CAUSE."""
    return Mark.CAUSE if step.cause else Mark.CAUSE_TOO if step.number in trace.also else None
