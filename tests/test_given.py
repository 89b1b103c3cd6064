"""What is wrong as written in a call of a public function raises UsageError, as the command gives exit code 2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import checker

LOCK = "basic_multicast"

FEWER = "threads=0 is fewer than one"
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "a number where a sweep takes a list": (lambda: checker.sweep("isis", crashes=1), "crashes=1 is no list of values"),
    "a text where a sweep takes a list": (lambda: checker.sweep("isis", crashes="01"), "A sweep takes|no list of val"),
    "no threads": (lambda: checker.check(LOCK, threads=0), FEWER),
    "outcomes with no threads": (lambda: checker.outcomes(LOCK, threads=0), FEWER),
    "find with no threads": (lambda: checker.find(LOCK, "True", threads=0), FEWER),
    "latency with no threads": (lambda: checker.latency(LOCK, threads=0), FEWER),
    "a comparison with no threads": (lambda: checker.compare("isis", "isis:NoTieBreak", threads=0), FEWER),
    "a comparison of one model with no threads": (lambda: checker.compare("isis", "isis", threads=0), FEWER),
    "no jobs": (lambda: checker.sweep("isis", crashes=[0], jobs=0), "jobs=0 is fewer than one"),
    "no runs": (lambda: checker.simulate(LOCK, runs=0), "runs=0 is fewer than one"),
    "less than no time": (lambda: checker.check(LOCK, max_seconds=-1), "max_seconds=-1 is less than nothing"),
    "fewer than no states": (lambda: checker.outcomes(LOCK, max_states=-1), "max_states=-1 is less than nothing"),
    "a report that has no run": (lambda: checker.write_report(checker.names(), "out"), "a Report or a Trace"),  # type: ignore[arg-type]
    "a name for several": (lambda: checker.check(LOCK, properties="alone"), "properties is a list of names"),
    "a trace that is not there": (lambda: checker.read_trace("nope"), "nope cannot be read: No such file"),
}


@pytest.mark.parametrize("name", WRONG)
def test_it_is_refused_with_what_is_wrong(name: str) -> None:
    """No TypeError of a line inside the checker, and no search without its limit."""
    call, said = WRONG[name]
    with pytest.raises(checker.UsageError, match=said):
        call()


def test_a_file_that_is_no_trace_is_named(tmp_path: Path) -> None:
    """Whatever it contains."""
    (file := tmp_path / "t.itf.json").write_text("{}", encoding="utf-8")
    with pytest.raises(checker.UsageError, match="t.itf.json is not a trace written by this program"):
        checker.read_trace(file)
