"""A change that deletes all models: `verify --since` names what was expected of them, and the job fails with exit code
3.  What ended a search is named with the number of the limit, and where that number is from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Ran
from tests.cli.test_runs_of_revisions import LEASE, git

Checker = Callable[..., Ran]
SETTINGS = '[tool.checker]\nmodels = ["protocols"]\nmax-states = 8\n'


@pytest.fixture
def repository(here: Path) -> Path:
    """A committed lease in a declared folder."""
    git("init", "-q", "-b", "main")
    (here / "protocols").mkdir()
    (here / "protocols" / "lease.py").write_text(LEASE)
    (here / "pyproject.toml").write_text(SETTINGS)
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    return here


@pytest.mark.parametrize("names", [(), ("./protocols",), ("protocols/*.py",), ("protocols/lease.py",)])
def test_deleted_models_are_named_with_what_was_expected_of_them(
    names: tuple[str, ...], repository: Path, checker: Checker
) -> None:
    """Whether the settings name them or the command does."""
    git("rm", "-q", "-r", "protocols")
    found = checker("verify", *names, "--since", "HEAD", "--comment", "c.md")
    assert (found.code, found.err) == (3, "")
    assert found.out.splitlines()[0].endswith("deleted since HEAD")
    assert "expectations removed: Lease (protocols/lease.py)" in found.out
    assert "Expectations removed: Lease (protocols/lease.py)" in Path("c.md").read_text()
    assert checker("verify", *names, "--since", "HEAD", "--allow-removed").code == 0


def test_deleted_models_are_named_from_a_folder_of_the_repository(
    repository: Path, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("rm", "-q", "-r", "protocols")
    (repository / "docs").mkdir()
    monkeypatch.chdir(repository / "docs")
    found = checker("verify", "--since", "HEAD")
    assert found.code == 3 and "expectations removed: Lease (protocols/lease.py)" in found.out


def test_what_never_was_there_is_an_error_still(repository: Path, checker: Checker) -> None:
    """Also beside deleted files, and without a change."""
    git("rm", "-q", "-r", "protocols")
    wrong = checker("verify", "./protocol", "--since", "HEAD")
    assert wrong.code == 2 and "there is no file protocol" in wrong.err
    plain = checker("verify")
    assert plain.code == 2 and "pyproject.toml:2: [tool.checker] models: there is no file" in plain.err


def test_a_limit_is_named_with_its_number_and_where_it_is_from(repository: Path, checker: Checker) -> None:
    """The settings, an option, or the default of an option."""
    file = "protocols/lease.py"
    set_there = "stopped by the limit on states (max-states = 8 in pyproject.toml)"
    for command in (("check", file), ("verify",), ("find", file, "asked[p1]")):
        assert set_there in checker(*command).out
    assert "(--max-states 7)" in checker("check", file, "--max-states", "7").out
    assert "(--max-depth 2)" in checker("verify", "--max-depth", "2", "--max-states", "10000").out


def test_a_new_model_is_called_new_and_not_missing_at_a_commit(repository: Path, checker: Checker) -> None:
    (repository / "protocols" / "lending.py").write_text(LEASE.replace("Lease", "Lending"))
    found = checker("verify", "--since", "HEAD", "--max-states", "1000", "--comment", "c.md")
    assert found.code == 0
    comment = Path("c.md").read_text()
    assert "not compared: it is new, and edits no model" in comment and git("rev-parse", "HEAD") not in comment
