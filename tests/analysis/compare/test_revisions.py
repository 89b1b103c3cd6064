"""Revisions in repositories as they are: spaces in paths, no branch, part of the history, neighbours that are imported,
changes not committed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from checker.cli.program import run

MODEL = '''"""A model that imports its neighbour."""
from checker.language import Distributed, Int, Map, action, const, invariant, require, var
from {neighbour} import LIMIT


class Near(Distributed):
    """Counts up to a limit."""

    processes = const(2, "how many")
    n = var(Map[Distributed.Process, Int(0, 3)], 0)

    @action
    def up(self, p: Distributed.Process) -> None:
        require(self.n[p] < LIMIT)
        self.n[p] += 1

    @invariant
    def small(self) -> bool:
        return all(self.n[p] <= 1 for p in self.Process)

    properties = []
'''
BRIEF = ["--rules", "0", "--steps", "0", "--events", "0", "--delays", "0"]


def git(directory: Path, *arguments: str) -> None:
    """A git command."""
    subprocess.run(
        ["git", "-C", str(directory), "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def model(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A committed model below a path with spaces, whose neighbour holds its limit: 1, and 2 in the second commit."""
    neighbour = f"neighbour_{abs(hash(request.node.name))}"
    folder = tmp_path / "a repository" / "my models"
    folder.mkdir(parents=True)
    git(folder.parent, "init", "-q")
    (folder / "near.py").write_text(MODEL.format(neighbour=neighbour))
    (folder / f"{neighbour}.py").write_text("LIMIT = 1\n")
    git(folder.parent, "add", "-A")
    git(folder.parent, "commit", "-q", "-m", "one")
    (folder / f"{neighbour}.py").write_text("LIMIT = 2\n")
    git(folder.parent, "commit", "-q", "-a", "-m", "two")
    return folder / "near.py"


def test_a_value_of_a_neighbour_is_a_difference_of_what_reads_it(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No method differs in text; the one that reads the value is named with it.  No branch is checked out."""
    git(model.parent, "checkout", "-q", "--detach", "HEAD")
    assert run(["compare", str(model), "--against", "HEAD~1", "--all", *BRIEF]) == 1
    printed = capsys.readouterr().out
    assert "changed    action up" in printed and "- LIMIT: 1" in printed and "+ LIMIT: 2" in printed
    assert "breaks     small" in printed


def test_what_is_not_committed_is_compared_too(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Today's side is the working tree: at 2 nobody goes on, as before, but 1 is never reached."""
    model.write_text(model.read_text().replace("self.n[p] += 1", "self.n[p] += 2"))
    assert run(["compare", str(model), "--against", "HEAD", *BRIEF]) == 0
    printed = capsys.readouterr().out
    assert "changed    action up" in printed and "9 → 4 states" in printed


def test_a_revision_beyond_a_shallow_clone_is_told_from_one_that_never_was(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There the rest of the history can be fetched."""
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{model.parents[1]}", str(clone))
    assert run(["compare", str(clone / "my models" / "near.py"), "--against", "HEAD~1", *BRIEF]) == 2
    assert "git fetch --unshallow" in capsys.readouterr().err
    assert run(["compare", str(model), "--against", "HEAD~9", *BRIEF]) == 2
    assert "git log --oneline" in capsys.readouterr().err


def test_a_link_out_of_the_repository_is_left_out_and_one_inside_is_followed(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The neighbour itself may be a link."""
    (neighbour,) = model.parent.glob("neighbour*.py")
    neighbour.rename(model.parents[1] / "limits.py")
    neighbour.symlink_to("../limits.py")
    (model.parent / "out.py").symlink_to("/etc/hosts")
    (model.parent / "far.py").symlink_to("../../../elsewhere.py")
    git(model.parents[1], "add", "-A")
    git(model.parents[1], "commit", "-q", "-m", "three")
    (model.parents[1] / "limits.py").write_text("LIMIT = 1\n")
    assert run(["compare", str(model), "--against", "HEAD", "--all", *BRIEF]) == 0
    printed = capsys.readouterr().out
    assert "- LIMIT: 2" in printed and "+ LIMIT: 1" in printed


def test_what_an_archive_would_leave_out_is_there(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The attribute export-ignore is about releases."""
    root = model.parents[1]
    (root / ".gitattributes").write_text('"my models" export-ignore\n')
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "three")
    assert run(["compare", str(model), "--against", "HEAD", *BRIEF]) == 0
    assert "9 states, as before" in capsys.readouterr().out


def test_a_revision_that_git_cannot_read_is_named(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An object is missing, as in a damaged clone: no traceback, and what to do."""
    root = model.parents[1]
    (neighbour,) = model.parent.glob("neighbour*.py")
    named = f"HEAD~1:my models/{neighbour.name}"
    sha = subprocess.run(["git", "-C", str(root), "rev-parse", named], capture_output=True, text=True).stdout.strip()
    (root / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    assert run(["compare", str(model), "--against", "HEAD~1", *BRIEF]) == 2
    told = capsys.readouterr().err
    assert f"my models/{neighbour.name} of HEAD~1 is not in this clone" in told and "checker compare OLD.py" in told


RENAMED = '''
from checker.language import Int, Model, action, invariant, require, var
{imports}

class Counter(Model):
    """Counts."""

    {name} = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.{name} < {limit})
        self.{name} += 1

    @invariant
    def small(self):
        return self.{name} < 3
'''


@pytest.mark.parametrize(
    ("helper", "followed"),
    [("LIMIT = 2  # told", True), ("LIMIT = 2  # told, not informed", True), ("LIMIT, informed = 2, 1  # told", False)],
)
def test_a_file_that_only_the_revision_uses_may_have_the_new_name_already(
    tmp_path: Path, checker: Any, helper: str, followed: bool
) -> None:
    """Then the names are not replaced, since both mean something there."""
    model, old = tmp_path / "counter.py", tmp_path / "former.py"
    old.write_text(f"{helper}\n", encoding="utf-8")
    before = RENAMED.format(name="told", limit="LIMIT", imports="from former import LIMIT\n")
    model.write_text(before, encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    old.unlink()
    model.write_text(RENAMED.format(name="informed", limit="2", imports=""), encoding="utf-8")
    ran = checker("compare", str(model), "--against", "HEAD", "--engine", "interpreter")
    assert ran.code == (0 if followed else 2), ran.err
    assert ("renamed    variable told → informed" in ran.out) == followed
    assert ("have no variable in common" in ran.err) != followed
