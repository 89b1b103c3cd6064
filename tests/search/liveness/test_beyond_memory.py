"""Leads-to properties of searches whose states are in files: what the oracle says, decided from the levels."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import evolve

from checker.analysis.check import check
from checker.engines import spilling, stored_runs
from checker.engines.placement import Placement, Spill
from checker.results.verdict import Verdict
from checker.search import out_of_core, trimming
from checker.search.limits import Limits
from tests.search.liveness import protocols
from tests.search.liveness.comparing import differences
from tests.search.liveness.test_random_runs import drawn

TOLD: list[str] = []
FROM_LEVELS = "leads-to properties: the levels are expanded once more, in this process"


@pytest.fixture
def beyond(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Placement:
    """Memory for eight states from the first one on; ten states are expanded at once.  The graph has all it needs."""
    TOLD.clear()
    monkeypatch.setattr(spilling, "available_memory", lambda: 0)
    monkeypatch.setattr(spilling, "gc", SimpleNamespace(collect=lambda: 0))
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 8)
    monkeypatch.setattr(trimming, "BLOCK", 10)
    room(monkeypatch, 1 << 30)
    return Placement(say=TOLD.append, spill=Spill(tmp_path))


def room(monkeypatch: pytest.MonkeyPatch, memory: int) -> None:
    """The graph has this many bytes."""
    monkeypatch.setattr(stored_runs, "within_process", lambda limits: evolve(limits, max_memory=memory))


def compared(seeds: range, folder: Path, placement: Placement) -> list[str]:
    """The verdicts of the oracle; AssertionError if a search beyond memory differs."""
    verdicts = []
    for seed in seeds:
        found = drawn(seed, folder)
        if found is not None and found[2].runs.states:
            text, cls, oracle = found
            different = list(differences(cls, oracle, placement=placement))
            assert not different, f"seed {seed}: {different}\n{text}"
            verdicts += [oracle.verdict(name) for name in oracle.judged]
    assert TOLD.count(FROM_LEVELS) >= len(seeds) // 2
    return verdicts


def test_random_models_beyond_memory_are_judged_as_the_oracle_judges_them(tmp_path: Path, beyond: Placement) -> None:
    """Verdicts, and runs that break what is violated: replayed, fair, as short as promised."""
    verdicts = compared(range(9), tmp_path, beyond)
    assert min(verdicts.count("holds"), verdicts.count("violated")) > 4


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(5000, 5600, 100))
def test_many_random_models_beyond_memory_are_judged_as_the_oracle_judges_them(
    first: int, tmp_path: Path, beyond: Placement
) -> None:
    """The same of hundreds."""
    verdicts = compared(range(first, first + 100), tmp_path, beyond)
    assert min(verdicts.count("holds"), verdicts.count("violated")) > 40


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(5600, 5800, 100))
def test_what_is_left_when_nothing_more_can_be_removed_is_judged_alike(
    first: int, tmp_path: Path, beyond: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    """States are removed as long as that is possible, however much room there is."""
    run = trimming.Trimming.run
    monkeypatch.setattr(trimming.Trimming, "run", lambda self, enough: run(self, lambda left: not left.states))
    verdicts = compared(range(first, first + 100), tmp_path, beyond)
    assert min(verdicts.count("holds"), verdicts.count("violated")) > 40


def test_only_what_is_left_must_fit_into_memory(beyond: Placement, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every run leads out nothing is left, and no room is needed; a violation needs some, and says how much."""
    room(monkeypatch, 0)
    (held,) = (p for p in check(protocols.DrawsByName, "", placement=beyond).properties if p.kind == "leads-to")
    (open_,) = (p for p in check(protocols.Draws, "", placement=beyond).properties if p.kind == "leads-to")
    (done,) = (p for p in check(protocols.Hurries, "", placement=beyond).properties if p.kind == "leads-to")
    assert (held.verdict, open_.verdict, done.verdict) == (Verdict.UNKNOWN, Verdict.UNKNOWN, Verdict.HOLDS)
    left = r"\d+ states? from which a run may break one, with \d+ transitions?"
    assert re.match(rf"leads-to properties: the graph of {left}, needs 1M\. Raise --max-memory", str(open_.reason))


def test_a_limit_of_time_ends_the_decision(beyond: Placement, monkeypatch: pytest.MonkeyPatch) -> None:
    """The property is undecided, and the limit is named."""
    explored = stored_runs.stored_behaviour

    def late(request: object, *others: object) -> object:
        return evolve(explored(request, *others), limits=Limits(max_seconds=0.0).begun())  # type: ignore[arg-type]

    monkeypatch.setattr("checker.engines.committed.stored_behaviour", late)
    (found,) = (p for p in check(protocols.Draws, "", placement=beyond).properties if p.kind == "leads-to")
    assert found.verdict is Verdict.UNKNOWN and "seconds" in str(found.reason)
