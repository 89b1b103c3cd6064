"""Sentences about a change of a model: the same in each form, and none about an edit where nothing was edited."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Ran

COUNTER = '''"""Counts."""
from checker.language import Int, Invariant, Model, action, holds, invariant, require, rule, var, violates


class Low(Invariant):
    def holds(self) -> bool:
        return self.n < 9


class Counter(Model):
    """Counts to two."""

    n = var(Int(0, 9), 0)
    ready = var(Int(0, 1), 0)
    properties = [Low]

    @rule
    def limit(self):
        return 2

    def starts(self):
        self.ready = 1

    @action
    def start(self):
        require(self.ready == 0)
        self.starts()

    @action
    def up(self):
        require(self.ready == 1 and self.n < self.limit())
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3

    expect = holds()
'''
EDITS = '''"""Edits."""
from checker.language import holds, violates
from counter import Counter


class Far(Counter):
    """EDIT: three is good as well."""

    def limit(self):
        return 3

    expect = violates("small")


class Idle(Counter):
    """EDIT: it never starts."""

    def starts(self):
        return

    expect = holds()
'''
Changed = Callable[..., tuple[Ran, str, str]]


@pytest.fixture
def changed(here: Path, checker: Callable[..., Ran]) -> Changed:
    """What `verify --since` says after texts were replaced: the text, the comment and the table."""

    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True
        )

    def change(*pairs: tuple[str, str]) -> tuple[Ran, str, str]:
        files = {Path("counter.py"): COUNTER, Path("edits.py"): EDITS}
        for file, text in files.items():
            file.write_text(text, encoding="utf-8")
        git("init", "-q", "-b", "main")
        git("add", "-A")
        git("commit", "-q", "-m", "models")
        for before, after in pairs:
            assert any(before in text for text in files.values())
            files = {file: text.replace(before, after) for file, text in files.items()}
        for file, text in files.items():
            file.write_text(text, encoding="utf-8")
        ran = checker("verify", ".", "--since", "main", "--comment", "c.md", "--markdown", "m.md", "--jobs", "1")
        return ran, Path("c.md").read_text(encoding="utf-8"), Path("m.md").read_text(encoding="utf-8")

    return change


def test_the_new_name_in_the_prose_of_another_file_is_no_clash(changed: Changed) -> None:
    """edits.py, which Counter does not import, says "good"; each step is the same under the new name."""
    ran, comment, _ = changed(("limit", "good"))
    assert ran.code == 0, ran.out
    assert "**renamed: rule limit → good**" in comment and "every step is the same" in comment
    assert "(removed)" not in comment and "(new)" not in comment and "**changed**" not in comment


def test_what_a_violation_that_is_gone_is_due_to_is_in_the_text(changed: Changed) -> None:
    """There is no run to show; the changed property is the reason."""
    ran, _, _ = changed(("return self.n < 3", "return self.n < 4"))
    assert ran.code == 1
    assert (
        "    small should be violated, but holds\n    invariant small of Counter changed (counter.py:36)\n" in ran.out
    )


def test_what_is_met_only_vacuously_is_called_so_everywhere(changed: Changed) -> None:
    """Counter does now what Idle does, so Far violates nothing, and Idle edits nothing."""
    ran, comment, table = changed(("        self.ready = 1\n", "        return\n"))
    assert "3 expectations, 1 not met, 1 met only vacuously\n" in ran.out, ran.out
    assert "1 of 3 touched expectations not as stated, 1 met only vacuously" in comment.splitlines()[1]
    assert "1 of 3 expectations of 3 models fails, 1 is met only vacuously" in comment
    assert "| **vacuous** | edits.py:Idle |" in table and "| **FAILED** | edits.py |" in table
    assert "1 failed" in table.splitlines()[0] and "1 vacuous" in table.splitlines()[0] and "**undecided**" not in table


def test_a_property_that_is_listed_no_more_is_compared_all_the_same(changed: Changed, checker: Any) -> None:
    """Its text is as before."""
    changed(("    properties = [Low]\n", ""))
    ran = checker("compare", "counter.py", "--against", "main")
    assert "changed    property Low (not listed any more; compared all the same)" in ran.out, ran.out


def test_a_model_beside_a_file_that_moved_is_not_called_an_edit(changed: Changed) -> None:
    """Its import has another line; it has no base that it could edit."""
    changed(("limit", "limit"))
    Path("counter.py").rename("former.py")
    Path("edits.py").write_text(EDITS.replace("from counter", "from former"), encoding="utf-8")
    command = [sys.executable, "-m", "checker", "verify", ".", "--since", "main", "--comment", "c.md", "--jobs", "1"]
    ran = subprocess.run(command, capture_output=True, text=True)
    comment = Path("c.md").read_text(encoding="utf-8")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "nothing is edited" not in comment and "**changed** nothing in this model" in comment, comment


def test_a_change_of_an_edit_is_not_called_the_edit(changed: Changed) -> None:
    """The edit is the class; what its file had before is before the change."""
    ran, comment, table = changed(("        return\n", "        self.n = 5\n"))
    assert "before the change it ends (edits.py:" in ran.out, ran.out
    for text in (ran.out, comment, table):
        assert "before the edit" not in text, text


def test_a_change_of_a_protocol_is_its_edit(changed: Changed) -> None:
    """Counter edits nothing."""
    ran, _, _ = changed(("return 2", "return 4"))
    assert "before the edit it is always 2 (counter.py:" in ran.out and "before the change it" not in ran.out, ran.out


def test_two_properties_that_one_limit_leaves_open_are_one_line(here: Path, checker: Any) -> None:
    """The limit is named once."""
    (here / "counter.py").write_text(COUNTER, encoding="utf-8")
    ran = checker("verify", "counter.py", "--max-states", "2")
    assert ran.code == 4 and ran.out.count("--max-states 2") == 1, ran.out
    assert "should hold, but are undecided: the search was stopped by the limit on states" in ran.out


TALK = """
from checker.language import Int, Model, action, require, var


class Base(Model):
    n = var(Int(0, 2), 0)

    @action
    def leave(self):
        require(self.n == 0)
        self.n = 2

    @action
    def speak(self):
        require(self.n == 0)
        self.n = 1
        self.emit.say()


class Edit(Base):
    '''EDIT: nobody leaves in silence.'''

    leave = None
"""


def test_a_run_without_events_that_one_side_has_is_told(here: Path, checker: Any) -> None:
    """Its sequence has no event but the end."""
    (here / "talk.py").write_text(TALK, encoding="utf-8")
    ran = checker("compare", "talk.py:Base", "talk.py:Edit")
    told = "one that is gone: a run that ends without any event; no run of the edit does\n"
    assert told in ran.out and "at once" not in ran.out, ran.out


def test_a_variable_of_one_possible_value_is_not_profiled(here: Path, checker: Any) -> None:
    """Without losses nothing is ever lost."""
    ran = checker("check", "fifo_multicast", "--profile")
    assert "  variables  " in ran.out and " 0 bits" not in ran.out, ran.out
