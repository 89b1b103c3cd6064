"""Messages whose receipt changes nothing any more are dropped in reduced searches: what these conclude is that of full
ones, and each condition of the definition matters in one of the small models."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from checker.analysis.check import check
from checker.backends.native.kernel import NativeKernel, compile_model
from checker.catalogue import find
from checker.engines import reduced
from checker.engines.reduced import chosen_pays, message_chosen_pays, reduction, with_message_chosen
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.ir import build
from checker.ir import expressions as e
from checker.ir.evaluate.environment import Environment
from checker.ir.evaluate.statements import call, run
from checker.ir.footprints.instances import Instances
from checker.ir.footprints.phases import Phases
from checker.ir.stubborn.dropping import dropping_model, end_of_steps
from checker.ir.stubborn.irrelevant import Irrelevant, _Finding
from checker.ir.stubborn.relations import Making
from checker.language import (
    Bool,
    Int,
    Map,
    Network,
    Process,
    Record,
    Set,
    Union,
    action,
    choose,
    initial,
    invariant,
    on,
    quiescent,
    require,
    var,
)
from checker.language.constants import const
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.types import Ids
from checker.replay.disagreement import Disagreement
from checker.results.verdict import Verdict
from checker.search.breadth_first import search
from checker.search.limits import Limits
from checker.search.result import SearchResult
from tests.engines.full_and_reduced import at_rest, distances, full_and_reduced, judged, shown
from tests.engines.random_relays import random_relay
from tests.engines.reduced_catalogue import each_compared
from tests.language.test_random_models import load

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("reliable_multicast", {"workload": (1, 1)}),
    ("reliable_multicast", {"workload": (1, 0, 0)}),
    ("reliable_multicast", {"workload": (1, 0, 0), "crashes": 1}),
    ("reliable_multicast", {"workload": (1, 0, 0), "crashes": 2}),
    ("reliable_multicast", {"workload": (1, 0), "losses": 1}),
    ("reliable_multicast", {"workload": (1, 0), "duplicates": 1}),
    ("reliable_multicast", {"workload": (1, 0), "crashes": 1, "losses": 1}),
    ("reliable_multicast:NonBlocking", {"workload": (1, 0), "crashes": 1}),
    ("reliable_multicast:OneRelay", {"workload": (1, 1)}),
    ("reliable_multicast:DeliverThenRelay", {"workload": (1, 0, 0), "crashes": 1}),
    ("causal_vector_clock:OverReliable", {"workload": (1, 1)}),
]


def searches(cls: Any, constants: dict[str, Any]) -> tuple[SearchResult, SearchResult, NativeKernel]:
    """The full search of a model, and the reduced one that drops messages, as one of the model; its kernel."""
    definition = define(cls, constants)
    plain = judged(lower(definition))
    model = judged(lower(definition, choosing=True)) if chosen_pays(definition.constants) else plain
    if message_chosen_pays(definition.constants):
        model = with_message_chosen(model)[0]
    pair = full_and_reduced(plain, model, drop=True)
    require_settled(pair.kernel, pair.stored)
    assert pair.cyclic or shown(pair.stored) == shown(pair.full)
    return pair.full, pair.reduced, pair.kernel


def of(kernel: NativeKernel) -> Irrelevant:
    """What may be dropped."""
    assert kernel.reduction is not None
    return kernel.reduction.irrelevant


def require_settled(kernel: NativeKernel, result: SearchResult) -> None:
    """No state that is stored has an irrelevant message, as the evaluator of lowered models sees it."""
    assert kernel.reduction is not None
    model = kernel.reduction.labels.model
    end = end_of_steps(model, dict.fromkeys(kind.network for kind in of(kernel).when))
    for row in result.states()[:: max(1, result.distinct // 50)]:
        state = kernel.decode(row)
        x = Environment(model, dict(state), state, call=call)
        run(x, end)
        assert x.state == state


@pytest.mark.parametrize(("reference", "constants"), SMALL)
def test_what_is_left_leads_to_the_same_rest(reference: str, constants: dict[str, Any]) -> None:
    """States at rest, violations and errors are those of the full graph; levels are lower bounds of distances."""
    full, fewer, kernel = searches(find(reference).cls, constants)
    assert at_rest(fewer) == at_rest(full) and fewer.quiescent == full.quiescent
    expected = dict(distances(full))
    assert all(level <= expected[row] for row, level in distances(fewer))
    chosen = {"losses", "duplicates"} & constants.keys()  # each kind of message that may fail has states of its own
    assert chosen or fewer.distinct < full.distinct
    every = {row.tobytes() for row in full.states()}
    assert all(row.tobytes() in every for row in fewer.states()), "each is a state of the model"


def test_fewer_states_are_stored() -> None:
    """89 of reliable multicast instead of 642, and with a crash 733 instead of 8,657."""
    cls = find("reliable_multicast").cls
    given: dict[str, Any] = {"workload": (1, 1, 0)}
    report = check(cls, "reliable_multicast", given, reduce=True)
    assert (report.verdict, report.distinct, report.quiescent) == (Verdict.HOLDS, 89, 8)
    assert "messages whose receipt changes nothing any more are dropped" in report.reduced
    report = check(cls, "reliable_multicast", {**given, "crashes": 1}, reduce=True)
    assert (report.verdict, report.distinct, report.quiescent) == (Verdict.HOLDS, 733, 76)


def test_counts_are_the_same_for_all_threads() -> None:
    model = lower(define(find("reliable_multicast").cls, {"workload": (2, 1)}))
    kernel = compile_model(model, quick=True, reduction=reduction(model, drop=True))
    results = [search(kernel, threads=n, stop_at_first=False) for n in (1, 2, 3)]
    assert len({(r.distinct, r.transitions, r.levels) for r in results}) == 1


class _Flood(Distributed):
    """p1 tells all; who hears it for the first time marks and counts that; what else is heard: `again`."""

    Tag = Int(0, 1)
    net = var(Network[Process, Tag])
    seen = var(Map[Process, Set[Tag]])
    said = var(Int(0, 2), 0)
    heard = var(Map[Process, Int(0, 3)], 0)

    @action
    def say(self):
        require(self.said < 2)
        self.said += 1
        self.tell()

    def tell(self):
        for q in self.Process:
            self.net.send(self.Process[0], q, 0)

    @on(net)
    def hear(self, q, p, n):
        if n not in self.seen[q]:
            self.seen[q].add(n)
            self.heard[q] += 1
        else:
            self.again(q, p, n)

    def again(self, q, p, n):
        pass


class Plain(_Flood):
    """What is heard twice changes nothing."""


class Returning(_Flood):
    """The same, which leaves the handler before its end; so does what is said."""

    @on(_Flood.net)
    def hear(self, q, p, n):
        if n in self.seen[q]:
            return
        self.seen[q].add(n)
        for k in range(2):
            if self.heard[q] == k:
                self.heard[q] += 1
                return


class FromTheStart(_Flood):
    """Everything is seen from the start, and in flight, too."""

    @initial
    def start(self):
        for q in self.Process:
            self.seen[q].add(0)
        self.tell()


class Takes(_Flood):
    """Who has heard something may take one more message, and counts it; it has heard and taken enough then."""

    def tell(self):
        for q in self.Process:
            self.net.send(self.Process[0], q, 0)
            self.net.send(self.Process[0], q, 0)

    @on(_Flood.net)
    def hear(self, q, p, n):
        if n not in self.seen[q]:
            self.seen[q].add(n)

    @on(_Flood.net)
    def take(self, q, p, n):
        require(n in self.seen[q] and self.heard[q] < 1)
        self.heard[q] += 1


class Flagged(_Flood):
    """A flag that is only ever raised, by being set."""

    told = var(Map[Process, Bool], False)

    @on(_Flood.net)
    def hear(self, q, p, n):
        if not self.told[q]:
            self.told[q] = True


class OfAnother(_Flood):
    """Whether a message changes something depends on what its sender has seen."""

    @on(_Flood.net)
    def hear(self, q, p, n):
        if n not in self.seen[p]:
            self.heard[q] = 1

    @action
    def see(self, p: Process):
        require(0 not in self.seen[p])
        self.seen[p].add(0)


class Rounds(_Flood):
    """What is said carries a round; what is of a round that is over changes nothing."""

    round = var(Map[Process, Int(0, 2)], 0)

    @action
    def say(self):
        require(self.said < 2)
        for q in self.Process:
            self.net.send(self.Process[0], q, self.said)
        self.said += 1

    @on(_Flood.net)
    def hear(self, q, p, n):
        if n == self.round[q]:
            self.round[q] += 1


class Records(_Flood):
    """Numbers are fields of a variant, and of two networks: what comes on one makes the other's irrelevant."""

    Wire = Union(Tag=Record(n=Int(0, 1)), End=Record())
    other = var(Network[Process, Wire])

    def tell(self):
        for q in self.Process:
            self.net.send(self.Process[0], q, 0)
            self.other.send(self.Process[0], q, self.Wire.Tag(n=self.said - 1))

    @on(other)
    def tag(self, q, p, m):
        if isinstance(m, self.Wire.Tag):
            n = m.n
            if n not in self.seen[q]:
                self.seen[q].add(n)


