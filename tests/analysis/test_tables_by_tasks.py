"""Tables that tasks write, a few files of states each: the rows are those that one process writes.

The tasks run in this process, from pickled arguments, as Spark sends them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.analysis.check import check
from checker.analysis.graph import by_tasks, made
from checker.analysis.graph.by_tasks import File, owners_of, tasks_of
from checker.analysis.graph.kept import TABLES
from checker.analysis.graph.on_spark import OnSpark
from checker.catalogue import find
from checker.engines.checkpointed import kernel_of
from checker.engines.committed import HEADER, stored_search
from checker.engines.placement import Placement
from checker.engines.request import Request
from checker.language.define import define
from checker.search.block_files import Block
from checker.search.folder_errors import WorkDirectoryError
from checker.search.folders import Folder, folder_at
from checker.search.limits import Limits
from checker.search.spark.cluster import SparkTasks
from checker.search.workdir import WorkDirectory

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
ORDER = {"states": ("id",), "edges": ("source", "place")}


class Here:
    """Tasks in this process.  twice: each is repeated, and its first report is lost."""

    slots = 3

    def __init__(self, twice: bool = False, between: Callable[[str], None] = lambda name: None) -> None:
        self.twice, self.between = twice, between
        self.counts: dict[str, int] = {}

    def run(self, function: Callable[[Any, int], Any], argument: Any, count: int, exchange: Folder) -> list[Any]:
        """As `SparkTasks.run`."""
        sent = pickle.dumps((function, argument))
        self.between(function.__name__)
        self.counts[function.__name__] = count
        done = []
        for number in range(count):
            for _ in range(2 if self.twice else 1):
                task, given = pickle.loads(sent)
                found = task(given, number)
            done.append(pickle.loads(pickle.dumps(found)))
        return done


def searched(work: Path, name: str, constants: Mapping[str, Any], limits: Limits = Limits()) -> made.Stored:
    """A stored search."""
    check(find(name).cls, name, constants, limits=limits, placement=Placement(work), engine="native")
    stored, directory = stored_search(work), WorkDirectory.read(work, HEADER)
    definition = define(stored.entry.cls, stored.constants, stored.only)
    request = Request(definition, stored.entry.reference, stored.only, placement=Placement(work, resume=True))
    return made.Stored(definition, kernel_of(request, directory), directory)


def tables(folder: Folder) -> dict[str, Any]:
    """The rows of all tables, in order."""
    found = {}
    for part in TABLES:
        place = folder / part
        read = pa.concat_tables([parquet.read_table(Path(place.url) / name) for name in place.names()])
        found[part] = read.sort_by([(c, "ascending") for c in ORDER[part]]) if part in ORDER else read
    return found


def empty(folder: Path) -> Folder:
    """A folder with folders for all tables."""
    for part in TABLES:
        (folder / part).mkdir(parents=True)
    return folder_at(folder)


CASES = {
    "whole": ("isis", {"workload": (1, 1)}, Limits()),
    "limited": ("isis", {"workload": (1, 1)}, Limits(max_states=200)),
    "one level": ("isis", {"workload": (1, 1)}, Limits(max_depth=0)),
    "one word": (TWO_PHASE_COMMIT, {"managers": 4}, Limits()),
    "symmetric": (TWO_PHASE_COMMIT, {"managers": 5, "symmetry": True}, Limits()),
}


@pytest.mark.parametrize("twice", [False, True], ids=["once", "repeated"])
@pytest.mark.parametrize("name", CASES)
def test_tasks_write_the_rows_of_one_process(
    name: str, twice: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several tasks and owners; nothing else is left in the folder, of repeated tasks either."""
    monkeypatch.setattr(by_tasks, "LEAST_STATES", 1)
    stored = searched(tmp_path / "work", *CASES[name])
    one, many, tasks = empty(tmp_path / "one"), empty(tmp_path / "many"), Here(twice)
    made.write(stored, one)
    OnSpark(cast(SparkTasks, tasks)).write(stored, many)
    expected, found = tables(one), tables(many)
    for part in TABLES:
        assert found[part].schema.equals(expected[part].schema), part
        assert found[part].equals(expected[part]), part
    assert tasks.counts["answer"] == Here.slots
    assert name == "one level" or tasks.counts["write_edges"] > 3
    assert sorted(many.folders()) == sorted(TABLES)
    assert len((many / "edges").names()) <= tasks.counts["write_edges"]


@pytest.mark.parametrize("what", ["asked", "owned", "told", "edges"])
def test_a_damaged_file_between_tasks_is_noticed(what: str, tmp_path: Path) -> None:
    """Whatever is exchanged has a checksum."""
    stored, graph = searched(tmp_path / "work", *CASES["whole"]), empty(tmp_path / "graph")

    def damage(stage: str) -> None:
        files = sorted((tmp_path / "graph" / "exchange").glob(f"{what}-*"))
        if files and stage == ("write_edges" if what in ("told", "edges") else "answer"):
            content = bytearray(files[0].read_bytes())
            content[-1] ^= 1
            files[0].write_bytes(content)

    with pytest.raises(WorkDirectoryError, match=f"exchange/{what}-.* is damaged"):
        OnSpark(cast(SparkTasks, Here(between=damage))).write(stored, graph)


def test_files_in_a_row_make_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a quarter of a slot's share of states or a little less; none is left out."""
    monkeypatch.setattr(by_tasks, "LEAST_STATES", 10)
    rows = np.random.default_rng(1).integers(1, 300, 200).tolist()
    files = [File(n, Block(0, str(n), size, 0), sum(rows[:n])) for n, size in enumerate(rows)]
    tasks = tasks_of(files, 4)
    assert [file for task in tasks for file in task] == files
    most = sum(rows) // 16
    assert all(sum(f.block.rows for f in task) <= most for task in tasks) and len(tasks) <= 32
    assert len(tasks_of(files[:1], 4)) == 1 and tasks_of([], 4) == ()


def test_an_owner_has_room_for_its_states() -> None:
    """More states have more owners than there are slots."""
    assert owners_of(0, 1, 4) == 4
    assert owners_of(10**9, 8, 4) == by_tasks.OWNERS
    assert owners_of(10**8, 1, 4) == 18
