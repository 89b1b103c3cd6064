"""A stored trace held against the model as it is today, in the reference interpreter.

The trace names its model, constants and property.  Each of its states is turned back into a state of the model and must
follow from the one before by the action the trace names; the last must still show the property.  Nothing of the search
is needed.  Variables of properties that the trace does not hold (they were not checked then) are not compared: only the
property shown is defined here.  A variable that the model has gained or lost since is a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step, failure_of
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.model import Model
from checker.language.start import starts
from checker.replay.fairness import unbroken
from checker.replay.plain import plain, plain_raw
from checker.results.found import Replayed
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, show
from checker.trust import find_named


@frozen
class Executed:
    """A stored trace as states of the model, as far as it could be executed; `differs` says where it no longer can."""

    interpreter: Interpreter
    states: tuple[Raw, ...]
    differs: Replayed | None = None
    steps: tuple[Step, ...] = ()


def replay(trace: Trace) -> Replayed:
    """Execute a trace again, and see whether it still shows its property.  UsageError as for `execute`."""
    run = execute(trace)
    if run.differs is not None:
        return run.differs
    if len(run.states) <= len(trace.steps) or not run.interpreter.definition.properties:
        return Replayed(True)  # the last step fails, as it did; or nothing is to be shown
    if trace.kind == "leads-to":
        return _broken(run, trace)
    before = run.states[-2] if len(run.states) > 1 else None
    return _shown(run.interpreter, trace, run.states[-1], before)


def execute(trace: Trace) -> Executed:
    """Execute a trace again, step by step.  UsageError if its model or property no longer exists, has other constants,
    or is not to be executed (`checker.trust`)."""
    entry = find_named(trace.reference or trace.model, "the trace")
    interpreter = interpreter_of(_definition(entry.cls, trace))
    missing = [v.name for v in interpreter.definition.variables if v.name not in trace.states[0]]
    if missing:
        return Executed(
            interpreter,
            (),
            Replayed(False, 0, f"the model now has the variable {missing[0]}, which the trace does not hold"),
        )
    gone = [
        name
        for name in trace.states[0]
        if "." not in name and name not in {v.name for v in interpreter.definition.variables}
    ]
    if gone:
        return Executed(
            interpreter,
            (),
            Replayed(False, 0, f"the trace holds the variable {gone[0]}, which the model no longer has"),
        )
    state = _start(interpreter, trace)
    if state is None:
        return Executed(interpreter, (), Replayed(False, 0, "the first state is no initial state of the model"))
    states: list[Raw] = [state]
    steps: list[Step] = []
    failing = trace.kind in ("error", "assert")
    for number, (stored, step) in enumerate(zip(trace.states[1:], trace.steps), 1):
        taken = _take(interpreter, states[-1], step, stored, failing=failing and number == len(trace.steps))
        if isinstance(taken, Replayed):
            return Executed(interpreter, tuple(states), taken, tuple(steps))
        if taken.after is None:
            break
        states.append(taken.after)
        steps.append(taken)
    return Executed(interpreter, tuple(states), None, tuple(steps))


def _definition(cls: type[Model], trace: Trace) -> Definition:
    """The model with the property of the trace; with none for a run that was asked for by other means than a
    property."""
    if trace.kind in ("error", "assert"):
        return define(cls, dict(trace.constants))
    if trace.kind == "reachable" and trace.property not in {
        p.name for p in define(cls, dict(trace.constants)).properties
    }:
        return define(cls, dict(trace.constants), [])
    return define(cls, dict(trace.constants), [trace.property])


def _start(interpreter: Interpreter, trace: Trace) -> Raw | None:
    for state in starts(interpreter.model):
        if _agrees(interpreter.definition, state, trace.states[0]):
            return state
    return None


def _take(
    interpreter: Interpreter, state: Raw, wanted: TraceStep, stored: Mapping[str, Any], failing: bool
) -> Step | Replayed:
    """The step that the trace names, or why there is none."""
    names = {a.name for a in interpreter.definition.actions}
    call = f"{wanted.action}({', '.join(f'{n}={show(v)}' for n, v in wanted.args.items())})"
    if wanted.action not in names:
        return Replayed(False, wanted.number, f"the model has no action {wanted.action}")
    same = [s for s in interpreter.steps(state) if s.action.name == wanted.action and _arguments(s) == wanted.args]
    if not same:
        return Replayed(False, wanted.number, f"{call} is not enabled")
    for step in same:
        if (
            step.after is None
            if failing
            else step.after is not None and _agrees(interpreter.definition, step.after, stored)
        ):
            return step
    if failing:
        return Replayed(False, wanted.number, f"{call} no longer fails")
    after = next((s.after for s in same if s.after is not None), None)
    if after is None:
        failure = same[0].failure
        return Replayed(False, wanted.number, f"{call} now fails: {failure.message if failure else ''}")
    return Replayed(
        False,
        wanted.number,
        f"{call} leads to another state",
        tuple(_differences(interpreter.definition, after, stored)),
    )


def _shown(interpreter: Interpreter, trace: Trace, state: Raw, before: Raw | None) -> Replayed:
    number = len(trace.steps)
    if trace.kind in ("error", "assert"):
        failed = any(
            isinstance(interpreter.violated(p, state), Failure)
            for p in interpreter.definition.properties
            if p.kind != "leads-to"
        )
        return Replayed(
            failed, None if failed else number, "" if failed else ("no property fails to evaluate in the last state")
        )
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
    return Replayed(
        False,
        number,
        f"the last state no longer {'shows' if property.kind == 'reachable' else 'violates'} {trace.property}",
    )


def _broken(run: Executed, trace: Trace) -> Replayed:
    """Whether a run that stops or repeats still breaks its property."""
    number, property = len(trace.steps), run.interpreter.definition.properties[0]
    if property.kind != trace.kind:
        return Replayed(False, number, f"{trace.property} is now of kind {property.kind}, no longer {trace.kind}")
    try:
        values = next(
            (v for v in property.values() if {n: plain(x) for n, x in v.items()} == dict(trace.witness_values)), None
        )
        if values is None:
            return Replayed(False, number, f"{trace.property} now has other parameters, or other values of them")
        reason = unbroken(run.interpreter, property.at(values), run.states, trace.loop, _repeated(run, trace.loop or 0))
    except Exception as error:
        reason = f"{trace.property} cannot be evaluated: {failure_of(error, run.interpreter.definition).message}"
    return (
        Replayed(True)
        if reason is None
        else Replayed(False, number, f"the run no longer breaks {trace.property}: {reason}")
    )


def _repeated(run: Executed, first: int) -> Iterator[Step]:
    """The steps from the state number `first` on: all that bear the same name and lead to the same state, since a
    handler does not name all of its message."""
    for before, step, after in zip(run.states[first:], run.steps[first:], run.states[first + 1 :]):
        yield from (
            s
            for s in run.interpreter.steps(before, step.action.name)
            if s.arguments == step.arguments and s.after == after
        )


def _agrees(definition: Definition, state: Raw, stored: Mapping[str, Any]) -> bool:
    return not any(True for _ in _differences(definition, state, stored))


def _differences(definition: Definition, state: Raw, stored: Mapping[str, Any]) -> Iterator[str]:
    for variable, raw in zip(definition.variables, state):
        value = plain_raw(variable.domain, raw)
        if variable.name in stored and value != stored[variable.name]:
            yield f"{variable.name} is {show(value)}, stored was {show(stored[variable.name])}"


def _arguments(step: Step) -> FrozenMap:
    return FrozenMap({name: plain(value) for name, value in step.arguments})
