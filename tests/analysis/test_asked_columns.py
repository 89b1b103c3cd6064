"""Tables that are made as far as questions read them: the answers of complete tables, from no more than was asked."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.analysis.check import check
from checker.analysis.graph.lists import folder_of, listed_in, search_of
from checker.analysis.graph.made import Writer
from checker.analysis.graph.query import Graph, keep, open_graph
from checker.analysis.graph.rows import StateRows
from checker.catalogue import find
from checker.cli.program import run
from checker.engines.placement import Placement
from checker.language.errors import UsageError
from checker.results.found import Rows
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory

pytest.importorskip("duckdb", minversion="2")  # with DuckDB 1 everything is made before the first question
pytest.importorskip("pyarrow")

MODELS: dict[str, dict[str, Any]] = {
    "isis": {"workload": (1, 1)},
    "causal_vector_clock": {"workload": (2, 1)},
    "consensus": {},
    "fifo_multicast": {},
    TWO_PHASE_COMMIT: {"managers": 3},
}
LEVELS = "SELECT level, count(*) FROM states GROUP BY level ORDER BY level"


def searched(work: Path, name: str, **limits: Any) -> Path:
    """A search that is kept, without tables."""
    check(find(name).cls, name, MODELS[name], placement=Placement(work), engine="native", limits=Limits(**limits))
    return work


@pytest.fixture(scope="module")
def isis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """ISIS with two messages: 434 states."""
    return searched(tmp_path_factory.mktemp("asked") / "work", "isis")


@pytest.fixture
def work(isis: Path, tmp_path: Path) -> Path:
    """A copy without tables."""
    shutil.copytree(isis, tmp_path / "work")
    return tmp_path / "work"


def made(work: Path) -> dict[str, set[str]]:
    """The columns that are in files, by table."""
    directory, found = WorkDirectory.read(work), dict[str, set[str]]()
    for file in listed_in(folder_of(directory), search_of(directory)).files:
        found.setdefault(file.part, set()).update(file.columns)
    return found


def asked(work: Path, *questions: str) -> list[Rows]:
    """The answers to questions, one after the other."""
    with open_graph(work) as graph:
        return [graph.rows(sql, 100_000) for sql in questions]


def test_a_question_makes_the_columns_that_it_reads(work: Path) -> None:
    """Of states one by one; edges with steps, and other tables as a whole.  The number of states and the types of
    columns are known.
    """
    with open_graph(work) as graph:
        columns = [name for name, *_ in graph.rows("DESCRIBE states", 1_000).rows]
        assert graph.rows("SELECT count(*) FROM states").rows == ((434,),) and made(work) == {}
        graph.rows(LEVELS)
        assert made(work) == {"states": {"level"}}
        graph.rows("SELECT count(*) FROM states WHERE delivered['p1'] = [] AND level > 2")
        assert made(work) == {"states": {"level", "delivered"}}
        graph.rows("SELECT count(*) FROM outcomes")
        graph.rows("SELECT max(level) FROM levels")
        assert set(made(work)) == {"states", "outcomes", "levels", "actions"}
        graph.rows("SELECT action FROM edges")
        assert made(work)["states"] == {"level", "delivered"} and {"edges", "steps"} <= set(made(work))
        graph.rows("SELECT * FROM states")
    assert made(work)["states"] == set(columns)


def test_what_was_made_is_not_made_again(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No model is executed for it, and another column is added to it."""
    before = asked(work, LEVELS)
    with monkeypatch.context() as patch:
        patch.setattr("checker.analysis.graph.opened.stored_search", None)
        assert asked(work, LEVELS) == before
    files = set(work.glob("graph-*/*/*"))
    asked(work, "SELECT max(delivered['p1']) FROM states")
    assert files < set(work.glob("graph-*/*/*"))


# ---- both ways


