"""A sweep on Spark gives the rows of a sweep here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.models import TWO_PHASE_COMMIT
from checker.analysis.sweep.choices import choices_of
from checker.analysis.sweep.on_spark import Shipped, on_spark, search_shipped, searched
from checker.analysis.sweep.sweep import Task, sweep
from checker.cli.program import run
from checker.results.sweep import Sweep
from checker.search.limits import Limits
from tests.search.spark.tasks import HereTasks


def untimed(swept: Sweep) -> list[tuple[Any, ...]]:
    return [(r.configuration.label, r.verdict, r.distinct, r.transitions, r.depth, r.properties) for r in swept.rows]


def test_tasks_that_get_the_model_as_text_give_the_same_rows() -> None:
    """Executors need not have the model; a violation has its steps."""
    choices = choices_of(["workload=1,1|2,1"])
    here = sweep("basic_multicast:Ordered", choices)
    shipped = sweep("basic_multicast:Ordered", choices, search=lambda *a: searched(HereTasks().run, *a))
    assert untimed(shipped) == untimed(here)
    assert {row.verdict for row in shipped.rows} == {"holds", "violated"}


def test_a_sweep_on_spark_gives_the_same_rows(spark: str) -> None:
    """As tasks of a session."""
    choices = choices_of(["managers=2..4"])
    swept = sweep(TWO_PHASE_COMMIT, choices, search=on_spark(spark))
    assert untimed(swept) == untimed(sweep(TWO_PHASE_COMMIT, choices))


MODEL = """
from checker.language import Int, Model, action, const, invariant, require, var
from heights import LEAST

class Climb(Model):
    top = const(3, "how far up it goes")
    height = var(Int(0, 9), 0)

    @action
    def step(self):
        require(self.height < self.top)
        self.height += 1

    @invariant
    def low(self) -> bool:
        return self.height < LEAST
"""


def test_a_model_travels_with_the_neighbours_it_imports(executor: str, tmp_path: Path) -> None:
    """To an executor that starts elsewhere and shares nothing with the driver."""
    model, found = tmp_path / "climb.py", tmp_path / "found.json"
    model.write_text(MODEL, encoding="utf-8")
    (tmp_path / "heights.py").write_text("LEAST = 3", encoding="utf-8")
    arguments = ["-D", "top=2|3", "--engine", "spark", "--master", executor, "--json", str(found)]
    assert run(["sweep", str(model), *arguments]) == 1
    rows = json.loads(found.read_text(encoding="utf-8"))["rows"]
    assert [row["verdict"] for row in rows] == ["holds", "violated"]


def test_a_process_that_has_met_an_older_neighbour_reads_the_new_one() -> None:
    """Python processes of executors go from one sweep to the next."""

    def verdict(least: int) -> str:
        texts = {"climb.py": MODEL, "heights.py": f"LEAST = {least}"}
        task = Task("climb", None, "native", Limits(), True, False)
        return search_shipped(Shipped("climb.py", texts, "Climb", task, (({}, {}),)), 0).verdict

    assert [verdict(least) for least in (4, 3, 4)] == ["holds", "violated", "holds"]
