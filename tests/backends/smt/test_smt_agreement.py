"""The symbolic back end and the tree-walking evaluator agree: same successors, same errors, same truth of every
property."""

from __future__ import annotations

import random as randoms

import pytest
import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checker.backends.smt.system import System, term
from checker.backends.smt.values import equal, fresh, lift, read, valid
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.evaluate.environment import Failure, State
from checker.ir.evaluate.model import Evaluator
from checker.ir.model import Model
from checker.ir.values import key, values
from checker.language import Bool, Int, Seq, action, anything, invariant, require, var
from checker.language import Model as Protocol
from checker.language.define import define
from checker.models.isis import Isis
from checker.models.s_toto import SToTo
from checker.models.sequencer import Sequencer
from tests.backends.native_models import ewd840, two_phase_commit
from tests.backends.random_models import Builder

MOST_SUCCESSORS = 40


def compare(model: Model, most: int) -> int:
    """Compare up to `most` reachable states; returns how many were."""
    evaluator, system = Evaluator(model), System(model)
    try:
        waiting = evaluator.initial()
    except Failure:
        return 0
    assert_initial(system, waiting)
    seen: list[State] = []
    while waiting and len(seen) < most:
        state = waiting.pop(0)
        if state not in seen:
            seen.append(state)
            waiting += compare_state(system, evaluator, state)
    return len(seen)


def assert_initial(system: System, states: list[State]) -> None:
    """Exactly these states are initial."""
    start = system.state("start")
    solver = z3.SolverFor("QF_FD")
    solver.add(term(system.initial(start)), term(system.valid(start)))
    for state in states:
        assert solver.check(term(system.same(start, lifted(system, state)))) == z3.sat
    for state in states:
        solver.add(z3.Not(term(system.same(start, lifted(system, state)))))
    assert solver.check() == z3.unsat


def compare_state(system: System, evaluator: Evaluator, state: State) -> list[State]:
    """Every successor is one for the relation, and the relation has no other; it fails where some step does."""
    steps = evaluator.successors(state)
    compare_truths(system, evaluator, state)
    if len(steps) > MOST_SUCCESSORS:
        return []
    relation, solver = system.relation(), z3.SolverFor("QF_FD")
    solver.add(term(system.same(relation.before, lifted(system, state))))
    left_out = solver.check(relation.left_out[0]) == z3.sat
    fails = any(s.failure is not None and s.failure.kind != "grow" for s in steps)
    assert left_out or (solver.check(relation.failing[0]) == z3.sat) == fails
    solver.add(relation.taken[0])
    after = [s.after for s in steps if s.after is not None]
    for successor in after:
        assert left_out or solver.check(term(system.same(relation.after, lifted(system, successor)))) == z3.sat
    for successor in after:
        solver.add(z3.Not(term(system.same(relation.after, lifted(system, successor)))))
    assert solver.check() == z3.unsat
    return after


def compare_truths(system: System, evaluator: Evaluator, state: State) -> None:
    """On a known state everything folds to a known truth: that of the evaluator.  On an unknown one that equals it
    there is no other."""
    known, unknown = lifted(system, state), system.state("unknown")
    for p in evaluator.model.properties:
        found = system.truth(p.function, known, known)
        try:
            assert (found.value, found.failing) == (evaluator.holds(p.function, state), False)
        except Failure:
            assert found.failing is True
            continue
        same, asked = z3.SolverFor("QF_FD"), system.truth(p.function, unknown, unknown)
        same.add(term(system.same(unknown, known)), z3.Not(term(asked.left_out)))
        assert same.check(z3.Or(term(asked.failing), term(asked.value) != term(found.value))) == z3.unsat


def lifted(system: System, state: State) -> State:
    """A state of raw values as a symbolic one."""
    return {v.name: lift(v.type, state[v.name]) for v in system.model.variables}


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_relation_and_evaluator_agree_on_random_models(random: randoms.Random) -> None:
    """Every construct of the intermediate representation, errors included."""
    compare(Builder(random.randrange).model(), 3)


