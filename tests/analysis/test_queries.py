"""The explored graph as tables: what SQL counts is what the search counted, and what the interpreter enumerates."""

from __future__ import annotations

import inspect
import io
import json
import shutil
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.analysis.check import check
from checker.analysis.graph.columns import titles
from checker.analysis.graph.kept import stored_graph
from checker.analysis.graph.left import remove_left_over
from checker.analysis.graph.query import keep, open_graph
from checker.analysis.graph.rows import OWN
from checker.analysis.graph.stated import Predicates, predicates_of
from checker.analysis.graph.steps import StepWords
from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.graph import GraphKernel
from checker.catalogue import find
from checker.cli.program import run
from checker.engines.placement import Placement
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.values import values
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.replay.disagreement import Disagreement
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory
from checker.validation.graph import truth_of
from tests.backends.native.test_large_sets import Shared, reachable

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

Kept = tuple[Any, Path]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """ISIS with one message from each of two processes: its report and the work directory of its search."""
    workdir = tmp_path_factory.mktemp("graph") / "work"
    report = check(find("isis").cls, "isis", {"workload": (1, 1)}, placement=Placement(workdir), engine="native")
    return report, workdir


def rows(graph: Kept, sql: str, **options: Any) -> list[tuple[Any, ...]]:
    with open_graph(graph[1], **options) as opened:
        return list(opened.rows(sql, 100_000).rows)


def test_states_of_each_level(graph: Kept) -> None:
    """The table of states and the table of levels say what the report says."""
    levels = list(enumerate(graph[0].levels))
    assert rows(graph, "SELECT level, count(*) FROM states GROUP BY level ORDER BY level") == levels
    assert rows(graph, "SELECT level, states FROM levels ORDER BY level") == levels


def test_edges_are_the_transitions_by_action(graph: Kept) -> None:
    """Every transition is an edge between stored states, with the name of its action and the level of its source."""
    fired = sorted((a.name, a.fired) for a in graph[0].actions if a.fired)
    assert rows(graph, "SELECT action, count(*) FROM edges GROUP BY action ORDER BY action") == fired
    taken = "SELECT action, sum(fired) FROM actions GROUP BY action HAVING sum(fired) > 0 ORDER BY action"
    assert rows(graph, taken) == fired
    assert rows(graph, "SELECT count(*) FROM edges WHERE target IS NULL") == [(0,)]
    assert rows(graph, "SELECT count(*) FROM edges e JOIN states s ON s.id = e.source WHERE s.level <> e.level") == [
        (0,)
    ]


def test_a_set_that_shares_its_memory_with_a_larger_one_has_its_members(tmp_path: Path) -> None:
    """More than 64 possible ones: the fields of its masks are wider than the masks."""
    workdir = tmp_path / "work"
    check(Shared, f"{inspect.getsourcefile(Shared)}:Shared", placement=Placement(workdir), engine="native")
    members = {"x2": 1, "x35": 34, "x36": 35, "x69": 68}

    def raw(names: list[str]) -> frozenset[int]:
        return frozenset(members[name] for name in names)

    with open_graph(workdir) as opened:
        found = opened.rows("SELECT held, copies FROM states", 100_000).rows
    held = [(raw(h), tuple(raw(copy["One"]["of"]) for copy in copies)) for h, copies in found]
    assert set(held) == reachable() and len(held) == len(reachable())


def test_quiescent_states_have_no_edges(graph: Kept) -> None:
    """And all others have."""
    ends = rows(graph, "SELECT id FROM states WHERE quiescent ORDER BY id")
    assert len(ends) == graph[0].quiescent
    assert rows(graph, "SELECT id FROM states WHERE id NOT IN (SELECT source FROM edges) ORDER BY id") == ends


def test_outcomes_are_the_values_at_quiescence(graph: Kept) -> None:
    """Two messages are delivered in one of two orders, the same everywhere."""
    order = [{"p1": [a, b], "p2": [a, b]} for a, b in (("m1.1", "m2.1"), ("m2.1", "m1.1"))]
    assert rows(graph, "SELECT outcome, delivered FROM outcomes ORDER BY outcome") == [(1, order[0]), (2, order[1])]
    equal = "s.outcome = o.outcome AND s.delivered = o.delivered"
    joined = f"SELECT o.outcome, count(*) FROM states s JOIN outcomes o ON {equal} GROUP BY o.outcome ORDER BY 1"
    counted = rows(graph, "SELECT outcome, states FROM outcomes ORDER BY outcome")
    assert rows(graph, joined) == counted
    assert sum(states for _, states in counted) == graph[0].quiescent


