"""Since when the step of a CAUSE at the end is disabled, where no reason for what is missing says it.

The step that only the protocol before the edit takes need not be the one that brings what is missing about.  The part
of its guard that is false is followed through the run as for such a reason (`checker.replay.since`).
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.replay.blocked import guard_text
from checker.replay.refusals import asked_of, explain
from checker.replay.since import Since
from checker.trace.trace import Trace


def with_since(trace: Trace, interpreter: Interpreter, states: Sequence[Raw], steps: Sequence[Step]) -> Trace:
    """The trace with this reason, if there is one."""
    instance = trace.contrast.instance if trace.contrast is not None else ""
    others = [r for r in trace.blocked if r.kind != "disabled" or r.about != (instance,)]
    if not instance or any(r.since for r in trace.blocked if r not in others):
        return trace
    refusal = next((r for r in explain(interpreter, states[-1]).refused if r.instance == instance), None)
    asked = None if refusal is None else asked_of(interpreter, states[-1], refusal)
    if refusal is None or asked is None:
        return trace
    more = Since(interpreter, states, steps, trace.lanes).turned(asked, True)
    return evolve(trace, blocked=(*others, guard_text(refusal).continued(more))) if more else trace