class AtRest(_Flood):
    """A property looks at what is in flight, but only at rest, where nothing irrelevant is."""

    @quiescent
    def nothing(self) -> bool:
        return len(self.net.between(self.Process[0], self.Process[1])) == 0


class Crashing(_Flood):
    """Who crashes has seen nothing any more, and what is in flight to it is gone."""


DROPPED: list[tuple[type[Distributed], dict[str, Any]]] = [
    (Plain, {}),
    (Returning, {}),
    (FromTheStart, {}),
    (Takes, {}),
    (Flagged, {}),
    (OfAnother, {}),
    (OfAnother, {"crashes": 1}),
    (Rounds, {}),
    (Records, {}),
    (AtRest, {}),
    (Crashing, {"crashes": 1}),
    (Crashing, {"crashes": 2}),
    (Crashing, {"losses": 1}),
    (Crashing, {"duplicates": 1}),
    (Returning, {"crashes": 1}),
]


@pytest.mark.parametrize(("cls", "faults"), DROPPED)
def test_what_is_heard_twice_is_dropped(cls: type[Distributed], faults: dict[str, Any]) -> None:
    full, fewer, kernel = searches(cls, {"processes": 2, **faults})
    assert of(kernel).when and not of(kernel).off
    assert at_rest(fewer) == at_rest(full)
    assert {"losses", "duplicates"} & faults.keys() or fewer.distinct < full.distinct


