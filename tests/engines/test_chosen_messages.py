"""Which message may be lost, or come twice, is chosen in the initial states of a reduced search.  What it finds is that
of the model, where a budget of one bounds all of them: states at rest with their distances, violations and errors."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check, confirmed_outcomes
from checker.backends.native.kernel import compile_model
from checker.catalogue import find
from checker.engines.reduced import chooses, message_chosen_pays, reduction, with_message_chosen
from checker.frontend.lower import lower
from checker.ir.footprints.crashing import MAY_FAIL
from checker.ir.model import Model as Lowered
from checker.ir.stubborn import chosen_messages
from checker.ir.stubborn.chosen_messages import choosing_messages
from checker.ir.validate import validate
from checker.language import (
    Bool,
    Int,
    Map,
    Network,
    Process,
    Record,
    Union,
    action,
    initial,
    invariant,
    on,
    require,
    var,
)
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.results.verdict import Verdict
from checker.search.limits import Limits
from checker.search.projected import projected
from checker.search.result import SearchResult
from tests.engines.full_and_reduced import distances, full_and_reduced, judged, shown, whole
from tests.engines.stubborn_oracle import Oracle
from tests.engines.test_reduction import lowered
from tests.engines.test_symmetry import Hello

ONE: list[tuple[str, dict[str, Any]]] = [
    ("basic_multicast", {"workload": (1, 1)}),
    ("basic_multicast:Acknowledged", {"workload": (1, 0)}),
    ("reliable_multicast", {"workload": (1, 0)}),
    ("sequencer:StartAtMinusOne", {"workload": (1, 1)}),
    ("fifo_multicast", {"workload": (2, 0)}),
    ("isis", {"workload": (1, 0)}),
    ("causal_broadcast:Retested", {"workload": (1, 1)}),
]
BUDGETS = ("losses", "duplicates")


def both(model: Lowered) -> tuple[SearchResult, SearchResult, SearchResult]:
    """The full search, the one of the model with a choice as one of the model, and the reduced one of that."""
    chosen = choosing_messages(model)
    assert chosen is not None and chooses(chosen)
    validate(chosen)
    pair = full_and_reduced(model, chosen)
    every = projected(whole(compile_model(chosen, quick=True)), pair.full.states().shape[1])
    return pair.full, every, pair.reduced


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize(("reference", "constants"), ONE)
def test_a_chosen_message_leads_where_any_message_leads(reference: str, constants: dict[str, Any], budget: str) -> None:
    """The choice alone adds and removes nothing; reduced, states at rest and violations are those of one budget."""
    full, every, reduced = both(judged(lowered(reference, {**constants, budget: 1})))
    assert {row.tobytes() for row in every.states()} == {row.tobytes() for row in full.states()}
    assert distances(every) == distances(full) == distances(reduced)
    assert shown(reduced) == shown(every) == shown(full)
    assert (reduced.initial, reduced.quiescent) == (full.initial, full.quiescent)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize(("reference", "constants"), ONE[:3])
def test_sets_beside_a_chosen_message_are_stubborn(reference: str, constants: dict[str, Any], budget: str) -> None:
    """In states of the reduced graph: whatever others do first, the chosen steps stay what they are (D1, D2)."""
    chosen = choosing_messages(lowered(reference, {**constants, budget: 1}))
    assert chosen is not None
    oracle = Oracle(chosen)
    states = oracle.reachable(reduced=True)
    assert all(s.instance >= 0 for steps in states.values() for s in steps)
    assert [text for state in list(states)[:: max(1, len(states) // 40)] if (text := oracle.broken(state))] == []


class Told(Distributed):
    """p1 tells each of the others a number, who keep it and answer; what comes twice is counted twice."""

    Wire = Union(Tell=Record(n=Int(0, 2)), Answer=Record(who=Process))
    net = var(Network[Process, Wire])
    told = var(Map[Process, Int(0, 1)], 0)
    kept = var(Map[Process, Int(0, 4)], 0)
    answers = var(Int(0, 4), 0)

    @action
    def tell(self, p: Process):
        require(p == self.Process[0] and self.told[p] == 0)
        self.told[p] += 1
        for q in self.Process:
            if q != p:
                self.net.send(p, q, self.Wire.Tell(q.index))

    @on(net, Wire.Tell)
    def keep(self, p, q, n):
        self.kept[p] = min(4, self.kept[p] + n)
        self.net.send(p, q, self.Wire.Answer(p))

    @on(net, Wire.Answer)
    def count(self, p, q, who):
        self.answers = min(4, self.answers + 1)

    @invariant
    def not_too_many(self) -> bool:
        return self.answers < 3


class TwoNetworks(Told):
    """A second network, whose messages fail on the same budget."""

    other = var(Network[Process, Bool])
    heard = var(Map[Process, Int(0, 2)], 0)

    @action
    def call(self, p: Process):
        require(p == self.Process[1] and self.told[p] == 0)
        self.told[p] += 1
        self.other.send(p, self.Process[0], True)

    @on(other)
    def hear(self, p, q, m):
        self.heard[p] = min(2, self.heard[p] + 1)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("cls", [Told, TwoNetworks])
def test_any_message_of_any_network_may_fail(cls: type[Distributed], budget: str) -> None:
    """Numbers inside a message are left open: of several messages of a kind, any may fail."""
    full, every, reduced = both(judged(lower(define(cls, {"processes": 3, budget: 1}))))
    assert distances(every) == distances(full) == distances(reduced)
    assert shown(reduced) == shown(every) == shown(full) and bool(shown(full)) == (budget == "duplicates")


class Forgiven(Told):
    """A loss is forgotten again, so there may be more than one."""

    @action
    def forgive(self):
        require(self.lost > 0 and self.answers == 1)
        self.lost = 0


class UsedUp(Told):
    """The budget is used up from the start."""

    @initial
    def used(self):
        self.lost = self.losses


def test_a_budget_that_the_model_gives_back_is_no_choice() -> None:
    assert choosing_messages(lower(define(Forgiven, {"processes": 2, "losses": 1}))) is None


def test_a_budget_that_is_used_up_loses_nothing() -> None:
    full, every, reduced = both(judged(lower(define(UsedUp, {"processes": 2, "losses": 1}))))
    assert distances(every) == distances(full) == distances(reduced) and full.quiescent == 1


def test_what_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No loss; two; a loss and a duplicate; queues; processes that are exchanged; a single kind, or too many."""

    def chosen(cls: type[Distributed], **constants: Any) -> bool:
        return choosing_messages(lower(define(cls, {"processes": 2, **constants}))) is not None

    assert chosen(Told, losses=1) and not chosen(Told) and not chosen(Told, losses=2)
    assert not chosen(Told, losses=1, duplicates=1) and not chosen(Told, losses=1, channels="fifo")
    assert not chosen(Hello, losses=1, symmetry=True)
    pays = [{"losses": 1}, {"duplicates": 1}, {}, {"losses": 2}, {"losses": 1, "duplicates": 1}]
    pays += [{"losses": 1, "crashes": 1}, {"losses": 1, "partitions": 1}]
    assert [message_chosen_pays(given) for given in pays] == [True, True, False, False, False, False, False]
    assert not message_chosen_pays({"losses": 1, "channels": "fifo"})
    monkeypatch.setattr(chosen_messages, "MOST_KINDS", 1)
    assert not chosen(Told, losses=1)


