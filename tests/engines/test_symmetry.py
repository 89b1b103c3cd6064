"""Symmetric states are merged exactly: one state for each class of permuted ones, the same on every engine, and never
for a model that is not symmetric."""

from __future__ import annotations

import random
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from benchmarks.models import TWO_PHASE_COMMIT, path_of
from checker.analysis.check import check, outcomes
from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.kernel import compile_model
from checker.contract import Source
from checker.frontend import lattice
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.canonical import Canonical, Exchange
from checker.ir.model import Action, Model, StateVariable
from checker.ir.symmetry import MOST_ARRANGEMENTS, Unmergeable, plain_changes, symmetry_of
from checker.ir.validate import validate
from checker.ir.values import Raw, key, values
from checker.language import (
    Bool,
    Distributed,
    Ids,
    Int,
    Invariant,
    LeadsTo,
    Map,
    Network,
    Optional,
    Record,
    Set,
    Union,
    action,
    choose,
    const,
    initial,
    invariant,
    on,
    quiescent,
    require,
    var,
)
from checker.language import Model as Protocol
from checker.language.define import define
from checker.language.errors import UsageError
from checker.replay.symmetry import _meaning
from checker.search.breadth_first import search
from checker.search.expansions import successors_of
from tests.language.construct import definition as definition_of

P = t.Ids("P", ("p1", "p2", "p3", "p4"), True)
Q = t.Ids("Q", ("q1", "q2"), True)
LEVEL = t.Int(0, 2)
UNRELATED: tuple[t.Type, ...] = (
    t.Map(P, LEVEL),
    t.Set(P),
    t.Optional(P),
    t.Seq(P, 3),
    t.Set(t.Record("R", (("level", LEVEL), ("by", P)))),
    t.Map(LEVEL, t.Set(P)),
    t.Bag(t.Record("M", (("by", P), ("level", LEVEL))), 3),
    t.Union("U", (t.Record("None", ()), t.Record("Some", (("p", P), ("q", Q))))),
    t.Map(P, t.Optional(Q)),
    t.Record("Pair", (("a", P), ("b", P))),
    t.Record("Kept", (("mail", t.Bag(P, 2)), ("level", LEVEL))),
)
RELATED: tuple[t.Type, ...] = (
    t.Map(P, t.Set(P)),
    t.Set(t.Record("L", (("a", P), ("b", P)))),
    t.Map(P, t.Optional(P)),
    t.Bag(t.Record("M", (("by", P), ("to", P))), 2),
    t.Map(P, t.Map(Q, t.Bool())),
    t.Map(P, t.Seq(P, 2)),
)


def any_raw(kind: t.Type, rng: random.Random) -> Raw:
    """A random raw value."""
    match kind:
        case t.Optional(item):
            return None if rng.random() < 0.3 else any_raw(item, rng)
        case t.Record(_, fields):
            return tuple(any_raw(f, rng) for _, f in fields)
        case t.Union(_, variants):
            number = rng.randrange(len(variants))
            return (number, any_raw(variants[number], rng))
        case t.Map(place, value):
            return tuple(any_raw(value, rng) for _ in values(place))
        case t.Set(item):
            return frozenset(r for r in values(item) if rng.random() < 0.4)
        case t.Seq(item, most, _):
            return tuple(any_raw(item, rng) for _ in range(rng.randint(0, most)))
        case t.Bag(item, most, _):
            return tuple(sorted((any_raw(item, rng) for _ in range(rng.randint(0, most))), key=lambda r: key(item, r)))
        case _:
            return rng.choice(list(values(kind)))


def drawn(seed: int) -> tuple[Model, random.Random]:
    """A model of random variables that does nothing; every third relates members to each other."""
    rng = random.Random(seed)
    kinds = rng.sample(UNRELATED, 3) + ([rng.choice(RELATED)] if seed % 3 == 0 else [])
    variables = tuple(StateVariable(f"v{i}", k) for i, k in enumerate(kinds))
    return Model("Drawn", variables, (), Action("initial", (), (), ()), (), (), symmetry=symmetry_of(variables)), rng


def orbit(canonical: Canonical, state: Raw) -> set[Raw]:
    """All permutations of a state."""
    known, new = {state}, [state]
    while new:
        new = [
            other
            for one in new
            for g in range(len(canonical.exchanges))
            if (other := canonical.exchanged(one, g)) not in known and not known.add(other)
        ]  # type: ignore[func-returns-value]
    return known


