"""Continuations with one condition exchanged: whether a run can reach the missing value once the condition has its
other value.

A condition is a call of a rule with its arguments, or a guard of one instance of an action.  Its value is exchanged in
an interpreter of its own, for the whole continuation; the property is evaluated in another one, without the exchange:

* from the end of the run, or from a state of its loop;
* for a rule also from the last step that calls it and has another effect with the other value: the rest of the run
  follows as far as its steps are still enabled, then any steps but faults.

The condition matters if a state is found in which the witness of the violation is gone because a value that the
property reads has changed.  This distinguishes a rule that prevents the missing step from a rule that guards a step
already taken, that is called under a negation, or that only chooses a branch.

Where it stops: at most MOST_STATES states are examined for each condition, so a condition whose effect needs a longer
continuation counts as one that does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from attrs import define, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.choice import waiving
from checker.language.places import statement_line
from checker.replay.plain import instance_text, value_text
from checker.results.explained import Refusal

MOST_STATES = 60
TIMES = (1, 2, 3, 8)
"""How often a rule has its other value in one execution: a loop may call it until it changes."""


@frozen
class CalledRule:
    """A rule as a run called it, with its value at the end, and the number of the last step that called it (None: only
    steps that the run did not take called it).
    """

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    value: bool
    step: int | None

    @property
    def argument_texts(self) -> tuple[str, ...]:
        """The arguments as text."""
        return tuple(map(value_text, self.arguments))


@define
class Otherwise:
    """Continuations of a run with exchanged conditions.  came: whether a state has the missing value."""

    states: Sequence[Raw]
    steps: Sequence[Step]
    ending: Sequence[Raw]
    came: Callable[[Raw], bool]
    changed: Interpreter = field()  # an interpreter that executes only these continuations

    def comes_anyway(self) -> bool:
        """Whether the missing value can come about at the end without an exchange; then no condition prevents it."""
        return any(self._reached(state) for state in self.ending[:1])

    def needs_rule(self, called: CalledRule) -> bool:
        """Whether the missing value can come about at the end once the rule has its other value for these arguments."""
        return any(self._exchanging(called, times, lambda: self._reached(self.ending[0])) for times in TIMES)

    def needed_rule(self, called: CalledRule) -> bool:
        """Whether the missing value could have come about if the rule had had its other value in the last step that
        called it.
        """
        number = called.step
        if number is None:
            return False
        return any(self._exchanging(called, times, lambda: self._from_step(number)) for times in TIMES)

    def _exchanging(self, called: CalledRule, times: int, question: Callable[[], bool]) -> bool:
        with self._exchanged(called, times):
            return question()

    def needs_guard(self, refusal: Refusal) -> bool:
        """Whether the missing value can come about once an instance is no longer disabled by its guard."""
        line = statement_line(refusal.file, refusal.line)

        def is_guard(frame: FrameType) -> bool:
            code = frame.f_code
            return code.co_filename == refusal.file and statement_line(refusal.file, frame.f_lineno) == line

        with waiving(is_guard):
            steps = [s for s in self.changed.steps(self.ending[0], refusal.action) if _is_instance(s, refusal)]
        return any(step.after is not None and self._reached(step.after) for step in steps)

    @contextmanager
    def _exchanged(self, called: CalledRule, times: int) -> Iterator[None]:
        """In this context the rule has its other value, the given number of times in each execution of an action.
        Python finds an attribute of the model object before the method of its class.
        """
        model, texts = self.changed.model, called.argument_texts
        exchanges = Counter[int]()

        def rule(*arguments: Any, **named: Any) -> Any:
            execution = self.changed.executed
            if not named and exchanges[execution] < times and tuple(map(value_text, arguments)) == texts:
                exchanges[execution] += 1
                return not called.value
            return called.function(model, *arguments, **named)

        object.__setattr__(model, called.name, rule)
        try:
            yield
        finally:
            object.__delattr__(model, called.name)

    def _from_step(self, number: int) -> bool:
        """As `_reached`, from a step of the run with another effect, followed by the rest of the run."""
        taken = self.steps[number - 1]
        for step in list(self.changed.steps(self.states[number - 1], taken.action.name)):
            if step.arguments != taken.arguments or step.after is None or step.after == taken.after:
                continue
            if self._reached(self._followed(step.after, self.steps[number:])):
                return True
        return False

    def _followed(self, state: Raw, rest: Sequence[Step]) -> Raw:
        """The state after the steps of the rest of the run that are still enabled."""
        for wanted in rest:
            steps = self.changed.steps(state, wanted.action.name)
            same = next((s for s in steps if s.arguments == wanted.arguments and s.after is not None), None)
            state = state if same is None or same.after is None else same.after
        return state

    def _reached(self, state: Raw) -> bool:
        """Whether the missing value comes about in a state or within few steps from it."""
        found, waiting = {state}, [state]
        while waiting:
            now = waiting.pop(0)
            if self.came(now):
                return True
            for step in list(self.changed.steps(now)):
                if step.action.fault or step.after is None or step.after in found or len(found) >= MOST_STATES:
                    continue
                found.add(step.after)
                waiting.append(step.after)
        return False


def _is_instance(step: Step, refusal: Refusal) -> bool:
    values = [v for _, v in step.arguments]
    return instance_text(step.action.name, values) == refusal.instance
