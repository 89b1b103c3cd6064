"""A model executed by hand, step by step: a run and a position in it.

A step at an earlier position cuts off the later steps, unless it is the step that follows there already.  A stored
trace is therefore a run to walk through, and to leave at any position.  The interpreter takes every step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from attrs import define, field

from checker.analysis.explain import condition_text
from checker.analysis.named_values import require_values
from checker.analysis.stored_trace import unchanged
from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.language.definition import PropertyDefinition
from checker.language.errors import UsageError
from checker.replay.plain import instance_text, plain_raw
from checker.replay.refusals import explain
from checker.replay.replay import Replay
from checker.replay.traced import Shown
from checker.results.explained import Explanation
from checker.trace.difference import Change, difference
from checker.trace.trace import Trace
from checker.wording import counted

MOST_LISTED = 1000


@define
class Session:
    """A run of a model, made by hand."""

    interpreter: Interpreter
    reference: str
    states: list[Raw] = field(factory=list)
    steps: list[Step] = field(factory=list)
    position: int = 0
    starts: list[Raw] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.starts = self.interpreter.initial()
        if not self.starts:
            raise UsageError(f"{self.reference} has no initial state")
        if not self.states:
            self.states = self.starts[:1]

    @classmethod
    def of_trace(cls, trace: Trace) -> Session:
        """A session at the start of a stored trace.  Raises UsageError if the trace is no longer a behaviour of its
        model.
        """
        run = unchanged(trace, remedy=None)
        return cls(run.interpreter, trace.display_name(), list(run.states), list(run.steps))

    @property
    def state(self) -> Raw:
        """The state at the current position."""
        return self.states[self.position]

    @property
    def enabled(self) -> list[tuple[str, Step]]:
        """Each enabled instance with its name, at most MOST_LISTED; instances that differ only by choices have their
        changes in the name.
        """
        steps = islice(self.interpreter.steps(self.state), MOST_LISTED)
        found = [(instance_text(s.action.name, [v for _, v in s.arguments]), s) for s in steps]
        names = Counter(name for name, _ in found)
        return [(name if names[name] == 1 else f"{name}  [{self._effect(step)}]", step) for name, step in found]

    # Moves

    def take(self, wanted: str) -> Failure | None:
        """Take the enabled step with this name or number.  A step that fails is not taken, and its failure is returned.
        Raises UsageError if there is no such step, or several.
        """
        choices = self.enabled
        if wanted.isdigit() and 1 <= int(wanted) <= len(choices):
            step = choices[int(wanted) - 1][1]
        else:
            typed = wanted.replace(" ", "")
            same = [s for name, s in choices if typed in (x.replace(" ", "") for x in (name, name.partition("  [")[0]))]
            if len(same) != 1:
                unknown = "is neither enabled nor a command; `help` lists those, `why` tells what blocks"
                raise UsageError(f"{wanted} {'has several choices: take it by its number' if same else unknown}")
            step = same[0]
        if step.after is None:
            return step.failure
        if not (self.position < len(self.steps) and self.steps[self.position] == step):
            self.states[self.position + 1 :], self.steps[self.position :] = [step.after], [step]
        self.position += 1
        return None

    def go(self, place: int) -> tuple[Change, ...]:
        """Go to another position of the run, and return the differences of its state unless it is a neighbour.  Raises
        UsageError if there is no such position.
        """
        if place < 0:
            some = f"only {counted(self.position, 'step')} can be undone"
            raise UsageError(some if self.position else "this is the start: there is nothing to undo")
        if place >= len(self.states):
            raise UsageError(f"there is no step {place}: the run has {len(self.steps)}")
        before, far, self.position = self.state, abs(place - self.position) > 1, place
        return difference(self.plain(before), self.plain(self.state)) if far else ()

    def start(self, number: int) -> None:
        """Begin again in another initial state, counted from 1.  Raises UsageError if there is none of that number."""
        if not 1 <= number <= len(self.starts):
            raise UsageError(f"there is no start {number}: the model has {counted(len(self.starts), 'initial state')}")
        self.states, self.steps, self.position = [self.starts[number - 1]], [], 0

    # Questions

    def why_not(self, action: str, words: list[str]) -> Explanation:
        """What is not enabled here and why: of everything but faults, or of one action.  Raises UsageError if there is
        no such action.
        """
        if action and action not in {a.name for a in self.interpreter.definition.actions}:
            raise UsageError(f"there is no action {action}")
        everything = explain(self.interpreter, self.state, action or None)
        require_values(words, everything, self.interpreter.definition)
        found = everything.about(words)
        return Explanation(found.enabled, tuple(r for r in found.refused if action or not r.fault), found.idle)

    def condition(self, predicate: str) -> str:
        """Whether a predicate holds here, and why."""
        return condition_text(predicate, self.interpreter, self.state)

    def findings(self) -> Iterator[str]:
        """What is broken here, and whether the search would go on from here."""
        for property, found in self._broken():
            wrong = f"cannot be evaluated: {found.message}" if isinstance(found, Failure) else "is violated"
            yield f"{property.name} {wrong}"
        if not self.interpreter.kept(self.state):
            yield "a constraint cuts this state: the search would not go on from here"

    def trace(self) -> Trace:
        """The run up to here."""
        replay = Replay(self.interpreter, self.reference, "interpreter")
        return replay.build(self.states[: self.position + 1], self.steps[: self.position], self._shown())

    def plain(self, state: Raw) -> dict[str, Any]:
        """The values of a state by variable."""
        return {v.name: plain_raw(v.domain, r) for v, r in zip(self.interpreter.definition.variables, state)}

    def _shown(self) -> Shown:
        """The first property that the run up to here breaks; else only the run itself."""
        shown = (Shown(p.kind, p.name) for p, found in self._broken() if found is True)
        return next(shown, Shown("reachable", "run by hand"))

    def _broken(self) -> Iterator[tuple[PropertyDefinition, bool | Failure]]:
        """The properties that are false here, or cannot be evaluated."""
        before = self.states[self.position - 1] if self.position else None
        found = ((p, self.interpreter.broken(p, self.state, before)) for p in self.interpreter.definition.properties)
        return (item for item in found if item[1] is not False)

    def _effect(self, step: Step) -> str:
        if step.after is None:
            return "fails"
        changes = difference(self.plain(self.state), self.plain(step.after))
        return "; ".join(c.text() for c in changes) or "changes nothing"
