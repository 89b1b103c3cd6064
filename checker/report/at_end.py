"""A CAUSE at the end, and the reason why the same step is disabled: both say which condition disables it.

What the reason adds is since when the condition has its value.  The head of a report says the rest of it once, as the
CAUSE.
"""

from __future__ import annotations

from checker.trace.reasons import Reason
from checker.trace.trace import Trace


def repeats(trace: Trace, reason: Reason) -> bool:
    """Whether a reason is about the step that a CAUSE at the end says to be disabled."""
    instance = trace.contrast.instance if trace.contrast is not None else ""
    return bool(instance) and reason.kind == "disabled" and reason.about == (instance,)


def since_at_end(trace: Trace) -> tuple[Reason, ...]:
    """Since when the step of a CAUSE at the end is disabled, if it is known."""
    found = (reason for reason in trace.blocked if repeats(trace, reason) and reason.since)
    return tuple(reason.worded(reason.since) for reason in found)[:1]