def questions(graph: Graph) -> list[str]:
    """Questions that read each column of each table alone, pairs, all; that join, recur, aggregate and pivot."""
    found = []
    for part in ("states", "edges", "steps", "outcomes", "levels", "actions"):
        names = [name for name, *_ in graph.rows(f"DESCRIBE {part}", 1_000).rows]
        key = {"edges": '"source", place', "states": "id", "actions": "level, action"}.get(part, f'"{names[0]}"')
        found += [f'SELECT "{name}" FROM {part} ORDER BY {key}' for name in names]
        found += [f'SELECT "{a}", count("{b}") FROM {part} GROUP BY ALL ORDER BY ALL' for a, b in zip(names, names[1:])]
        found += [f"SELECT * FROM {part} ORDER BY {key}", f"SELECT count(*) FROM {part}", f"DESCRIBE {part}"]
    return found + [
        "SELECT s FROM states s ORDER BY s.id",
        "FROM states WHERE level = 2 ORDER BY id",
        "SELECT COLUMNS('^(id|l.*)$') FROM states ORDER BY id",
        "SELECT id FROM states ORDER BY level DESC, id LIMIT 3",
        "SELECT level, action, count(*) FROM edges GROUP BY ROLLUP (level, action) ORDER BY ALL",
        "SELECT id FROM states WHERE id NOT IN (SELECT source FROM edges) ORDER BY id",
        "SELECT s.level, t.level, count(*) FROM edges e JOIN states s ON s.id = e.source JOIN states t ON t.id = "
        "e.target GROUP BY ALL ORDER BY ALL",
        "SELECT count(*) FROM states a NATURAL JOIN states b",
        "SELECT count(*) FROM states a WHERE EXISTS (SELECT 1 FROM states b WHERE b.level = a.level AND b.id < a.id)",
        "WITH RECURSIVE r AS (SELECT id FROM states WHERE level = 0 UNION SELECT target FROM r JOIN edges e ON "
        "e.source = r.id WHERE target IS NOT NULL) SELECT count(*) FROM r",
        "WITH RECURSIVE open AS (SELECT id, outcome FROM states WHERE outcome IS NOT NULL UNION SELECT e.source, "
        "o.outcome FROM open o JOIN edges e ON e.target = o.id) SELECT outcome, count(*) FROM open GROUP BY 1 "
        "ORDER BY 1",
        "PIVOT (SELECT level, quiescent FROM states) ON quiescent USING count(*) ORDER BY level",
        "SUMMARIZE (SELECT id, level, quiescent FROM states)",
        "CREATE TABLE kept AS SELECT id, level FROM states; INSERT INTO kept SELECT source, place FROM edges; "
        "SELECT level, count(*) FROM kept GROUP BY 1 ORDER BY 1",
        "CREATE VIEW late AS SELECT * FROM states; SELECT max(id) FROM late WHERE quiescent",
        "BEGIN; CREATE TABLE t AS SELECT count(*) AS n FROM states WHERE outcome > 0; COMMIT; SELECT n FROM t",
        "SELECT (SELECT count(*) FROM outcomes), (SELECT max(states) FROM levels), (SELECT sum(fired) FROM actions)",
        "SELECT id FROM states WHERE level > 99",
        "SELECT id FROM states LIMIT 5",
        "SELECT packed, count(*) OVER (PARTITION BY level ORDER BY id) FROM states ORDER BY id",
        "SELECT 1",
    ]


def compare(work: Path, begin: int, step: int, alone: bool) -> int:
    """Compare answers, of every step-th question, with those from complete tables.  alone: none of the columns has been
    made before.
    """
    whole, copy = work.with_name("whole"), work.with_name("copy")
    shutil.copytree(work, whole)
    keep(whole, None)
    with open_graph(whole) as graph:
        asking = questions(graph)[begin::step]
        expected = [repr([graph.rows(sql, 100_000)]) for sql in asking]
    for sql, answer in zip(asking, expected):
        if alone or not copy.exists():
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(work, copy)
        assert repr(asked(copy, sql)) == answer, sql
        assert repr(asked(copy, sql)) == answer, f"again: {sql}"
    return len(asking)