@pytest.mark.parametrize("n", range(1, 7))
def test_plain_changes_lead_through_every_arrangement_once(n: int) -> None:
    """n! arrangements by exchanges of neighbours, none met twice."""
    here = tuple(range(n))
    met = [here]
    for first in plain_changes(n):
        here = tuple(Exchange(P, first).member(m) for m in here)
        met.append(here)
    assert len(met) == len(set(met)) == factorial(n) and set(met) == set(permutations(range(n)))


@pytest.mark.parametrize("seed", range(24))
def test_the_least_permutation_stands_for_a_state(seed: int) -> None:
    """Sorting and walking find the least state of the whole class, which an enumeration of all permutations
    confirms."""
    model, rng = drawn(seed)
    assert model.symmetry is not None
    canonical = Canonical.of(model.variables, model.symmetry)
    for _ in range(6):
        state = tuple(any_raw(v.type, rng) for v in model.variables)
        assert canonical(state) == min(orbit(canonical, state), key=canonical.order)


@pytest.mark.parametrize("seed", range(12))
def test_the_kernel_merges_as_the_raw_values_say(seed: int) -> None:
    """Compiled, exchanges and the state that stands for a state are those on raw values."""
    model, rng = drawn(seed)
    assert model.symmetry is not None
    validate(model)
    kernel, canonical = compile_model(model, cache=False), Canonical.of(model.variables, model.symmetry)
    states = [tuple(any_raw(v.type, rng) for v in model.variables) for _ in range(60)]
    names = [v.name for v in model.variables]
    words = np.stack([kernel.encode(dict(zip(names, state))) for state in states])
    assert [tuple(kernel.decode(row).values()) for row in kernel.canonical(words)] == [
        canonical(state) for state in states
    ]
    for generator in range(len(model.symmetry.generators)):
        exchanged = [tuple(kernel.decode(row).values()) for row in kernel.exchanged(words, generator)]
        assert exchanged == [canonical.exchanged(state, generator) for state in states]


def test_members_that_are_related_are_not_sorted() -> None:
    """A set of sets, a relation, or a map from members to members says something of two members together; a condition
    of each member does not."""
    related = [*RELATED[:4], RELATED[5], t.Set(t.Set(P)), t.Bag(t.Record("M", (("all", t.Set(P)),)), 2)]
    for kind in related:
        symmetry = symmetry_of([StateVariable("v", kind)])
        assert symmetry is not None and symmetry.sort == () and len(symmetry.walk) == factorial(4) - 1
    for kind in UNRELATED:
        symmetry = symmetry_of([StateVariable("v", kind)])
        assert symmetry is not None and len(symmetry.sort) == 3


def test_too_many_arrangements_are_refused() -> None:
    """Seven related members have 5,040 arrangements, seven that are not related are sorted."""
    seven = t.Ids("S", tuple(f"s{i}" for i in range(7)), True)
    with pytest.raises(Unmergeable, match=f"5,040 ways.*limit is {MOST_ARRANGEMENTS}"):
        symmetry_of([StateVariable("v", t.Map(seven, t.Set(seven)))])
    assert symmetry_of([StateVariable("v", t.Map(seven, LEVEL))]) is not None


class Handover(Protocol):
    """A token is handed on; who has it asks one other, and remembers whom."""

    P = Ids("p", 3, symmetric=True)
    holder = var(Optional[P])
    asked = var(Map[P, Optional[P]])
    tired = var(Map[P, Bool], False)

    @action
    def take(self, p: P):
        require(self.holder is None)
        self.holder = p

    @action
    def ask(self, p: P, q: P):
        require(self.holder == p and p != q and self.asked[p] is None)
        self.asked[p] = q

    @action
    def hand_over(self, p: P):
        require(self.holder == p)
        q = self.asked[p]
        if q is not None:
            self.holder = q
            self.tired[p] = True

    @invariant
    def somebody_rests(self) -> bool:
        return not all(self.tired[p] for p in self.P)

    @quiescent
    def all_tired(self) -> bool:
        return any(self.tired[p] for p in self.P)


def merged_counts(protocol: Any, constants: dict[str, Any]) -> tuple[int, int]:
    """Distinct states of the interpreter with merging, and classes of the states it finds without."""
    plain, merging = (define(protocol, {**constants, "symmetry": s}) for s in (False, True))
    canonical = Canonical.of(lower(merging).variables, lower(merging).symmetry)  # type: ignore[arg-type]
    classes = {canonical(state) for state in explore(Interpreter(plain)).order}
    return len(explore(Interpreter(merging), canonical=canonical).order), len(classes)


@pytest.mark.parametrize("file", ["symmetric_ids"])
def test_a_merged_search_meets_each_class_once(file: str) -> None:
    """As many states as the unmerged search has classes."""
    found = definition_of(Path(__file__).parents[1] / "language" / "models" / f"{file}.py").model
    for protocol in (found, Handover):
        merged, classes = merged_counts(protocol, {})
        assert (
            merged
            == classes
            == check(protocol, "x", {"symmetry": True}, only=[] if protocol is Handover else None).distinct
        )


