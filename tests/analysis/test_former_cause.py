"""An edit that a change breaks: its runs are compared with what it was, before they are compared with what it edits."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

MODEL = '''"""A lock."""
from checker.language import Int, Model, action, holds, invariant, require, rule, var, violates


class Lock(Model):
    """One holder at most."""

    n = var(Int(0, 9), 0)
    m = var(Int(0, 9), 0)

    @rule
    def limit(self) -> int:
        return 2

    @action
    def up(self) -> None:
        require(self.n < self.limit())
        self.n += 1

    @action
    def other(self) -> None:
        require(self.m < 3)
        self.m += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3

    expect = holds()


class Far(Lock):
    """EDIT: other goes further."""

    @action
    def other(self) -> None:
        require(self.m < 5)
        self.m += 1

    expect = holds()
'''
NEW = '''

class New(Lock):
    """EDIT: other goes less far."""

    @action
    def other(self) -> None:
        require(self.m < 1)
        self.m += 1

    expect = holds()
'''
OWN = NEW.replace("New", "Own").replace("self.m < 1)\n", "self.m < 1 and self.n < 3)\n        self.n = 3\n")
CAUSE = "CAUSE in step 3, up: limit() is always 4 (lock.py:13); before the edit it is always 2 (lock.py:13)"


def git(*arguments: str) -> None:
    """In the working directory."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def lock(here: Path) -> Path:
    """A repository with a lock and an edit of it."""
    file = Path("lock.py")
    file.write_text(MODEL, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "start")
    return file


def told(out: str, reference: str) -> str:
    """The reason below the line of an expectation."""
    lines = out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"DIFFERS      {reference}  "))
    return lines[at + 2]


def test_an_edit_that_held_is_broken_by_the_change_of_what_it_edits(lock: Path, checker: Any) -> None:
    """What it edits breaks the property too, and only because of the change: that is no reason to blame nothing."""
    lock.write_text(MODEL.replace("return 2", "return 4") + NEW, encoding="utf-8")
    ran = checker("verify", "lock.py", "--since", "main", "--comment", "c.md")
    former = CAUSE.replace("before the edit", "before the change")  # Far is an edit: its former version is none
    for reference, cause in (("lock.py:Far", former), ("lock.py:New", CAUSE)):  # together one cause, shown once
        alone = checker("verify", reference, "--since", "main").out
        assert cause in told(alone, reference), alone
    assert "breaks the property too" not in ran.out and "Broken before" not in ran.out
    text = Path("c.md").read_text(encoding="utf-8")
    assert "- **violated** by the model that it edits, too: small" in text and "before the change, too" not in text


def test_a_new_edit_that_breaks_by_itself_keeps_the_mark_against_what_it_edits(lock: Path, checker: Any) -> None:
    """The model that it edits holds."""
    lock.write_text(MODEL + OWN, encoding="utf-8")
    ran = checker("verify", "lock.py", "--since", "main")
    assert "CAUSE in step 1: other first sets n to 3 (lock.py:49)" in told(ran.out, "lock.py:Own"), ran.out


def test_what_was_broken_before_the_change_is_said_to_be(lock: Path, checker: Any) -> None:
    """The class itself broke the property at the merge base."""
    lock.write_text(MODEL.replace("return 2", "return 4") + OWN, encoding="utf-8")
    git("commit", "-qam", "broken")
    lock.write_text(MODEL.replace("return 2", "return 5") + OWN, encoding="utf-8")
    ran = checker("verify", "lock.py:Far", "--since", "main")
    assert "; Not caused by the change: Far, the protocol before it, has this run too; last step up (" in told(
        ran.out, "lock.py:Far"
    ), ran.out
    assert "CAUSE" not in told(ran.out, "lock.py:Far")
