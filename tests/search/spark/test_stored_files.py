"""Files between tasks and files made for queries: damaged ones are refused or made again. Nothing here starts Spark."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from checker.analysis.graph.kept import TABLES, mark, stored_graph
from checker.contract import Source
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.folder_errors import WorkDirectoryError
from checker.search.folders import LocalFolder
from checker.search.limits import Limits
from checker.search.spark import stages
from checker.search.spark.alive import STEM, Alive, Said, said
from checker.search.spark.driver import Driver
from checker.search.spark.job import Job
from checker.search.workdir import Level, WorkDirectory
from tests.damage import damages
from tests.damage.forked import DIRECTORY
from tests.search.graphs import GraphSource, counting
from tests.search.spark.tasks import HereTasks
from tests.search.test_breadth_first import random_graph


@pytest.mark.parametrize("how", ["bit", "cut", "gone", "empty", "another"])
def test_a_damaged_candidate_file_ends_the_search_with_its_name(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A candidate that is lost or another would silently be another graph."""
    source = cast(Source, GraphSource(random_graph(1_000, 3), counting(1_000, 1)))
    original, damaged = stages.run_stage, []

    def damaging(job: Job, stage: Any, number: int) -> Any:
        report = original(job, stage, number)
        if report is not None and report.candidates and stage.levels == 4 and not damaged:
            file = tmp_path / "exchange" / report.candidates[0].name
            damaged.append(file)
            data = file.read_bytes()
            others = [f for f in (tmp_path / "exchange").iterdir() if f != file and not f.name.startswith(STEM)]
            new = {
                "bit": bytes([data[0] ^ 1]) + data[1:],
                "cut": data[:-8],
                "empty": b"",
                "another": others[0].read_bytes(),
            }
            file.write_bytes(new[how]) if how in new else file.unlink()
        return report

    monkeypatch.setattr("checker.search.spark.driver.run_stage", damaging)
    with WorkDirectory.create(tmp_path, {}) as work:
        search(source, checkpoint=Checkpoint(work, 1, 0))
        job = Job(str(tmp_path), lambda: source, tmp_path, 2)
        with pytest.raises(WorkDirectoryError) as error:
            Driver(work, job, HereTasks(), source.findings, Limits(), True).run()
        assert damaged[0].name in str(error.value)


def test_whatever_stands_in_the_place_of_a_report_of_a_task_is_passed_over(tmp_path: Path) -> None:
    """Reports are read while they are written; they decide nothing but what is shown."""
    folder = LocalFolder(tmp_path)
    Said(folder, 1).say(Alive(1, 2, 3, 4, 5, 6))
    (file,) = tmp_path.iterdir()
    data = file.read_bytes()
    assert list(said(folder).values()) == [Alive(1, 2, 3, 4, 5, 6)]
    wrong = [content for _, content in damages.any_file(data, 50, 1) if content not in (None, DIRECTORY)] + [
        c for _, c in damages.NO_JSON
    ]
    wrong += [damages.as_json(document) for _, document in damages.wrong_values(json.loads(data), 100, 1)]
    for content in wrong:
        file.write_bytes(cast(bytes, content))
        assert all(
            type(value) is int for alive in said(folder).values() for value in (alive.shard, alive.rows, alive.memory)
        )


@pytest.fixture
def work(tmp_path: Path) -> WorkDirectory:
    """A search with a table of two files and one of one, as they are after a query."""
    found = WorkDirectory.create(tmp_path / "work", {})
    graph = tmp_path / "work" / "graph-0123abcd"
    for name, content in (
        ("states/part-0.parquet", b"states"),
        ("states/part-1.parquet", b"more states"),
        ("edges/part-0.parquet", b"edges"),
    ):
        (graph / name).parent.mkdir(parents=True, exist_ok=True)
        (graph / name).write_bytes(content)
    for part in TABLES:
        (graph / part).mkdir(exist_ok=True)
    found.folder.publish("graph.json", mark(found, found.folder / graph.name, ["x"]))
    return found


def test_whole_tables_are_used(work: WorkDirectory) -> None:
    """Nothing is made twice."""
    kept = stored_graph(work)
    assert kept is not None and (str(kept.folder), kept.variables) == (str(work.folder / "graph-0123abcd"), ("x",))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a bit": lambda graph: (graph / "states/part-0.parquet").write_bytes(b"statex"),
    "a row more": lambda graph: (graph / "states/part-0.parquet").write_bytes(b"states."),
    "a file gone": lambda graph: (graph / "edges/part-0.parquet").unlink(),
    "a file twice": lambda graph: (graph / "states/part-2.parquet").write_bytes(b"states"),
    "two exchanged": lambda graph: (
        (graph / "states/part-0.parquet").write_bytes(b"more states"),
        (graph / "states/part-1.parquet").write_bytes(b"states"),
    ),
    "a directory": lambda graph: ((graph / "edges/part-0.parquet").unlink(), (graph / "edges/part-0.parquet").mkdir()),
}


@pytest.mark.parametrize("how", CHANGES)
def test_damaged_tables_are_made_again(work: WorkDirectory, how: str, caplog: pytest.LogCaptureFixture) -> None:
    """A file that is there twice would count its states twice. What is damaged is named."""
    graph = cast(LocalFolder, work.folder).path / "graph-0123abcd"
    CHANGES[how](graph)
    assert stored_graph(work) is None
    assert "is damaged; the tables are made again" in caplog.text


def test_a_damaged_list_of_tables_is_made_again(work: WorkDirectory) -> None:
    """Every bit of it, every length, every other value."""
    path = cast(LocalFolder, work.folder).path / "graph.json"
    data = path.read_bytes()
    contents = [content for _, content in damages.any_file(data, 100, 2)] + [content for _, content in damages.NO_JSON]
    for content in contents:
        if content is None or content == DIRECTORY:
            continue
        path.write_bytes(content)
        assert stored_graph(work) is None


def test_tables_of_a_search_that_has_gone_on_are_made_again(work: WorkDirectory) -> None:
    """They would lack the levels since."""
    work.commit(Level(0, 1, (), (), (1, 2, 3), {}))
    assert stored_graph(work) is None
