"""A repository without a commit: everything is new since HEAD, and no other revision can be named."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.test_former_cause import MODEL


@pytest.fixture
def begun(here: Path) -> None:
    """A model in such a repository."""
    subprocess.run(["git", "init", "-q", "-b", "main"], check=True)
    Path("lock.py").write_text(MODEL, encoding="utf-8")


@pytest.mark.parametrize("added", [False, True])
def test_everything_is_new_since_head(begun: None, checker: Any, added: bool) -> None:
    """A hook runs before the first commit, and must not refuse it."""
    if added:
        subprocess.run(["git", "add", "."], check=True)
    ran = checker("verify", "--since", "HEAD", "--comment", "c.md")
    assert ran.code == 0 and "all 2 expectations met" in ran.out, ran.out + ran.err
    assert "new model Lock" in Path("c.md").read_text(encoding="utf-8")
    Path("lock.py").write_text(MODEL.replace("return 2", "return 4"), encoding="utf-8")


@pytest.mark.parametrize("command", [("verify", "--since", "main"), ("compare", "lock.py", "--against", "HEAD")])
def test_what_needs_a_commit_says_so(begun: None, checker: Any, command: tuple[str, ...]) -> None:
    """And not that a name is wrong or a clone shallow."""
    ran = checker(*command)
    assert ran.code == 2 and "has no commit yet, so there is nothing to compare with" in ran.err
    assert "`checker verify` verifies everything" in ran.err
