"""The cause of a violation: a step of a trace that the base protocol does not allow.

The trace of the edited model is followed in the base.  A step is allowed if the base has a step, by any action, from
the same state to the same state. States are compared by the values of the variables that both models have under one
name; other variables are ignored.  Where the base has further variables, all base states that agree so far are
followed, also through steps that change only these variables.  A step that changes no common variable is allowed.

If the base does not allow several steps, each from the state that the run has there, those that matter are kept
(`checker.replay.rearranged`); the marked one is the first of them that names most of what the witness is about.

Where it stops: the marked step need not be wrong.  It is a difference between the two protocols; the damage may come
later, and a protocol that reaches the same states by steps of another size differs at its first step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from attrs import evolve, field

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.frontend.lower import lower
from checker.frozen import frozen
from checker.language.define import define
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import function_node
from checker.language.start import is_start, starts
from checker.replay.base import compared_with, keeps, shared_constants
from checker.replay.cause_aside import more_differ, other_start, undone
from checker.replay.cited import Place, cited
from checker.replay.own_constants import former_constants
from checker.replay.plain import call_text, instance_text, plain_raw, same_arguments
from checker.replay.rearranged import Rearranged
from checker.replay.refusals import explain
from checker.trace.difference import difference
from checker.trace.former import VERSION, Contrast, SharedRun, where
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import mentions, show

MOST_STARTS = 4096  # initial states of the base that are examined if the trace does not determine the initial state
MOST_FOLLOWED = 256  # base states that agree with one state of the trace
MOST_SHOWN = 3


@frozen
class Cause:
    """Number of a step that the base does not allow (None: it allows all, or they cannot be compared), one
    sentence about it, what in the base disables the step, with its values and the line, and the base in the state from
    which it would take the step; aside: a cause that is no step; shared: that the base has the whole run, which the
    sentence says; also: the numbers of further steps that matter; together: whether they are enough only together;
    parted: the number of the first step that the base does not allow, if another one matters; kept: whether the base
    allows all steps, and the property is true in it at their end; found_by: how it was found, and differing: the
    numbers of the steps of which it is not known which matter, as in a trace; unneeded: whether the property, as the
    edit has it, is violated too if no step is taken as after the edit, while as before the edit it is true at the end.
    """

    step: int | None
    note: str = ""
    refusal: str = ""
    place: Place | None = None
    base: tuple[Interpreter, Raw] | None = None
    aside: Contrast | None = None
    shared: SharedRun | None = None
    also: tuple[int, ...] = ()
    together: bool = False
    parted: int | None = None
    kept: bool = False
    found_by: str = ""
    differing: tuple[int, ...] = ()
    unneeded: bool = False


def cause(
    trace: Trace, edited: Definition, base: type[Model], states: Sequence[Raw] = (), there: str = "", alike: bool = True
) -> Cause:
    """Find the step of a trace of the edited model that is its CAUSE.  there: how a sentence names
    another version of the same class; alike: as for `mark_cause`.
    """
    try:
        constants = shared_constants(base, edited.constants) if alike else former_constants(base, edited)
        definition = _base_definition(base, constants, trace.property)
    except UsageError as error:
        return Cause(None, f"{base.__name__} cannot be followed with these constants: {error.message}")
    try:
        return _Follower(Interpreter(definition), trace, edited, there).cause(states)
    except UsageError as error:  # an error in the base does not prevent the verdict on the edit
        return Cause(None, f"{base.__name__} cannot be followed, as it is wrong itself: {_refusal(definition, error)}")


def _refusal(definition: Definition, error: UsageError) -> str:
    """The front end's message for a model that failed in the interpreter: with file and line."""
    try:
        lower(definition)
    except UsageError as refused:
        error = refused
    return str(error).partition("\n")[0]


def _base_definition(base: type[Model], constants: Mapping[str, Any], property: str) -> Definition:
    """The base with the observer of this property only: other observers have no effect on which steps are allowed."""
    try:
        return define(base, constants, [property])
    except UsageError:
        return define(base, constants, [])


