"""`python -m benchmarks throughput`: the same graph is measured everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import cold_start
from benchmarks import throughput as bench
from benchmarks.promela import promela
from benchmarks.spin import available, run_spin
from tests.cli.commands import Ran

SMALL = {
    ("two_phase_commit", (("managers", 5),)): (8_832, 58_145),
    ("ewd840", (("nodes", 3),)): (302, 1_625),
    ("filter_lock", (("processes", 4),)): (5_744, 15_848),
    ("bakery", (("processes", 3), ("tickets", 3))): (2_357, 5_774),
    ("reliable_multicast", (("workload", (1, 1, 0)),)): (474_713, 3_442_484),
    ("isis", (("workload", (1, 1, 0)),)): (5_762, 19_426),
    ("isis", (("workload", (2, 1)),)): (34_489, 117_612),
    ("causal_broadcast:Retested", (("workload", (2, 1, 1)),)): (426_751, 1_684_981),
}


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search is run once: how fast it was is not asked here."""
    monkeypatch.setattr(bench, "REPEATED", 1)
    monkeypatch.setattr(bench, "SHORT_REPEATED", 1)
    monkeypatch.setattr(cold_start, "REPEATED", 1)
    monkeypatch.setattr(cold_start, "SMALL", cold_start.SMALL[:1])


@pytest.mark.thorough
@pytest.mark.skipif(not available(), reason="spin and gcc are not installed")
@pytest.mark.parametrize("model", SMALL)
def test_spin_explores_the_same_graph(model: tuple[str, tuple[tuple[str, int], ...]]) -> None:
    """The Promela text has the states and transitions of the reference model."""
    text = promela(model[0], dict(model[1]))
    assert text is not None
    run = run_spin(text)
    assert run.counts(*SMALL[model])


@pytest.mark.thorough
@pytest.mark.usefixtures("once")
def test_a_count_that_is_not_the_known_one_is_wrong(
    benchmarks: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A figure for another graph would mean nothing: the table says so, and the exit code is 1."""
    monkeypatch.setattr(bench, "RUNS", (bench.Run("two_phase_commit", {"managers": 3}, 288, 1_146),))
    ran = benchmarks("throughput", "two_phase_commit", "--threads", "1")
    assert ran.code == 1 and "WRONG" in ran.out


@pytest.mark.thorough
@pytest.mark.usefixtures("once")
def test_the_table_counts_exactly_and_is_written(
    benchmarks: Callable[..., Ran], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One small run: counts as stated, a table and its data."""
    monkeypatch.setattr(bench, "RUNS", (bench.Run("two_phase_commit", {"managers": 3}, 288, 1_145),))
    ran = benchmarks("throughput", "--json", "-", "--out", "results")
    row = ran.json()["rows"][0]
    assert (ran.code, row["exact"], row["native"]["distinct"], row["native"]["transitions"]) == (0, True, 288, 1_145)
    assert row["interpreter_rate"] > 0
    assert "two_phase_commit managers=3 | 288 | 1,145" in (here / "results" / "results.md").read_text(encoding="utf-8")
