"""`python -m benchmarks large-model`: what each phase costs for an action."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import large_model
from tests.cli.commands import Ran


def test_the_table_has_each_phase_for_each_size(
    benchmarks: Callable[..., Ran], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row for each size; every phase of the report is a column, so no time is hidden; the table is written."""
    bench = large_model.run_large_bench((3, 6))
    assert [row.actions for row in bench.rows] == [3, 6]
    for row in bench.rows:
        assert 1 < row.states <= 1024 and set(row.phases) - {"replay"} <= set(large_model.PHASES)
        assert set(large_model.PHASES) <= set(row.phases)
    monkeypatch.setattr("benchmarks.__main__.run_large_bench", lambda say: bench)
    ran = benchmarks("large-model", "--out", "results")
    assert ran.code == 0 and "| 6 |" in ran.out
    assert "Milliseconds for each action" in (here / "results" / "large_model.md").read_text(encoding="utf-8")