# ---- against a textbook enumeration by the interpreter


def typed(type: t.Type, raw: Any) -> Any:
    """A raw value of the interpreter as a typed column holds it."""
    match type:
        case t.Bool():
            return bool(raw)
        case t.Enum(_, members) | t.Ids(_, members, _):
            return members[raw]
        case t.Optional(item):
            return None if raw is None else typed(item, raw)
        case t.Record(_, fields):
            return {name: typed(part, value) for (name, part), value in zip(fields, raw)}
        case t.Union(_, variants):
            own = {v.name: typed(v, raw[1]) if i == raw[0] else None for i, v in enumerate(variants) if v.fields}
            return {"variant": variants[raw[0]].name, **own}
        case t.Map(key, value):
            keys, items = [typed(key, k) for k in values(key)], [typed(value, item) for item in raw]
            return {"key": keys, "value": items} if isinstance(key, t.Record) else dict(zip(keys, items))
        case t.Set(item):
            return [typed(item, member) for member in values(item) if member in raw]
        case t.Seq(item) | t.Bag(item):
            return [typed(item, part) for part in raw]
    return raw


MODELS: dict[str, dict[str, Any]] = {
    "isis": {"workload": (1, 1)},
    "isis:NoTieBreak": {"workload": (1, 1)},
    "sequencer": {"workload": (1, 1)},
    "causal_vector_clock": {"workload": (2, 1)},
    "consensus": {},
    "fifo_multicast": {},
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough if name in ("consensus", "fifo_multicast") else ())
        for name in MODELS
    ],
)
def test_tables_are_what_the_interpreter_enumerates(name: str, tmp_path: Path) -> None:
    """States with their values and the truth of each invariant, and edges with action and arguments, are those of a
    search with one queue that executes the methods of the model."""
    assert compared(name, MODELS[name], tmp_path / "w") > 30


CONSTRUCTS = sorted((Path(__file__).parents[1] / "language/models").glob("*.py"))


@pytest.mark.parametrize("file", CONSTRUCTS[::12], ids=lambda file: file.stem)
def test_tables_of_a_construct(file: Path, tmp_path: Path) -> None:
    """Of one model in twelve that show a construct of the language."""
    compared(str(file), {}, tmp_path / "w")


@pytest.mark.thorough
@pytest.mark.parametrize("file", CONSTRUCTS, ids=lambda file: file.stem)
def test_tables_of_each_construct(file: Path, tmp_path: Path) -> None:
    """Of all of them."""
    compared(str(file), {}, tmp_path / "w")


