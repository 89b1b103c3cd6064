"""Delays of searches whose states are in files: beyond memory, in a work directory, on Spark.  The numbers and the run
of one process in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from checker.engines import spilling
from checker.search import out_of_core
from checker.search.workdir import WorkDirectory
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
ISIS = ("isis", "-D", "workload=1,1")
CRASH = ("isis", "-D", "workload=1,0", "-D", "crashes=1")
TIMED = ("optimistic_latency:Optimistic", "-D", "workload=1,0", "-D", "senders_to=12,12", "-D", "consensus=1")
MODELS = {"isis": ISIS, "a crash": CRASH, "time": TIMED}
ON_SPARK = ("--engine", "spark", "--handover", "0", "--partitions", "2")


def measured(checker: Checker, model: tuple[str, ...], *more: str) -> tuple[dict[str, Any], str]:
    """What the command finds, but its seconds and its sample; and the run with the greatest delay."""
    ran = checker("latency", *model, *more, "--json", "found.json", "--out", "out")
    assert ran.code == 0, ran.err
    found = json.loads(Path("found.json").read_text())
    (run,) = Path("out").glob("*/trace.itf.json")
    trace = json.loads(run.read_text())
    del found["seconds"], found["validation"]
    return found, json.dumps([trace["vars"], trace["states"]])


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_delays_beyond_memory_are_those_in_memory(
    checker: Checker, model: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory has room for a hundred states; nothing is left on the disk."""
    expected, spill = measured(checker, model), tmp_path / "spill"
    spill.mkdir()
    monkeypatch.setattr(spilling, "available_memory", lambda: 0)
    monkeypatch.setattr(spilling, "gc", SimpleNamespace(collect=lambda: 0))
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 100)
    ran = checker("latency", *model, "--spill", str(spill))
    assert f"other states were put in {spill}" in ran.err
    assert measured(checker, model, "--spill", str(spill)) == expected
    assert list(spill.iterdir()) == []


@pytest.mark.parametrize(
    "model",
    [pytest.param(m, id=name, marks=() if name == "a crash" else pytest.mark.thorough) for name, m in MODELS.items()],
)
def test_delays_on_spark_are_those_in_memory(checker: Checker, spark: str, model: tuple[str, ...]) -> None:
    """By shard, without another search in one process."""
    expected = measured(checker, model)
    assert measured(checker, model, *ON_SPARK, "--master", spark, "--workdir", "w") == expected
    kept = [WorkDirectory.read(folder) for folder in Path("w").iterdir()]
    assert all({level.shards for level in work.levels[1:]} == {2} for work in kept)
    assert sorted(sum(level.rows for level in work.levels) for work in kept) == sorted(
        count for count in expected[0]["states"].values() if count
    )
    assert measured(checker, model, "--workdir", "w") == expected


@pytest.mark.thorough
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_delays_on_spark_without_a_work_directory_are_those_in_memory(
    checker: Checker, spark: str, model: tuple[str, ...]
) -> None:
    """A build does the same with a work directory."""
    assert measured(checker, model, *ON_SPARK, "--master", spark) == measured(checker, model)


def test_the_same_command_goes_on_with_stopped_searches(checker: Checker) -> None:
    """Each of them, from its last finished level."""
    expected = measured(checker, ISIS)
    assert checker("latency", *ISIS, "--workdir", "w", "--max-depth", "5").code == 4
    assert {folder.name: len(list((folder / "levels").iterdir())) for folder in Path("w").iterdir()} == {
        "delays-14": 6,
        "messages": 6,
    }
    for _ in range(2):
        assert measured(checker, ISIS, "--workdir", "w") == expected


def test_a_directory_of_another_question_is_refused(checker: Checker) -> None:
    """Another event, and other commands."""
    assert checker("latency", *ISIS, "--workdir", "w").code == 0
    other = checker("latency", *ISIS, "--until", "propose", "--workdir", "w")
    assert other.code == 2 and "holds a search up to another event or of another model" in other.err
    ran = checker("resume", "w/delays-14")
    assert ran.code == 2 and "holds a search that measures, not of the properties of isis" in ran.err
    assert "checker latency ... --workdir DIR" in ran.err
    assert checker("check", *ISIS, "--workdir", "c").code == 0
    ran = checker("latency", *ISIS, "--workdir", "c")
    assert ran.code == 2 and "c holds a search of another command" in ran.err
