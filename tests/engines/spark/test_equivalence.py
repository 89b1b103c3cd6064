"""Every model of this repository, natively and on Spark: the same report, whatever the number of partitions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from benchmarks.models import path_of
from checker.analysis.check import check
from checker.catalogue import find
from checker.engines.placement import Placement
from checker.results.checked import Report
from checker.search.limits import NO_LIMITS, Limits

FOLDERS = ("benchmarks/models", "models")
SMALLER: dict[str, dict[str, Any]] = {
    "learners_two_leaders": {"acceptors": 1},
    "oral_messages_2": {"processes": 5, "traitors": 1},
    "optimistic_multicast_paxos": {"workload": (1, 0, 0, 0)},
    "optimistic_requests": {"delivery": "drained"},
    "parallel_leaders": {"workload": (1, 1)},
    "reliable_multicast": {"workload": (1, 0, 0)},
}
UNANSWERED = ("basic_multicast:AcknowledgeOnce", {"workload": (1, 0), "losses": 1})
"""A model whose leads-to property is violated; that of the others holds."""
MERGED = {"paxos": {"symmetry": True}, "two_phase_commit": {"managers": 7, "symmetry": True}}
MOST_STATES = 20_000
PARTITIONS = (1, 2, 3, 8)
ROOT = Path(__file__).parents[3]
MODELS = [
    file.stem for folder in FOLDERS for file in sorted((ROOT / folder).glob("*.py")) if not file.stem.startswith("_")
]


def pairs(each_build: bool) -> Iterator[Any]:
    """Every model with every number of partitions, those of each build or the rest: a build takes each
    twentieth model once, and the numbers in turn."""
    for i, model in enumerate(MODELS):
        for j, partitions in enumerate(PARTITIONS):
            if each_build == (i % 20 == 0 and i // 20 % len(PARTITIONS) == j):
                yield pytest.param(model, partitions, id=f"{model}-{partitions}")


def reported(
    model: str,
    engine: str,
    placement: Placement = Placement(),
    constants: dict[str, Any] | None = None,
    threads: int = 1,
    limits: Limits = NO_LIMITS,
) -> dict[str, Any]:
    """Everything of a report that may not depend on who ran the search, traces with all they hold."""
    report: Report = check(
        find(model if ":" in model else path_of(model)).cls,
        model,
        constants or SMALLER.get(model, {}),
        engine=engine,
        threads=threads,
        stop_at_first=False,
        placement=placement,
        limits=limits,
    )
    properties = [evolve(p, trace=p.trace and evolve(p.trace, engine="")) for p in report.properties]
    names = (
        "verdict",
        "distinct",
        "transitions",
        "depth",
        "initial",
        "quiescent",
        "cut",
        "outcomes",
        "actions",
        "findings",
        "bound",
        "levels",
    )
    return {"properties": properties, **{name: getattr(report, name) for name in names}}


@cache
def natively(model: str) -> dict[str, Any]:
    return reported(model, "native")


def agrees(model: str, partitions: int, master: str) -> None:
    """Verdicts, counts, levels, actions, outcomes and traces, from the first level on Spark."""
    expected = natively(model)
    assert expected["distinct"] <= MOST_STATES, f"{model} needs smaller constants for this test"
    placement = Placement(master=master, partitions=partitions, handover=0, say=lambda _: None)
    assert reported(model, "spark", placement) == expected


@pytest.mark.parametrize("model, partitions", list(pairs(True)))
def test_a_model_gives_the_same_report_on_spark(spark: str, model: str, partitions: int) -> None:
    """Two tasks at once, so that a process has up to four shards."""
    agrees(model, partitions, spark)


@pytest.mark.thorough
@pytest.mark.parametrize("model, partitions", list(pairs(False)))
def test_a_model_gives_the_same_report_with_eight_tasks_at_once(eight: str, model: str, partitions: int) -> None:
    """Each shard has a process of its own."""
    agrees(model, partitions, eight)


@pytest.mark.parametrize(
    ("model", "partitions"),
    [
        ("paxos", 2),
        ("two_phase_commit", 3),
        pytest.param("paxos", 3, marks=pytest.mark.thorough),
        pytest.param("two_phase_commit", 2, marks=pytest.mark.thorough),
    ],
)
def test_states_merged_by_symmetry_are_those_of_one_thread(spark: str, model: str, partitions: int) -> None:
    """Workers merge as one process does: the same classes, whichever shard owns them."""
    placement = Placement(master=spark, partitions=partitions, handover=0, say=lambda _: None)
    assert reported(model, "spark", placement, MERGED[model]) == reported(model, "native", constants=MERGED[model])


@pytest.mark.parametrize(
    "partitions", [pytest.param(n, marks=() if n == 3 else pytest.mark.thorough) for n in PARTITIONS]
)
def test_a_run_that_breaks_a_leads_to_property_is_the_same_in_every_engine(spark: str, partitions: int) -> None:
    """Natively, by the interpreter and on Spark: the whole report, and the run with its cycle."""
    model, constants = UNANSWERED
    placement = Placement(master=spark, partitions=partitions, handover=0, say=lambda _: None)
    expected = reported(model, "native", constants=constants)
    (broken,) = (p for p in expected["properties"] if p.kind == "leads-to")
    assert broken.verdict == "violated" and broken.trace.loop is not None
    assert reported(model, "spark", placement, constants) == expected
    interpreted = reported(model, "interpreter", constants=constants)
    assert interpreted["properties"] == expected["properties"]