class Forgets(_Flood):
    """A process may forget what it has seen."""

    @action
    def forget(self, q: Process):
        require(0 in self.seen[q] and self.heard[q] == 1)
        self.seen[q].remove(0)


class Counts(_Flood):
    """What is heard twice is counted."""

    def again(self, q, p, n):
        require(self.heard[q] < 3)
        self.heard[q] += 1


class Answers(_Flood):
    """What is heard twice is answered, once."""

    answered = var(Set[Process])
    back = var(Network[Process, Bool])

    def again(self, q, p, n):
        self.back.send(q, p, True)

    @on(back)
    def answer(self, p, q, yes):
        self.answered.add(q)


class Asserts(_Flood):
    """It is wrong to hear it twice."""

    def again(self, q, p, n):
        assert self.said < 2


class Fails(_Flood):
    """Hearing it twice is an error of the model for as long as there is no number to divide by."""

    divisor = var(Int(0, 1), 0)

    def again(self, q, p, n):
        if 1 // self.divisor == 0:
            self.heard[q] = 0

    @action
    def allow(self):
        require(self.divisor == 0)
        self.divisor = 1


class Chooses(_Flood):
    """What is heard twice is taken only if there is something to choose from."""

    marks = var(Map[Process, Set[Int(0, 1)]])

    def again(self, q, p, n):
        choose(self.marks[q])


class Closes(_Flood):
    """Who has heard enough hears nothing more: messages stay in flight for ever."""

    closed = var(Map[Process, Bool], False)

    @on(_Flood.net)
    def hear(self, q, p, n):
        require(not self.closed[q])
        if n not in self.seen[q]:
            self.seen[q].add(n)

    @action
    def close(self, q: Process):
        require(not self.closed[q])
        self.closed[q] = True


class AsksSomebody(_Flood):
    """What is heard twice is taken only if some process allows it."""

    allowed = var(Map[Process, Bool], False)

    def again(self, q, p, n):
        r = choose(self.Process)
        require(self.allowed[r])


class ChoosesANumber(_Flood):
    """What is heard twice is taken only if there is a number to choose."""

    most = var(Int(0, 2), 0)

    def again(self, q, p, n):
        choose(range(self.most))


class LooksInAGuard(_Flood):
    """A step waits until nothing is in flight to p1."""

    quiet = var(Bool, False)

    @action
    def rest(self):
        require(not self.quiet and self.said == 1 and len(self.net.between(self.Process[0], self.Process[0])) == 1)
        self.quiet = True


class LooksInAProperty(_Flood):
    """A property bounds what is in flight."""

    @invariant
    def few(self) -> bool:
        return len(self.net.between(self.Process[0], self.Process[1])) < 2


