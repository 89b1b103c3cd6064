"""The table of reduced searches: what is reached and missed, and that the page kept is that of the program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import benchmarks.reductions
from benchmarks.reductions import (
    Aim,
    Measured,
    ReductionBench,
    Row,
    Run,
    markdown,
    measure,
    page,
    print_reduction_bench,
    recorded,
    run_reduction_bench,
)
from checker.cli.output import Output

KEPT = Path(benchmarks.reductions.__file__).with_name("reductions.json")
QUICK = 1.0
"""CPU seconds below which a recorded search is made again."""
EACH_BUILD = 0.12
"""CPU seconds of both searches of a row that each build makes again."""


def row(aim: Aim, **reduced: object) -> Row:
    full = Measured(1_000, 5_000, 8, 2.0, 0.0, "holds", None)
    return Row("some (1, 1)", None, aim, full, evolve(Measured(100, 200, 8, 0.5, 0.1, "holds", None), **reduced))


@pytest.mark.parametrize(
    ("aim", "missed"),
    [
        (Aim(states=100), []),
        (Aim(states=99), ["99 states"]),
        (Aim(states=100, hoped=50), ["50 states hoped for"]),
        (Aim(times=4), []),
        (Aim(times=5), ["5 times less CPU"]),
        (Aim(seconds=0.5), []),
        (Aim(seconds=0.4), ["0.4 s"]),
        (Aim(), []),
    ],
)
def test_what_is_missed_is_named(aim: Aim, missed: list[str]) -> None:
    assert row(aim).missed() == missed


def test_a_search_cut_short_or_undecided_reaches_no_aim() -> None:
    assert row(Aim(states=100), bound="states").missed() == ["not decided"]
    assert row(Aim(), verdict="inconclusive").missed() == ["not decided"]


def test_searches_that_differ_are_wrong() -> None:
    """Other states at rest, or another verdict; nothing is said of what was given up."""
    assert row(Aim()).sound
    for other in (row(Aim(), at_rest=7), row(Aim(), verdict="violated")):
        assert not other.sound and "WRONG" in markdown(ReductionBench((other,), "", ""))
        assert print_reduction_bench(ReductionBench((other,), "", ""), Output("-"), None) == 1
        assert evolve(other, full=evolve(other.full, bound="states")).sound


@pytest.mark.thorough
def test_small_rows_are_measured_and_kept(tmp_path: Path) -> None:
    """Both searches, one of them given up; the table is read back as it was."""
    runs = (Run("isis", (1, 1), Aim(states=150)), Run("basic_multicast", (1, 1), Aim(states=1)))
    bench = run_reduction_bench(["isis"], runs, most=300, say=lambda _: None)
    (found,) = bench.rows
    assert (found.full.bound, found.reduced.bound, found.sound) == ("states", None, True)
    assert (found.reduced.distinct, found.missed()) == (113, [])
    assert print_reduction_bench(bench, Output("-"), tmp_path) == 0
    assert recorded(tmp_path / "reductions.json") == bench.rows
    assert "| > 300 |" in (tmp_path / "reductions.md").read_text()


def test_the_page_names_every_aim_that_is_missed() -> None:
    """Of the rows that are kept, in the page that is kept."""
    stored = json.loads(KEPT.read_text(encoding="utf-8"))
    bench = ReductionBench(recorded(KEPT), stored["machine"], stored["date"])
    text = KEPT.with_suffix(".md").read_text(encoding="utf-8")
    assert text == page(bench)
    assert all(one.sound for one in bench.rows)
    assert {one.name for one in bench.rows} == {run.name for run in benchmarks.reductions.RUNS}
    assert all(text.count(f"* {one.name}: ") == bool(one.missed()) for one in bench.rows)


RECORDED = {one.name: one for one in recorded(KEPT)}


def quick() -> list[Any]:
    """The rows whose reduced search is quick; thorough unless the full search is quick, too, and both are short."""
    found = []
    for run in benchmarks.reductions.RUNS:
        row = RECORDED[run.name]
        short = row.full.bound is None and row.full.cpu_seconds + row.reduced.cpu_seconds < EACH_BUILD
        if row.reduced.cpu_seconds < QUICK:
            found.append(pytest.param(run, id=run.name, marks=() if short else pytest.mark.thorough))
    return found


@pytest.mark.parametrize("run", quick())
def test_quick_rows_have_the_counts_of_the_page(run: Run) -> None:
    """The reduced search of each, and the full one where that is quick, too."""
    kept = RECORDED[run.name]
    for reduce, known in ((True, kept.reduced), (False, kept.full)):
        if known.bound is None and known.cpu_seconds < QUICK:
            found = measure(run.model, run.workload, run.only, reduce, benchmarks.reductions.GIVEN_UP)
            counts = [(m.distinct, m.transitions, m.at_rest, m.verdict, m.bound) for m in (found, known)]
            assert counts[0] == counts[1]
