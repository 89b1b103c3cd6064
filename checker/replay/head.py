"""The line of source in the head of a report, if neither a CAUSE nor a condition that matters has one.

For a violation by a step it is the statement that violates the property, with the condition that let it be executed
(`checker.replay.deciding`); for something that is missing the first reason with a line, else what is disabled at the
end.  The latter prevents the run from continuing, and need not be the reason for what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.replay.blocked import NOTHING, instances, last_resort
from checker.replay.deciding import decided, writes
from checker.replay.traced import Run, Shown, property_of
from checker.trace.trace import Trace

LINE = re.compile(r"\.py:\d")


def with_line(trace: Trace, interpreter: Interpreter, states: Sequence[Raw], steps: Sequence[Step]) -> Trace:
    """The trace with such a line, if there is one."""
    if any(LINE.search(step.note) for step in trace.steps if step.cause) or LINE.search(trace.cause):
        return trace
    if trace.kind in ("invariant", "step") and steps and len(states) > len(steps):
        shown = Shown(trace.kind, trace.property)
        names = Run(interpreter, states, steps, shown).read(property_of(interpreter.definition, trace.property))
        found = decided(
            interpreter,
            states[len(steps) - 1],
            states[-1],
            steps[-1],
            [writes(names, interpreter.definition.picture.quiet), lambda done: True],
        )
        if found is None:
            return trace
        values = [v for v in trace.witness_values.values() if isinstance(v, str)]
        condition = found.condition(values, trace.lanes, interpreter.definition)
        return evolve(trace, decides=f"{found.text}, because {condition}" if condition else found.text)
    if trace.kind in ("quiescence", "leads-to"):
        reason = next((text for text in trace.blocked if LINE.search(text) and not text.startswith(NOTHING)), "")
        if reason or any(LINE.search(text) for text in trace.blocked):
            return evolve(trace, decides=reason)
        process = [v for v in reversed([*trace.witness_values.values()]) if v in trace.lanes][:1]
        return evolve(trace, blocked=last_resort(interpreter, states[-1], process, trace.blocked, instances(steps)))
    return trace
