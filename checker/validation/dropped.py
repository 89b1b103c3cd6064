"""Steps of a search that drops messages whose receipt changes nothing, as runs of the model: one step, then the
receipts of the dropped messages.

Such a step is confirmed if the interpreter takes it in this form, message by message, and if the messages left in
flight are those that the lowered definition (`checker.ir.stubborn.dropping`) leaves.  Where it stops: the interpreter
does not confirm that the dropped messages have no effect later, nor which steps a reduced search may omit; both follow
only from the text of the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from attrs import define, field

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.backends.native.kernel import NativeKernel
from checker.contract import States
from checker.ir.evaluate.environment import Environment, State
from checker.ir.evaluate.statements import call, run
from checker.ir.model import Model as Lowered
from checker.ir.statements import For
from checker.ir.stubborn.dropping import end_of_steps
from checker.language.definition import Definition
from checker.replay.disagreement import state_text
from checker.replay.symmetry import canonical_of
from checker.search.expansions import successors_of
from checker.validation.answers import differ
from checker.validation.sample import evenly, spread_order

SAMPLE = 64
"""The largest number of states whose steps are confirmed."""
ALLOWANCE = 500
"""The number of executions of actions by the interpreter after which no further state is examined: some 0.05 s."""


@define(eq=False)
class Dropping:
    """Runs of a model along states of a search that drops messages.  kernel: of that search."""

    definition: Definition
    kernel: NativeKernel
    interpreter: Interpreter = field(init=False)
    _names: list[str] = field(init=False)
    _networks: list[int] = field(init=False)
    _canonical: Callable[[Raw], Raw] = field(init=False)
    _model: Lowered = field(init=False)
    _end: tuple[For, ...] = field(init=False)
    _steps: dict[Raw, list[Raw]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.interpreter = Interpreter(self.definition)
        self._names = [v.name for v in self.definition.variables]
        reduction = self.kernel.reduction
        assert reduction is not None
        self._model = reduction.labels.model
        networks = dict.fromkeys(kind.network for kind in reduction.irrelevant.when)
        self._end = end_of_steps(self._model, networks)
        self._networks = [self._names.index(n) for n in networks]
        self._canonical = canonical_of(self.definition, self.kernel.model) or (lambda state: state)

    def confirm(self, states: States) -> None:
        """Confirm a sample of the steps out of states of the search.  Raises Disagreement if the interpreter does not
        take them.
        """
        numbers = evenly(len(states), SAMPLE)
        for number in spread_order(len(numbers)):
            if self.interpreter.executed > ALLOWANCE:
                break
            row = states[numbers[number]]
            for successor in successors_of(self.kernel, row):
                self._way(self.kernel.decode(row), self._raw(self.kernel.decode(successor)))

    def run(self, path: States) -> tuple[Raw, ...]:
        """The states (of the model) of a run along states (k, words) of the search.  Raises Disagreement if there is
        none.
        """
        states = list(map(self.kernel.decode, path))
        found = [*self._beginning(states[0])]
        for before, after in zip(states, states[1:]):
            found += self._way(before, self._raw(after))
        return tuple(found)

    # -- one step

    def _raw(self, state: Mapping[str, Raw]) -> Raw:
        return tuple(state[name] for name in self._names)

    def _beginning(self, first: State) -> list[Raw]:
        """The initial state of a run, and the states after the receipts of dropped messages."""
        wanted = self._raw(first)
        for start in self.interpreter.initial():
            if self._canonical(less := self._dropped(first, start)) == wanted:
                return list(self._receipts(start, less))
        text = state_text(self.definition, wanted)
        raise differ(self.definition, "an initial state and what is dropped in it", "none like this", text)

    def _way(self, before: State, wanted: Raw) -> list[Raw]:
        """The state after a step, and the states after the receipts of the messages dropped at its end, one by one."""
        start = self._raw(before)
        for after in self._after(start):
            if self._canonical(less := self._dropped(before, after)) == wanted:
                return list(self._receipts(after, less))
        text = state_text(self.definition, wanted)
        raise differ(self.definition, "a step and what is dropped after it", "none like this", text, start)

    def _after(self, state: Raw) -> list[Raw]:
        """The states after the steps that the interpreter takes."""
        if state not in self._steps:
            self._steps[state] = [step.after for step in self.interpreter.steps(state) if step.after is not None]
        return self._steps[state]

    def _dropped(self, before: State, after: Raw) -> Raw:
        """A state without the messages dropped at the end of a step to it.  before: a state with the choices of the
        initial states, which do not change.
        """
        state = {**before, **dict(zip(self._names, after))}
        x = Environment(self._model, state, state, call=call)
        run(x, self._end)
        return self._raw(x.state)

    def _receipts(self, state: Raw, less: Raw) -> Iterator[Raw]:
        """A state, and the states after the receipts, one by one, of the messages that are no longer in flight in
        another state. Raises Disagreement if the interpreter does not take them.
        """
        yield self._canonical(state)
        for n in self._networks:
            message: Raw
            for message in (Counter(state[n]) - Counter(less[n])).elements():
                at = state[n].index(message)
                following = (*state[:n], (*state[n][:at], *state[n][at + 1 :]), *state[n + 1 :])
                if following not in self._after(state):
                    what = "the receipt of a message that is dropped"
                    raise differ(self.definition, what, "no such step", state_text(self.definition, following), state)
                state = following
                yield self._canonical(state)
