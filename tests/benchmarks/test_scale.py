"""The table of searches beyond memory: the closed form is that of the model, and a wrong count is seen."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

import checker
from benchmarks.models import path_of
from benchmarks.scale import Beyond, Counts, expected, print_scale_bench, recorded, run_scale_bench
from checker.cli.output import Output


@pytest.mark.parametrize("managers", range(2, 8))
def test_the_closed_form_has_the_counts_of_the_search(managers: int) -> None:
    """States, transitions and the new states of every level."""
    report = checker.check(path_of("two_phase_commit"), managers=managers)
    assert Counts(report.distinct, report.transitions, report.levels) == expected(managers)


@pytest.mark.thorough
def test_a_search_beyond_memory_is_compared_level_by_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of eight managers needs more than the least memory that the command accepts; a level with one state more
    is a wrong count."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    program = [sys.executable, "-m", "checker", "check", str(path_of("two_phase_commit")), "--max-memory", "1M"]
    refused = subprocess.run(program, capture_output=True, text=True, check=False).stderr
    least = re.search(r"Give at least (\d+)M", refused)
    assert least is not None, refused
    bench = run_scale_bench([Beyond(8, int(least[1]) << 20)], tmp_path, say=lambda _: None)
    (row,) = bench.rows
    assert row.exact and row.disk > 0
    assert row.counts == expected(8)
    assert print_scale_bench(bench, Output("-"), tmp_path) == 0
    assert json.loads((tmp_path / "scale.json").read_text())["rows"][0]["counts"]["distinct"] == 1_745_408
    other = evolve(row, managers=5, counts=expected(5))
    assert print_scale_bench(evolve(bench, rows=(other,)), Output("-"), tmp_path) == 0
    assert recorded(tmp_path / "scale.json") == (other, row)
    levels = (*row.counts.levels[:-1], row.counts.levels[-1] + 1)
    wrong = evolve(bench, rows=(evolve(row, counts=evolve(row.counts, levels=levels)),))
    assert print_scale_bench(wrong, Output("-"), tmp_path) == 1
    assert "WRONG" in (tmp_path / "scale.md").read_text()
