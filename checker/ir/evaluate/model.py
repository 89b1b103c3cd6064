"""The meaning of the intermediate representation as a simple tree-walking evaluator.

It computes on raw values what a compiled back end computes on packed words: successors in the same canonical order, the
same model errors. It is slow (some thousand transitions a second), and serves tests, replay, and questions about single
states.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from attrs import frozen

from checker.ir.evaluate.environment import Disabled, Environment, Failure, Script, State
from checker.ir.evaluate.statements import Stop, call, run
from checker.ir.model import Action, Model
from checker.ir.values import Raw, values, zero


@frozen
class Step:
    """One transition: the action, its arguments, and the state after it or the error instead.  crashed: the acting
    process crashed in the middle of it."""

    action: str
    arguments: tuple[Raw, ...]
    after: State | None
    failure: Failure | None = None
    crashed: bool = False


@frozen
class Evaluator:
    """Successors, initial states and properties of a model over states of raw values."""

    model: Model

    def initial(self) -> list[State]:
        """The initial states in canonical order, duplicates included; raises Failure."""
        return list(self.starts())

    def starts(self) -> Iterator[State]:
        """The initial states one by one."""
        state = {v.name: zero(v.type) for v in self.model.variables}
        for step in self._instances(self.model.initial, state):
            if step.failure is not None:
                raise step.failure
            if step.after is not None:
                yield step.after

    def successors(self, state: State) -> list[Step]:
        """All transitions of a state in canonical order."""
        return [step for action in self.model.actions for step in self._instances(action, state)]

    def holds(self, function: str, state: State, before: State | None = None) -> bool:
        """Truth of a property's or constraint's function; raises Failure."""
        x = Environment(self.model, state, state if before is None else before, call=call)
        return bool(call(x, self.model.function(function), []))

    def _instances(self, action: Action, state: State) -> Iterator[Step]:
        domains = [list(values(p.type)) for p in action.parameters]
        return (step for arguments in product(*domains) for step in self._runs(action, state, arguments))

    def _runs(self, action: Action, state: State, arguments: tuple[Raw, ...]) -> Iterator[Step]:
        """The executions of one instance, for every setting of its choices."""
        script, more = Script(), True
        while more:
            names = {p.name: a for p, a in zip(action.parameters, arguments)}
            x = Environment(self.model, dict(state), state, names, script, call=call)
            try:
                run(x, action.body)
                yield Step(action.name, arguments, x.state)
            except Stop as stop:
                yield Step(action.name, arguments, x.state, crashed=stop.args[0])
            except Failure as failure:
                yield Step(action.name, arguments, None, failure)
            except Disabled:
                pass
            more = script.advance()
