"""A sweep on Spark gives the rows of a sweep here."""

from __future__ import annotations

from typing import Any

from checker.commands.arguments import choices_of_options
from checker.commands.sweep import Sweep, sweep
from checker.commands.sweep_spark import frame, on_spark, searched
from checker.search.spark.cluster import connect
from tests.spark.tasks import HereTasks


def untimed(swept: Sweep) -> list[tuple[Any, ...]]:
    return [(r.configuration.label, r.verdict, r.distinct, r.transitions, r.depth, r.properties) for r in swept.rows]


def test_tasks_that_get_the_model_as_text_give_the_same_rows() -> None:
    """Executors need not have the model; a violation has its steps."""
    choices = choices_of_options(["workload=1,1|2,1"])
    here = sweep("basic_multicast:Ordered", choices)
    shipped = sweep("basic_multicast:Ordered", choices, search=lambda *a: searched(HereTasks().run, *a))
    assert untimed(shipped) == untimed(here)
    assert {row.verdict for row in shipped.rows} == {"holds", "violated"}


def test_a_sweep_on_spark_gives_the_same_rows_and_a_table(spark: str) -> None:
    """As tasks of a session."""
    choices = choices_of_options(["managers=2..4"])
    swept = sweep("two_phase_commit", choices, search=on_spark(spark))
    assert untimed(swept) == untimed(sweep("two_phase_commit", choices))
    assert frame(connect(spark).session, swept).selectExpr("sum(distinct)").collect()[0][0] == sum(row.distinct for row in swept.rows)
