"""`python -m benchmarks smt`: z3 and the search are asked the same, and what did not finish is no answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import smt as bench_smt
from benchmarks.smt import Answer, Case, Row
from tests.cli.commands import Ran

CASE = Case("two_phase_commit", {"managers": 2}, "consistent", 3)
FOUND = Case("s_toto:PhiVotes", {"workload": (1, 1)}, "PrefixOrder", 4)


def found(verdict: str, covered: int, steps: int | None = None) -> Answer:
    """An answer after a second."""
    return Answer(verdict, covered, 0.5, 0.5, steps)


@pytest.mark.thorough
def test_both_sides_answer_alike_and_the_table_is_written(
    benchmarks: Callable[..., Ran], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No violation within three steps of one protocol, one of four steps in another."""
    monkeypatch.setattr(bench_smt, "CASES", (CASE, FOUND))
    ran = benchmarks("smt", "--json", "-", "--out", "results")
    rows = ran.json()["rows"]
    assert ran.code == 0
    assert [(r["search"]["verdict"], r["smt"]["verdict"]) for r in rows] == [("none", "none"), ("violated", "violated")]
    assert (rows[1]["search"]["steps"], rows[1]["smt"]["steps"]) == (4, 4)
    assert "| two_phase_commit managers=2 | consistent | 3 | none |" in (here / "results" / "smt.md").read_text(
        encoding="utf-8"
    )


def test_without_time_neither_side_has_an_answer(
    benchmarks: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of timeouts claims nothing, and contradicts nothing."""
    monkeypatch.setattr(bench_smt, "CASES", (Case("ewd840", {"nodes": 5}, "detection", 6),))
    ran = benchmarks("smt", "--timeout", "0.001")
    assert ran.code == 0
    assert "neither finished" in ran.out and "stopped by seconds, no step done" in ran.out


@pytest.mark.parametrize(
    ("search", "smt", "agree"),
    [
        (found("violated", 3, 4), found("violated", 3, 4), True),
        (found("violated", 3, 4), found("violated", 2, 3), False),
        (found("violated", 3, 4), found("none", 8), False),
        (found("none", 8), found("violated", 3, 4), False),
        (found("violated", 3, 4), found("stopped", 2), True),
        (found("violated", 3, 4), found("stopped", 5), False),
    ],
)
def test_what_was_covered_must_not_contradict_what_was_found(search: Answer, smt: Answer, agree: bool) -> None:
    """A side that stopped before the violation has not missed it; one that went past it has."""
    assert Row(CASE, search, smt).agree is agree


def test_an_option_of_another_table_is_refused(benchmarks: Callable[..., Ran]) -> None:
    """The exit code of a wrong command."""
    assert benchmarks("smt", "--threads", "2").code == 2


def test_a_model_without_a_case_is_refused(benchmarks: Callable[..., Ran]) -> None:
    """With the names there are."""
    ran = benchmarks("smt", "nothing")
    assert ran.code == 2 and "there is no comparison of z3 and search on nothing" in ran.err
