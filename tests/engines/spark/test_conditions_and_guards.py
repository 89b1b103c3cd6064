"""What a check on Spark says of conditions and guards, and what makes it large: its states stay in files, about which
tasks answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from checker.analysis.check import Examined, examine
from checker.analysis.coverage import with_coverage, with_profile
from checker.analysis.find import find_state
from checker.analysis.vacuity.states import with_states
from checker.catalogue import find
from checker.cli.program import run
from checker.engines.placement import Placement
from checker.search.limits import Limits


def examined_on(engine: str, spark: str, told: list[str], **more: Any) -> Examined:
    """FIFO multicast of two processes, searched by an engine; on Spark in two shards from the first level on."""
    entry = find("fifo_multicast")
    placement = Placement(master=spark, partitions=2, handover=0, say=told.append)
    return examine(entry.cls, entry.reference, {"processes": 2}, engine=engine, placement=placement, **more)


def test_a_check_on_spark_says_the_same_of_conditions_and_guards(spark: str) -> None:
    """As the native engine, which keeps its states; tasks answer about files, and nothing is searched again."""
    told, reports = list[str](), []
    for engine in ("spark", "native"):
        examined = examined_on(engine, spark, told, stop_at_first=False)
        reports.append(with_coverage(with_states(examined), False))
    there, here = reports
    assert here.conditions and here.guards
    assert told and all(line.startswith("spark: ") for line in told) and "again" not in there.seconds
    assert (there.conditions, there.guards, there.findings) == (here.conditions, here.guards, here.findings)


def test_a_requested_profile_is_made_by_tasks(spark: str) -> None:
    """As of the native search, but for the steps to states that several actions reach; nothing is searched again."""
    told, profiles = list[str](), []
    for engine in ("spark", "native"):
        examined = examined_on(engine, spark, told, limits=Limits(max_depth=7))
        report = with_profile(with_states(examined), {"processes": 2}, True)
        assert report.profile is not None and "again" not in report.seconds
        profiles.append(report.profile)
    there, here = profiles
    assert told and all(line.startswith("spark: ") for line in told)
    assert (there.levels, there.over, there.variables) == (here.levels, here.over, here.variables)
    assert [(a.name, a.transitions) for a in there.actions] == [(a.name, a.transitions) for a in here.actions]
    new = [sum(a.transitions - (a.duplicates or 0) for a in profile.actions) for profile in profiles]
    assert abs(new[0] - new[1]) <= len(here.actions) and new[1] == here.over - 1


def test_a_property_of_whole_runs_is_decided_from_the_levels_and_says_so(spark: str) -> None:
    """Leads-to: the verdict and the run are those of the native engine."""
    lock = str(Path(__file__).resolve().parents[3] / "docs" / "examples" / "lock.py")
    entry, told = find(lock), list[str]()
    placement = Placement(master=spark, partitions=2, handover=0, say=told.append)
    there, here = (
        examine(entry.cls, entry.reference, {}, engine=engine, placement=placement).report
        for engine in ("spark", "native")
    )
    assert [p.name for p in here.properties if p.kind == "leads-to"]
    assert [(p.name, p.verdict, p.steps) for p in there.properties] == [
        (p.name, p.verdict, p.steps) for p in here.properties
    ]
    again = "leads-to properties: the levels are expanded once more, by tasks"
    assert [line for line in told if not line.startswith("spark: ")] == [again]


def test_outcomes_and_a_state_are_found_by_shard(spark: str) -> None:
    """Nothing is searched again in this process, and the answers are the native engine's."""
    entry, told = find("isis"), list[str]()
    placement = Placement(master=spark, partitions=2, handover=0, say=told.append)
    outcomes, runs = [], []
    for engine in ("spark", "native"):
        options: Any = {"engine": engine, "placement": placement}
        examined = examine(entry.cls, entry.reference, {"workload": (1, 1)}, **options)
        outcomes.append((examined.report.outcomes, examined.explored.outcomes()))
        found = find_state(entry.cls, entry.reference, "len(delivered[p1]) == 2", {"workload": (1, 1)}, **options)
        assert found.trace is not None
        runs.append((found.verdict, [(step.action, step.args) for step in found.trace.steps]))
    assert outcomes[0] == outcomes[1] and outcomes[0][0] == 2
    assert runs[0] == runs[1]
    assert told and all(line.startswith("spark: ") for line in told)


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
