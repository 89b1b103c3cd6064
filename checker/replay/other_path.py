"""The earlier step at which a class that repairs the property takes another way than the run.

A condition of the last step of a violation may be right, and a value that it reads be wrong since an earlier step.
Where the file of a model states a repair (`checker.replay.repaired`), the run is followed in it as in a protocol before
an edit (`checker.replay.marked`).  The step that the repair does not allow, and of which is known that it matters, is
named EARLIER, with the rule that decides it and its values in both.  If it is the violating step or the one that
settles the violation, what the repair does there is said behind what the step does.  If a value in an earlier step
only prepares that a rule of the repair rejects a later one (`checker.replay.rejecting`), the later one is named.

Where it stops: an earlier step is named for another value of a rule alone, as protocols that take their steps in other
portions differ in what every step does.  What a class states is believed.
"""

from __future__ import annotations

from attrs import evolve

from checker.language.definition import Definition
from checker.language.model import Model
from checker.replay.base import base_of
from checker.replay.deciding import cut
from checker.replay.marked import PROVED, mark_cause, unmarked
from checker.replay.plain import instance_text
from checker.replay.rejecting import rejecting
from checker.replay.repaired import others, repaired_rule
from checker.replay.settled import because_of, settling_text
from checker.replay.traced import Run
from checker.trace.former import Contrast
from checker.trace.trace import Trace

MOST, LONGEST = 3, 120
"""Repairs in which a run is followed; characters of what one does."""


def with_other_path(trace: Trace, run: Run) -> Trace:
    """The trace with this step, if there is one, unless a rule of the violating step or of the one that settles the
    violation is repaired already."""
    for number in filter(None, (len(run.steps), trace.settled)):
        states = run.states[number - 1], run.states[number]
        if repaired_rule(run.interpreter, states, run.steps[number - 1], trace.property):
            return trace
    for other in [*_repairs(run.definition, trace.property)][:MOST]:
        found = mark_cause(unmarked(trace, None), run.interpreter, other, run.states)
        number = next((step.number for step in found.steps if step.cause), 0)
        if number and found.found_by in PROVED and found.contrast is not None and found.contrast.before:
            there = f"in {other.__name__}, where {trace.property} holds,"
            told = _told(trace, run, number, found.contrast, there)
            if told is not None:
                return told if told.earlier != number else _rejected(trace, run, other, number, there) or told
    return trace


def _repairs(definition: Definition, property: str) -> dict[type[Model], None]:
    """The classes that repair the property in the model, or in a protocol before it, and those that are made from
    neither; not those that repair an edit of these, whose rules they have."""
    found = others(definition, property)
    return dict.fromkeys(
        c for former, c in found if not issubclass(c, former) or base_of(c) in definition.model.__mro__
    )


def _told(trace: Trace, run: Run, number: int, contrast: Contrast, there: str) -> Trace | None:
    """The trace with both versions of a step; None for an earlier step that differs in no rule."""
    step = trace.steps[number - 1]
    call = instance_text(step.action, step.args.values())
    was = f"{there} {cut(contrast.before, LONGEST)}"
    if contrast.subject == call:  # a statement; where both versions have its line, what it finds under the edit, too
        both = was if contrast.former != contrast.place else f"it {cut(contrast.now, LONGEST)}; {was}"
        if number == len(trace.steps):
            because = f"{trace.because}; {both}" if trace.because else ""
            return evolve(trace, decides=f"{trace.decides}; {both}", because=because)
        return evolve(trace, settles=f"{trace.settles}; {both}", mended=True) if number == trace.settled else None
    both = f"{cut(contrast.edited)}; {was}"
    if number == len(trace.steps):
        return evolve(trace, decides=because_of(trace.statement, both), because=both)
    if number == trace.settled:
        return evolve(trace, settles=settling_text(trace, run, number, both), mended=True)
    return _earlier(trace, number, f"EARLIER, step {number}, {call}: {both}")


def _rejected(trace: Trace, run: Run, other: type[Model], first: int, there: str) -> Trace | None:
    """The trace with the step that the repair rejects in its own run, after one whose value only prepares this."""
    found = rejecting(run, other, trace.property, first)
    if found is None or found[0] in (first, len(trace.steps)):
        return None
    number, ruling = found
    step = trace.steps[number - 1]
    both = ruling.sentence(f"{there} after the same steps", cut)
    return _earlier(trace, number, f"EARLIER, step {number}, {instance_text(step.action, step.args.values())}: {both}")


def _earlier(trace: Trace, number: int, text: str) -> Trace:
    """The trace with this step as the earlier one, which is named nowhere else."""
    kept = [(n, told) for n, told in zip(trace.opposite, trace.opposes) if n != number]
    steps = [evolve(s, note="") if s.number == trace.settled else s for s in trace.steps]
    return evolve(
        trace,
        steps=steps,
        settled=None,
        earlier=number,
        settles=text,
        mended=True,
        opposite=tuple(n for n, _ in kept),
        opposes=tuple(told for _, told in kept),
    )
