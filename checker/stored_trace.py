"""A stored trace held against the model as it is today, in the reference interpreter.

The trace names its model, constants and property.  Each of its states is turned back into a state of the model and must follow from the one before by the
action the trace names; the last must still show the property.  Nothing of the search is needed.  Variables of properties that the trace does not
hold (they were not checked then) are not compared: only the property shown is defined here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.catalogue import find
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.model import Model
from checker.language.start import starts
from checker.plain import plain, plain_raw
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, show


@frozen
class Replayed:
    """Whether the trace is still a behaviour that shows its property; if not, from which step on (0: the start) and how it differs."""

    confirmed: bool
    step: int | None = None
    reason: str = ""
    differences: tuple[str, ...] = ()


def replay(trace: Trace) -> Replayed:
    """Execute a trace again.  UsageError if its model or property no longer exists, or has other constants."""
    entry = find(trace.reference or trace.model)
    failure = trace.kind in ("error", "assert")
    definition = _definition(entry.cls, trace)
    interpreter = Interpreter(definition)
    missing = [v.name for v in definition.variables if v.name not in trace.states[0]]
    if missing:
        return Replayed(False, 0, f"the model now has the variable {missing[0]}, which the trace does not hold")
    state = _start(interpreter, trace)
    if state is None:
        return Replayed(False, 0, "the first state is no initial state of the model")
    before: Raw | None = None
    for number, (stored, step) in enumerate(zip(trace.states[1:], trace.steps), 1):
        last = number == len(trace.steps)
        taken = _take(interpreter, state, step, stored, failing=failure and last)
        if isinstance(taken, Replayed):
            return taken
        if taken.after is None:
            return Replayed(True)
        before, state = state, taken.after
    return _shown(interpreter, trace, state, before) if definition.properties else Replayed(True)


def _definition(cls: type[Model], trace: Trace) -> Definition:
    """The model with the property of the trace; with none for a run that was asked for by other means than a property."""
    if trace.kind in ("error", "assert"):
        return define(cls, dict(trace.constants))
    if trace.kind == "reachable" and trace.property not in {p.name for p in define(cls, dict(trace.constants)).properties}:
        return define(cls, dict(trace.constants), [])
    return define(cls, dict(trace.constants), [trace.property])


def _start(interpreter: Interpreter, trace: Trace) -> Raw | None:
    for state in starts(interpreter.model):
        if _agrees(interpreter.definition, state, trace.states[0]):
            return state
    return None


def _take(interpreter: Interpreter, state: Raw, wanted: TraceStep, stored: Mapping[str, Any], failing: bool) -> Step | Replayed:
    """The step that the trace names, or why there is none."""
    names = {a.name for a in interpreter.definition.actions}
    call = f"{wanted.action}({', '.join(f'{n}={show(v)}' for n, v in wanted.args.items())})"
    if wanted.action not in names:
        return Replayed(False, wanted.number, f"the model has no action {wanted.action}")
    same = [s for s in interpreter.steps(state) if s.action.name == wanted.action and _arguments(s) == wanted.args]
    if not same:
        return Replayed(False, wanted.number, f"{call} is not enabled")
    for step in same:
        if step.after is None if failing else step.after is not None and _agrees(interpreter.definition, step.after, stored):
            return step
    if failing:
        return Replayed(False, wanted.number, f"{call} no longer fails")
    after = next((s.after for s in same if s.after is not None), None)
    if after is None:
        failure = same[0].failure
        return Replayed(False, wanted.number, f"{call} now fails: {failure.message if failure else ''}")
    return Replayed(False, wanted.number, f"{call} leads to another state", tuple(_differences(interpreter.definition, after, stored)))


def _shown(interpreter: Interpreter, trace: Trace, state: Raw, before: Raw | None) -> Replayed:
    number = len(trace.steps)
    if trace.kind in ("error", "assert"):
        failed = any(isinstance(interpreter.violated(p, state), Failure) for p in interpreter.definition.properties)
        return Replayed(failed, None if failed else number, "" if failed else "no property fails to evaluate in the last state")
    property = interpreter.definition.properties[0]
    if property.kind != trace.kind:
        return Replayed(False, number, f"{trace.property} is now of kind {property.kind}, no longer {trace.kind}")
    if property.kind == "quiescence" and not interpreter.quiescent(state):
        return Replayed(False, number, "the last state is no longer quiescent: an action is enabled")
    shown = interpreter.violated(property, state, before if property.kind == "step" else None)
    if shown is True:
        return Replayed(True)
    if isinstance(shown, Failure):
        return Replayed(False, number, f"{trace.property} cannot be evaluated in the last state: {shown.message}")
    return Replayed(False, number, f"the last state no longer {'shows' if property.kind == 'reachable' else 'violates'} {trace.property}")


def _agrees(definition: Definition, state: Raw, stored: Mapping[str, Any]) -> bool:
    return not any(True for _ in _differences(definition, state, stored))


def _differences(definition: Definition, state: Raw, stored: Mapping[str, Any]) -> Iterator[str]:
    for variable, raw in zip(definition.variables, state):
        value = plain_raw(variable.domain, raw)
        if variable.name in stored and value != stored[variable.name]:
            yield f"{variable.name} is {show(value)}, stored was {show(stored[variable.name])}"


def _arguments(step: Step) -> FrozenMap:
    return FrozenMap({name: plain(value) for name, value in step.arguments})