@pytest.mark.parametrize("name", ["isis", TWO_PHASE_COMMIT])
def test_answers_are_those_of_complete_tables(name: str, tmp_path: Path) -> None:
    """Some of them, when their columns are made and when they are there."""
    assert compare(searched(tmp_path / "work", name, max_depth=6), 1, 8, alone=False) > 9


@pytest.mark.thorough
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("depth", [None, 0, 6])
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("begin", range(4))
def test_all_answers_are_those_of_complete_tables(
    begin: int, name: str, depth: int | None, alone: bool, tmp_path: Path
) -> None:
    """Of a complete search, of one that was cut, and of one that expanded nothing."""
    limits: dict[str, Any] = {"max_states": 3_000} if depth is None else {"max_depth": depth}
    assert compare(searched(tmp_path / "work", name, **limits), begin, 4, alone) > 20


def test_two_searches_are_compared_by_what_they_have_in_common(tmp_path: Path) -> None:
    """Columns of both sides are made; the answers are those of complete tables."""
    sides = [searched(tmp_path / name, "isis", max_depth=depth) for name, depth in (("deep", 9), ("flat", 7))]
    sql = "SELECT level, count(*) FROM only_base GROUP BY level ORDER BY level"
    with open_graph(*sides) as graph:
        found = graph.rows(sql).rows
    for side in sides:
        keep(side, None)
    with open_graph(*sides) as graph:
        assert found and graph.rows(sql).rows == found


# ---- what goes wrong


@pytest.mark.parametrize("pattern", ["states/*.parquet", "made-*.json", "types.json"])
@pytest.mark.parametrize("damage", ["changed", "cut", "gone", "empty"])
def test_what_is_damaged_is_made_again(work: Path, pattern: str, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    """And what was damaged is removed when the tables are opened again."""
    expected = asked(work, LEVELS)
    (file,) = work.glob(f"graph-*/{pattern}")
    data = file.read_bytes()
    if damage == "gone":
        file.unlink()
    else:
        changed = {"changed": data[:40] + bytes([data[40] ^ 1]) + data[41:], "cut": data[:-9], "empty": b""}
        file.write_bytes(changed[damage])
    assert asked(work, LEVELS) == expected
    assert file.name in caplog.text or damage == "gone" and pattern != "states/*.parquet"
    caplog.clear()
    assert asked(work, LEVELS) == asked(work, LEVELS) == expected and not caplog.text
    directory = WorkDirectory.read(work)
    assert not listed_in(folder_of(directory), search_of(directory)).useless


def test_edges_and_steps_are_of_one_making(work: Path) -> None:
    """Steps are damaged: edges are made again with them, because they have their numbers."""
    sql = "SELECT action, count(*) FROM edges GROUP BY action ORDER BY action"
    expected = asked(work, sql)
    (steps,), (edges,) = work.glob("graph-*/steps/*"), work.glob("graph-*/edges/*")
    steps.write_bytes(b"")
    assert asked(work, sql) == expected
    assert len(list(work.glob("graph-*/edges/*"))) == 1 and not edges.exists()


def test_a_list_of_another_search_counts_for_nothing(work: Path, tmp_path: Path) -> None:
    """Files and lists that were copied from it are not its columns."""
    other = searched(tmp_path / "other", "isis", max_depth=4)
    asked(other, LEVELS)
    with open_graph(work):
        (source,), (target,) = other.glob("graph-*"), work.glob("graph-*")
        shutil.copytree(source, target, dirs_exist_ok=True)
    assert asked(work, "SELECT count(level) FROM states")[0].rows == ((434,),)


def test_two_make_the_same_column_at_once(work: Path) -> None:
    """Each answers from its own file, and others from either."""
    with open_graph(work) as one, open_graph(work) as other:
        first = one.rows(LEVELS)
        assert other.rows(LEVELS) == first
        assert len(list(work.glob("graph-*/states/*"))) == 2
        assert asked(work, LEVELS) == [first]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError(errno.ENOSPC, "No space left on device")])
