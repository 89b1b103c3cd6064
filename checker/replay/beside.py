"""The run of the protocol before the edit beside a run of the edit: the same calls for as long as they are enabled.

Up to the parting step both runs are the same in the variables that both models have.  The parting step is the CAUSE, or
an earlier difference that does not matter for the violation.  There the base executes the same call with its own
result, or does not take the step; after it, the base takes each further call of the run that is enabled there, and then
continues to rest: calls that it could not take before come first, then the first enabled step that is no fault.

Where it stops: it is one run of the base, not every run.  The base is not followed through steps that change only
variables of its own; then there is no run beside the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from attrs import define, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.language.define import define as define_model
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.start import starts
from checker.replay.base import shared_constants
from checker.replay.plain import instance_text, plain_raw, same_arguments
from checker.replay.refusals import explain
from checker.replay.replay import Replay
from checker.replay.traced import Shown
from checker.results.explained import Beside
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace

MOST_STARTS = 4096  # initial states of the base that are compared with that of the run
MOST_AFTER = 24
"""Steps that the base takes after the calls of the run."""


def beside(trace: Trace, base: type[Model]) -> Beside | None:
    """The run of the base beside a run with a CAUSE; None without a CAUSE, or if the base cannot be followed."""
    parted = next((step.number for step in trace.steps if step.cause), None)
    if parted is None and trace.found_by in ("initial", "ending"):
        parted = len(trace.steps) + 1  # the base continues where the edit ends
    if parted is None:
        return None
    try:
        definition = _definition(base, trace)
        run = _Run(Interpreter(definition), trace, parted)
        return run.beside() if run.start() else None
    except UsageError:  # an error in the base does not prevent the page
        return None


def _definition(base: type[Model], trace: Trace) -> Definition:
    """The base with the property of the trace, if it has it."""
    constants = shared_constants(base, trace.constants)
    try:
        return define_model(base, constants, [trace.property])
    except UsageError:
        return define_model(base, constants, [])


@define
class _Run:
    """The run of the base as far as it is known.  places: for each step of the edit the number of steps that the base
    has taken after it, and why it did not take this one ("" if it did).
    """

    base: Interpreter
    trace: Trace
    parted: int
    states: list[Raw] = field(factory=list)
    steps: list[Step] = field(factory=list)
    places: list[tuple[int, str]] = field(factory=list)
    failure: str = ""

    def start(self) -> bool:
        """Begin in the initial state of the run; False if the base has none that agrees."""
        first = self._common(self.trace.states[0])
        if first:
            possible = islice(starts(self.base.model), MOST_STARTS)
            self.states += islice((s for s in possible if self._plain(s) == first), 1)
        return bool(self.states)

    def beside(self) -> Beside | None:
        """The whole run; None if it is lost before the parting step."""
        for step in self.trace.steps:
            if step.number < self.parted and not self._same(step):
                if not self._whole():
                    return None
                self.parted = step.number  # an earlier difference, which does not matter for the violation
            if step.number >= self.parted:
                self._instead(step)
        rest = self._rest() if not self.failure else False
        replay = Replay(self.base, self.base.definition.name, "interpreter")
        trace = replay.build(self.states, self.steps, Shown("reachable", self.trace.property))
        name = self.base.definition.name
        version = self.trace.reference.replace("/", ":").rpartition(":")[2] == name
        name = f"{name} before the edit" if version else name
        return Beside(trace, name, self.parted, tuple(self.places), self._ending(rest), self._judged())

    # Steps

    def _same(self, step: TraceStep) -> bool:
        """Take a step to the state that the run has after it."""
        after = self._common(self.trace.states[step.number])
        steps = sorted(self.base.steps(self.states[-1]), key=lambda s: not _calls(s, step))
        found = next((s for s in steps if s.after is not None and self._plain(s.after) == after), None)
        if found is not None:
            self._take(found)
        elif after != self._plain(self.states[-1]):
            return False
        self.places.append((len(self.steps), "" if found is not None else "no variable that both have changes"))
        return True

    def _instead(self, step: TraceStep) -> None:
        """Take the same call with the result that the base has, if it is enabled there."""
        reason = f"the run has ended: {self.failure}" if self.failure else ""
        if not self.failure:
            calls = [s for s in self.base.steps(self.states[-1], step.action) if _calls(s, step)]
            good = [s for s in calls if s.after is not None]
            if good:
                self._take(good[0])
            elif calls:
                failed = calls[0].failure
                self.failure = reason = f"an error: {failed.message} ({failed.place})" if failed else "an error"
            else:
                reason = self._refusal(step)
        self.places.append((len(self.steps), reason))

    def _rest(self) -> bool:
        """Continue until nothing but faults is enabled, and say whether that is reached."""
        missed = [s for s, (_, reason) in zip(self.trace.steps, self.places) if reason]
        seen = set(self.states)
        for _ in range(MOST_AFTER):
            going = [s for s in self.base.steps(self.states[-1]) if s.progress and s.after not in (None, *seen)]
            if not going:
                break
            early = (s for wanted in missed for s in going if _calls(s, wanted))
            self._take(next(early, going[0]))
            seen.add(self.states[-1])
        return self.base.quiescent(self.states[-1])

    def _take(self, step: Step) -> None:
        assert step.after is not None
        self.steps.append(step)
        self.states.append(step.after)

    def _refusal(self, step: TraceStep) -> str:
        """Why the base does not take a call."""
        if step.action not in {a.name for a in self.base.definition.actions}:
            return f"{self.base.definition.name} has no action {step.action}"
        wanted = instance_text(step.action, step.args.values())
        refused = explain(self.base, self.states[-1], step.action).refused
        return next((f"not enabled: {r.reason}" for r in refused if r.instance == wanted), "not enabled")

    # Sentences

    def _ending(self, rest: bool) -> str:
        if self.failure:
            return f"ends in {self.failure}"
        if rest:
            return "ends where nothing but faults is enabled"
        return "does not end here, and is shown as far as this"

    def _judged(self) -> str:
        """The truth of the property along the run, as far as its kind can be decided on one run; "" otherwise."""
        found = [p for p in self.base.definition.properties if p.name == self.trace.property]
        if not found or found[0].kind not in ("invariant", "step", "quiescence"):
            return ""
        property, name = found[0], found[0].name
        if property.kind == "quiescence":
            if not self.base.quiescent(self.states[-1]):
                return ""
            violated = self.base.violated(property, self.states[-1])
            return f"{name} is {'true' if violated is False else 'violated'} at its end"
        befores: Iterator[Raw | None] = iter([None, *self.states])
        pairs = [(b, s) for b, s in zip(befores, self.states) if b is not None or property.kind == "invariant"]
        truths = [self.base.violated(property, s, b if property.kind == "step" else None) for b, s in pairs]
        if all(truth is False for truth in truths):
            return f"{name} is true in the whole run"
        return f"{name} is violated in this run too"

    # States

    def _whole(self) -> bool:
        """Whether the base has no variable of its own."""
        return all(v.name in self.trace.states[0] for v in self.base.definition.variables)

    def _common(self, state: Mapping[str, Any]) -> dict[str, Any]:
        known = {v.name for v in self.base.definition.variables}
        return {name: value for name, value in state.items() if name in known}

    def _plain(self, state: Raw) -> dict[str, Any]:
        values = zip(self.base.definition.variables, state)
        return {v.name: plain_raw(v.domain, raw) for v, raw in values if v.name in self.trace.states[0]}


def _calls(step: Step, wanted: TraceStep) -> bool:
    return step.action.name == wanted.action and same_arguments(step, wanted)
