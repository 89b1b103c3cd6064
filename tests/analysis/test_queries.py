"""The explored graph as tables: what SQL counts is what the search counted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.analysis.check import check
from checker.catalogue import find
from checker.cli.program import run
from checker.engines.placement import Placement
from checker.language.errors import UsageError
from tests.search.spark.test_faults import on_spark


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """ISIS with one message from each of two processes: its report and the work directory of its search."""
    workdir = tmp_path_factory.mktemp("graph") / "work"
    report = check(find("isis").cls, "isis", {"workload": (1, 1)}, placement=Placement(workdir), engine="native")
    return report, workdir


def rows(graph: tuple[Any, Path], master: str, sql: str) -> list[tuple[Any, ...]]:
    from checker.analysis.query import query

    return list(query(graph[1], sql, master, 10_000).rows)


def test_states_of_each_level(spark: str, graph: tuple[Any, Path]) -> None:
    """The table of states and the table of levels say what the report says."""
    levels = list(enumerate(graph[0].levels))
    assert rows(graph, spark, "SELECT level, count(*) FROM states GROUP BY level ORDER BY level") == levels
    assert rows(graph, spark, "SELECT level, states FROM levels ORDER BY level") == levels


def test_edges_are_the_transitions_by_action(spark: str, graph: tuple[Any, Path]) -> None:
    """Every transition is an edge between stored states, under the name of its action."""
    fired = sorted((a.name, a.fired) for a in graph[0].actions if a.fired)
    assert rows(graph, spark, "SELECT action, count(*) FROM edges GROUP BY action ORDER BY action") == fired
    assert (
        rows(
            graph, spark, "SELECT action, sum(fired) FROM actions GROUP BY action HAVING sum(fired) > 0 ORDER BY action"
        )
        == fired
    )
    assert rows(graph, spark, "SELECT count(*) FROM edges WHERE target IS NULL") == [(0,)]


def test_quiescent_states_have_no_edges(spark: str, graph: tuple[Any, Path]) -> None:
    """And all others have."""
    ends = rows(graph, spark, "SELECT id FROM states WHERE quiescent ORDER BY id")
    assert len(ends) == graph[0].quiescent
    assert rows(graph, spark, "SELECT id FROM states WHERE id NOT IN (SELECT source FROM edges) ORDER BY id") == ends


def test_outcomes_are_the_values_at_quiescence(spark: str, graph: tuple[Any, Path]) -> None:
    """Two messages are delivered in one of two orders, the same everywhere."""
    found = rows(graph, spark, "SELECT DISTINCT delivered FROM states WHERE quiescent ORDER BY delivered")
    assert found == [("{p1: [m1.1, m2.1], p2: [m1.1, m2.1]}",), ("{p1: [m2.1, m1.1], p2: [m2.1, m1.1]}",)]


def test_a_wrong_query_is_a_clear_error(spark: str, graph: tuple[Any, Path]) -> None:
    """With the tables there are."""
    with pytest.raises(UsageError, match="Tables: states, edges, levels, actions"):
        rows(graph, spark, "SELECT nothing FROM states")


@pytest.mark.parametrize(
    "package, said",
    [("pyspark", "PySpark is not installed: pip install"), ("pyarrow", "the package pyarrow to write them is missing")],
)
def test_a_query_without_its_packages_is_a_clear_error(
    graph: tuple[Any, Path], package: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain installation checks models; the rest is `spacetime-checker[spark]`."""
    for name in [n for n in sys.modules if n.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=said):
        rows(graph, "local[2]", "SELECT 1")


def test_the_command_line_keeps_a_graph_and_asks_about_it(
    spark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--keep-graph` leaves Parquet files that any tool reads; `query` finds them there."""
    parquet = pytest.importorskip("pyarrow.parquet")
    work = str(tmp_path / "w")
    arguments = map(str, on_spark(spark))
    assert run(["check", TWO_PHASE_COMMIT, "-D", "managers=3", *arguments, "--workdir", work, "--keep-graph"]) == 0
    folder = tmp_path / "w" / json.loads((tmp_path / "w" / "graph.json").read_text())["content"]["folder"]
    assert (parquet.read_table(folder / "states").num_rows, parquet.read_table(folder / "edges").num_rows) == (
        288,
        1_145,
    )
    capsys.readouterr()
    assert (
        run(["query", work, "SELECT count(*) AS states FROM states WHERE level > 0", "--master", spark, "--json", "-"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["rows"] == [{"states": 287}]
    assert sorted(tmp_path.glob("w/graph-*")) == [folder]  # made once
    part = next((folder / "states").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-1] + b"x")
    assert (
        run(["query", work, "SELECT count(*) AS states FROM states WHERE level > 0", "--master", spark, "--json", "-"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["rows"] == [{"states": 287}]
    assert sorted(tmp_path.glob("w/graph-*")) != [folder]  # made again