@pytest.mark.parametrize("sql", [LEVELS, "SELECT count(*) FROM edges", "SELECT count(*) FROM outcomes"])
def test_a_making_that_stops_leaves_nothing(work: Path, stop: Any, sql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C, or a full disk; afterwards the same connection answers."""
    right = Writer.__exit__

    def stopped(writer: Writer, *_: object) -> None:
        raise stop

    with open_graph(work) as graph:
        with monkeypatch.context() as patch:
            patch.setattr(Writer, "__exit__", stopped)
            with pytest.raises(KeyboardInterrupt if stop is KeyboardInterrupt else UsageError):
                graph.rows(sql)
        assert Writer.__exit__ is right and not [*work.glob("graph-*/made-*"), *work.glob("graph-*/*/*")]
        assert graph.rows(sql).rows


def test_a_full_disk_is_one_message(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With exit code 2."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Writer, "write", full)
    assert run(["query", str(work), LEVELS]) == 2
    said = capsys.readouterr()
    assert not said.out and said.err.count("error") == 1 and "the disk is full" in said.err


def test_a_file_without_a_list_is_left_over(work: Path) -> None:
    """It is of a making whose process was killed; `inspect --clean` removes it."""
    asked(work, LEVELS)
    (folder,) = work.glob("graph-*")
    (folder / "edges" / "0123456789abcdef.parquet").write_bytes(b"begun")
    assert run(["inspect", str(work), "--clean"]) == 0
    assert not list((folder / "edges").iterdir()) and made(work) == {"states": {"level"}}


def test_columns_of_a_search_that_went_on_are_left_over(tmp_path: Path) -> None:
    """Its tables are made anew, and the old ones removed."""
    work = searched(tmp_path / "work", "isis", max_depth=4)
    before = asked(work, LEVELS)[0].rows
    (old,) = work.glob("graph-*")
    assert run(["resume", str(work)]) == 0
    assert asked(work, LEVELS)[0].rows[: len(before)] == before
    (new,) = work.glob("graph-*")
    assert new != old and sum(count for _, count in asked(work, LEVELS)[0].rows) == 434


def test_complete_tables_take_the_place_of_columns(work: Path) -> None:
    """Where they are kept, columns are left over."""
    expected = asked(work, LEVELS)
    keep(work, None)
    assert asked(work, LEVELS) == expected
    assert [folder.name for folder in work.glob("graph-*")] == [
        path.parent.name for path in work.glob("graph-*/states") if not (path.parent / "types.json").exists()
    ]


def test_an_error_while_columns_are_made_is_the_error_of_the_question(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one of DuckDB; the next question is answered."""

    def wrong(*_: object) -> None:
        raise UsageError("the model cannot be executed")

    with open_graph(work) as graph:
        with monkeypatch.context() as patch:
            patch.setattr(StateRows, "table", wrong)
            with pytest.raises(UsageError, match="the model cannot be executed"):
                graph.rows(LEVELS)
        assert graph.rows(LEVELS).rows
        with pytest.raises(UsageError, match="SQL: Binder Error"):
            graph.rows("SELECT nothing FROM states")
        assert made(work) == {"states": {"level"}}


def test_a_transaction_reads_what_was_made_before_it(work: Path) -> None:
    """A statement in it cannot be repeated: DuckDB ends a transaction with the first error."""
    with open_graph(work) as graph:
        found = graph.rows("BEGIN; CREATE TABLE t AS SELECT count(*) AS n FROM states WHERE level > 2; SELECT n FROM t")
        assert graph.rows("COMMIT; SELECT n FROM t").rows == found.rows == ((426,),)
    assert sum(count for level, count in asked(work, LEVELS)[0].rows if level > 2) == 426


def test_an_older_duckdb_reads_complete_tables(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would call what an object without content does not have."""
    expected = asked(work, LEVELS)
    monkeypatch.setattr("duckdb.__version__", "1.4.5")
    assert asked(work, LEVELS) == expected
    assert (work / "graph.json").exists() and not list(work.glob("graph-*/types.json"))
