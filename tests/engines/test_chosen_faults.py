"""Who may crash is chosen in the initial states of a reduced search.  What it finds is that of the model, where one
budget bounds all crashes: states at rest with their distances, outcomes, violations and runs."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check, confirmed_outcomes
from checker.backends.native.kernel import NativeKernel, compile_model
from checker.catalogue import find
from checker.engines.reduced import chooses, reduction
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.ir.footprints.crashing import MAY_CRASH, complete
from checker.language import (
    Bool,
    Map,
    Network,
    Process,
    action,
    choose,
    initial,
    invariant,
    on,
    quiescent,
    require,
    var,
)
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.results.verdict import Verdict
from checker.search.result import SearchResult
from tests.engines.full_and_reduced import at_rest, distances, full_and_reduced, judged, shown
from tests.engines.stubborn_oracle import Oracle

BUDGETS: list[tuple[str, dict[str, Any]]] = [
    ("reliable_multicast", {"workload": (1, 0), "crashes": 1}),
    ("reliable_multicast", {"workload": (1, 0, 0), "crashes": 1}),
    ("reliable_multicast", {"workload": (1, 0), "crashes": 2}),
    ("reliable_multicast:NonBlocking", {"workload": (1, 0), "crashes": 1}),
    ("isis", {"workload": (1, 0, 0), "crashes": 1}),
    ("isis", {"workload": (1, 0, 0), "crashes": 2}),
    ("isis", {"workload": (1, 0), "crashes": 3}),
    ("isis", {"workload": (1, 0), "crashes": 1, "losses": 1}),
    ("isis", {"workload": (1, 0), "crashes": 1, "duplicates": 1}),
    ("isis", {"workload": (1, 0), "crashes": 1, "partitions": 1}),
    ("isis", {"workload": (1, 0), "crashes": 1, "channels": "fifo"}),
    ("isis:Gathering", {"workload": (1, 0), "crashes": 1}),
    ("isis:WaitForTheLiving", {"workload": (1, 0, 0), "crashes": 1}),
    ("isis:NoTieBreak", {"workload": (1, 1), "crashes": 1}),
    ("causal_broadcast:Retested", {"workload": (1, 1), "crashes": 1}),
    ("basic_multicast", {"workload": (1, 0, 0), "crashes": 2}),
    ("sequencer", {"workload": (1, 1), "crashes": 1}),
]


def both(cls: Any, constants: dict[str, Any]) -> tuple[SearchResult, SearchResult, NativeKernel]:
    """The full search of the model, and the reduced one in which who may crash is chosen, as one of the model."""
    definition = define(cls, constants)
    pair = full_and_reduced(judged(lower(definition)), judged(lower(definition, choosing=True)))
    assert pair.cyclic or shown(pair.stored) == shown(pair.full)
    return pair.full, pair.reduced, pair.kernel


@pytest.mark.parametrize(
    ("reference", "constants"),
    [pytest.param(*b, marks=() if i % 2 == 0 else pytest.mark.thorough) for i, b in enumerate(BUDGETS)],
)
def test_chosen_crashes_lead_where_any_crashes_lead(reference: str, constants: dict[str, Any]) -> None:
    """States at rest with their distances, initial states, violations and errors are those of one shared budget."""
    full, reduced, kernel = both(find(reference).cls, constants)
    assert chooses(kernel.model)
    assert distances(reduced) == distances(full)
    assert (reduced.initial, reduced.quiescent) == (full.initial, full.quiescent)
    assert list(reduced.quiescent_indices) == sorted(set(reduced.quiescent_indices.tolist()))
    every = {row.tobytes() for row in full.states()}
    assert all(row.tobytes() in every for row in reduced.states())


@pytest.mark.parametrize(
    ("reference", "constants"),
    [
        *(BUDGETS[n] for n in (0, 4, 8, 12)),
        *(pytest.param(*BUDGETS[n], marks=pytest.mark.thorough) for n in (1, 7, 11, 14)),
    ],
)
def test_sets_chosen_beside_a_crash_are_stubborn_by_their_definition(reference: str, constants: dict[str, Any]) -> None:
    """In every state of the reduced graph: whatever others do first, the chosen steps stay what they are (D1, D2)."""
    oracle = Oracle(lower(define(find(reference).cls, constants), choosing=True))
    states = oracle.reachable(reduced=True)
    assert all(s.instance >= 0 for steps in states.values() for s in steps)
    assert [text for state in list(states)[:: max(1, len(states) // 40)] if (text := oracle.broken(state))] == []


@pytest.mark.parametrize(("crashes", "sets"), [(1, 3), (2, 3), (3, 1), (5, 1)])
def test_as_many_may_crash_as_the_budget_allows(crashes: int, sets: int) -> None:
    """Each set of that size is one choice; with a budget for all there is nothing to choose."""
    model = lower(define(find("isis").cls, {"workload": (1, 0, 0), "crashes": crashes}), choosing=True)
    kernel = compile_model(model, quick=True)
    chosen = [kernel.decode(row)[MAY_CRASH] for row in kernel.initial()]
    assert len(chosen) == len(set(chosen)) == sets and {len(c) for c in chosen} == {min(crashes, 3)}


@pytest.mark.parametrize(
    ("reference", "constants", "full", "most"),
    [
        ("isis", {"workload": (1, 1, 0), "crashes": 1}, 16_901, 13_300),
        pytest.param(
            "causal_broadcast:Retested",
            {"workload": (1, 1, 1), "crashes": 1},
            45_770,
            10_600,
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_outcomes_with_a_crash_need_fewer_states(
    reference: str, constants: dict[str, Any], full: int, most: int
) -> None:
    """The same outcomes in as many steps, shown as states of the model."""
    cls = find(reference).cls
    (every, of_all), (found, fewer) = (confirmed_outcomes(cls, constants, reduce=r) for r in (False, True))
    assert every == found != []
    assert of_all is not None and fewer is not None and (of_all.of, fewer.of <= most) == (full, True)
    definition = define(cls, constants, [])
    runs = [explore(Request(definition, stop_at_first=r, reduce=r)).outcome_runs() for r in (False, True)]
    lengths = [{repr(run.outcome): len(run.path()) for run in found} for found in runs]
    assert lengths[0] == lengths[1]


def test_the_report_shows_the_model_and_says_what_was_chosen() -> None:
    """One initial state, the states at rest and outcomes of the model, and what is left of a shared budget."""
    given: dict[str, Any] = {"workload": (1, 1), "crashes": 1}
    plain, reduced = (
        check(find("isis").cls, "isis", given, only=["TotalOrder", "NoDuplication"], reduce=r) for r in (False, True)
    )
    assert plain.verdict is reduced.verdict is Verdict.HOLDS
    assert (plain.initial, plain.quiescent, plain.outcomes) == (reduced.initial, reduced.quiescent, reduced.outcomes)
    assert "who may crash is chosen in the initial states" in reduced.reduced
    lossy = check(find("isis").cls, "isis", {"workload": (1, 0), "losses": 2}, only=["TotalOrder"], reduce=True)
    assert "losses: all of a kind share a budget, so little is left out" in lossy.reduced
    queued = check(find("isis").cls, "isis", {**given, "channels": "fifo"}, only=["TotalOrder"], reduce=True)
    assert "crashes: all of a kind share a budget, so little is left out" in queued.reduced


def test_a_counterexample_with_a_crash_is_that_of_the_ordinary_search() -> None:
    given: dict[str, Any] = {"workload": (1, 0, 0), "crashes": 1}
    plain, reduced = (check(find("isis").cls, "isis", given, reduce=r) for r in (False, True))
    assert plain.verdict is Verdict.VIOLATED
    assert [p.trace for p in plain.properties] == [p.trace for p in reduced.properties]


def test_a_run_of_the_reduced_graph_names_nobody_who_may_crash() -> None:
    """Where the ordinary search reaches a limit first, the run that is shown is one of the model, as it is."""
    given: dict[str, Any] = {"workload": (1, 1), "crashes": 1}
    full, reduced, _ = both(find("isis:NoTieBreak").cls, given)
    assert reduced.violations[0].steps and full.distinct > reduced.distinct
    report = check(find("isis:NoTieBreak").cls, "isis:NoTieBreak", given, only=["TotalOrder"], reduce=True)
    traces = [p.trace for p in report.properties if p.trace is not None]
    assert traces and all(MAY_CRASH not in state for t in traces for state in t.states)


class Doomed(Distributed):
    """p1 has crashed when it begins; the others tell each other once."""

    net = var(Network[Process, Bool])
    told = var(Map[Process, Bool], False)
    heard = var(Map[Process, Bool], False)

    @initial
    def one_is_gone(self):
        self.crashed.add(self.Process[0])

    @action
    def tell(self, p: Process):
        require(not self.told[p])
        self.told[p] = True
        self.net.multicast(p, True)

    @on(net)
    def hear(self, p, q, m):
        self.heard[p] = m


class Leaving(Doomed):
    """A process that was told may leave for good, which is no crash: what is in flight to it stays there."""

    @initial
    def one_is_gone(self):
        self.told[self.Process[1]] = False

    @action
    def leave(self, p: Process):
        require(self.heard[p])
        self.crashed.add(p)


class Deposing(Leaving):
    """One process leaves, and that is set as a whole."""

    @action
    def leave(self, p: Process):
        require(self.heard[p] and not self.crashed)
        self.crashed = {p}


@pytest.mark.parametrize("cls", [Doomed, Leaving, Deposing])
@pytest.mark.parametrize("crashes", [0, 1])
def test_nothing_is_chosen_where_the_model_crashes_processes_itself(cls: type[Distributed], crashes: int) -> None:
    """Such a crash needs no budget, though it counts; a message sent before it may stay in flight for ever."""
    full, reduced, kernel = both(cls, {"processes": 2, "crashes": crashes})
    assert not chooses(kernel.model)
    assert distances(reduced) == distances(full)
    assert len(at_rest(full)) > 1 or cls is Doomed


def test_a_crash_that_drops_nothing_is_told_apart() -> None:
    """Whether every crash drops what is in flight: in the language always, in a model that adds to `crashed` never."""
    crashing = lower(define(Doomed, {"processes": 2, "crashes": 1}))
    leaving = lower(define(Leaving, {"processes": 2}))
    assert complete(crashing, ["net"]) and not complete(leaving, ["net"])
    assert not complete(lower(define(Deposing, {"processes": 2})), ["net"])


class Resting(Doomed):
    """Who has told rests, unless it turns to itself, which it tells all."""

    @initial
    def one_is_gone(self):
        self.told[self.Process[1]] = False

    @action
    def turn(self, p: Process):
        require(self.told[p])
        q = choose(self.Process)
        if q == p:
            self.net.multicast(p, True)
            self.told[p] = False

    @invariant
    def not_all(self) -> bool:
        return not all(self.told[p] for p in self.Process)


def test_what_is_written_beside_a_crash_is_written_without_one() -> None:
    """In a branch in which the process may crash, and goes on if it does not: `turn` mends."""
    model = lower(define(Resting, {"processes": 2, "crashes": 1}), choosing=True)
    found = reduction(model)
    names = [model.actions[i.head.action].name for i in found.tables.instances]
    turns = {n for n, name in enumerate(names) if name == "turn"}
    assert len(turns) > 2 and turns <= set(found.mending["not_all"])


class Losing(Distributed):
    """What is in flight to a process can be lost as long as the process lives."""

    net = var(Network[Process, Bool])
    told = var(Bool, False)
    heard = var(Map[Process, Bool], False)

    @action
    def tell(self, p: Process):
        require(p == self.Process[0] and not self.told)
        self.told = True
        self.net.send(p, self.Process[1], True)

    @on(net)
    def hear(self, p, q, m):
        self.heard[p] = m

    @quiescent
    def heard_by_those_who_live(self) -> bool:
        return all(self.heard[p] or p in self.crashed for p in self.Process if p != self.Process[0])


class Unheard(Distributed):
    """p1 tells p3, and sends p2 what nobody receives; p2 works for itself."""

    net = var(Network[Process, Bool])
    junk = var(Network[Process, Bool])
    told = var(Bool, False)
    heard = var(Map[Process, Bool], False)
    done = var(Map[Process, Bool], False)

    @action
    def tell(self, p: Process):
        require(p == self.Process[0] and not self.told)
        self.told = True
        self.net.send(p, self.Process[2], True)
        self.junk.send(p, self.Process[1], True)

    @on(net)
    def hear(self, p, q, m):
        self.heard[p] = m

    @action
    def work(self, p: Process):
        require(p == self.Process[1] and not self.done[p])
        self.done[p] = True


class Looking(Unheard):
    """p1 sees whether something is in flight to p2, once."""

    seen = var(Map[Process, Bool], False)

    @action
    def look(self, p: Process):
        require(p == self.Process[0] and self.told and not self.seen[p])
        require(len(self.junk.between(self.Process[0], self.Process[1])) > 0)
        self.seen[p] = True


@pytest.mark.parametrize("cls", [Losing, Unheard, Looking])
@pytest.mark.parametrize("faults", [{"losses": 1}, {"duplicates": 1}, {"losses": 1, "duplicates": 1}, {}], ids=str)
def test_a_crash_takes_what_could_be_lost_or_come_twice(cls: type[Distributed], faults: dict[str, int]) -> None:
    """A message that was dropped is lost no more, and seen no more: who drops it depends on who is about it."""
    processes = 2 if cls is Losing else 3
    constants = {"processes": processes, "crashes": 2, **faults}
    full, reduced, _ = both(cls, constants)
    assert distances(reduced) == distances(full)
    oracle = Oracle(lower(define(cls, constants), choosing=True))
    assert [text for state in oracle.reachable(reduced=True) if (text := oracle.broken(state))] == []
