"""Directories below the shared temporary directory: nobody else can make one first, enter it or rename it."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from checker.stored.owned import NotPrivate, private_directory, require_private, require_safe_place
from tests.mentioning import mentioning

OTHER = 12345  # a user that is not the one who runs the tests
PACKAGE = Path(__file__).resolve().parents[2] / "checker"
by_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory to another user")


def test_a_private_directory_is_new_and_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two have two names; each has mode 0700 and the user of this process."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one, other = private_directory(), private_directory()
    assert one != other
    assert [(d.stat().st_mode & 0o777, d.stat().st_uid) for d in (one, other)] == [(0o700, os.geteuid())] * 2


@by_root
def test_a_directory_of_another_user_is_refused(tmp_path: Path) -> None:
    """Whatever its mode is; the message says whose it is and what to do."""
    os.chown(tmp_path, OTHER, OTHER)
    with pytest.raises(NotPrivate, match=f"belongs to the user {OTHER}.*set TMPDIR"):
        require_private(tmp_path)


@pytest.mark.parametrize("mode", [0o701, 0o710, 0o777, 0o740])
def test_a_directory_that_others_may_enter_is_refused(tmp_path: Path, mode: int) -> None:
    """A bit for the group or for others is enough."""
    tmp_path.chmod(mode)
    with pytest.raises(NotPrivate, match=f"mode {mode:04o}"):
        require_private(tmp_path)
    tmp_path.chmod(0o700)
    require_private(tmp_path)


def test_a_symbolic_link_and_a_file_are_refused(tmp_path: Path) -> None:
    """Also a link to a directory that would do."""
    (tmp_path / "own").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "own")
    (tmp_path / "file").touch(mode=0o600)
    with pytest.raises(NotPrivate, match="symbolic link"):
        require_private(tmp_path / "link")
    with pytest.raises(NotPrivate, match="no directory"):
        require_private(tmp_path / "file")


def test_a_temporary_directory_in_which_others_can_rename_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """World-writable without the sticky bit; with it, as /tmp has it, the directory is used."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tmp_path.chmod(0o777)
    with pytest.raises(NotPrivate, match="mode 0777"):
        private_directory()
    tmp_path.chmod(0o1777)
    assert private_directory().parent == tmp_path


@by_root
def test_a_temporary_directory_of_another_user_is_refused(tmp_path: Path) -> None:
    """Its owner can rename what is made in it."""
    os.chown(tmp_path, OTHER, OTHER)
    with pytest.raises(NotPrivate, match="who can rename"):
        require_safe_place(tmp_path)


def test_no_other_module_builds_a_path_below_the_temporary_directory() -> None:
    """`tempfile.gettempdir`, `mkdtemp` without a directory of our own, and "/tmp" are in the one module that checks;
    elsewhere only files and directories that vanish with their use."""
    found = []
    for file, tree in mentioning(sorted(PACKAGE.rglob("*.py")), "gettempdir|mkdtemp|mkstemp|/tmp"):
        for node in ast.walk(tree):
            shared = (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and (
                    node.func.attr == "gettempdir"
                    or node.func.attr in ("mkdtemp", "mkstemp")
                    and not any(k.arg == "dir" for k in node.keywords)
                )
            )
            written = (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and node.value.startswith(("/tmp", "/var/tmp"))
            )
            if shared or written:
                found.append(str(file.relative_to(PACKAGE)))
    # folders and disk: the place of nameless files; session: how long the name of the place is
    assert sorted(set(found)) == ["search/disk.py", "search/folders.py", "search/spark/session.py", "stored/owned.py"]
