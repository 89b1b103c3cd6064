"""A trace with its CAUSE marked, and with a note about what decides: the edited rule with its former value
(`checker.replay.edited_rules`); else where an edited handler differs from the former one
(`checker.replay.edited_bodies`); else which part of a guard of the base disables the step.

If the base breaks the same property, no step is the CAUSE of the edit.  The run is then compared with the nearest
protocol above the base that keeps the property, if one is known; else it is explained like a run of a protocol without
a base.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw
from checker.language.constants import written
from checker.language.definition import Definition
from checker.language.model import Model
from checker.replay.base import base_of, compared_with, keeps
from checker.replay.cause import Cause, cause
from checker.replay.cited import shortened
from checker.replay.edited_bodies import parting
from checker.replay.edited_rules import deciding_rule, rule_of_property
from checker.replay.nearest import nearest
from checker.replay.own_constants import changed, in_words
from checker.replay.plain import instance_text
from checker.replay.traced import property_of
from checker.trace.former import VERSION, Contrast, where
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.wording import IN_PROPERTY, counted

PROVED = ("step", "effect")
"""How a step is found that is the only one which another protocol does not allow, or of which is known that it
matters."""


def mark_cause(
    trace: Trace, interpreter: Interpreter, base: type[Model], states: Sequence[Raw], alike: bool = False
) -> Trace:
    """The trace with its cause marked, and with a note about the rule that decides.  interpreter: of the edited model;
    states: those of the trace, in its form; alike: the base has every constant of the edit.
    """
    found = cause(trace, interpreter.definition, base, states, alike=alike)
    if found.aside is not None:
        return evolve(trace, cause=found.aside.text, contrast=found.aside, found_by=found.found_by)
    if found.step is None:
        read = _read(interpreter, base, states, trace) if found.kept else None
        steps = [*trace.steps[:-1], *(_noted(s, found.note) for s in trace.steps[-1:])]
        trace = evolve(trace, steps=steps, shared_run=found.shared, found_by=found.found_by)
        return trace if read is None else evolve(trace, cause=read.text, contrast=read, found_by="property")
    if found.unneeded and (read := _read(interpreter, base, states, trace)) is not None:
        return evolve(trace, cause=read.text, contrast=read, found_by="property")
    number = found.step
    decided, failure = _decided(interpreter, base, states, trace, found), trace.steps[number - 1].note
    decided = evolve(decided, failure=failure)
    marked = evolve(trace.steps[number - 1], note=decided.text, cause=True, rule=decided.place)
    return evolve(
        trace,
        steps=[*trace.steps[: number - 1], marked, *trace.steps[number:]],
        contrast=decided,
        also=found.also,
        together=found.together,
        parted=found.parted,
        found_by=found.found_by,
        differing=found.differing,
    )


def marked_beside(
    trace: Trace, marked: Trace, interpreter: Interpreter, base: type[Model], states: Sequence[Raw]
) -> Trace:
    """The trace with its CAUSE against a class that is nearer to the edit than the base (`checker.replay.nearest`), if
    there is one, and both have a CAUSE; else as it is marked against the base."""
    edit = interpreter.definition.model
    beside = nearest(edit, trace.property) if base is base_of(edit) and has_cause(marked) else None
    if beside is None:
        return marked
    closer = mark_cause(trace, interpreter, beside, states)
    return evolve(closer, against=beside.__name__) if has_cause(closer) else marked


def marked_above(
    trace: Trace, told: Trace, interpreter: Interpreter, above: type[Model], states: Sequence[Raw]
) -> Trace:
    """The trace of a run whose property the protocol before the edit breaks too (told), with its CAUSE against a
    protocol above that one which keeps the property; as it is told if that marks no step, or one of several of which
    it is not known which matter."""
    closer = mark_cause(trace, interpreter, above, states)
    if closer.found_by not in PROVED:
        return told
    return evolve(
        closer, against=above.__name__, shared_run=told.shared_run, former=told.former, former_steps=told.former_steps
    )


def has_cause(trace: Trace) -> bool:
    """Whether a step, or what is no step, is the CAUSE, and not of a run that the protocol before the edit has too."""
    return bool(trace.cause) or any(step.cause for step in trace.steps)


def unmarked(trace: Trace, failure: Failure | None) -> Trace:
    """The trace without what `Replay.with_cause` said of it, and without marks.  failure: of its last step, if that
    fails."""
    steps = [evolve(step, cause=False, rule=None, note="") for step in trace.steps]
    if failure is not None and steps:
        steps[-1] = _noted(steps[-1], f"{failure.message} ({failure.place})")
    return evolve(
        trace,
        steps=steps,
        cause="",
        contrast=None,
        shared_run=None,
        also=(),
        together=False,
        parted=None,
        against="",
        former="",
        vacuous="",
        former_steps=None,
        settled=None,
        earlier=None,
        mended=False,
        opposite=(),
        opposes=(),
        found_by="",
        differing=(),
    )


def broken_too(trace: Trace) -> bool:
    """Whether a trace states that its run is a run of the base, which breaks the property too."""
    return trace.shared_run is not None and trace.shared_run.end == "violated"


def vacuous_before(trace: Trace, base: type[Model]) -> Trace:
    """A trace without a CAUSE, because the base keeps the property only as nothing happens that it is about."""
    never = f"the property is vacuous there, as {trace.steps[-1].action} is never enabled"
    return evolve(trace, vacuous=f"Not compared with {base.__name__}: {never}")


def without_cause(
    trace: Trace, edited: Definition, base: type[Model], steps: int, own: Mapping[str, Any] | None = None
) -> Trace:
    """A trace without a CAUSE, because the base breaks the property too; steps: the length of the run of the base; own:
    the constants of which the base has its own values there.
    """
    other, property, run = _where(edited, base, trace), trace.property, counted(steps, "step")
    values = ", ".join(f"{name} = {written(value)}" for name, value in (own or {}).items()) or "these constants"
    broken = f"in {other} too, with {values}, in {run}"
    if other in ("", VERSION):
        broken = f"{where(other)} too: {base.__name__} breaks {property} with {values}, in {run}"
    return evolve(trace, former=f"Broken {broken}", former_steps=steps)


def _decided(
    interpreter: Interpreter, base: type[Model], states: Sequence[Raw], trace: Trace, found: Cause
) -> Contrast:
    """What decides the step: the edited rule, else the statement of an edited method, else the constants that the edit
    changes; a step that fails has no state after it.
    """
    assert found.step is not None
    step, before, place = trace.steps[found.step - 1], states[found.step - 1], found.place and shortened(found.place)
    fails = found.step == len(trace.steps) and trace.kind in ("error", "assert")
    after = None if fails else states[found.step]
    other = _where(interpreter.definition, base, trace)
    ruling = deciding_rule(interpreter, base, before, after, step.action)
    if ruling is not None:
        return evolve(ruling.contrast(other), then=found.note)
    if found.base is not None:
        former, state = found.base
        edit = interpreter.definition.model
        constants = in_words(edit, changed(former.definition, interpreter.definition))
        parted = parting(interpreter, former, (before, state, after), step.action, found.refusal)
        if parted is not None:
            call = instance_text(step.action, step.args.values())
            return evolve(parted.contrast(call, other, constants), then=found.note)
        if constants[0]:
            return Contrast(constants[0], constants[1], other, then=found.note, place=place)
    version = VERSION if other == VERSION else ""
    return Contrast(base=version, then=": ".join(filter(None, (found.note, found.refusal))), place=place)


def _read(interpreter: Interpreter, base: type[Model], states: Sequence[Raw], trace: Trace) -> Contrast | None:
    """The edited rule that the violated property reads in the last state, with both values; None if it reads none that
    differs."""
    if trace.kind not in ("invariant", "step") or len(states) < 2:
        return None
    definition = interpreter.definition
    ruling = rule_of_property(interpreter, base, property_of(definition, trace.property), states[-1], states[-2])
    other = _where(definition, base, trace)
    return ruling.contrast(other, f"{IN_PROPERTY}: ") if ruling is not None else None


def _where(edited: Definition, base: type[Model], trace: Trace) -> str:
    """The class whose protocol a sentence names; "" for the protocol before the edit."""
    return compared_with(edited.model, base, keeps(edited, trace.property))


def _noted(step: TraceStep, note: str) -> TraceStep:
    return evolve(step, note="; ".join(filter(None, (step.note, note))))
