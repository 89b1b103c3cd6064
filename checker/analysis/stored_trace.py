"""A stored trace held against the model as it is today, in the reference interpreter.

The trace names its model, constants and property.  Each of its states is turned back into a state of the model and must
follow from the one before by the action the trace names; the last must still show the property.  Nothing of the search
is needed.  Variables of properties that the trace does not hold (they were not checked then) are not compared: only the
property shown is defined here.  A variable that the model has gained or lost since is a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from checker.analysis.model_of_trace import model_of
from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step, failure_of
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.start import starts
from checker.replay.base import former_of
from checker.replay.fairness import unbroken
from checker.replay.marked import has_cause
from checker.replay.nearest import above_of
from checker.replay.plain import plain, plain_raw
from checker.replay.replay import Replay
from checker.replay.traced import Shown
from checker.results.checked import FAILURES
from checker.results.found import Replayed
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, show


@frozen
class Executed:
    """A stored trace as states of the model, as far as it could be executed; `differs` says where it no longer can."""

    interpreter: Interpreter
    states: tuple[Raw, ...]
    differs: Replayed | None = None
    steps: tuple[Step, ...] = ()
    failed: Step | None = None  # the last, if it fails


class _Differs(Exception):
    """From a step on the trace is no behaviour of its model any more, or does not show its property."""

    def __init__(self, step: int, reason: str, differences: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.found = Replayed(False, step, reason, tuple(differences))


def replay(trace: Trace) -> Replayed:
    """Execute a trace again, and see whether it still shows its property.  UsageError as for `execute`."""
    run = execute(trace)
    if run.differs is not None:
        return run.differs
    if len(run.states) <= len(trace.steps) or not run.interpreter.definition.properties:
        return Replayed(True)  # the last step fails, as it did; or nothing is to be shown
    try:
        (_broken if trace.kind == "leads-to" else _shown)(run, trace)
    except _Differs as differs:
        return differs.found
    return Replayed(True)


def execute(trace: Trace, whole: bool = False) -> Executed:
    """Execute a trace again, step by step; `whole`: with all properties that it speaks of.  Raises UsageError if its
    model or property no longer exists, has other constants, or is not to be executed (`checker.trust`).
    """
    interpreter = interpreter_of(_definition(model_of(trace), trace, whole))
    states, steps = list[Raw](), list[Step]()
    failing, found, failed = trace.kind in FAILURES, None, None
    try:
        states.append(_start(interpreter, trace))
        for number, (stored, step) in enumerate(zip(trace.states[1:], trace.steps), 1):
            taken = _take(interpreter, states[-1], step, stored, failing=failing and number == len(trace.steps))
            if taken.after is None:
                failed = taken
                break
            states.append(taken.after)
            steps.append(taken)
    except _Differs as differs:
        found = differs.found
    return Executed(interpreter, tuple(states), found, tuple(steps), failed)


def unchanged(
    trace: Trace, whole: bool = False, remedy: str | None = "`checker replay` shows the difference."
) -> Executed:
    """As `execute`.  UsageError also if the trace is no longer a behaviour of its model."""
    run = execute(trace, whole)
    if (found := run.differs) is not None:
        what = f"the trace is no longer a behaviour of {trace.display_name()}: step {found.step}: {found.reason}"
        raise UsageError(what, remedy=remedy)
    return run


def regrouped(trace: Trace) -> Trace:
    """The trace in an order in which the steps of each process stand together as far as they commute
    (`checker.replay.grouped`).  UsageError as for `unchanged`."""
    run = unchanged(trace, whole=True)
    replay = _replay(run, trace, marks=not (trace.former or trace.vacuous) or has_cause(trace))
    states = run.states if run.failed is None else (*run.states, run.states[-1])
    steps = run.steps if run.failed is None else (*run.steps, run.failed)
    found = replay.grouped(trace, states, steps, Shown(trace.kind, trace.property))
    return evolve(
        found, version=trace.version, former=trace.former, former_steps=trace.former_steps, vacuous=trace.vacuous
    )


def explained_again(trace: Trace) -> Trace:
    """A violation with the sentences that a search would give it today.  UsageError as for `unchanged`."""
    run = unchanged(trace)
    property = _of_kind(run, trace)
    shown = Shown(trace.kind, trace.property)
    if trace.kind == "leads-to":
        shown = Shown(trace.kind, trace.property, loop=trace.loop, values=_element(property, trace) or {})
    return _replay(run, trace).again(trace, run.states, run.steps, shown)


def _replay(run: Executed, trace: Trace, marks: bool = True) -> Replay:
    """What builds a trace of an executed run again; what was found out about the protocols above its model is not
    searched again.  marks: whether a CAUSE is sought."""
    model = run.interpreter.definition.model
    former = former_of(model) if marks else None
    above = above_of(model, trace.against)
    return Replay(
        run.interpreter,
        trace.display_name(),
        trace.engine,
        former,
        broken_before=lambda _: trace.former_steps if trace.former else None,
        keeping=lambda *_: above,
        vacuous=lambda *_: bool(trace.vacuous),
    )


def _element(property: PropertyDefinition, trace: Trace) -> Mapping[str, Any] | None:
    """The values of the parameters of a leads-to property for which a run breaks it."""
    wanted = dict(trace.witness_values)
    return next((v for v in property.values() if {n: plain(x) for n, x in v.items()} == wanted), None)


def _definition(cls: type[Model], trace: Trace, whole: bool) -> Definition:
    """The model with the property of the trace (with none for a run that was asked for by other means than a property),
    and with the one whose chains its messages carry; whole: with all properties of which the trace has anything."""
    constants = dict(trace.constants)
    everything = define(cls, constants)
    if trace.kind in FAILURES:
        return everything
    known, stored = {p.name for p in everything.properties}, trace.states[0].keys()
    if trace.kind != "reachable" and trace.property not in known:
        return define(cls, constants, [trace.property])  # which says what there is
    named = {
        trace.property,
        *(v.name.partition(".")[0] for v in everything.variables if v.carried and v.name in stored),
    }
    if whole:
        named |= {*trace.verdicts, *(name.partition(".")[0] for name in stored if "." in name)}
    return define(cls, constants, [p.name for p in everything.properties if p.name in named])


def _start(interpreter: Interpreter, trace: Trace) -> Raw:
    """The initial state in which the trace begins."""
    stored, names = trace.states[0], [v.name for v in interpreter.definition.variables]
    for name in names:
        if name not in stored:
            raise _Differs(0, f"the model now has the variable {name}, which the trace does not hold")
    for name in stored:
        if "." not in name and name not in names:
            raise _Differs(0, f"the trace holds the variable {name}, which the model no longer has")
    for state in starts(interpreter.model):
        if _agrees(interpreter.definition, state, stored):
            return state
    raise _Differs(0, "the first state is no initial state of the model")


def _take(interpreter: Interpreter, state: Raw, wanted: TraceStep, stored: Mapping[str, Any], failing: bool) -> Step:
    """The step that the trace names."""
    definition, number = interpreter.definition, wanted.number
    call = f"{wanted.action}({', '.join(f'{n}={show(v)}' for n, v in wanted.args.items())})"
    if wanted.action not in {a.name for a in definition.actions}:
        raise _Differs(number, f"the model has no action {wanted.action}")
    steps = interpreter.steps(state, wanted.action)
    same = [s for s in steps if FrozenMap({n: plain(v) for n, v in s.arguments}) == wanted.args]
    if not same:
        raise _Differs(number, f"{call} is not enabled")
    for step in same:
        if (step.after is None) == failing and (step.after is None or _agrees(definition, step.after, stored)):
            return step
    if failing:
        raise _Differs(number, f"{call} no longer fails")
    after = next((s.after for s in same if s.after is not None), None)
    if after is None:
        failure = same[0].failure
        raise _Differs(number, f"{call} now fails: {failure.message if failure else ''}")
    raise _Differs(number, f"{call} leads to another state", _differences(definition, after, stored))


def _shown(run: Executed, trace: Trace) -> None:
    """Whether the last state shows the property of the trace."""
    interpreter, number, state = run.interpreter, len(trace.steps), run.states[-1]
    if trace.kind in FAILURES:
        asked = (p for p in interpreter.definition.properties if p.kind != "leads-to")
        if not any(isinstance(interpreter.violated(p, state), Failure) for p in asked):
            raise _Differs(number, "no property fails to evaluate in the last state")
        return
    property = _of_kind(run, trace)
    if property.kind == "quiescence" and not interpreter.quiescent(state):
        raise _Differs(number, "the last state is no longer quiescent: an action is enabled")
    before = run.states[-2] if property.kind == "step" and len(run.states) > 1 else None
    shown = interpreter.violated(property, state, before)
    if isinstance(shown, Failure):
        raise _Differs(number, f"{trace.property} cannot be evaluated in the last state: {shown.message}")
    if not shown:
        verb = "shows" if property.kind == "reachable" else "violates"
        raise _Differs(number, f"the last state no longer {verb} {trace.property}")


def _of_kind(run: Executed, trace: Trace) -> PropertyDefinition:
    """The property of the trace, if it is still of the same kind."""
    property = next(p for p in run.interpreter.definition.properties if p.name == trace.property)
    if property.kind != trace.kind:
        reason = f"{trace.property} is now of kind {property.kind}, no longer {trace.kind}"
        raise _Differs(len(trace.steps), reason)
    return property


def _broken(run: Executed, trace: Trace) -> None:
    """Whether a run that stops or repeats still breaks its property."""
    number, property = len(trace.steps), _of_kind(run, trace)
    repeated = _repeated(run, trace.loop or 0)
    try:
        values = _element(property, trace)
        if values is None:
            raise _Differs(number, f"{trace.property} now has other parameters, or other values of them")
        reason = unbroken(run.interpreter, property.at(values), run.states, trace.loop, repeated)
    except _Differs:
        raise
    except Exception as error:
        reason = f"{trace.property} cannot be evaluated: {failure_of(error, run.interpreter.definition).message}"
    if reason is not None:
        raise _Differs(number, f"the run no longer breaks {trace.property}: {reason}")


def _repeated(run: Executed, first: int) -> Iterator[Step]:
    """The steps from the state number `first` on: all that bear the same name and lead to the same state, since a
    handler does not name all of its message."""
    for before, step, after in zip(run.states[first:], run.steps[first:], run.states[first + 1 :]):
        steps = run.interpreter.steps(before, step.action.name)
        yield from (s for s in steps if s.arguments == step.arguments and s.after == after)


def _agrees(definition: Definition, state: Raw, stored: Mapping[str, Any]) -> bool:
    return not any(True for _ in _differences(definition, state, stored))


def _differences(definition: Definition, state: Raw, stored: Mapping[str, Any]) -> Iterator[str]:
    for variable, raw in zip(definition.variables, state):
        value = plain_raw(variable.domain, raw)
        if variable.name in stored and value != stored[variable.name]:
            yield f"{variable.name} is {show(value)}, stored was {show(stored[variable.name])}"