@pytest.mark.parametrize(
    ("reference", "constants", "distinct"),
    [
        (TWO_PHASE_COMMIT, {"managers": 5}, 314),
        (TWO_PHASE_COMMIT, {"managers": 6}, 553),
        (TWO_PHASE_COMMIT, {"managers": 7}, 920),
        (TWO_PHASE_COMMIT, {"managers": 8}, 1_461),
        (path_of("paxos"), {"ballots": 1}, 443),
        (path_of("paxos"), {"ballots": 2}, 17_153),
    ],
)
def test_counts_up_to_symmetry_are_those_of_other_checkers(
    reference: str, constants: dict[str, int], distinct: int
) -> None:
    """Two-phase commit up to its managers, Paxos up to acceptors and values; the number of threads does not matter."""
    from checker.catalogue import find

    for threads in (1, 2):
        report = check(find(reference).cls, reference, {**constants, "symmetry": True}, threads=threads)
        assert (report.verdict, report.distinct) == ("holds", distinct)


def test_a_trace_of_a_merged_search_is_a_run_of_the_model() -> None:
    """Merged states stand for others; the run that is shown is one the interpreter takes, as short as without merging,
    and the same from both engines."""
    merged = check(Handover, "x", {"symmetry": True})
    plain = check(Handover, "x", {})
    interpreted = check(Handover, "x", {"symmetry": True}, engine="interpreter")
    assert merged.verdict == plain.verdict == "violated"
    trace, other = merged.properties[0].trace, interpreted.properties[0].trace
    assert trace is not None and other is not None and plain.properties[0].trace is not None
    assert len(trace.steps) == len(plain.properties[0].trace.steps)
    assert (trace.states, trace.steps) == (other.states, other.steps)
    assert merged.distinct < plain.distinct


class Hello(Distributed):
    """Everybody greets everybody and is answered."""

    processes = const(3, "processes")
    Process = Ids("p", processes, symmetric=True)
    Wire = Union(Hi=Record(by=Process), Ok=Record())
    net = var(Network[Process, Wire])
    said = var(Map[Process, Bool], False)
    friends = var(Map[Process, Set[Process]])

    @action
    def hello(self, p: Process):
        require(not self.said[p])
        self.said[p] = True
        self.net.multicast(p, self.Wire.Hi(p))

    @on(net, Wire.Hi)
    def hi(self, p, q, by):
        self.friends[p].add(by)
        if p != by:
            self.net.send(p, by, self.Wire.Ok())

    @on(net, Wire.Ok)
    def ok(self, p, q):
        self.friends[p].add(q)

    @quiescent
    def all_friends(self) -> bool:
        return all(len(self.friends[p]) == len(self.Process) for p in self.Process if p not in self.crashed)


@pytest.mark.parametrize(
    "constants", [{}, {"crashes": 1}, {"losses": 1}, {"duplicates": 1}, {"channels": "fifo"}], ids=str
)
def test_networks_and_faults_are_merged_class_by_class(constants: dict[str, Any]) -> None:
    """The merged search stores one state of each class of the unmerged one, and agrees on every property and its
    depth."""
    kernels = [compile_model(lower(define(Hello, {**constants, "symmetry": s}), {"net": 32})) for s in (False, True)]
    plain, merged = (search(cast(Source, kernel), stop_at_first=False) for kernel in kernels)
    classes = np.unique(kernels[1].canonical(plain.states()), axis=0)
    assert np.array_equal(classes, np.unique(merged.states(), axis=0)) and 5 * len(classes) < plain.distinct
    assert {(v.finding.name, v.steps) for v in plain.violations} == {
        (v.finding.name, v.steps) for v in merged.violations
    }


class Ordered(Protocol):
    """Not symmetric: only a greater member follows a smaller one, which a faulty front end would let pass."""

    P = Ids("p", 3, symmetric=True)
    last = var(Optional[P])
    steps = var(Int(0, 3), 0)
    done = var(Set[P])

    @action
    def follow(self, p: P):
        last = self.last
        require(self.steps < 3 and (last is None or last < p))
        self.last = p
        self.done.add(p)
        self.steps += 1

    @invariant
    def few(self) -> bool:
        return self.steps < 9


