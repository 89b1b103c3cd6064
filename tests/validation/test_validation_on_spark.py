"""What Spark explored is compared with the interpreter like any other search: states of all levels and shards, read
back from their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.analysis.sweep.choices import choices_of
from checker.analysis.sweep.on_spark import searched
from checker.analysis.sweep.sweep import sweep
from checker.engines import native
from checker.engines.placement import Placement
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.language.define import define
from checker.replay.disagreement import Disagreement
from tests.search.spark.tasks import HereTasks
from tests.validation.faults import in_action, without_guard
from tests.validation.jobs import Jobs

pytestmark = pytest.mark.usefixtures("whole_sample")

CONSTANTS = {"clients": 3}


@pytest.mark.parametrize("partitions", [2, 3])
def test_a_search_on_spark_is_confirmed(spark: str, partitions: int) -> None:
    """All states of a small one; compiled with a fault it has no verdict."""
    definition = define(Jobs, CONSTANTS)
    placement = Placement(master=spark, partitions=partitions, handover=0)
    explored = explore(Request(definition, "jobs", engine="spark", placement=placement, stop_at_first=False))
    assert explored.validation is not None
    assert explored.validation.states == explored.validation.of == explored.distinct
    assert (explored.validation.initial, explored.validation.steps, explored.validation.actions_not_taken) == (
        2,
        explored.transitions,
        (),
    )


def test_a_fault_in_what_tasks_compile_leaves_no_verdict(spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lowered model travels to the tasks, and its fault with it."""
    monkeypatch.setattr(native, "lower", lambda *args: in_action("ask", without_guard)(lower(*args)))
    with pytest.raises(Disagreement):
        explore(
            Request(
                define(Jobs, CONSTANTS),
                "jobs",
                engine="spark",
                placement=Placement(master=spark, partitions=2, handover=0),
                stop_at_first=False,
            )
        )


def test_a_difference_in_a_task_of_a_sweep_ends_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an answer of the task, not its failure: a task that fails is tried again, and the sweep would be called
    wrong as written."""
    file = Path(__file__).parent.parent / "validation" / "jobs.py"
    here = sweep(f"{file}:Jobs", choices_of(["clients=1..2"]), search=lambda *a: searched(HereTasks().run, *a))
    assert here.validation is not None and here.validation.states == sum(row.distinct for row in here.rows)
    monkeypatch.setattr(native, "lower", lambda *args: in_action("ask", without_guard)(lower(*args)))
    with pytest.raises(Disagreement):
        sweep(f"{file}:Jobs", choices_of(["clients=1..2"]), search=lambda *a: searched(HereTasks().run, *a))
