"""The lowered model, compared with the interpreter, for results that are based on formulas and not on a search.

z3 gets the lowered model, in which an error of the front end could make a false statement provable.  Before a proof or
a comparison of rules is reported, the interpreter and the tree-walking evaluator of the lowered model therefore execute
the same states: initial ones, states reached from them breadth-first and by walks, and, because induction is about
unreachable states too, states drawn from the types (without messages to crashed processes).  The draws are fixed.

Where it stops: formulas are compared with the evaluator for a proof only, in the same states
(`checker.validation.formulas`), and not for rules; the interpreter executes a run that z3 finds before it is shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from attrs import define, field

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.ir.draw import drawn
from checker.ir.evaluate.environment import Failure, State, narrow
from checker.ir.evaluate.model import Evaluator
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition, NetworkDefinition
from checker.language.start import starts
from checker.results.validated import Validation
from checker.validation.answers import Answer, Executing, Failed, Meaning, compare, compare_starts, named
from checker.validation.validation import READ, SECONDS, STARTS

SIDE = "lowered model"
Agreed = Sequence[tuple[Raw, Answer]]
ALLOWANCE = 43_000
"""The allowance for the interpreter, in approximate microseconds; the evaluator takes several times as long."""
LEAST = 16
"""The number of states that are compared even beyond the allowance, unless the time limit is over."""
REACHED, DRAWN, WALK = 200, 40, 30
"""The largest numbers of reached and of drawn states, and the number of steps of a walk."""
FOLLOWED = 1000
"""The number of steps out of a state that are followed in the search for more states; a state may have millions."""


class TooSmall(Exception):
    """Raised if a network of the lowered model has no room for a message that a step sends; the state is not compared
    then.
    """


def validated_lowering(
    definition: Definition, model: Lowered, further: Callable[[Agreed], None] = lambda agreed: None
) -> Validation:
    """The extent to which the interpreter confirms a lowered model.  Raises Disagreement if they differ.  further:
    called with the compared states and the answers on which both agree.
    """
    return _Validator(definition, model, further).run()


@define
class LoweredAnswers(Executing[State]):
    """The evaluator's results in states of a lowered model."""

    evaluator: Evaluator
    names: list[str]

    def answer(self, raw: Raw) -> Answer:
        """The answer for a state.  Raises TooSmall unless the state is of the lowered model's types, whose networks
        have a bound.
        """
        model, state = self.evaluator.model, dict(zip(self.names, raw))
        try:
            for v in model.variables:
                narrow(v.type, state[v.name], 0)
        except Failure:
            raise TooSmall from None
        return self.found(model, state)

    def taken(self, state: State) -> list[tuple[str, State | None, Failed | None, bool]]:
        """The steps that the evaluator takes.  Raises TooSmall."""
        faults = {a.name for a in self.evaluator.model.actions if a.fault}
        return [
            (s.action, s.after, _failed(s.failure) if s.failure else None, not (s.crashed or s.action in faults))
            for s in self.evaluator.successors(state)
        ]

    def truth(self, function: str, owner: str | None, state: State, before: State | None) -> bool | Failed:
        """The value of the function.  Raises TooSmall."""
        try:
            return self.evaluator.holds(function, state, before)
        except Failure as failure:
            return _failed(failure)

    def raw(self, state: State) -> Raw:
        """A state as a tuple."""
        return tuple(state[name] for name in self.names)


def _failed(failure: Failure) -> Failed:
    if failure.kind == "grow":
        raise TooSmall
    return named(failure.kind, failure.name, failure.line)