def test_a_model_that_is_not_symmetric_is_refused_even_if_the_front_end_lets_it_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sample of states is compared with the same states exchanged."""
    with pytest.raises(UsageError, match="symmetric: its values have no order"):
        check(Ordered, "x", {"symmetry": True})
    monkeypatch.setattr(lattice, "symmetric", lambda type: False)
    with pytest.raises(
        UsageError, match=r"the model is not symmetric \(exchange p1 and p2\): the state .* has other " r"steps"
    ):
        check(Ordered, "x", {"symmetry": True})


class Judged(Protocol):
    """Not symmetric: each member may be the last, and an invariant compares it with the others."""

    P = Ids("p", 3, symmetric=True)
    last = var(Optional[P])

    @action
    def follow(self, p: P):
        self.last = p

    @invariant
    def least(self) -> bool:
        last = self.last
        return last is None or not any(p < last for p in self.P)


def test_an_invariant_that_is_not_symmetric_is_refused_even_if_the_front_end_lets_it_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The steps are symmetric; of a state and the exchanged one, only one violates the invariant."""
    monkeypatch.setattr(lattice, "symmetric", lambda type: False)
    with pytest.raises(
        UsageError,
        match=r"the model is not symmetric \(exchange p1 and p2\): the state .* has other steps or " r"findings",
    ):
        check(Judged, "x", {"symmetry": True})


class Nowhere(Protocol):
    """No state satisfies the initial method."""

    P = Ids("p", 3, symmetric=True)
    last = var(Optional[P])

    @initial
    def none(self):
        require(self.last is not None)

    @action
    def follow(self, p: P):
        self.last = p


def test_a_symmetric_model_without_initial_states_ends_as_one_that_is_not_symmetric() -> None:
    """There is no state to exchange members in."""
    plain, merged = (check(Nowhere, "x", {"symmetry": symmetry}) for symmetry in (False, True))
    assert (merged.verdict, merged.distinct) == (plain.verdict, plain.distinct) == ("vacuous", 0)


class Eventually(LeadsTo):
    """Whoever begins ends."""

    def when(self) -> bool:
        return True

    def then(self) -> bool:
        return False


class Running(Handover):
    properties = [Eventually]
    outcome = ("holder",)


def test_what_needs_every_state_is_refused_with_merging() -> None:
    """Runs that repeat and lists of outcomes are about states that merging leaves out; counts of them are not shown
    either."""
    with pytest.raises(UsageError, match="whole runs.*merged by symmetry"):
        define(Running, {"symmetry": True})
    with pytest.raises(UsageError, match="a list of outcomes needs every state"):
        outcomes(Running, {"symmetry": True})
    assert check(Running, "x", {"symmetry": True}, only=["all_tired"]).outcomes is None


def test_a_model_without_symmetric_identities_has_no_constant_for_it() -> None:
    """`symmetry` is a constant of models that declare such identities, and of no others."""
    from checker.catalogue import find

    assert "symmetry" in define(Handover).constants
    assert "symmetry" not in define(find("isis").cls).constants


class Named(Protocol):
    """Its own constant happens to have the name, and nothing is symmetric."""

    symmetry = const(True, "something else")
    n = var(Int(0, 1), 0)

    @action
    def up(self):
        require(self.n == 0 and self.symmetry)
        self.n = 1


def test_a_constant_of_that_name_merges_nothing_without_symmetric_identities() -> None:
    """The name alone means nothing."""
    assert not define(Named).merges and define(Handover, {"symmetry": True}).merges and not define(Handover).merges


class LastToldWins(Invariant):
    """Remembers whom the last message went to."""

    last = var(Optional[Hello.Process])

    def on_send(self, p, q):
        self.last = q

    def holds(self) -> bool:
        return True


class Watched(Hello):
    properties = [LastToldWins]


def test_an_observer_must_not_see_the_order_of_a_multicast() -> None:
    """A multicast to symmetric identities is a loop too: what is told of each send must commute."""
    with pytest.raises(UsageError, match=r"Process is symmetric, and the loop keeps the last one in self\.last"):
        check(Watched, "x", {})


class Wide(Protocol):
    """Forty steps out of the first state, none out of others."""

    P = Ids("p", 2, symmetric=True)
    x = var(Int(0, 40), 0)
    seen = var(Set[P])

    @action
    def leap(self):
        require(self.x == 0)
        self.x = choose(range(1, 41))


def test_a_state_with_very_many_successors_is_compared_with_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the successors do not fit into the first buffer, a state with many steps is not taken for one with none."""
    monkeypatch.setattr("checker.search.expansions.CAPACITY", 2)
    kernel = compile_model(lower(define(Wide, {"symmetry": True})), cache=False)
    start = kernel.initial()[0]
    successors = successors_of(kernel, start)
    assert len(successors) == 40
    assert _meaning(kernel, start) != _meaning(kernel, successors[-1])
