"""Rules whose values are remembered in a state: many states in one call give what they give without a table."""

from __future__ import annotations

import random as randoms
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.models.paxos import Paxos
from checker.backends.native import remembered
from checker.backends.native.graph import compile_graph
from checker.backends.native.kernel import InitialError, NativeKernel, compile_model
from checker.backends.native.repeated import again, cost
from checker.contract import NEVER, PARTS
from checker.frontend.lower import lower
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.model import Model as Lowered
from checker.language import (
    Ids,
    Int,
    Map,
    Model,
    Set,
    action,
    choose,
    constraint,
    invariant,
    quiescent,
    reachable,
    require,
    rule,
    step_invariant,
    var,
)
from checker.language.define import define
from checker.models.isis import Isis
from checker.models.two_views import GLToToViews
from tests.backends.agreement import compare
from tests.backends.random_models import Builder


class Scales(Model):
    """Every kind of method calls the same rules; actions also between and after their writes."""

    Node = Ids("Node", 3)
    Weight = Int(0, 3)
    held = var(Map[Node, Weight], 0)
    last = var(Weight, 0)

    @rule
    def heavier(self, p: Node) -> Set[Node]:
        """Whose weight is greater."""
        return {q for q in self.Node if self.held[q] > self.held[p]}

    @rule
    def alike(self, p: Node) -> Set[Node]:
        """Whose weight is the same."""
        return {q for q in self.Node if self.held[q] == self.held[p]}

    @rule
    def share(self, p: Node) -> int:
        """An error for a node without weight."""
        return 6 // self.held[p] if len(self.heavier(p)) < 3 else 0

    @action
    def add(self, p: Node, q: Node) -> None:
        require(p != q and len(self.heavier(p)) == 0 and self.held[p] < 3)
        self.held[p] += 1
        self.last = len(self.heavier(q))
        self.held[q] = choose(self.Weight)
        self.last = len(self.heavier(q)) + len(self.heavier(p))

    @action
    def split(self, p: Node, q: Node) -> None:
        require(len(self.heavier(q)) == 0)
        require(self.share(p) > 2)
        self.last = 3

    @constraint
    def near(self) -> bool:
        return all(len(self.heavier(p)) < 2 for p in self.Node)

    @step_invariant
    def grows(self) -> bool:
        return all(len(self.heavier(p)) >= len(self.before.heavier(p)) for p in self.Node)

    @invariant
    def even(self) -> bool:
        return all(len(self.heavier(p)) == 0 and len(self.alike(p)) == 3 for p in self.Node)

    @reachable
    def apart(self) -> bool:
        return any(len(self.heavier(p)) == 2 and len(self.alike(p)) == 1 for p in self.Node)

    @quiescent
    def full(self) -> bool:
        return all(self.share(p) == 2 for p in self.Node)


class Chain(Model):
    """A rule that is called twice calls a rule that calls a rule."""

    n = var(Int(0, 3), 0)

    @rule
    def inner(self) -> int:
        return sum(x for x in range(self.n))

    @rule
    def middle(self) -> int:
        return 2 + self.inner()

    @rule
    def outer(self) -> int:
        return 1 + self.middle()

    @action
    def step(self) -> None:
        require(self.outer() > 0 and self.outer() < 9 and self.n < 3)
        self.n += 1


