"""The table of searches on Spark beside one native thread: what is compared with what, and what a wrong count does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from benchmarks import on_spark as bench_spark
from benchmarks.on_spark import (
    OnSpark,
    Place,
    Row,
    SmallLevels,
    SparkBench,
    bars,
    markdown,
    print_spark_bench,
    run_spark_bench,
)
from benchmarks.throughput import Measured, Run
from checker.cli.output import Output
from checker.language.errors import UsageError

NATIVE = Measured(12_000_000, 90_000_000, 3.0, 4.0, 0.1, 1 << 28, "complete")
FOUND = OnSpark(12_000_000, 90_000_000, 2.0, 6.0, 5.0, 100_000_000, 0, 1.01, 0, {"expand": 1.0})
ROW = Row("isis", {"workload": (2, 2)}, NATIVE, {"files": evolve(FOUND, seconds=16.0)}, True)
BENCH = SparkBench((ROW,), {"files": SmallLevels(8, 130.0, 140.0)}, True, "local[2]", 0, "a machine", "today", "0.0")


def test_an_aim_is_reached_by_the_ratio_of_wall_clock_times() -> None:
    """A quarter as fast as one thread; small levels by their median."""
    reached = {(aim.split(",")[0], "small" in aim): (measured, yes) for aim, measured, yes in bars(BENCH)}
    assert reached == {("files", False): ("0.25", False), ("files", True): ("130.0 (longest 140.0)", False)}


def test_searches_of_fewer_states_have_no_aim() -> None:
    """What it costs to start weighs too much in them; they are in the table all the same."""
    smaller = evolve(BENCH, rows=(evolve(ROW, native=evolve(NATIVE, distinct=9_999_999)),))
    assert all("small" in aim for aim, _, _ in bars(smaller))
    assert "| isis workload=2,2 | files |" in markdown(smaller)


def test_a_wrong_count_is_an_exit_code_and_in_the_table(tmp_path: Path) -> None:
    """And an aim that is missed is not."""
    wrong = evolve(BENCH, rows=(evolve(ROW, exact=False),), exact=False)
    assert print_spark_bench(BENCH, Output("-"), tmp_path) == 0
    assert json.loads((tmp_path / "spark.json").read_text())["rows"][0]["native"]["distinct"] == 12_000_000
    assert print_spark_bench(wrong, Output("-"), tmp_path) == 1
    assert "WRONG" in (tmp_path / "spark.md").read_text()


def test_a_model_without_a_large_run_is_refused() -> None:
    """With those that have one."""
    with pytest.raises(UsageError, match="there is no benchmark of toto on Spark"):
        run_spark_bench(["toto"], Place("local[2]", 0, None))


def test_the_searches_of_the_table_are_made_and_counted(spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small model in place of the large ones: native beside them."""
    small = Run("two_phase_commit", {"managers": 5}, 8_832, 58_145 + 1)
    monkeypatch.setattr(bench_spark, "SMALL", small)
    monkeypatch.setattr(bench_spark, "RUNS", (small,))
    monkeypatch.setattr(bench_spark, "LEAST_STATES", 1)
    monkeypatch.setattr(bench_spark, "HANDOVER", 100)
    monkeypatch.setattr(bench_spark, "ROUNDS", 1)
    bench = run_spark_bench((), Place(spark, 2, None), say=lambda _: None)
    row = bench.rows[0]
    assert {found.distinct for found in row.exchanges.values()} == {row.native.distinct} == {8_832}
    assert {found.transitions for found in row.exchanges.values()} == {row.native.transitions}
    assert not row.exact and not bench.exact  # the run says one transition more than there are
    assert all(found.sent > 0 and found.cpu_seconds > 0 for found in row.exchanges.values())
    assert all(found.count > 3 for found in bench.small.values())