@frozen
class _Follower:
    """Executes the steps of a trace in the base."""

    base: Interpreter
    trace: Trace
    edited: Definition
    there: str = ""
    common: tuple[str, ...] = field(init=False)  # the variables that both models have

    @common.default
    def _common(self) -> tuple[str, ...]:
        known = {v.name for v in self.base.definition.variables}
        return tuple(name for name in self.trace.states[0] if name in known)

    def cause(self, run: Sequence[Raw]) -> Cause:
        """The first step without a counterpart."""
        name = self.base.definition.name
        if not self.common:
            return Cause(None, f"{name} has no variable in common with this model")
        states = self._starts(run[0] if run else None)
        if not states:
            return Cause(None, aside=other_start(self.trace, self.edited, self.base, self._where()), found_by="initial")
        earlier: list[Raw] = []
        for step in self.trace.steps:
            before, after = (self._projected(self.trace.states[i]) for i in (step.number - 1, step.number))
            states = self._unseen(states, before)
            if len(states) > MOST_FOLLOWED:
                many = f"there more than {MOST_FOLLOWED} of its states agree and none is followed"
                return Cause(None, f"up to step {step.number - 1} this run is also a run of {name}; {many}")
            if self._fails(step):
                return evolve(self._failing(step, states), base=(self.base, states[0]), found_by="step")
            following = self._following(states, before, after)
            if not following:
                if aside := self._at_end(run):
                    return Cause(None, aside=aside, found_by="ending")
                first = evolve(self._instead(step, states, after), base=(self.base, states[0]))
                return self._mattering(step, first, run)
            earlier, states = states, following
        if self.trace.kind == "quiescence" and run:
            if aside := undone(self.trace, self.edited, self.base, states, run[-1], self._where()):
                return Cause(None, aside=aside, found_by="ending")
        found = self._truths(states, earlier)
        shared = self._all_allowed(states, found)
        by = "shared" if found == {True} else ""
        return Cause(None, shared.text(self.trace.property), shared=shared, kept=found == {False}, found_by=by)

    def _mattering(self, first: TraceStep, found: Cause, run: Sequence[Raw]) -> Cause:
        """Of the steps that the base does not allow, among those that matter the first that names most of what the
        witness is about besides processes; among all of them if it is not known which matter.  first: the first of
        all, with what was found of it.

        Each later step is tried from its own state, so that an earlier difference does not disable it.
        """
        refused = [(first, None), *self._refused(first, run)]
        matter, together = self._enough([step.number for step, _ in refused], run)
        left = [(step, state) for step, state in refused if matter is None or step.number in matter]
        step, state = max(left, key=lambda pair: self._mentioned(pair[0]))
        also = tuple(s.number for s, _ in left if s is not step and matter is not None)
        differing = tuple(s.number for s, _ in refused) if matter is None and len(refused) > 1 else ()
        only = "step" if self._compared(run) or first is self.trace.steps[-1] else "first"
        by = "unproved" if differing else "effect" if matter is not None else only
        if state is not None:
            after = self._projected(self.trace.states[step.number])
            found = evolve(self._instead(step, [state], after), base=(self.base, state), parted=first.number)
        found = evolve(found, also=also, together=bool(also) and together)
        return evolve(found, found_by=by, differing=differing, unneeded=self._unneeded(first.number, run))

    def _compared(self, run: Sequence[Raw]) -> bool:
        """Whether the later steps are compared too, each from its own state."""
        return len(run) > len(self.trace.steps) and self._converted(run[-1]) is not None

    def _at_end(self, run: Sequence[Raw]) -> Contrast | None:
        """A step that the base takes after the whole run, and an edited rule disables, if the base then satisfies the
        property: its absence matters, whatever differs earlier.  None if there is none."""
        state = self._converted(run[-1]) if run and self.trace.kind == "quiescence" else None
        property = next((p for p in self.base.definition.properties if p.name == self.trace.property), None)
        if state is None or property is None or not self._repairs(property, state):
            return None
        return undone(self.trace, self.edited, self.base, [state], run[-1], self._where(), by_rule=True)

    def _repairs(self, property: PropertyDefinition, state: Raw) -> bool:
        """Whether the base reaches a state in which a property is true, without a fault."""
        seen, waiting = {state}, [state]
        while waiting and len(seen) <= MOST_FOLLOWED:
            for step in list(self.base.steps(waiting.pop(0))):
                if step.after is None or step.action.fault or step.after in seen:
                    continue
                if self.base.violated(property, step.after) is False:
                    return True
                seen.add(step.after)
                waiting.append(step.after)
        return False

    def _refused(self, first: TraceStep, run: Sequence[Raw]) -> Iterator[tuple[TraceStep, Raw]]:
        """The later steps that the base does not allow, each with the base in the state before it."""
        if len(run) <= len(self.trace.steps):
            return
        known = {a.name for a in self.base.definition.actions}
        for step in self.trace.steps[first.number :]:
            state = self._converted(run[step.number - 1])
            if state is None or step.action not in known or self._fails(step):
                continue
            before, after = (self._projected(self.trace.states[i]) for i in (step.number - 1, step.number))
            if not self._following([state], before, after):
                yield step, state

    def _enough(self, numbers: Sequence[int], run: Sequence[Raw]) -> tuple[Collection[int] | None, bool]:
        """The numbers of those steps that matter (`checker.replay.rearranged`), None if unknown; whether they are
        enough only together."""
        rest, first = self._rest(numbers[0], run) if len(numbers) > 1 else None, numbers[0]
        found = None if rest is None else rest.mattering([n - first for n in numbers])
        return found and [n + first for n in found], rest is not None and rest.together

    def _unneeded(self, first: int, run: Sequence[Raw]) -> bool:
        """Whether the property is violated too if no step is taken as after the edit, from the first on that the base
        does not allow, while the base satisfies it in the last state: then the edit changes what the property reads."""
        state = self._converted(run[-1]) if run and self.trace.kind == "invariant" else None
        if state is None or self._truths([state], ()) != {False}:
            return False
        rest = self._rest(first, run)
        return rest is not None and rest.violates_without_edit()

    def _rest(self, first: int, run: Sequence[Raw]) -> Rearranged | None:
        """The rest of the run from a step on; None if both protocols do not have the same variables."""
        trace = self.trace
        if trace.kind not in ("invariant", "step", "quiescence"):
            return None
        edited = define(self.edited.model, self.edited.constants, [trace.property])
        start = self._converted(run[first - 1]) if run else None
        theirs = [(v.name, v.domain.ir) for v in self.base.definition.variables]
        if start is None or [(v.name, v.domain.ir) for v in edited.variables] != theirs:
            return None
        steps = [(s.action, instance_text(s.action, s.args.values())) for s in trace.steps[first - 1 :]]
        return Rearranged(Interpreter(edited), self.base, start, steps, edited.properties[0])

    def _values(self) -> list[str]:
        """The values of the witness that are no processes."""
        found = [v for v in self.trace.witness_values.values() if isinstance(v, str)]
        return [v for v in dict.fromkeys(found) if v not in self.trace.lanes]

    def _mentioned(self, step: TraceStep) -> int:
        text = " ".join(show(value) for value in step.args.values())
        return sum(mentions(text, value) for value in self._values())

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
        """A raw state of the edited model as one of the base, if it has all its variables with the same types."""
        values = {(v.name, v.domain.ir): raw for v, raw in zip(self.edited.variables, start)}
        names = [(v.name, v.domain.ir) for v in self.base.definition.variables]
        return tuple(values[n] for n in names) if all(n in values for n in names) else None

    def _following(self, states: Sequence[Raw], before: dict[str, Any], after: dict[str, Any]) -> list[Raw]:
        stay = states if before == after else ()
        reached = (s.after for state in states for s in self.base.steps(state) if s.after is not None)
        return list(dict.fromkeys([*stay, *(s for s in reached if self._plain(s) == after)]))

    def _unseen(self, states: list[Raw], now: dict[str, Any]) -> list[Raw]:
        """The states, and all states that the base reaches from them without changing a common variable."""
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
        """Whether the step itself fails, not a property after it."""
        if self.trace.kind not in ("error", "assert") or step.number < len(self.trace.steps) or not step.note:
            return False
        return self.trace.states[step.number] == self.trace.states[step.number - 1]

    def _failing(self, step: TraceStep, states: Sequence[Raw]) -> Cause:
        """A step that ends in an error has no state after it: it is allowed where the base fails in that action too."""
        same = [s for state in states for s in self._same_call(state, step)]
        if any(s.failure is not None for s in same):
            return Cause(None, f"{self.base.definition.name} fails here too")
        if same:
            return Cause(step.number, f"{self._in_base()} this step does not fail")
        return Cause(step.number, f"{self._in_base()} this step is not enabled", *self._refusal(states, step))

    def _same_call(self, state: Raw, wanted: TraceStep) -> list[Step]:
        return [s for s in self.base.steps(state) if s.action.name == wanted.action and same_arguments(s, wanted)]

    def _instead(self, step: TraceStep, states: Sequence[Raw], after: dict[str, Any]) -> Cause:
        """The cause for a step of the edit: the steps that the base has instead."""
        if step.action not in {a.name for a in self.base.definition.actions}:
            return self._no_action(step)
        calls = [s for state in states for s in self._same_call(state, step)]
        if not calls:
            return Cause(step.number, f"{self._in_base()} this step is not enabled", *self._refusal(states, step))
        others = [self._plain(s.after) for s in calls if s.after is not None]
        if not others:
            failure = calls[0].failure.message if calls[0].failure else ""
            return Cause(step.number, f"{self._in_base()} this step is an error: {failure}")
        changes = [difference(after, other, self.trace.lanes) for other in others]
        nearest = min(changes, key=len)
        shown = ", ".join(f"{c.path} is {show(c.after)}" for c in nearest[:MOST_SHOWN])
        more = more_differ(len(nearest) - MOST_SHOWN)
        there = self._in_base()
        led = f"{there} it leads to a state in which" if self._is_version() else f"after this step {there}"
        return Cause(step.number, f"{led} {shown}{more}")

    def _where(self) -> str:
        """The class whose protocol a sentence names where it speaks of a difference; "" for the one before the edit."""
        kept = keeps(self.edited, self.trace.property)
        return compared_with(self.edited.model, self.base.definition.model, kept)

    def _in_base(self) -> str:
        """How the base is named in a sentence: another version of the same class is not "in" its name."""
        return (self.there or where(self._where())) if self._is_version() else f"in {self.base.definition.name}"

    def _is_version(self) -> bool:
        """Whether the base is another version of the same class."""
        return self.base.definition.name == self.edited.name

    def _no_action(self, step: TraceStep) -> Cause:
        """The edit has an action that the base does not have."""
        action = next((a for a in self.edited.actions if a.name == step.action), None)
        node = function_node(action.function) if action is not None and action.function is not None else None
        place = (action.function.__code__.co_filename, node.lineno) if action and action.function and node else None
        text = f"{self.base.definition.name} has no action {step.action}{cited(place)}"
        return Cause(step.number, text, place=place)

    def _refusal(self, states: Sequence[Raw], step: TraceStep) -> tuple[str, Place | None]:
        """The condition that disables the step in the base, in the first state that agrees, and its line."""
        wanted = instance_text(step.action, step.args.values())
        refused = explain(self.base, states[0], step.action).refused if states else ()
        found = next((r for r in refused if r.instance == wanted), None)
        if found is None:
            return "", None
        place = (found.file, found.line) if found.line else None
        return f"{found.reason}{cited(place)}", place

    def _all_allowed(self, states: Sequence[Raw], violated: Collection[object]) -> SharedRun:
        """What a violation by a trace that the base allows is there: the base continues where the edit ends, or
        violates the property as well.
        """
        name, common, version = self.base.definition.name, False, self._where() == VERSION
        if self.trace.kind == "quiescence":
            going = (s for state in states for s in self.base.steps(state) if not s.action.fault)
            calls = dict.fromkeys(call_text(s.action.name, [v for _, v in s.arguments]) for s in going)
            if calls:
                return SharedRun(name, end="continues", enabled=[*calls], version=version)
        elif self.trace.kind != "leads-to":
            common = len(self.trace.states[0]) > len(self.common)
        end = "violated" if violated == {True} else "true" if violated == {False} else ""
        return SharedRun(name, common, end, version=version)

    def _truths(self, states: Sequence[Raw], earlier: Sequence[Raw]) -> set[bool | Failure]:
        """Whether the base violates the property too at the end of the run, in each of its states there: an edit may
        change what the property reads.  Empty where that is not known.  Nothing is claimed of an infinite run: an edit
        may change which actions are fair.
        """
        property = next((p for p in self.base.definition.properties if p.name == self.trace.property), None)
        if property is None or self.trace.kind not in ("invariant", "quiescence", "step") or not states:
            return set()
        befores: Sequence[Raw | None] = earlier if self.trace.kind == "step" else [None]
        return {self.base.violated(property, state, before) for state in states for before in befores}