@pytest.mark.thorough
def test_few_executed_states_describe_all_instances(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most as many as half of the instances; the rows are numbered as the edges are."""
    executed, add = list[Any](), StepWords.add
    monkeypatch.setattr(
        StepWords, "add", lambda words, state, places: (executed.append(state), add(words, state, places))
    )
    check(find("isis").cls, "isis", {"workload": (1, 1)}, placement=Placement(tmp_path / "w"), engine="native")
    with open_graph(tmp_path / "w") as graph:
        numbers = [number for (number,) in graph.rows("SELECT step FROM steps ORDER BY step", 1_000).rows]
        assert graph.rows("SELECT count(DISTINCT step), max(step) + 1 FROM edges").rows == ((len(numbers),) * 2,)
    assert numbers == list(range(len(numbers)))
    assert 1 < len(executed) <= len(numbers) / 2


def test_tables_of_a_search_that_merges_symmetric_states(tmp_path: Path) -> None:
    """A state stands for its class; edges are the transitions of the search, between states that are stored."""
    options = ("-D", "managers=3", "-D", "symmetry=true", "--workdir", str(tmp_path / "w"), "--json", "-")
    report = json.loads(ran("check", TWO_PHASE_COMMIT, *options))
    with open_graph(tmp_path / "w") as graph:
        counts = graph.rows("SELECT count(*), count(target), count(DISTINCT source) FROM edges").rows[0]
        assert counts[:2] == (report["transitions"], report["transitions"])
        assert graph.rows("SELECT count(*) FROM states").rows == ((report["distinct"],),)
        steps = graph.rows("SELECT action, count(*) FROM edges GROUP BY action ORDER BY action").rows
    assert list(steps) == sorted((a["name"], a["fired"]) for a in report["actions"] if a["fired"])


def ran(*arguments: str) -> str:
    """What a command prints."""
    with redirect_stdout(io.StringIO()) as out:
        run(list(arguments))
    return out.getvalue()


def compared(name: str, constants: Mapping[str, Any], work: Path) -> int:
    """Compare the tables of a search with an enumeration; the number of states."""
    cls = find(name).cls
    limits = Limits(max_depth=9, max_states=2_000)
    check(cls, name, constants, placement=Placement(work), engine="native", limits=limits)
    definition = define(cls, constants, None)
    model = lower(definition, WorkDirectory.read(work).header["networks"])
    with open_graph(work) as graph:
        states = graph.rows("SELECT * FROM states ORDER BY id", 100_000)
        edges = graph.rows("SELECT source, target, action, label FROM edges ORDER BY source, place", 1_000_000).rows
    found = [dict(zip(states.columns, row)) for row in states.rows]
    known, levels, steps = enumerated(definition, found)
    assert [edge[:3] for edge in edges] == steps
    assert all(label.startswith(f"{action}(") for _, _, action, label in edges)
    interpreter, variables = Interpreter(definition), titles([v.name for v in model.variables], OWN)
    for state, level, row in zip(known, levels, found, strict=True):
        assert row["level"] == level
        values = {title: typed(v.type, raw) for title, v, raw in zip(variables, model.variables, state)}
        assert {title: row[title] for title in variables} == values
        for stated in definition.properties:
            if stated.kind == "invariant" and stated.name in row:
                truth = truth_of(interpreter, stated.function, state, stated.owner)
                assert row[stated.name] == (truth if isinstance(truth, bool) else None)
    return len(found)


def enumerated(
    definition: Definition, found: list[dict[str, Any]]
) -> tuple[list[Any], list[int], list[tuple[int, int | None, str]]]:
    """States in the order of a search with one queue, their levels, and steps out of those that were expanded.  What
    was stored is what was found: a step that leads elsewhere, because it was cut or not stored any more, has no
    target."""
    interpreter = Interpreter(definition)
    known = list(interpreter.initial())
    numbers, levels = {state: number for number, state in enumerate(known)}, [0] * len(known)
    steps: list[tuple[int, int | None, str]] = []
    for number, state in enumerate(known):
        if found[number]["quiescent"] is None:
            continue
        for step in interpreter.steps(state):
            if step.after is None:
                continue
            if step.after not in numbers and len(known) < len(found) and kept(definition, step.after):
                numbers[step.after] = len(known)
                levels.append(levels[number] + 1)
                known.append(step.after)
            steps.append((number, numbers.get(step.after), step.action.name))
    return known, levels, steps


def kept(definition: Definition, state: Any) -> bool:
    """Whether no constraint cuts a state."""
    interpreter = Interpreter(definition)
    return all(interpreter.holds(constraint.function, state, None) for constraint in definition.constraints)


def test_an_answer_is_a_data_frame(graph: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pandas, with a column for each of the answer; where pandas is missing, that is the error."""
    sql = "SELECT level, count(*) AS states FROM states GROUP BY level ORDER BY level"
    with open_graph(graph[1]) as opened:
        frame = opened.frame(sql)
        assert list(frame.columns) == ["level", "states"] and frame.states.sum() == graph[0].distinct
        assert list(frame.itertuples(index=False, name=None)) == rows(graph, sql)
        monkeypatch.setitem(sys.modules, "pandas", None)
        with pytest.raises(UsageError, match="data frame"):
            opened.frame(sql)


def test_the_graph_is_the_same_on_spark(spark: str, graph: Kept, tmp_path: Path) -> None:
    """Tasks write the rows that this process writes; both answer over the same views. No name of the directory is taken
    for a pattern or a URL.
    """
    natively = {part: rows(graph, f"SELECT * FROM {part} ORDER BY {key}") for part, key in KEYS.items()}
    report, work = graph[0], tmp_path / ODD
    check(find("isis").cls, "isis", {"workload": (1, 1)}, placement=Placement(work), engine="native")
    with open_graph(work, master=spark) as opened:
        for part, key in KEYS.items():
            assert list(opened.rows(f"SELECT * FROM {part} ORDER BY {key}", 100_000).rows) == natively[part]
        assert opened.rows("SELECT count(*) FROM states").rows == ((report.distinct,),)
        assert opened.arrow("SELECT id FROM states").num_rows == report.distinct
        assert opened.frame("SELECT count(*) AS n FROM states").n[0] == report.distinct
        with pytest.raises(UsageError, match="Tables: states, edges, steps, outcomes, levels, actions"):
            opened.rows("SELECT nothing FROM states")
    with open_graph(graph[1], work, master=spark) as both:
        assert both.rows("SELECT count(*) FROM only_edit").rows == ((0,),)


ODD = "q [a]{b,c}*? é%20#'x"


def test_a_directory_with_any_name_is_queried(tmp_path: Path) -> None:
    """DuckDB takes names for patterns: this one would not match itself. What no file of DuckDB can be called is refused
    with the reason.
    """
    for name, reason in ((ODD, ""), ("a\\b", "for the end of a folder's name"), ("a\udcff", "no text in UTF-8")):
        work = tmp_path / name
        check(find("isis").cls, "isis", {"workload": (1, 0)}, placement=Placement(work), engine="native")
        if reason:
            with pytest.raises(UsageError, match=reason):
                open_graph(work)
        else:
            assert rows(({}, work), "SELECT count(*) FROM states WHERE level = 0") == [(1,)]


KEYS = {"states": "id", "edges": "source, place", "steps": "step", "outcomes": "outcome", "actions": "level, action"}


def test_tables_are_confirmed_before_they_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong compiled predicates, or steps in another order than the interpreter's, end in an internal error."""
    check(find("isis").cls, "isis", {"workload": (1, 0)}, placement=Placement(tmp_path / "w"), engine="native")
    right = GraphKernel.answers
    monkeypatch.setattr(GraphKernel, "answers", lambda self, states: 1 - right(self, states))
    with pytest.raises(Disagreement, match="predicates"):
        keep(tmp_path / "w", None)
    with pytest.raises(Disagreement, match="predicates of a question"):
        predicates_of(tmp_path / "w", {"x": "len(delivered[p1]) == 1"}).here()
    assert not (tmp_path / "w/graph.json").exists() and not list((tmp_path / "w").glob("graph-*"))
    with pytest.raises(Disagreement, match="predicates"), open_graph(tmp_path / "w") as opened:
        opened.rows("SELECT count(*) FROM states WHERE TotalOrder")
    assert not [*(tmp_path / "w").glob("graph-*/made-*"), *(tmp_path / "w").glob("graph-*/*/*")]


# ---- the command


def test_a_wrong_query_is_a_clear_error(graph: Kept) -> None:
    """With the tables there are."""
    with pytest.raises(UsageError, match="Tables: states, edges, steps, outcomes, levels, actions"):
        rows(graph, "SELECT nothing FROM states")


@pytest.mark.parametrize("package", ["duckdb", "pyarrow"])
def test_a_query_without_its_packages_is_a_clear_error(
    graph: Kept, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain installation checks models; the rest is the extra `query`."""
    monkeypatch.setattr("checker.extras.find_spec", lambda name: None if name == package else object())
    with pytest.raises(UsageError, match=f"{package} is missing"):
        rows(graph, "SELECT 1")


def test_tables_that_cannot_be_written_are_refused_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not after it: its report would be lost."""
    monkeypatch.setattr("checker.extras.find_spec", lambda name: None)
    assert run(["check", TWO_PHASE_COMMIT, "--workdir", str(tmp_path / "w"), "--keep-graph"]) == 2
    assert "the package pyarrow to write them is missing" in capsys.readouterr().err
    assert not (tmp_path / "w").exists()


def test_the_command_line_keeps_a_graph_and_asks_about_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--keep-graph` leaves Parquet files that any tool reads; `query` finds them there, and executes no model."""
    from pyarrow import parquet

    work = str(tmp_path / "w")
    assert run(["check", TWO_PHASE_COMMIT, "-D", "managers=3", "--workdir", work, "--keep-graph"]) == 0
    folder = tmp_path / "w" / json.loads((tmp_path / "w" / "graph.json").read_text())["content"]["folder"]
    stored = (parquet.read_table(folder / "states").num_rows, parquet.read_table(folder / "edges").num_rows)
    assert stored == (288, 1_145)
    capsys.readouterr()
    asked = ["query", work, "SELECT count(*) AS states FROM states WHERE level > 0", "--json", "-"]
    assert run(asked) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == [{"states": 287}]
    assert sorted(tmp_path.glob("w/graph-*")) == [folder]  # made once
    part = next((folder / "states").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-1] + b"x")
    assert run(asked) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == [{"states": 287}]
    (again,) = tmp_path.glob("w/graph-*")
    assert again != folder  # made again, and the damaged ones are gone


def test_readers_do_not_exclude_each_other_nor_a_search(graph: Kept) -> None:
    """Two graphs are open at once, while a search of the directory goes on."""
    with open_graph(graph[1]) as one, open_graph(graph[1]) as other, WorkDirectory.open(graph[1]):
        assert one.rows("SELECT count(*) FROM states") == other.rows("SELECT count(*) FROM states")
        assert rows(graph, "SELECT count(*) FROM states") == [(434,)]


def test_tables_that_are_read_are_not_removed(graph: Kept, tmp_path: Path) -> None:
    """Who makes tables again leaves those that another process reads."""
    shutil.copytree(graph[1], tmp_path / "w")
    keep(tmp_path / "w", None)
    with open_graph(tmp_path / "w") as one:
        work = WorkDirectory.read(tmp_path / "w")
        stale = tmp_path / "w" / "graph-00000000"
        stale.mkdir()
        assert not remove_left_over(work) and stale.exists()
        assert one.rows("SELECT count(*) FROM states").rows == ((434,),)
    kept = stored_graph(work)
    assert remove_left_over(work) and not stale.exists()
    assert kept is not None and stored_graph(work) == kept


def test_nothing_stays_in_the_temporary_directory(graph: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an answer that is larger than memory would be spilled is gone with the connection."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_graph(graph[1]) as opened:
        assert list(tmp_path.iterdir()) and opened.rows("SELECT 1").rows == ((1,),)
    assert not list(tmp_path.iterdir())


def test_several_questions(graph: Kept, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without SQL each question up to a ; is answered; a wrong one ends nothing."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("SELECT count(*) AS n\nFROM states;\nSELECT x;\nSELECT 7 AS seven"))
    assert run(["query", str(graph[1])]) == 0
    said = capsys.readouterr()
    assert [line.split() for line in said.out.splitlines()] == [["n"], ["---"], ["434"], ["seven"], ["-----"], ["7"]]
    assert "error: SQL: Binder Error" in said.err


def test_predicates_in_the_words_of_the_model(graph: Kept) -> None:
    """A predicate becomes a column of states; one that names nothing of the model is refused."""
    ends = "SELECT count(*) FROM states WHERE all_delivered AND quiescent"
    predicates = {"all_delivered": "all(len(delivered[p]) == 2 for p in Process)", "first": "m1.1 in delivered[p1]"}
    assert rows(graph, ends, predicates=predicates) == [(graph[0].quiescent,)]
    with pytest.raises(UsageError, match="has nothing called deliverd"):
        rows(graph, ends, predicates={"x": "deliverd[p1]"})
    with pytest.raises(UsageError, match="states has a column Level already"):
        rows(graph, ends, predicates={"Level": "True"})


def test_predicates_are_answered_by_tasks_of_spark(graph: Kept, spark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the rows of one process, null where one cannot be evaluated; nothing stays in the directory."""
    predicates = {"done": "all(len(delivered[p]) == 2 for p in Process)", "ahead": "delivered[p1][0] == m1.1"}
    sql = "SELECT level, done, ahead, count(*) FROM states GROUP BY level, done, ahead"
    here = sorted(rows(graph, sql, predicates=predicates), key=repr)
    before = sorted(graph[1].iterdir())
    there = sorted(rows(graph, sql, predicates=predicates, master=spark), key=repr)
    assert there == here
    assert {ahead for _, _, ahead, _ in there} == {None, False, True}
    assert sorted(graph[1].iterdir()) == before
    right = Predicates.confirm

    def wrong(self: Predicates, samples: Any) -> None:
        right(self, [[[1 - answer for answer in row] for row in sample] for sample in samples])

    monkeypatch.setattr(Predicates, "confirm", wrong)
    with pytest.raises(Disagreement, match="predicates of a question"):
        rows(graph, sql, predicates={"done": predicates["done"]}, master=spark)
    assert sorted(graph[1].iterdir()) == before
