"""The cause of a violation: the first step of a trace that the base protocol would not have allowed.

The trace of the edited model is followed in the base.  A step is allowed if the base has a step, by whatever action,
from the same state to the same state. States are compared by the values of the variables that both have under one name;
variables that only one of them has are left out.  Where the base has further variables of its own, every base state
that agrees so far is followed, also through steps that change nothing but those variables.  A step that changes nothing
the base knows is allowed.

What this does not say: that the marked step is wrong.  It is where the two protocols part; a later step may do the
harm, and a protocol may reach the same states by steps of another size, which then count as not allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from attrs import evolve, field, frozen

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frontend.lower import lower
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.start import is_start, starts
from checker.replay.base import shared_constants
from checker.replay.plain import call, plain, plain_raw
from checker.trace.difference import difference
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, show

MOST_STARTS = 4096  # initial states of the base looked through, where they cannot be told from the trace
MOST_FOLLOWED = 256  # base states that agree with one state of the trace
MOST_SHOWN = 3


@frozen
class Cause:
    """Number of the first step that the base does not allow (None: it allows all, or they cannot be compared) and one
    sentence about it."""

    step: int | None
    note: str = ""


def mark_cause(trace: Trace, edited: Definition, base: type[Model], start: Raw | None = None) -> Trace:
    """The trace with its cause marked and explained in a note.  `start` is its first state as a raw state of the edited
    model, if at hand."""
    found = cause(trace, edited, base, start)
    number = found.step if found.step is not None else len(trace.steps)
    steps = [_noted(s, found) if s.number == number else s for s in trace.steps]
    return evolve(trace, steps=steps)


def _noted(step: TraceStep, found: Cause) -> TraceStep:
    note = "; ".join(filter(None, (step.note, found.note)))
    return evolve(step, cause=found.step is not None, note=note)


def cause(trace: Trace, edited: Definition, base: type[Model], start: Raw | None = None) -> Cause:
    """Find the first step of a trace of the edited model that the base does not allow."""
    try:
        definition = _base_definition(base, edited, trace.property)
    except UsageError as error:
        return Cause(None, f"{base.__name__} cannot be followed with these constants: {error.message}")
    try:
        return _Follower(Interpreter(definition), trace, edited).cause(start)
    except UsageError as error:  # the base is wrong as written: that is no reason not to judge the edit
        return Cause(None, f"{base.__name__} cannot be followed, as it is wrong itself: {_refusal(definition, error)}")


def _refusal(definition: Definition, error: UsageError) -> str:
    """What the front end says of a model that went wrong in the interpreter: with file and line."""
    try:
        lower(definition)
    except UsageError as refused:
        error = refused
    return str(error).partition("\n")[0]


def _base_definition(base: type[Model], edited: Definition, property: str) -> Definition:
    """The base with the observer of the property in question only: those of others say nothing about what is
    allowed."""
    constants = shared_constants(base, edited.constants)
    try:
        return define(base, constants, [property])
    except UsageError:
        return define(base, constants, [])


@frozen
class _Follower:
    """Follows a trace in the base."""

    base: Interpreter
    trace: Trace
    edited: Definition
    common: tuple[str, ...] = field(init=False)  # the variables that both have

    @common.default
    def _common(self) -> tuple[str, ...]:
        known = {v.name for v in self.base.definition.variables}
        return tuple(name for name in self.trace.states[0] if name in known)

    def cause(self, start: Raw | None) -> Cause:
        """The first step without a counterpart."""
        name = self.base.definition.name
        if not self.common:
            return Cause(None, f"{name} has no variable in common with this model")
        states = self._starts(start)
        if not states:
            return Cause(None, f"{name} does not start like this: the runs cannot be compared")
        for step in self.trace.steps:
            before, after = (self._projected(self.trace.states[i]) for i in (step.number - 1, step.number))
            states = self._unseen(states, before)
            if len(states) > MOST_FOLLOWED:
                many = f"there more than {MOST_FOLLOWED} of its states agree and none is followed"
                return Cause(None, f"{name} allows every step before step {step.number}; {many}")
            if self._fails(step):
                return self._failing(step, states)
            following = self._following(states, before, after)
            if not following:
                return Cause(step.number, self._instead(step, states, after))
            states = following
        return Cause(None, self._all_allowed(states))

    # States

    def _projected(self, state: Mapping[str, Any]) -> dict[str, Any]:
        return {name: state[name] for name in self.common}

    def _plain(self, state: Raw) -> dict[str, Any]:
        values = zip(self.base.definition.variables, state)
        return {v.name: plain_raw(v.domain, raw) for v, raw in values if v.name in self.common}

    def _starts(self, start: Raw | None) -> list[Raw]:
        first = self._projected(self.trace.states[0])
        same = None if start is None else self._converted(start)
        if same is not None and self._plain(same) == first:
            return [same] if is_start(self.base.model, same) else []
        found = [s for s in islice(starts(self.base.model), MOST_STARTS) if self._plain(s) == first]
        return list(dict.fromkeys(found))

    def _converted(self, start: Raw) -> Raw | None:
        """A raw state of the edited model as one of the base, if it has all the base's variables, with the same
        types."""
        values = {(v.name, v.domain.ir): raw for v, raw in zip(self.edited.variables, start)}
        names = [(v.name, v.domain.ir) for v in self.base.definition.variables]
        return tuple(values[n] for n in names) if all(n in values for n in names) else None

    def _following(self, states: Sequence[Raw], before: dict[str, Any], after: dict[str, Any]) -> list[Raw]:
        stay = states if before == after else ()
        reached = (s.after for state in states for s in self.base.steps(state) if s.after is not None)
        return list(dict.fromkeys([*stay, *(s for s in reached if self._plain(s) == after)]))

    def _unseen(self, states: list[Raw], now: dict[str, Any]) -> list[Raw]:
        """The states with all that the base reaches from them without changing a common variable."""
        if len(self.common) == len(self.base.definition.variables):
            return states
        found = dict.fromkeys(states)
        waiting = list(states)
        while waiting and len(found) <= MOST_FOLLOWED:
            for step in list(self.base.steps(waiting.pop())):
                if step.after is not None and step.after not in found and self._plain(step.after) == now:
                    found[step.after] = None
                    waiting.append(step.after)
        return list(found)

    # Sentences

    def _fails(self, step: TraceStep) -> bool:
        """Whether the step itself goes wrong, and leads nowhere; a property that goes wrong after a step is no fault of
        the step."""
        if self.trace.kind not in ("error", "assert") or step.number < len(self.trace.steps) or not step.note:
            return False
        return self.trace.states[step.number] == self.trace.states[step.number - 1]

    def _failing(self, step: TraceStep, states: Sequence[Raw]) -> Cause:
        """A step that ends in an error has no state after it: it is allowed where the base fails in that action too."""
        same = [s for state in states for s in self._same_call(state, step)]
        if any(s.failure is not None for s in same):
            return Cause(None, f"{self.base.definition.name} fails here too")
        what = "this step does not fail" if same else "this step is not enabled"
        return Cause(step.number, f"in {self.base.definition.name} {what}")

    def _same_call(self, state: Raw, wanted: TraceStep) -> list[Step]:
        return [
            s
            for s in self.base.steps(state)
            if s.action.name == wanted.action and FrozenMap({n: plain(v) for n, v in s.arguments}) == wanted.args
        ]

    def _instead(self, step: TraceStep, states: Sequence[Raw], after: dict[str, Any]) -> str:
        """What the base does where the edit takes this step."""
        name = self.base.definition.name
        if step.action not in {a.name for a in self.base.definition.actions}:
            return f"{name} has no action {step.action}"
        calls = [s for state in states for s in self._same_call(state, step)]
        if not calls:
            return f"in {name} this step is not enabled"
        others = [self._plain(s.after) for s in calls if s.after is not None]
        if not others:
            return f"in {name} this step is an error: {calls[0].failure.message if calls[0].failure else ''}"
        changes = [difference(after, other, self.trace.lanes) for other in others]
        nearest = min(changes, key=len)
        shown = ", ".join(f"{c.path} is {show(c.after)}" for c in nearest[:MOST_SHOWN])
        more = f" and {len(nearest) - MOST_SHOWN} more" if len(nearest) > MOST_SHOWN else ""
        return f"after this step in {name} {shown}{more}"

    def _all_allowed(self, states: Sequence[Raw]) -> str:
        """Why a trace that the base allows violates the edit: the base need not stop where the edit does, or it
        violates the property as well."""
        allowed = f"{self.base.definition.name} allows every step"
        if self.trace.kind == "quiescence":
            going = (s for state in states for s in self.base.steps(state) if not s.action.fault)
            calls = list(dict.fromkeys(call(s.action.name, (v for _, v in s.arguments)) for s in going))
            shown = ", ".join(calls[:MOST_SHOWN]) + (", ..." if len(calls) > MOST_SHOWN else "")
            enabled = f"{shown} {'is' if len(calls) == 1 else 'are'} enabled"
            return f"{allowed}, but would not stop here: {enabled}" if calls else allowed
        if self.trace.kind != "leads-to" and len(self.trace.states[0]) > len(self.common):
            return f"{allowed}, as far as their common variables tell"
        return allowed
