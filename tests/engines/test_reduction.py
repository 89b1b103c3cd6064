"""Reduced searches: the same verdicts, states at rest and outcomes as full ones, and sets that are stubborn by
definition.  Which test notices that a condition is taken away: docs/reduction.md, "What was tried"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from checker.analysis.check import check, confirmed_outcomes
from checker.backends.native.kernel import compile_model
from checker.catalogue import find
from checker.engines.reduced import reduction
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.ir.footprints.instances import TooMany
from checker.ir.model import Model as Lowered
from checker.language import Bool, Int, Map, Process, Seq, action, anything, invariant, require, var
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.errors import UsageError
from checker.report.checked import check_lines
from checker.report.lines import plain as text_of
from checker.results.verdict import Verdict
from checker.search.breadth_first import search
from checker.search.limits import Limits
from checker.search.result import SearchResult
from tests.engines.full_and_reduced import at_rest, cyclic, distances, full_and_reduced, shown
from tests.engines.stubborn_oracle import Oracle
from tests.language.random_source import random_model
from tests.language.test_random_models import load

CAUSAL = "causal_broadcast:Retested"
SMALL: list[tuple[str, dict[str, Any]]] = [
    ("reliable_multicast", {"workload": (1, 1)}),
    ("reliable_multicast", {"workload": (1, 0), "crashes": 1}),
    ("reliable_multicast", {"workload": (1, 0), "losses": 1}),
    ("reliable_multicast", {"workload": (1, 0), "duplicates": 1}),
    ("reliable_multicast:NonBlocking", {"workload": (1, 0)}),
    ("sequencer:StartAtMinusOne", {"workload": (1, 1)}),
    ("causal_broadcast:Retested", {"workload": (1, 1)}),
    ("isis", {"workload": (1, 0, 0)}),
    ("isis", {"workload": (1, 0), "channels": "fifo"}),
    ("isis:Gathering", {"workload": (1, 0, 0)}),
    ("isis:Gathering", {"workload": (1, 0), "losses": 1}),
    ("s_toto", {"workload": (1, 1)}),
    ("basic_multicast", {"workload": (1, 1)}),
]


def lowered(reference: str, constants: dict[str, Any], only: list[str] | None = None) -> Lowered:
    return lower(define(find(reference).cls, constants, only))


def both(model: Lowered, threads: int = 1) -> tuple[SearchResult, SearchResult, bool]:
    """The full and the reduced search, and whether the reduced graph has a cycle."""
    pair = full_and_reduced(model, threads=threads, most=600_000)
    return pair.full, pair.stored, pair.cyclic


@pytest.mark.parametrize(
    ("reference", "constants"),
    [pytest.param(*s, marks=() if i % 2 == 0 else pytest.mark.thorough) for i, s in enumerate(SMALL)],
)
def test_chosen_sets_are_stubborn_by_their_definition(reference: str, constants: dict[str, Any]) -> None:
    """In every state of the reduced graph: whatever others do first, the chosen steps stay what they are (D1, D2)."""
    oracle = Oracle(lowered(reference, constants))
    states = oracle.reachable(reduced=True)
    assert all(s.instance >= 0 for steps in states.values() for s in steps)
    assert [text for state in list(states)[:: max(1, len(states) // 60)] if (text := oracle.broken(state))] == []


@pytest.mark.parametrize(("reference", "constants"), SMALL[:8])
def test_compiled_code_chooses_what_the_definition_chooses(reference: str, constants: dict[str, Any]) -> None:
    """The reduced graph has the same states, made by the evaluator and by the kernel."""
    model = lowered(reference, constants)
    oracle = Oracle(model)
    kernel = compile_model(model, quick=True, reduction=reduction(model))
    result = search(kernel, stop_at_first=False)
    names = oracle.names
    meant = oracle.reachable(reduced=True)
    assert {tuple(kernel.decode(row)[n] for n in names) for row in result.states()} == set(meant)
    assert result.transitions == sum(len(steps) for steps in meant.values())


@pytest.mark.parametrize(
    ("reference", "constants", "most"),
    [
        *((reference, constants, None) for reference, constants in SMALL),
        ("reliable_multicast", {"workload": (1, 1, 0)}, 650),
        ("sequencer:StartAtMinusOne", {"workload": (1, 1, 0)}, 80),
        ("isis", {"workload": (1, 1, 0)}, 480),
        pytest.param("s_toto", {"workload": (1, 1, 1)}, None, marks=pytest.mark.thorough),
        ("isis:OneProposalLess", {"workload": (1, 1)}, None),
        ("isis:NoTieBreak", {"workload": (1, 1)}, None),
        ("isis:DeliverAnyFinal", {"workload": (1, 1)}, None),
        pytest.param("isis:TieBySender", {"workload": (2, 0)}, None, marks=pytest.mark.thorough),
        ("isis", {"workload": (1, 1), "crashes": 1}, None),
        ("isis", {"workload": (1, 0), "duplicates": 1}, None),
        ("sequencer", {"workload": (1, 1)}, None),
    ],
)
def test_reduced_searches_find_what_full_ones_find(reference: str, constants: dict[str, Any], most: int | None) -> None:
    """States at rest with their distances, violations and errors are those of the full graph."""
    full, reduced, circular = both(lowered(reference, constants))
    assert distances(reduced) == distances(full)
    assert not circular and shown(reduced) == shown(full)
    assert reduced.distinct <= (full.distinct if most is None else most)


def test_counts_are_the_same_for_all_threads() -> None:
    """The set is a function of the state alone."""
    model = lowered("sequencer:StartAtMinusOne", {"workload": (1, 1, 0)})
    results = [both(model, threads)[1] for threads in (1, 2, 3)]
    assert len({(r.distinct, r.transitions, r.levels) for r in results}) == 1
    assert (results[0].distinct, results[0].transitions) == (75, 146)


@pytest.mark.parametrize(
    ("reference", "constants", "only", "states"),
    [
        ("causal_broadcast:Retested", {"workload": (1, 1, 1)}, ["NoDuplication", "FifoOrder"], 1_691),
        ("s_toto", {"workload": (1, 1, 1)}, ["PrefixOrder"], 254),
    ],
)
def test_properties_decide_what_is_left_out(
    reference: str, constants: dict[str, Any], only: list[str], states: int
) -> None:
    """Properties of logs that only grow leave everything out that can be."""
    full, reduced, circular = both(lowered(reference, constants, only))
    assert distances(reduced) == distances(full) and not circular
    assert reduced.distinct == states < full.distinct


@pytest.mark.parametrize("seeds", [range(16), pytest.param(range(16, 200), marks=pytest.mark.thorough)], ids=str)
def test_random_models_are_reduced_soundly(tmp_path: Path, seeds: range) -> None:
    """Whatever their steps do: states at rest as far away as ever; without a cycle, the same violations and errors."""
    tried = smaller = 0
    for seed in seeds:
        text = random_model(Random(seed)).partition("\n    @constraint")[0]
        model = lower(define(load(text, tmp_path), {"processes": 2}))
        kept = tuple(p for p in model.properties if p.kind in ("invariant", "quiescence"))
        model = evolve(model, properties=kept)
        try:
            chosen = reduction(model)  # before anything is compiled for nothing
            kernels = [compile_model(model, quick=True, reduction=r) for r in (None, chosen)]
        except TooMany:
            continue
        full, reduced = (search(k, limits=Limits(max_states=3_000), stop_at_first=False) for k in kernels)
        if full.bound is None and not full.small:
            tried, smaller = tried + 1, smaller + (reduced.distinct < full.distinct)
            assert distances(reduced) == distances(full), seed
            assert cyclic(kernels[1], reduced) or shown(reduced) == shown(full), seed
            assert not (chosen.finite and cyclic(kernels[0], full)), seed
    assert tried >= len(seeds) / 4 and smaller >= 1


def test_one_of_many_independent_steps_is_taken() -> None:
    """Three processes that count to two: one order instead of all, and one state at rest."""

    class Counting(Distributed):
        """Each counts for itself."""

        count = var(Map[Process, Int(0, 2)], 0)

        @action
        def step(self, p: Process):
            require(self.count[p] < 2)
            self.count[p] += 1

    full, reduced, _ = both(lower(define(Counting, {"processes": 3})))
    assert (full.distinct, reduced.distinct) == (27, 7)
    assert at_rest(full) == at_rest(reduced)


class Transient(Distributed):
    """p1 is between two values for one step; p2 works on."""

    busy = var(Map[Process, Bool], False)
    done = var(Map[Process, Bool], False)

    @action
    def end(self, p: Process):
        require(self.busy[p])
        self.busy[p] = False
        self.done[p] = True

    @action
    def begin(self, p: Process):
        require(not self.busy[p] and not self.done[p])
        self.busy[p] = True

    @invariant
    def never_both(self) -> bool:
        return not all(self.busy[p] for p in self.Process)


def test_a_violation_that_passes_is_found() -> None:
    """Both are busy in one state of the full graph only; `end` mends that, so it is never taken alone."""
    report = check(Transient, "Transient", {"processes": 2}, reduce=True)
    assert report.verdict is Verdict.VIOLATED and report.properties[0].steps == 2
    full, reduced, _ = both(lower(define(Transient, {"processes": 2})))
    assert shown(full) == shown(reduced) != set()


class Failing(Distributed):
    """One step fails, another breaks the property."""

    x = var(Int(0, 1), 0)
    y = var(Int(0, 1), 0)

    @action
    def fail(self):
        assert self.x > 1

    @action
    def go(self):
        require(self.x == 0)
        self.x = 1

    @action
    def elsewhere(self):
        require(self.y == 0)
        self.y = 1

    @invariant
    def stays(self) -> bool:
        return self.x == 0


def test_a_step_that_fails_hides_no_violation() -> None:
    """It has no successor, so it is never taken alone."""
    full, reduced, _ = both(lower(define(Failing, {"processes": 1})))
    assert shown(full) == shown(reduced) and len(shown(full)) == 2


class NothingYet(Distributed):
    """A property looks at the first item of a log as soon as it is told to."""

    log = var(Seq[Int(0, 1), 2])
    told = var(Bool, False)

    @action
    def add(self):
        require(len(self.log) == 0)
        self.log.append(1)

    @action
    def tell(self):
        require(not self.told)
        self.told = True

    @invariant
    def first_is_one(self) -> bool:
        return not self.told or self.log[0] == 1


def test_what_ends_an_error_of_a_property_hides_it_nowhere() -> None:
    """Adding an item changes no item that is there, but it makes an index right that was an error."""
    full, reduced, _ = both(lower(define(NothingYet, {"processes": 1})))
    assert shown(full) == shown(reduced) != set()


def test_a_violation_is_shown_by_the_ordinary_search() -> None:
    """The same run, with the same counts, as without --reduce."""
    cls = find("isis:NoTieBreak").cls
    plain, reduced = (check(cls, "isis:NoTieBreak", {"workload": (1, 1)}, reduce=r) for r in (False, True))
    assert [p.trace for p in plain.properties] == [p.trace for p in reduced.properties]
    assert (plain.distinct, plain.transitions, plain.levels) == (reduced.distinct, reduced.transitions, reduced.levels)
    assert not reduced.reduced and not plain.reduced_before and 0 < reduced.reduced_before
    said = f"found in {reduced.reduced_before:,} states of a reduced graph; counts and run are of the ordinary search"
    assert sum(said in text for text in map(text_of, check_lines(reduced, {}))) == 1
    assert not any("reduced" in text for text in map(text_of, check_lines(plain, {})))


def test_a_run_of_the_reduced_graph_is_said_to_be_one() -> None:
    """Where the ordinary search reaches a limit, the run found is shown, and not as a shortest one."""
    given: dict[str, Any] = {"workload": (1, 1)}
    cls = find("isis:NoTieBreak").cls
    states = both(lowered("isis:NoTieBreak", given))[1].distinct
    report = check(cls, "isis:NoTieBreak", given, reduce=True, limits=Limits(max_states=states))
    assert report.verdict is Verdict.VIOLATED and report.reduced
    traces = [p.trace for p in report.properties if p.trace is not None]
    assert traces and all("shorter traces may exist" in str(t.claim) for t in traces)


def test_what_mends_a_violation_is_named() -> None:
    report = check(find("basic_multicast").cls, "basic_multicast", {"workload": (1, 0)}, reduce=True)
    assert report.verdict is Verdict.HOLDS
    assert report.reduced == "no step makes a violated property hold again"
    given: dict[str, Any] = {"workload": (1, 1)}
    report = check(find(CAUSAL).cls, CAUSAL, given, only=["NoCreation", "FifoOrder"], reduce=True)
    assert (
        report.reduced == "a step that may make NoCreation hold again is taken with all that may violate the property"
    )
    report = check(NothingYet, "NothingYet", {"processes": 1}, limits=Limits(max_states=1), reduce=True)
    assert report.reduced == (
        "add, tell may make first_is_one hold again; so nothing is left out: choose properties with --property"
    )


class Ring(Distributed):
    """A token goes round for ever; a flag is raised at last."""

    at = var(Process, anything)
    flag = var(Bool, False)

    @action
    def go(self, p: Process):
        require(self.at == p)
        self.at = self.Process[(p.index + 1) % len(self.Process)]

    @action
    def lift(self):
        require(not self.flag)
        self.flag = True

    @invariant
    def never(self) -> bool:
        return not self.flag


def test_a_cycle_is_refused() -> None:
    """On it the step that breaks the property could be put off for ever."""
    kernel = compile_model(lower(define(Ring, {"processes": 2})), quick=True)
    assert cyclic(kernel, search(kernel, stop_at_first=False))

    class Calm(Ring):
        """The same without the property."""

        @invariant
        def never(self) -> bool:
            return True

    with pytest.raises(UsageError, match="has a cycle"):
        check(Calm, "Calm", {"processes": 2}, reduce=True)


class Standing(Distributed):
    """A step that changes nothing is always possible; another breaks the property."""

    flag = var(Bool, False)

    @action
    def stand(self):
        self.flag = self.flag

    @action
    def lift(self):
        require(not self.flag)
        self.flag = True

    @invariant
    def calm(self) -> bool:
        return True


class StandingAside(Standing):
    """It does not even touch what the other changes."""

    other = var(Bool, False)

    @action
    def stand(self):
        self.other = False

    @invariant
    def calm(self) -> bool:
        return not self.flag


@pytest.mark.parametrize("model", [Standing, StandingAside])
def test_a_step_to_the_same_state_is_a_cycle(model: type[Distributed]) -> None:
    """Taken alone it would put off the other for ever."""
    with pytest.raises(UsageError, match="has a cycle"):
        check(model, model.__name__, {"processes": 1}, reduce=True)


class Numbered(Ring):
    """A ring beside a step that happens once."""

    count = var(Int(0, 1), 0)

    @action
    def lift(self):
        require(self.count == 0)
        self.count += 1

    @invariant
    def never(self) -> bool:
        return True


def test_a_step_that_ends_does_not_end_the_others() -> None:
    """Each must occur a bounded number of times, before a graph need not be examined for cycles."""
    model = lower(define(Numbered, {"processes": 2}))
    assert not reduction(model).finite and both(model)[2]
    with pytest.raises(UsageError, match="has a cycle"):
        check(Numbered, "Numbered", {"processes": 2}, reduce=True)


@pytest.mark.parametrize(("reference", "constants"), SMALL)
def test_a_model_without_infinite_runs_has_no_cycle(reference: str, constants: dict[str, Any]) -> None:
    """What the numbers of occurrences say, against the whole graph; most of these say it."""
    model = lowered(reference, constants)
    kernel = compile_model(model, quick=True)
    finite = reduction(model).finite
    assert not (finite and cyclic(kernel, search(kernel, stop_at_first=False)))
    unbounded = {"crashes", "losses", "duplicates", "channels"} & constants.keys()
    assert finite == (not unbounded and reference.partition(":")[0] != "reliable_multicast" and "Gath" not in reference)


OUTCOMES: list[tuple[str, dict[str, Any]]] = [
    ("isis", {"workload": (1, 0, 0)}),
    ("isis", {"workload": (1, 1), "crashes": 1}),
    ("isis", {"workload": (1, 0), "losses": 1}),
    ("isis", {"workload": (1, 0), "duplicates": 1}),
    ("isis:NoTieBreak", {"workload": (1, 1)}),
    ("reliable_multicast", {"workload": (1, 1)}),
    ("sequencer:StartAtMinusOne", {"workload": (1, 1, 0)}),
    ("causal_broadcast:Retested", {"workload": (1, 1)}),
    ("s_toto", {"workload": (1, 1)}),
]


@pytest.mark.parametrize(
    ("reference", "constants"),
    [pytest.param(*case, marks=pytest.mark.thorough if i in (3, 5, 7, 8) else ()) for i, case in enumerate(OUTCOMES)],
)
def test_outcomes_of_a_reduced_search_are_those_of_the_full_one(reference: str, constants: dict[str, Any]) -> None:
    """Also with a crash, a loss, a duplicate, and where properties are violated: none of them is judged."""
    cls = find(reference).cls
    (full, all_states), (reduced, fewer) = (confirmed_outcomes(cls, constants, reduce=r) for r in (False, True))
    assert reduced == full != []
    assert all_states is not None and fewer is not None
    failing = {"losses", "duplicates"} & constants.keys()  # each kind of message that may fail has states of its own
    assert failing or fewer.of <= all_states.of
    definition = define(cls, constants, [])
    runs = [explore(Request(definition, stop_at_first=r, reduce=r)).outcome_runs() for r in (False, True)]
    lengths = [{repr(run.outcome): len(run.path()) for run in found} for found in runs]
    assert lengths[0] == lengths[1], "a shortest run to each"


def test_outcomes_of_a_reduced_search_need_fewer_states() -> None:
    """No property is judged, so nothing is mended: fewer states than the verdicts need."""
    given: dict[str, Any] = {"workload": (1, 1, 0)}
    found, validation = confirmed_outcomes(find("isis").cls, given, reduce=True)
    assert len(found) == 2 and validation is not None and validation.of < 920


class Ends(Failing):
    """The same with an outcome."""

    outcome = ("y",)


def test_a_model_that_fails_has_no_outcomes_reduced_or_not() -> None:
    """The same error in the same words."""
    texts = []
    for reduced in (False, True):
        with pytest.raises(UsageError, match="a run ends in a model error") as raised:
            confirmed_outcomes(Ends, {"processes": 1}, reduce=reduced)
        texts.append(str(raised.value))
    assert texts[0] == texts[1]


class Turning(Ring):
    """A ring whose outcome is asked for."""

    outcome = ("flag",)


def test_outcomes_are_refused_where_the_reduced_graph_has_a_cycle() -> None:
    """On it a step that fails could be put off for ever."""
    with pytest.raises(UsageError, match="has a cycle"):
        confirmed_outcomes(Turning, {"processes": 2}, reduce=True)


@pytest.mark.parametrize("what", ["--max-depth", "the engine interpreter"])
def test_outcomes_that_need_every_state_are_refused(what: str) -> None:
    how: dict[str, Any] = {"--max-depth": {"limits": Limits(max_depth=3)}}.get(what, {"engine": "interpreter"})
    with pytest.raises(UsageError, match=what):
        confirmed_outcomes(find("isis").cls, {}, reduce=True, **how)


def refused() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    yield "--max-depth", {}, {"limits": Limits(max_depth=3)}
    yield "goes on after a violation", {}, {"stop_at_first": False}
    yield "the engine interpreter", {}, {"engine": "interpreter"}


@pytest.mark.parametrize(("what", "constants", "how"), list(refused()))
def test_what_needs_every_state_is_refused(what: str, constants: dict[str, Any], how: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=what):
        check(find("isis").cls, "isis", constants, reduce=True, **how)