KEPT: list[tuple[type[Distributed], str]] = [
    (Forgets, ""),
    (Counts, ""),
    (Answers, ""),
    (Asserts, ""),
    (Fails, ""),
    (Chooses, ""),
    (AsksSomebody, ""),
    (ChoosesANumber, ""),
    (Closes, ""),
    (LooksInAGuard, "rest looks at what is in flight on net"),
    (LooksInAProperty, "few looks at what is in flight on net"),
]


@pytest.mark.parametrize(("cls", "off"), KEPT)
def test_what_may_still_matter_is_kept(cls: type[Distributed], off: str) -> None:
    """Nothing is dropped; if it were, a state at rest, a violation or an error would be another."""
    full, fewer, kernel = searches(cls, {"processes": 2})
    assert at_rest(fewer) == at_rest(full)
    assert of(kernel) == Irrelevant({}, off)


class ForgetsAndTells(Forgets):
    """A process forgets, and tells somebody else, in the middle of which it may crash."""

    back = var(Network[Process, Bool])

    @action
    def forget(self, q: Process):
        require(0 in self.seen[q] and self.heard[q] == 1)
        self.seen[q].remove(0)
        self.back.send(q, self.Process[0], True)

    @on(back)
    def answer(self, p, q, yes):
        pass


def test_what_is_changed_without_a_crash_counts_though_its_step_may_crash() -> None:
    """The crash would drop the message, the step itself does not."""
    full, fewer, kernel = searches(ForgetsAndTells, {"processes": 2, "crashes": 1})
    assert at_rest(fewer) == at_rest(full)
    assert not any(kind.network == "net" for kind in of(kernel).when)
    instances = Instances.of(kernel.model)
    crashing = [i for i in instances.found if i.drops and not i.drops_surely]
    making = Making(kernel.model, tuple(crashing), Phases(instances))
    making.made()
    seen = next(
        x for i in instances.found for x in i.literals if isinstance(x.condition, e.Contains) and "seen" in str(x)
    )
    assert not making.stays(evolve(seen, holds=True), "net", 0)


class Wrong(_Flood):
    """A property that what is heard twice has nothing to do with is violated."""

    @invariant
    def once(self) -> bool:
        return self.said < 2 or not all(0 in self.seen[q] for q in self.Process)


def test_a_run_of_the_reduced_graph_has_the_receipts() -> None:
    """Where the ordinary search reaches a limit, the run that is shown is one that the interpreter takes."""
    states = search(searches(Wrong, {"processes": 3})[2]).distinct
    report = check(Wrong, "Wrong", {"processes": 3}, reduce=True, limits=Limits(max_states=states))
    (found,) = report.properties
    assert report.reduced and found.verdict is Verdict.VIOLATED and found.trace is not None
    assert found.steps == len(found.trace.steps) > report.depth
    without_traces = check(
        Wrong, "Wrong", {"processes": 3}, reduce=True, limits=Limits(max_states=states), traces=False
    )
    assert without_traces.properties[0].steps == found.steps


def test_a_search_for_the_lengths_of_runs_drops_nothing() -> None:
    """Comparisons need them: the levels of states at rest are their distances."""
    definition = define(find("reliable_multicast").cls, {"workload": (1, 1)}, [])
    every, fewer = (explore(Request(definition, reduce=True, lengths=n)) for n in (True, False))
    full = explore(Request(definition))
    assert "are dropped" not in every.reduced and "are dropped" in fewer.reduced
    lengths = [{repr(run.outcome): len(run.path()) for run in found.outcome_runs()} for found in (every, full)]
    assert lengths[0] == lengths[1] != {}
    assert fewer.distinct < every.distinct < full.distinct


