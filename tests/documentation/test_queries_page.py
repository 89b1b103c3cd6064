"""docs/queries.md: each question gets the answer that stands below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import checker
from checker.analysis.check import check
from checker.analysis.graph.query import Graph
from checker.catalogue import find
from checker.engines.placement import Placement
from checker.report.found import table_lines

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

PAGE = (Path(__file__).parents[2] / "docs/queries.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"^### (\d+)\. (.+?)\n.*?```sql\n(.*?)\n```\n\n```\n(.*?)\n```", PAGE, re.M | re.S)
GOAL = "len(delivered[p1]) == 2"


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """What the page says of base, edit and the predicate."""
    folder = tmp_path_factory.mktemp("queries")
    for name, reference in (("base", "isis"), ("edit", "isis:NoTieBreak")):
        placement = Placement(folder / name)
        check(find(reference).cls, reference, {"workload": (1, 1)}, stop_at_first=False, placement=placement)
    with checker.graph(folder / "base", against=folder / "edit", predicates={"goal": GOAL}) as graph:
        yield graph


def test_there_are_twenty_questions() -> None:
    """Numbered from 1."""
    assert [int(number) for number, *_ in QUESTIONS] == list(range(1, 21))
    assert f"--predicate 'goal={GOAL}'" in PAGE


@pytest.mark.parametrize("number", range(1, 21))
def test_a_question_has_its_answer(graphs: Graph, number: int) -> None:
    """As the command line prints it, up to eight rows."""
    _, _, sql, answer = QUESTIONS[number - 1]
    lines = ["".join(text for text, _ in line).rstrip() for line in table_lines(graphs.rows(sql, 8))]
    assert [line for line in lines if not line.startswith("...")] == answer.splitlines()


def test_the_shortest_run_is_that_of_find(graphs: Graph) -> None:
    """Question 18 has as many steps as the run that `checker find` shows."""
    found = checker.find("isis", GOAL, workload=(1, 1))
    assert found.trace is not None
    assert len(graphs.rows(QUESTIONS[17][2]).rows) == len(found.trace.steps)
