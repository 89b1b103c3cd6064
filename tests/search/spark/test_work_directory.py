"""A search kept in a work directory: stopped anywhere and taken up, it ends with the counts and paths of one that was
not."""

from __future__ import annotations

import gc
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from benchmarks.models import TWO_PHASE_COMMIT, path_of
from checker.catalogue import find
from checker.engines import spilling
from checker.engines.explored import Explored
from checker.engines.placement import Placement, Spill
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.define import define
from checker.language.errors import UsageError
from checker.search import out_of_core
from checker.search.folder_errors import WorkDirectoryError
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory

CASES: list[tuple[str, dict[str, Any]]] = [
    (TWO_PHASE_COMMIT, {"managers": 3}),
    (TWO_PHASE_COMMIT, {"managers": 4}),
    ("basic_multicast", {}),
    ("reliable_multicast", {}),
    ("sequencer", {}),
    ("byzantine_generals", {}),
    (path_of("filter_lock"), {"processes": 3}),
]


def told(explored: Explored) -> dict[str, Any]:
    """Everything of a report that may not depend on who ran the search."""
    return {
        "counts": (
            explored.distinct,
            explored.transitions,
            explored.depth,
            explored.initial,
            explored.quiescent,
            explored.cut,
        ),
        "levels": explored.levels,
        "actions": explored.actions,
        "complete": explored.complete,
        "found": [(found.shown, found.steps, found.path()) for found in explored.found],
    }


def model_case(name: str, constants: dict[str, Any]) -> Any:
    entry = find(name)
    return define(entry.cls, constants, None)


@pytest.mark.parametrize(
    "name, constants, stop_at_first",
    [
        pytest.param(n, c, first, id=f"{first}-{n}-{c}", marks=pytest.mark.thorough if (i % 2 == 0) != first else ())
        for i, (n, c) in enumerate(CASES)
        for first in (True, False)
    ],
)
def test_resumed_at_every_third_level_a_search_tells_the_same(
    name: str, constants: dict[str, Any], stop_at_first: bool, tmp_path: Path
) -> None:
    """Stopped after a depth, then taken up: counts, findings and the paths to them are those of one search."""
    definition = model_case(name, constants)
    whole = told(explore(Request(definition, stop_at_first=stop_at_first)))
    depth, resume = 1, False
    while True:
        part = explore(
            Request(
                definition,
                name,
                limits=Limits(max_depth=depth),
                stop_at_first=stop_at_first,
                placement=Placement(tmp_path, resume=resume),
            )
        )
        if part.bound is None:
            break
        depth, resume = depth + 3, True
    assert told(part) == whole


def test_a_second_search_does_not_touch_a_directory_in_use(tmp_path: Path) -> None:
    """Two drivers would commit different levels; the second is refused."""
    with WorkDirectory.create(tmp_path, {}):
        with pytest.raises(WorkDirectoryError, match="in use"):
            WorkDirectory.open(tmp_path)
    WorkDirectory.open(tmp_path).close()


def test_a_new_search_does_not_overwrite_one_that_is_there(tmp_path: Path) -> None:
    """A work directory is continued on purpose, never by mistake."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 2})
    explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path)))
    with pytest.raises(UsageError, match="already holds a search"):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path)))


def test_levels_without_their_search_are_not_mixed_with_a_new_one(tmp_path: Path) -> None:
    """`search.json` was deleted: a new search there would be resumed with levels of the former."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 2})
    explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path)))
    (tmp_path / "search.json").unlink()
    with pytest.raises(UsageError, match="holds levels of a search without its search.json"):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path)))
    assert not (tmp_path / "search.json").exists()


def test_a_directory_without_a_search_is_not_resumed(tmp_path: Path) -> None:
    """The file that is missing is named; a reader is told the same."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 2})
    empty = "holds no search: it has no file search.json"
    with pytest.raises(UsageError, match=empty):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path, resume=True)))
    with pytest.raises(WorkDirectoryError, match=empty):
        WorkDirectory.read(tmp_path)


@pytest.mark.parametrize("change", ["counters", "found"])
def test_a_level_that_counts_what_the_model_does_not_have_is_refused(tmp_path: Path, change: str) -> None:
    """Actions or findings of another number, in a manifest that is whole: the level is named."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 2})
    explore(Request(definition, TWO_PHASE_COMMIT, limits=Limits(max_depth=2), placement=Placement(tmp_path)))
    with WorkDirectory.open(tmp_path) as work:
        last = work.levels.pop()
        other = {"counters": (*last.counters, 0)} if change == "counters" else {"found": {999: last.number}}
        work.commit(evolve(last, **other))
    said = f"the manifest of level {last.number} counts other actions or findings than the model has"
    with pytest.raises(UsageError, match=said):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path, resume=True)))


def runs_of(explored: Explored) -> dict[str, Any]:
    """Outcomes in their order, each with the states that lead to it; AssertionError if steps decrease with numbers."""
    runs = explored.outcome_runs()
    lengths = [len(run.path()) for run in sorted(runs, key=lambda run: run.number)]
    assert lengths == sorted(lengths) and [run.outcome for run in runs] == explored.outcomes()
    return {repr(run.outcome): run.path() for run in runs}


