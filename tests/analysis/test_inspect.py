"""What is in a work directory: `checker inspect` says it without executing a model, and removes what nothing names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from checker.analysis.check import check
from checker.analysis.inspect import inspect
from checker.catalogue import find
from checker.cli.program import run
from checker.engines.placement import Placement
from checker.language.errors import UsageError
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory
from tests.cli.test_schemas import validator

VIOLATED = "isis:IgnoreAgreed"


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
    """Everything else stays as it was, also a folder whose name only begins as that of tables."""
    (work / "graph-tools").mkdir()
    (work / "graph-tools" / "draw.py").write_bytes(b"of the project")
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


@pytest.fixture
def violated(tmp_path: Path) -> Path:
    """A reduced search that met a violation, and below it the search of all states that shows it."""
    placement, given = Placement(tmp_path / "reduced"), {"workload": (1, 1)}
    check(find(VIOLATED).cls, VIOLATED, given, only=["GapFreeTotalOrder"], reduce=True, placement=placement)
    return tmp_path / "reduced"


def test_the_search_that_shows_a_violation_is_reported_too(violated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is below the reduced one.  Both have ended, although not all states are expanded; only the one of all states
    can be queried."""
    found = inspect(violated)
    (ordinary,) = found.below
    assert (found.reduced, found.ended, found.complete, found.can_be_queried) == (True, True, False, False)
    assert (ordinary.reduced, ordinary.ended, ordinary.complete, ordinary.can_be_queried) == (False, True, False, True)
    assert found.states < ordinary.states and found.found == ordinary.found
    assert run(["inspect", str(violated)]) == 0
    said = capsys.readouterr().out
    assert said.count("a violation has ended it") == 2 and said.count("tables") == 1 and f"{violated}/ordinary" in said
    assert run(["inspect", str(violated), "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["reduced"], data["below"][0]["states"]) == (True, ordinary.states)
    assert [error.message for error in validator("inspect").iter_errors(data)] == []


def test_damage_and_leftovers_of_a_search_below_count(violated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 with its file; `--clean` cleans both."""
    for folder in (violated, violated / "ordinary"):
        (folder / "exchange/x").write_bytes(b"rest")
    assert inspect(violated, clean=True).below[0].removed
    assert not any((folder / "exchange/x").exists() for folder in (violated, violated / "ordinary"))
    file = sorted((violated / "ordinary/data").iterdir())[0]
    file.write_bytes(file.read_bytes()[:-1] + b"\xff")
    assert run(["inspect", str(violated)]) == 2
    assert file.name in capsys.readouterr().out


def test_questions_to_a_reduced_search_are_refused_with_the_one_that_answers(
    violated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its name is in the message."""
    assert run(["query", str(violated), "SELECT 1"]) == 2
    assert f"{violated}/ordinary holds the search of all states" in capsys.readouterr().err


def test_a_directory_of_several_searches_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`latency` has a directory for each of its searches: those can be inspected, and only latency resumes them."""
    work = tmp_path / "kept"
    assert run(["latency", "isis", "-D", "workload=1,0", "--workdir", str(work)]) == 0
    capsys.readouterr()
    for command in ("inspect", "resume", "query"):
        assert run([command, str(work)]) == 2
        assert f"searches are in {work}/delays-14, {work}/messages" in capsys.readouterr().err
    found = inspect(work / "messages")
    assert (found.command, found.can_be_queried) == ("latency", False)


def test_a_link_to_the_directory_itself_leads_no_further(work: Path) -> None:
    """Folders of folders are not looked at."""
    (work / "again").symlink_to(".")
    (below,) = inspect(work).below
    assert below.below == () and below.exit_code == 0


def test_a_link_that_is_left_over_is_removed_and_what_it_leads_to_stays(work: Path, tmp_path: Path) -> None:
    """It has the name of a folder of tables."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_bytes(b"kept")
    (work / "graph-00000000").symlink_to(tmp_path / "other")
    assert inspect(work, clean=True).removed
    assert not (work / "graph-00000000").is_symlink() and (tmp_path / "other" / "file").read_bytes() == b"kept"


def test_a_finding_that_the_search_does_not_know_is_refused(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where the manifest has a matching checksum: exit code 2, with the directory."""
    with WorkDirectory.open(work) as opened:
        opened.commit(evolve(opened.levels[-1], number=len(opened.levels), found={99: 1}))
    assert run(["inspect", str(work)]) == 2
    assert f"{work} is damaged: a level has findings that search.json does not name" in capsys.readouterr().err


def test_a_directory_of_another_format_is_refused(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the format it has and the one that is read."""
    path = work / "search.json"
    path.write_bytes(path.read_bytes().replace(b'"format": 3', b'"format": 2', 1))
    assert run(["inspect", str(work)]) == 2
    assert "has format 2, of another version of the checker; this version reads format 3" in capsys.readouterr().err