def test_what_mends_a_property_leaves_the_budget_as_it_is() -> None:
    """`multicast` is never taken alone, so each choice would have nearly all states."""
    for only, done in ((["NoDuplication"], True), (["NoCreation"], False)):
        model = lowered("causal_broadcast:Retested", {"workload": (1, 1), "losses": 1}, only)
        assert chooses(with_message_chosen(model)[0]) == done


def test_one_loss_needs_fewer_states() -> None:
    """14,025 states with a budget; the outcomes are the same, and the report says what was chosen."""
    given: dict[str, Any] = {"workload": (1, 1, 0), "losses": 1}
    name = "sequencer:StartAtMinusOne"
    (every, _), (found, fewer) = (confirmed_outcomes(find(name).cls, given, reduce=r) for r in (False, True))
    assert every == found != [] and fewer is not None and fewer.of == 1_192
    report = check(find(name).cls, name, given, only=["NoDuplication"], reduce=True)
    assert report.verdict is Verdict.HOLDS and report.initial == 1
    assert "which message may fail is chosen in the initial states" in report.reduced


def test_a_counterexample_with_a_duplicate_is_that_of_the_ordinary_search() -> None:
    given: dict[str, Any] = {"workload": (1, 1), "duplicates": 1}
    cls = find("basic_multicast").cls
    plain, reduced = (check(cls, "basic_multicast", given, reduce=r) for r in (False, True))
    assert plain.verdict is Verdict.VIOLATED
    assert [p.trace for p in plain.properties] == [p.trace for p in reduced.properties]


def test_a_run_of_the_reduced_graph_names_no_message_that_may_fail() -> None:
    """Where the ordinary search reaches a limit first, the run that is shown is one of the model."""
    given: dict[str, Any] = {"workload": (1, 1, 0), "duplicates": 1}
    cls = find("basic_multicast").cls
    chosen = with_message_chosen(lowered("basic_multicast", given, ["NoDuplication"]))[0]
    found = whole(compile_model(chosen, quick=True, reduction=reduction(chosen)))
    limits = Limits(max_states=found.distinct)
    report = check(cls, "basic_multicast", given, only=["NoDuplication"], reduce=True, limits=limits)
    traces = [p.trace for p in report.properties if p.trace is not None]
    assert traces and all(MAY_FAIL not in state for t in traces for state in t.states)