@define(eq=False)
class _Validator:
    definition: Definition
    model: Lowered
    further: Callable[[Agreed], None]
    meaning: Meaning = field(init=False)
    lowered: LoweredAnswers = field(init=False)
    began: float = field(init=False, factory=time.thread_time)

    def __attrs_post_init__(self) -> None:
        self.meaning = Meaning(Interpreter(self.definition))
        self.lowered = LoweredAnswers(Evaluator(self.model), [v.name for v in self.definition.variables])

    def run(self) -> Validation:
        first = self._initial()
        states = steps = 0
        taken, agreed = set[str](), list[tuple[Raw, Answer]]()
        late, known = False, set[Raw]()
        # states in the order in which the interpreter takes steps to them
        reached = alternating(self._breadth_first(first), self._walked(first))
        for state in alternating(reached, self._drawn()):  # computed on demand, because each state may take long
            if state in known:
                continue
            known.add(state)
            late = states > 0 and time.thread_time() - self.began > 2 * SECONDS
            if late or states >= LEAST and READ * self.meaning.interpreter.model.storage.reads > ALLOWANCE:
                break
            found = self._compared(state)
            if found is not None:
                states, steps = states + 1, steps + found.steps
                taken.update(name for name, n in found.fired if n)
                agreed.append((state, found))
        self.further(agreed)
        untaken = tuple(a.name for a in self.definition.actions if a.name not in taken)
        compared = sum(p.kind != "leads-to" for p in self.definition.properties)
        return Validation(len(first), states, states, steps, compared, untaken, late)

    def _compared(self, state: Raw) -> Answer | None:
        """The results of both in a state; None if the lowered model has no room for it."""
        try:
            found = self.lowered.answer(state)
        except TooSmall:
            return None
        compare(self.definition, state, self.meaning.confirmed(state, f"{found.steps} steps", SIDE), found, SIDE)
        return found

    def _initial(self) -> list[Raw]:
        """The first initial states, which the interpreter and the lowered model have in the same order."""
        expected = list(dict.fromkeys(islice(starts(self.meaning.interpreter.model), STARTS)))
        found = list(dict.fromkeys(map(self.lowered.raw, islice(self.lowered.evaluator.starts(), STARTS))))
        compare_starts(self.definition, expected, found, SIDE)
        return expected

    def _drawn(self) -> Iterator[Raw]:
        random = Random(0)
        for _ in range(DRAWN):
            state = tuple(drawn(v.type, random) for v in self.model.variables)
            yield without_mail_of_the_crashed(self.definition, state)

    def _breadth_first(self, first: list[Raw]) -> Iterator[Raw]:
        known = dict.fromkeys(first)
        queue = list(first)
        for state in queue[:REACHED] if len(queue) > REACHED else queue:
            yield state
            for after in self._successors(state) if len(queue) < REACHED else ():
                if after not in known:
                    known[after] = None
                    queue.append(after)

    def _walked(self, first: list[Raw]) -> Iterator[Raw]:
        random = Random(1)
        for _ in range(REACHED // WALK if first else 0):
            state = random.choice(first)
            for _ in range(WALK):
                following = self._successors(state)
                if not following:
                    break
                state = random.choice(following)
                yield state

    def _successors(self, state: Raw) -> list[Raw]:
        interpreter = self.meaning.interpreter
        steps = islice(interpreter.steps(state), FOLLOWED)
        return [step.after for step in steps if step.after is not None and interpreter.kept(step.after)]


def without_mail_of_the_crashed(definition: Definition, state: Raw) -> Raw:
    """The state without messages to crashed processes: a crash drops such messages, and the language does not define
    steps that take them.
    """
    names = [v.name for v in definition.variables]
    crashed = state[names.index("crashed")] if "crashed" in names else frozenset()
    if not crashed:
        return state

    def kept(network: NetworkDefinition, content: Raw) -> Raw:
        if not network.fifo:
            return tuple(message for message in content if message[1] not in crashed)
        return tuple(tuple(() if target in crashed else queue for target, queue in enumerate(row)) for row in content)

    return tuple(raw if v.network is None else kept(v.network, raw) for v, raw in zip(definition.variables, state))


def alternating(*sources: Iterator[Raw]) -> Iterator[Raw]:
    """One item of each iterable in turn, as long as there are any."""
    left = list(sources)
    while left:
        for source in list(left):
            try:
                yield next(source)
            except StopIteration:
                left.remove(source)