@pytest.mark.parametrize("cls", [Plain, Returning])
def test_a_message_that_is_dropped_too_soon_is_a_disagreement(
    cls: type[Distributed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter does not receive it without a change."""
    monkeypatch.setattr(_Finding, "condition", lambda self, kind: build.TRUE)
    with pytest.raises(Disagreement, match="the receipt of a message that is dropped"):
        check(cls, cls.__name__, {"processes": 2}, reduce=True)


def test_code_that_drops_other_messages_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left in flight is compared with what the definition leaves there."""
    compiled, model = reduced._compiled, dropping_model

    def wrong(lowered: Any, found: Any, drop: bool) -> NativeKernel:
        with monkeypatch.context() as patch:
            patch.setattr("checker.ir.stubborn.reduction.dropping_model", lambda m, when: _without(model(m, when)))
            kernel = compiled(lowered, found, drop)
        right = compiled(lowered, found, drop).reduction
        return evolve(kernel, reduction=right)

    monkeypatch.setattr(reduced, "_compiled", wrong)
    with pytest.raises(Disagreement, match="a step and what is dropped after it"):
        check(Plain, "Plain", {"processes": 2}, reduce=True)


def _without(model: Any) -> Any:
    """The model whose handler drops nothing."""
    return evolve(model, actions=tuple(evolve(a, body=a.body[:-1]) if a.name == "hear" else a for a in model.actions))


class Gossip(Distributed):
    """Whoever hears it for the first time tells all; nothing tells one process from another."""

    processes = const(3, "processes")
    Process = Ids("p", processes, symmetric=True)
    net = var(Network[Process, Bool])
    knows = var(Map[Process, Bool], False)

    @action
    def begin(self, p: Process):
        require(not any(self.knows[q] for q in self.Process))
        self.knows[p] = True
        self.net.multicast(p, True)

    @on(net)
    def hear(self, q, p, yes):
        if not self.knows[q]:
            self.knows[q] = True
            self.net.multicast(q, True)

    @quiescent
    def all_know(self) -> bool:
        return all(self.knows[p] == self.knows[q] for p in self.Process for q in self.Process)


class Secret(Gossip):
    """It should not be known to all."""

    @invariant
    def secret(self) -> bool:
        return not all(self.knows[p] for p in self.Process)


def test_orbits_are_stored_without_what_is_dropped() -> None:
    """The same verdicts and orbits at rest; fewer states than by either."""
    found = {(s, r): check(Gossip, "Gossip", {"symmetry": s}, reduce=r) for s in (False, True) for r in (False, True)}
    assert {r.verdict for r in found.values()} == {Verdict.HOLDS}
    counts = {key: r.distinct for key, r in found.items()}
    assert counts[True, True] < min(counts[True, False], counts[False, True])
    assert found[True, True].quiescent == found[True, False].quiescent
    assert all(("are dropped" in r.reduced) == reduce for (_, reduce), r in found.items())


def test_counts_of_orbits_without_what_is_dropped_are_the_same_for_all_threads() -> None:
    """The set, and what is dropped, are functions of the state that stands for the orbit."""
    model = lower(define(Gossip, {"symmetry": True, "processes": 5}))
    kernel = compile_model(model, quick=True, reduction=reduction(model, drop=True))
    results = [search(kernel, threads=n, stop_at_first=False) for n in (1, 2, 3)]
    assert of(kernel).when and len({(r.distinct, r.transitions, r.levels) for r in results}) == 1


@pytest.mark.parametrize("symmetry", [False, True])
def test_a_run_through_orbits_has_the_receipts(symmetry: bool) -> None:
    """The ordinary search reaches a limit, and the run is one of the model."""
    given = {"symmetry": symmetry}
    model = lower(define(Secret, given))
    states = search(compile_model(model, quick=True, reduction=reduction(model, drop=True))).distinct
    report = check(Secret, "Secret", given, only=["secret"], reduce=True, limits=Limits(max_states=states))
    (found,) = report.properties
    assert report.reduced and found.verdict is Verdict.VIOLATED and found.trace is not None
    assert len(found.trace.steps) > report.depth


FAULTS: list[dict[str, Any]] = [{}, {}, {"crashes": 1}, {"crashes": 1}, {"losses": 1}, {"duplicates": 1}]


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 400), marks=pytest.mark.thorough)], ids=str)
def test_random_relays_are_reduced_soundly(tmp_path: Path, seeds: range) -> None:
    """Whatever handlers do, and with every kind of fault: states at rest, violations and errors of full searches."""
    dropping = 0
    for seed in seeds:
        random = Random(seed)
        definition = define(load(random_relay(random), tmp_path), {"processes": 2, **random.choice(FAULTS)})
        plain, given = lower(definition), definition.constants
        kernel = compile_model(plain, quick=True)
        full = search(kernel, limits=Limits(max_states=2_000), stop_at_first=False)
        if full.bound is not None or full.small:
            continue
        model = lower(definition, choosing=True) if chosen_pays(given) else plain
        model = with_message_chosen(plain)[0] if message_chosen_pays(given) else model
        found = list(each_compared(full, model, kernel.words))
        assert [x.differs for x in found if x.differs] == [], seed
        dropping += any(x.dropped for x in found)
    assert dropping >= 1