@pytest.mark.parametrize("name", ["basic_multicast", "isis"])
def test_a_run_to_each_outcome_is_made_from_stored_levels(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a search that was taken up, and of one beyond memory: the runs of a search in memory, and no other search."""
    definition, lines = model_case(name, {"workload": (1, 1)} if name == "isis" else {}), list[str]()
    expected = runs_of(explore(Request(definition, name)))
    assert len(expected) > 1
    explore(Request(definition, name, limits=Limits(max_depth=2), placement=Placement(tmp_path / "w")))
    placement = Placement(tmp_path / "w", resume=True, say=lines.append)
    assert runs_of(explore(Request(definition, name, placement=placement))) == expected
    assert lines == []
    monkeypatch.setattr(spilling, "available_memory", lambda: 0)
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 8)
    placement = Placement(say=lines.append, spill=Spill(tmp_path))
    assert runs_of(explore(Request(definition, name, placement=placement))) == expected
    assert len(lines) == 1 and lines[0].startswith("memory was full")


def test_a_run_to_each_outcome_is_made_by_tasks(spark: str) -> None:
    """Of a search on Spark in a temporary directory: the same runs, also when the report is gone."""
    name, lines = "basic_multicast", list[str]()
    definition = model_case(name, {"workload": (1, 1)})  # seven levels: each is several stages
    placement = Placement(master=spark, partitions=3, handover=0, say=lines.append)
    found = explore(Request(definition, name, engine="spark", placement=placement))
    runs, expected = runs_of(found), runs_of(explore(Request(definition, name)))
    kept = found.outcome_runs()
    del found
    gc.collect()
    assert runs == expected == {repr(run.outcome): run.path() for run in kept} and len(runs) == 4
    assert lines and all(line.startswith("spark: ") for line in lines)


def test_a_search_is_not_continued_with_another_model(tmp_path: Path) -> None:
    """Other constants give other states."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 3})
    explore(Request(definition, TWO_PHASE_COMMIT, limits=Limits(max_depth=2), placement=Placement(tmp_path)))
    other = model_case(TWO_PHASE_COMMIT, {"managers": 4})
    with pytest.raises(UsageError, match="another model"):
        explore(Request(other, TWO_PHASE_COMMIT, placement=Placement(tmp_path, resume=True)))


def test_a_damaged_file_is_noticed(tmp_path: Path) -> None:
    """A flipped bit in a stored state would silently explore another graph."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 3})
    explore(Request(definition, TWO_PHASE_COMMIT, limits=Limits(max_depth=3), placement=Placement(tmp_path)))
    file = next((tmp_path / "data").glob("00002-states*"))
    words = np.fromfile(file, dtype=np.uint64)
    words[0] ^= np.uint64(1)
    words.tofile(file)
    with pytest.raises(UsageError, match="damaged"):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path, resume=True)))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    """Permissions are the user's to mend."""
    tmp_path.chmod(0o500)
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 2})
    with pytest.raises(UsageError, match="may not read it, or not write it"):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path / "w")))


def test_a_path_through_a_file_is_a_clear_error(tmp_path: Path) -> None:
    """A file where the directory should be."""
    (tmp_path / "file").write_text("")
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 2})
    with pytest.raises(UsageError, match="a file, not a directory"):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path / "file" / "w")))


def test_a_read_only_file_system_is_a_clear_error(tmp_path: Path) -> None:
    """Where nobody may write, root neither."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        definition = model_case(TWO_PHASE_COMMIT, {"managers": 2})
        with pytest.raises(UsageError, match="read-only file system"):
            explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(disk / "w")))
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_work_directory_of_the_first_format_is_refused_with_what_it_is(tmp_path: Path) -> None:
    """It has no checksums; whoever kept one reads what to do."""
    (tmp_path / "search.json").write_text('{\n "format": 1,\n "model": "isis"\n}')
    with pytest.raises(
        WorkDirectoryError,
        match="search.json has format 1, of another version of the checker; this version reads format 3; search again "
        "in another work directory",
    ):
        WorkDirectory.open(tmp_path)


def test_what_was_on_its_way_when_a_search_stopped_is_removed(tmp_path: Path) -> None:
    """By whoever goes on, and when a search ends: candidates of an attempt that failed are of no use."""
    with WorkDirectory.create(tmp_path, {}):
        (tmp_path / "exchange" / "00003-000-to-001-0123456789ab").write_bytes(b"12345678")
    assert list((tmp_path / "exchange").iterdir()) == []
    (tmp_path / "exchange" / "00003-000-to-001-0123456789ab").write_bytes(b"12345678")
    with WorkDirectory.open(tmp_path):
        assert list((tmp_path / "exchange").iterdir()) == []


def test_a_level_that_is_missing_between_others_is_named(tmp_path: Path) -> None:
    """To begin again before it would be right, and hide that the directory is not whole."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 3})
    explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path)))
    (tmp_path / "levels" / "00003.json").unlink()
    with pytest.raises(UsageError, match="levels/00003.json is missing, and 00004.json is there"):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(tmp_path, resume=True)))