class Leaving(Protocol):
    """Returns from the middle of an action, of a loop, and of a loop in a rule; what follows must not change what was
    done."""

    first = var(Bool, anything)
    second = var(Bool, anything)
    n = var(Int(0, 5), 0)
    log = var(Seq[Int(0, 2), 3])

    @action
    def act(self):
        require(self.n == 0)
        if self.first:
            self.n = 1
            return
        if self.second:
            self.n = 2

    @action
    def look(self):
        for x in self.log:
            if x == 1:
                self.n = 3
                return
            if x == 2 and self.second:
                self.n = 4
        self.n = 5

    @action
    def write(self, x: Int(0, 2)):
        self.log.append(x)

    def ahead(self, m, x) -> bool:
        for y in self.log:
            if y == x:
                return False
            if y == m:
                return True
        return False

    @invariant
    def none_ahead(self) -> bool:
        return not any(self.ahead(m, x) for m in range(3) for x in range(3))

    @invariant
    def one_not_ahead_of_two(self) -> bool:
        return not self.ahead(1, 2)


def test_what_follows_a_return_does_not_reach_those_that_have_left() -> None:
    """All states: each path keeps what it did before it left."""
    assert compare(lower(define(Leaving)), 60) == 60


@pytest.mark.parametrize(
    "logs", [((1, 0), (0, 1)), ((1, 0, 0), (1, 0, 1)), ((0, 0, 1), (1, 0)), ((1,), (1, 0, 1)), ((), (0,))]
)
def test_they_agree_on_the_order_of_logs(logs: tuple[tuple[int, ...], ...]) -> None:
    """These properties return from a loop over a log, here one of unknown length."""
    model = lower(define(Isis, {"workload": (1, 1)}, ["TotalOrder", "GapFreeTotalOrder"]))
    evaluator = Evaluator(model)
    compare_truths(System(model), evaluator, evaluator.initial()[0] | {"delivered": logs})


def test_they_agree_on_two_phase_commit() -> None:
    """The first states of two managers."""
    assert compare(two_phase_commit(2), 30) == 30


def test_they_agree_on_ewd840() -> None:
    """States of a ring of two, from all initial states."""
    assert compare(ewd840(2), 30) == 30


@pytest.mark.parametrize(
    ("cls", "most"),
    [
        pytest.param(cls, most, marks=() if (cls, most) == (Sequencer, 4) else pytest.mark.thorough)
        for cls in (Isis, Sequencer, SToTo)
        for most in (4, 12)
    ],
)
def test_they_agree_on_multicast_protocols(cls: type, most: int) -> None:
    """Networks are sorted bags, handlers choose a message and loop."""
    definition = define(cls, {"workload": (1, 1)})
    model = lower(definition, {v.name: 4 for v in definition.variables if v.network is not None})
    assert compare(model, most) == most


# Values

PAIR = t.Record("Pair", (("a", t.Int(-1, 1)), ("b", t.Optional(t.Bool()))))
TYPES = [
    t.Bool(),
    t.Int(-3, 4),
    t.Enum("Color", ("red", "green", "blue")),
    t.Optional(t.Enum("Color", ("red", "green"))),
    PAIR,
    t.Union("Wire", (t.Record("Data", (("n", t.Int(0, 2)),)), t.Record("Ack", ()))),
    t.Map(t.Bool(), t.Int(0, 2)),
    t.Set(t.Enum("Color", ("red", "green", "blue"))),
]


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_an_unknown_valid_value_has_exactly_the_values_of_its_type(type: t.Type) -> None:
    """Read back one after the other, each once."""
    unknown, solver, found = fresh(type, "x"), z3.SolverFor("QF_FD"), []
    solver.add(term(valid(type, unknown)))
    while solver.check() == z3.sat:
        found.append(read(type, unknown, solver.model()))
        solver.add(z3.Not(term(equal(type, unknown, type, lift(type, found[-1])))))
    assert len(found) == size(type)
    assert sorted(found, key=lambda raw: key(type, raw)) == list(values(type))
