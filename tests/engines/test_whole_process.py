"""`--max-memory` is for the whole process: what it holds before a search is deducted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.cli.searching import limits
from checker.engines import whole_process
from checker.engines.whole_process import within_process
from checker.language.errors import UsageError
from checker.search.limits import Limits

MODEL = Path(__file__).resolve().parents[2] / "benchmarks" / "models" / "two_phase_commit.py"
MEGA = 1 << 20


@pytest.fixture
def holding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process with a hundred megabytes, and the usual reserve."""
    monkeypatch.setattr(whole_process, "resident", lambda: 100 * MEGA)
    monkeypatch.setattr(whole_process, "RESERVED", 32 * MEGA)
    monkeypatch.setattr(whole_process, "LEAST", 16 * MEGA)


def test_what_the_process_holds_is_deducted(holding: None) -> None:
    """From a limit of the command line; that of a program is for the structures of the search."""
    found = within_process(Limits(max_memory=200 * MEGA, whole_process=True))
    assert found == Limits(max_memory=68 * MEGA)
    own = Limits(max_memory=1)
    assert within_process(own) is own and within_process(Limits()) == Limits()
    given = {"max_depth": None, "max_states": None, "max_seconds": None, "max_memory": 1}
    assert limits({**given, "engine": "native"}).whole_process and limits(given).whole_process
    assert not limits({**given, "engine": "spark"}).whole_process


def test_a_limit_below_what_the_process_holds_is_refused_with_the_least(holding: None, checker: Any) -> None:
    """With exit code 2; the next megabyte is enough."""
    ran = checker("check", "causal_vector_clock", "--max-memory", "147M")
    assert ran.code == 2
    assert "--max-memory 147M: the process takes 100M before the search" in ran.err
    assert "Give at least 148M." in ran.err
    with pytest.raises(UsageError, match="--max-memory 1K: the process takes 100M"):
        within_process(Limits(max_memory=1024, whole_process=True))
    assert within_process(Limits(max_memory=148 * MEGA, whole_process=True)).max_memory == 16 * MEGA


@pytest.mark.thorough
@pytest.mark.parametrize("options", [("--max-disk", "0"), ("--threads", "2"), ()])
def test_a_process_stays_within_its_limit(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Beyond memory too, with helper threads: a search that is over holds nothing."""
    asked = ["check", str(MODEL), "-D", "managers=8", "--max-memory", "170M", *options, "--json", "-"]
    found = subprocess.run([sys.executable, "-m", "checker", *asked], capture_output=True, text=True, cwd=tmp_path)
    report = json.loads(found.stdout)
    assert report["peak_memory"] <= 175 * MEGA
    assert (report["bound"] == "memory") is bool("--max-disk" in options)
