"""A lowered model as a symbolic transition system: states, initial condition, one relation for all actions, properties.

The relation is built once, over a state "0" and a state "1"; for a run of many steps its variables are renamed.  The
parameters and choices of an action are unknowns, whose values the solver determines.  The relation also states what it
leaves out: steps that overflow a network, and loops beyond their unrolling.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3
from attrs import define, evolve, field, frozen

from checker.backends.smt import scalars as c
from checker.backends.smt.clock import Clock
from checker.backends.smt.environment import ROUNDS, Environment, Guard, Run, State
from checker.backends.smt.statements import MEANING, apply, run
from checker.backends.smt.values import Value, equal, fresh, scalars, valid, zero
from checker.ir.model import Action, Function, Model

Condition = tuple[Any, list[Any]]  # a term, and the unknowns that it may contain


@frozen
class Instance:
    """An action with unknown parameters.

    taken: it is enabled and ends without error; failing: it is enabled and ends in a model error (kind "error" or
    "assert"); left_out: it would overflow a network, or run more rounds of a loop than are unrolled; progress: it ends
    without a crash in the middle; guards: all its conditions, in order; unknowns: scalars of parameters and choices.
    """

    action: Action
    parameters: tuple[Value, ...]
    after: State
    taken: c.Bit
    failing: c.Bit
    left_out: c.Bit
    progress: c.Bit
    guards: tuple[Guard, ...]
    unknowns: tuple[Any, ...]


@frozen
class Truth:
    """The value of a Bool function, and whether its evaluation fails or exceeds the bounds."""

    value: c.Bit
    failing: c.Bit
    left_out: c.Bit


@frozen
class Relation:
    """One step from state "0" to state "1": taken by some action, chosen by a selector; failing and left_out likewise.

    Each comes with its unknowns: parameters, choices, and scalars of the states.  going: for each action that is not a
    fault, the condition that it is enabled, whatever its next state is (but not only with a crash in the middle).
    """

    taken: Condition
    failing: Condition
    left_out: Condition
    going: tuple[Condition, ...]
    before: State
    after: State
    instances: tuple[Instance, ...]  # the actions, as steps from `before`


@define(eq=False)
class System:
    """The symbolic form of a model; building any part of it raises TimeUp once the clock is over."""

    model: Model
    clock: Clock = field(factory=Clock)
    rounds: int = ROUNDS
    _relation: Relation | None = field(default=None, init=False)
    _unknown: dict[int, State] = field(factory=dict, init=False)  # the states that this system made, by identity
    # truths over unknown states, with the scalars of these states
    _truths: dict[tuple[str, bool], tuple[Truth, list[Any]]] = field(factory=dict, init=False)

    def also(self, functions: Iterable[Function], clock: Clock) -> System:
        """The same system with further functions and another clock; the relation is not built again."""
        other = System(
            evolve(self.model, functions=(*self.model.functions, *functions)), rounds=self.rounds, clock=clock
        )
        other._relation, other._truths = self._relation, self._truths
        return other

    def state(self, name: str) -> State:
        """An unknown state; the names of its scalars contain its name."""
        made = {v.name: fresh(v.type, f"{name}|{v.name}") for v in self.model.variables}
        self._unknown[id(made)] = made
        return made

    def valid(self, state: State) -> c.Bit:
        """Whether the values of a state are of their types."""
        return c.conjunction(valid(v.type, state[v.name]) for v in self.model.variables)

    def same(self, a: State, b: State) -> c.Bit:
        """Whether two states are equal."""
        return c.conjunction(equal(v.type, a[v.name], v.type, b[v.name]) for v in self.model.variables)

    def environment(self, state: State, before: State, prefix: str) -> Environment:
        """A fresh execution on a state."""
        types = {v.name: v.type for v in self.model.variables}
        return Environment(
            self.model, Run(prefix, self.clock), dict(state), before, types, rounds=self.rounds, meaning=MEANING
        )

    def initial(self, state: State) -> c.Bit:
        """Whether a state is an initial one."""
        start = {v.name: zero(v.type) for v in self.model.variables}
        instance = self.instance(self.model.initial, start, "start|")
        return c.conjunction([instance.taken, self.same(state, instance.after)])

    def instance(self, action: Action, state: State, prefix: str) -> Instance:
        """An action from a state with unknown parameters and choices."""
        x = self.environment(state, state, prefix)
        parameters = []
        for p in action.parameters:
            value = x.run.unknown(p.type, p.name)
            x.names[p.name] = (p.type, value)
            parameters.append(value)
        run(x, action.body)
        grows = c.disjunction(e.condition for e in x.run.errors if e.kind == "grow")
        fails = c.disjunction(e.condition for e in x.run.errors if e.kind != "grow")
        enabled = c.conjunction([*x.run.assumptions, c.negation(c.disjunction(x.run.disabled))])
        beyond = c.disjunction([grows, c.disjunction(x.run.exceeded)])
        taken = c.conjunction([enabled, c.negation(fails), c.negation(beyond)])
        failing = c.conjunction([enabled, fails, c.negation(beyond)])
        progress = c.conjunction([taken, c.negation(c.disjunction(x.run.crashes))])
        return Instance(
            action,
            tuple(parameters),
            x.state,
            taken,
            failing,
            c.conjunction([enabled, beyond]),
            progress,
            tuple(x.run.guards),
            tuple(x.run.unknowns),
        )

    def instances(self, state: State, prefix: str) -> list[Instance]:
        """All actions from a state."""
        return [self.instance(a, state, f"{prefix}{a.name}|") for a in self.model.actions]

    def relation(self) -> Relation:
        """The step relation, built once."""
        if self._relation is None:
            before, after = self.state("0"), self.state("1")
            found = self.instances(before, "0|")
            selector = fresh_selector(len(found))
            chosen = [c.equal(selector, i) for i in range(len(found))]
            unknowns = [u for f in found for u in f.unknowns]
            everything = [*scalars(before), *scalars(after), *scalars(selector), *unknowns]

            def chosen_one(conditions: Iterable[tuple[c.Bit, ...]]) -> Condition:
                return self._any([c.conjunction([s, *x]) for s, x in zip(chosen, conditions)]), everything

            self._relation = Relation(
                chosen_one((f.taken, self.same(after, f.after)) for f in found),
                chosen_one((f.failing,) for f in found),
                chosen_one((f.left_out,) for f in found),
                tuple(
                    (self._any([f.progress, f.failing, f.left_out]), [*scalars(before), *f.unknowns])
                    for f in found
                    if not f.action.fault
                ),
                before,
                after,
                tuple(found),
            )
        return self._relation

    def _any(self, alternatives: list[c.Bit]) -> Any:
        """A term that is true if one of these conditions is."""
        return self.clock.simplified(term(c.disjunction(alternatives)))

    def truth(self, function: str, state: State, before: State | None = None) -> Truth:
        """The value of the function of a property or constraint in a state (over a step).  Over unknown states it is
        computed once, and copied by renaming.
        """
        if id(state) not in self._unknown or before is not None and id(before) not in self._unknown:
            return self._evaluated(function, state, before)
        key = function, before is not None
        if key not in self._truths:
            any_state, any_before = self.state("any"), None if before is None else self.state("any before")
            unknowns = [*scalars(any_state), *(scalars(any_before) if any_before is not None else ())]
            self._truths[key] = self._evaluated(function, any_state, any_before), unknowns
        truth, unknowns = self._truths[key]
        pairs = list(zip(unknowns, [*scalars(state), *(scalars(before) if before is not None else ())]))
        return Truth(
            *(
                part if isinstance(part, bool) else z3.substitute(part, *pairs)
                for part in (truth.value, truth.failing, truth.left_out)
            )
        )

    def _evaluated(self, function: str, state: State, before: State | None) -> Truth:
        x = self.environment(state, state if before is None else before, f"{function}|")
        value = apply(x, self.model.function(function), [])
        failing = c.disjunction(e.condition for e in x.run.errors)
        return Truth(value, failing, c.disjunction(x.run.exceeded))


def fresh_selector(actions: int) -> Any:
    """A new unknown that selects the action of a step."""
    return 0 if actions == 1 else z3.BitVec("0|taken", c.width(0, actions))


def term(condition: c.Bit) -> Any:
    """A condition as a term of z3."""
    return z3.BoolVal(condition) if isinstance(condition, bool) else condition


def renamed(condition: Any, unknowns: list[Any], renaming: dict[int, str], suffix: str) -> Any:
    """A condition with its variables renamed: those of a state by `renaming` (term -> new name), all others by a
    suffix."""
    names = (renaming.get(v.get_id(), f"{v.decl().name()}@{suffix}") for v in unknowns)
    pairs = [(v, z3.Const(name, v.sort())) for v, name in zip(unknowns, names)]
    return z3.substitute(condition, *pairs) if pairs else condition