@pytest.fixture(autouse=True)
def _every_rule_has_a_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(remembered, "LONG", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def kernels(model: Lowered) -> Iterator[NativeKernel]:
    """Without tables, and with them in optimised and in quick code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembered, "MOST", 0)
        assert not remembered.remembered(model)
        yield compile_model(model, cache=False)
    yield compile_model(model, cache=False)
    yield compile_model(model, cache=False, quick=True)


def expanded(kernel: NativeKernel, states: np.ndarray) -> list[bytes]:
    """All that one call of `expand` and of `check` write for these states."""
    capacity = 5000 + 500 * len(states)
    successors, parents = np.zeros((capacity, kernel.words), np.uint64), np.zeros(capacity, np.uint32)
    counters, quiescent = np.zeros(2 * len(kernel.actions) + 3, np.int64), np.zeros(len(states), np.uint8)
    first, here = (np.full(n * len(kernel.findings), NEVER, np.int64) for n in (PARTS, 1))
    done, n = kernel.expand(states, 0, successors, parents, counters, first, quiescent)
    assert done == len(states)
    kernel.check(states, here)
    return [x.tobytes() for x in (successors[:n], parents[:n], counters, quiescent, first, here)]


def compare_kernels(model: Lowered, most: int) -> None:
    """Compare the kernels on up to so many states, each twice in one call."""
    plain, *others = kernels(model)
    try:
        states = plain.initial()
    except InitialError:
        return
    seen = {row.tobytes(): row for row in states[:most]}
    for row in states:
        blocks = np.frombuffer(expanded(plain, np.array([row]))[0], np.uint64).reshape(-1, plain.words)
        seen |= {after.tobytes(): after for after in blocks[: max(0, most - len(seen))]}
    block = np.array(list(seen.values()), np.uint64).reshape(-1, plain.words)
    block = np.concatenate([block, block])
    for kernel in others:
        assert kernel.initial().tobytes() == states.tobytes()
        assert expanded(kernel, block) == expanded(plain, block)


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_models_give_the_same_with_and_without_tables(random: randoms.Random) -> None:
    """Successors, counters, errors and findings."""
    compare_kernels(Builder(random.randrange).model(), 40)


def scales() -> Lowered:
    """The lowered model."""
    return lower(define(Scales, {}))


def every_state(kernel: NativeKernel) -> np.ndarray:
    """All weights, also those that the constraint excludes."""
    weights = [(a, b, c) for a in range(4) for b in range(4) for c in range(4)]
    return np.array([kernel.encode({"held": held, "last": 1}) for held in weights], np.uint64)


def test_each_kind_of_method_gives_the_same_with_and_without_tables() -> None:
    """All states in one call, forwards and backwards: no value of one state is taken for that of another."""
    model = scales()
    assert {"heavier", "alike", "share"} <= remembered.remembered(model).places.keys()
    plain, *others = kernels(model)
    states = every_state(plain)
    for kernel in others:
        for block in (states, np.ascontiguousarray(states[::-1])):
            assert expanded(kernel, block) == expanded(plain, block)


def test_remembered_rules_have_the_values_of_the_evaluator() -> None:
    """State by state."""
    assert compare(scales(), 300) == 16


def test_rules_are_computed_before_there_is_a_state() -> None:
    """The initial states begin with a choice from a rule, which is not known although its entry is all zero."""
    model = scales()
    function = model.function("alike")
    node = function.parameters[0].type
    choice = s.Choose(1, e.Local(node, "any"), e.Call(function.result, "alike", (e.Const(node, 0),)))
    model = evolve(model, initial=evolve(model.initial, body=(choice, *model.initial.body)))
    assert [len(kernel.initial()) for kernel in kernels(model)] == [3, 3, 3]


def test_predicates_of_many_states_give_the_same_with_and_without_tables() -> None:
    """The labelled steps and the predicates of a graph."""
    model = scales()
    flags = (True,) * len(model.actions)
    graph = compile_graph(model, flags, tuple(not f for f in flags), ("even", "apart", "near"))
    kernel = compile_model(model, cache=False)
    states = every_state(kernel)
    held = [kernel.decode(row)["held"] for row in states]
    heavier = [[sum(x > y for x in h) for y in h] for h in held]
    expected = [[max(n) == 0, max(n) == 2, max(n) < 2] for n in heavier]
    assert graph.truth(states).tolist() == expected


def test_long_rules_that_are_called_again_have_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a rule that only reads, a property, a rule that each instance calls with arguments of its own, or a rule that
    only actions call that have begun to write.
    """
    monkeypatch.undo()
    found = remembered.remembered(lower(define(GLToToViews, {"workload": (1, 1, 1, 1, 2)})))
    assert {"voters", "votes", "sources"} <= found.places.keys()
    assert not {"sender", "number", "PrefixOrder"} & found.places.keys()
    for cls, rule_name in ((Paxos, "safe"), (Isis, "deliverable")):
        model = lower(define(cls, {}))
        assert cost(model, model.function(rule_name), {}) >= remembered.LONG
        assert not remembered.remembered(model)


def test_rules_that_a_remembered_rule_calls_once_have_no_table() -> None:
    """Only what is called again with equal arguments, itself or because its caller is."""
    model = lower(define(Chain, {}))
    assert again(model, {"outer"}) == {"outer"}
    assert again(model, set()) == {"outer", "middle", "inner"}
