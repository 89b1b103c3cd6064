"""What is in a work directory: `checker inspect` says it without executing a model, and removes what nothing names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.analysis.inspect import inspect
from checker.catalogue import find
from checker.cli.program import run
from checker.engines.placement import Placement
from checker.language.errors import UsageError
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A search that a limit has ended."""
    placement = Placement(tmp_path / "work")
    check(find("isis").cls, "isis", {"workload": (1, 1)}, placement=placement, limits=Limits(max_depth=5))
    return tmp_path / "work"


def test_a_whole_directory(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The counts are those of the manifests; the search can be resumed."""
    found = inspect(work)
    assert (found.model, found.constants["workload"]) == ("isis", (1, 1))
    assert (found.states, found.complete, found.tables, found.damaged, found.left_over) == (60, False, False, (), ())
    assert run(["inspect", str(work)]) == 0
    said = capsys.readouterr().out
    assert "it can be resumed" in said and "WHOLE" in said


@pytest.mark.parametrize("name", ["level", "tables"])
def test_a_damaged_file_is_named(work: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, with the file."""
    if name == "level":
        file = sorted((work / "data").iterdir())[0]
        file.write_bytes(file.read_bytes()[:-1] + b"\xff")
        said = file.name
    else:
        (work / "graph.json").write_bytes(b"{}")
        said = "graph.json"
    assert run(["inspect", str(work)]) == 2
    assert said in capsys.readouterr().out


def test_the_same_as_json(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts, what is damaged and what is left over; the exit code is that of the command."""
    assert run(["inspect", str(work), "--json", "-"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert (whole["states"], whole["complete"], whole["damaged"], whole["exit_code"]) == (60, False, [], 0)
    assert whole["constants"]["workload"] == [1, 1]
    (work / "exchange/x").write_bytes(b"rest")
    file = sorted((work / "data").iterdir())[0]
    file.write_bytes(file.read_bytes()[:-1] + b"\xff")
    assert run(["inspect", str(work), "--json", "-", "--clean"]) == 2
    damaged = json.loads(capsys.readouterr().out)
    assert (damaged["left_over"], damaged["removed"], damaged["exit_code"]) == (["exchange/x"], True, 2)
    assert len(damaged["damaged"]) == 1 and file.name in damaged["damaged"][0]


def test_what_nothing_names_is_left_over_and_is_removed(work: Path) -> None:
    """Everything else stays as it was."""
    before = {file: file.read_bytes() for file in work.rglob("*") if file.is_file()}
    for name in ("data/00009-000-abc", "exchange/x", "levels/00001.json.0123abcd", "search.json.0123abcd"):
        (work / name).write_bytes(b"rest")
    (work / "graph-00000000" / "states").mkdir(parents=True)
    found = inspect(work)
    assert len(found.left_over) == 5 and not found.removed and (work / "exchange/x").exists()
    assert inspect(work, clean=True).removed
    assert inspect(work).left_over == ()
    after = {file: file.read_bytes() for file in work.rglob("*") if file.is_file() and not file.name.endswith(".lock")}
    assert after == {file: data for file, data in before.items() if not file.name.endswith(".lock")}
    assert not (work / "graph-00000000").exists()


def test_nothing_is_removed_under_a_search(work: Path) -> None:
    """Its files are not left over: it has not committed them yet."""
    with WorkDirectory.open(work):
        (work / "exchange/x").write_bytes(b"on its way")
        with pytest.raises(UsageError, match="nothing is removed: .* is in use by another search"):
            inspect(work, clean=True)
        assert (work / "exchange/x").exists()


def test_a_directory_of_another_format_is_refused(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the format it has and the one that is read."""
    path = work / "search.json"
    path.write_bytes(path.read_bytes().replace(b'"format": 3', b'"format": 2', 1))
    assert run(["inspect", str(work)]) == 2
    assert "has format 2, of another version of the checker; this version reads format 3" in capsys.readouterr().err
