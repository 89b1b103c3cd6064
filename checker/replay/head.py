"""The line of source in the head of a report, if neither a step marked CAUSE nor a blocking condition has one.

For a violation by a step it is the statement that violates the property, with the condition that led to its execution
(`checker.replay.deciding`); for a missing value it is the first reason with a line, else an instance that is disabled
at the end.  The latter prevents the run from continuing, and need not be the reason for the missing value.  Where
nothing is in flight, and no single crash is the reason, all crashes of the run are, if it could end well before them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.language.definition import PropertyDefinition
from checker.language.model import Model
from checker.language.places import class_node, file_of
from checker.replay.blocked import instances, last_resort
from checker.replay.deciding import breaking, decided, writes
from checker.replay.earlier import with_earlier
from checker.replay.marked import broken_too
from checker.replay.opposed import with_opposed
from checker.replay.other_path import with_other_path
from checker.replay.settled import is_bare, settled, told, unsettled
from checker.replay.traced import Run, Shown, property_of
from checker.replay.without_faults import without_faults
from checker.trace.events import Crash
from checker.trace.reasons import Reason
from checker.trace.trace import Trace
from checker.wording import CITED

MOST_STATES = 2000
GONE = ("crash", "lost")
"""Reasons why a message did not arrive: a guard that could stand in for it is no better reason."""


def with_line(trace: Trace, interpreter: Interpreter, states: Sequence[Raw], steps: Sequence[Step]) -> Trace:
    """The trace with such a line, if there is one.  It is a line that the run executes; where the protocol before the
    edit has the run too, or breaks the property too, a line of the edit's own class has the name of this class."""
    found = _with_line(trace, interpreter, states, steps)
    if not (found.former or broken_too(found)):
        return found
    edit = interpreter.definition.model
    blocked = [reason.worded(_owned(reason, edit), _owned(reason.since, edit)) for reason in found.blocked]
    opposes = tuple(_owned(text, edit) for text in found.opposes)
    decides, settles = _owned(found.decides, edit), _owned(found.settles, edit)
    found = evolve(found, statement=_owned(found.statement, edit), because=_owned(found.because, edit))
    return evolve(found, decides=decides, settles=settles, opposes=opposes, blocked=blocked)


def _owned(text: str, edit: type[Model]) -> str:
    """A text with the name of a class at each line of it that is cited."""
    node, file = class_node(edit), Path(file_of(edit) or "").name
    if node is None:
        return text

    def owned(cited: re.Match[str]) -> str:
        mine = cited[1] == file and node.lineno <= int(cited[2]) <= (node.end_lineno or 0)
        return f"{cited[0]} of {edit.__name__}" if mine else cited[0]

    return CITED.sub(owned, text)


def _with_line(trace: Trace, interpreter: Interpreter, states: Sequence[Raw], steps: Sequence[Step]) -> Trace:
    by_step = trace.kind in ("invariant", "step")
    if trace.contrast is not None and trace.contrast.placed and not (by_step and trace.found_by == "initial"):
        return trace
    if by_step and steps and len(states) > len(steps):
        return _violating(trace, Run(interpreter, states, steps, Shown(trace.kind, trace.property)))
    if trace.kind in ("quiescence", "leads-to"):
        reason = next((r for r in trace.blocked if r.placed and r.kind != "idle"), None)
        if reason is not None and reason.kind == "disabled":
            reason = next((r for r in trace.blocked if r.kind in GONE), reason)
        if reason is not None:
            return evolve(trace, decides=str(reason))
        if any(r.placed for r in trace.blocked):
            return _after_crashes(trace, interpreter, states)
        process = [v for v in reversed([*trace.witness_values.values()]) if v in trace.lanes][:1]
        blocked = last_resort(interpreter, states[-1], process, trace.blocked, instances(steps))
        return _after_crashes(evolve(trace, blocked=blocked), interpreter, states)
    return trace


def _after_crashes(trace: Trace, interpreter: Interpreter, states: Sequence[Raw]) -> Trace:
    """The trace with the crashes of its run before the reason that nothing is in flight, if the protocol can satisfy
    the property from the state before the first of them, without a fault."""
    crashes = [(step.number, e.lane) for step in trace.steps for e in step.events if isinstance(e, Crash)]
    idle = next((reason for reason in trace.blocked if reason.kind == "idle"), None)
    if trace.kind != "quiescence" or not crashes or idle is None:
        return trace
    if not _can_satisfy(interpreter, property_of(interpreter.definition, trace.property), states[crashes[0][0] - 1]):
        return trace
    told = ", ".join(f"{lane} crashes at step {number}" for number, lane in crashes)
    first = Reason(f"{told}; {idle}", "crash", [n for n, _ in crashes], [p for _, p in crashes], idle.placed)
    return evolve(trace, blocked=(first, *(r for r in trace.blocked if r is not idle)), decides=str(first))


def _can_satisfy(interpreter: Interpreter, property: PropertyDefinition, start: Raw) -> bool:
    """Whether a run from a state without a fault is seen to end with a property true; of MOST_STATES states."""

    def is_no_crash(step: Step) -> bool:
        return not any(e.name == "crash" for e in step.events)

    met = without_faults(interpreter, start, MOST_STATES, is_no_crash, deep=True)
    return any(interpreter.quiescent(s) and interpreter.violated(property, s) is False for s in met)


def _violating(trace: Trace, run: Run) -> Trace:
    """The trace with the statement that violates the property in the last step, the one that settles this, and what
    other statements it contradicts."""
    property, states, step = property_of(run.definition, trace.property), run.states, run.steps[-1]
    quiet, pair = run.definition.picture.quiet, (states[-2], states[-1])
    found = breaking(run.interpreter, property, pair, step, writes(run.depended_on(property)), trace.witness)
    kinds = [writes(run.read(property), quiet), lambda done: True]
    found = found or decided(run.interpreter, *pair, step, kinds)
    if found is None:
        return trace
    decides, because, asked = told(found, trace, run.definition)
    trace = evolve(trace, decides=decides, statement=found.text, because=because)
    trace = trace if asked is None else with_earlier(trace, run, asked)
    whole = with_other_path(with_opposed(settled(trace, run, found), run, found), run)
    if is_bare(whole, run):
        return with_other_path(with_opposed(unsettled(trace, run, found), run, found), run)
    return whole
