"""What a check on Spark says of conditions and guards, and what makes it large: its states stay with the workers, so
the model is searched once more in the driver."""

from __future__ import annotations

import json
from pathlib import Path

from checker.analysis.check import examine
from checker.analysis.coverage import with_coverage
from checker.analysis.vacuity.states import with_states
from checker.catalogue import find
from checker.cli.program import run
from checker.engines.placement import Placement


def test_a_check_on_spark_says_the_same_of_conditions_and_guards(spark: str) -> None:
    """As the native engine, which keeps its states."""
    entry = find("fifo_multicast")
    reports = []
    for engine in ("spark", "native"):
        examined = examine(
            entry.cls,
            entry.reference,
            {"processes": 2},
            engine=engine,
            stop_at_first=False,
            placement=Placement(master=spark, partitions=2, handover=0),
        )
        reports.append(with_coverage(with_states(examined), False))
    there, here = reports
    assert here.conditions and here.guards
    assert (there.conditions, there.guards, there.findings) == (here.conditions, here.guards, here.findings)


def test_a_limit_that_ends_a_search_on_spark_has_a_profile(spark: str, tmp_path: Path) -> None:
    """Unasked: levels of the whole search, variables and actions of its first states."""
    file = tmp_path / "found.json"
    options = [
        "--engine",
        "spark",
        "--master",
        spark,
        "--partitions",
        "2",
        "--handover",
        "0",
        "--max-depth",
        "9",
        "--json",
        str(file),
    ]
    assert run(["check", "fifo_multicast", "-D", "workload=2,2", *options]) == 4
    found = json.loads(file.read_text(encoding="utf-8"))
    profile = found["profile"]
    assert (found["bound"], profile["levels"], profile["over"]) == ("depth", found["levels"], found["distinct"])
    assert {v["name"]: v["values"] for v in profile["variables"]}["sent"] == 9
    assert profile["lowering"][0]["after"] < profile["lowering"][0]["before"]
