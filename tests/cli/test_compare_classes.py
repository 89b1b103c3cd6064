"""Files with several classes: which of them `compare` compares where none is named, and in which configurations."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.models.sequencer import Sequencer
from tests.cli.test_compare_journey import BRIEFLY, CAST

HASTY = '''

class Hasty(Votes):
    """EDIT: one vote fewer, if there is a third process."""

    @rule
    def enough(self, p):
        return len(self.voted) > self.phi
'''
CHANGED = HASTY.replace("> self.phi", "> self.phi - (1 if len(self.Process) > 2 else 0)")
SAME = CAST.replace("p not in self.voted)", "not p in self.voted)", 1)
BOLD = HASTY.replace("Hasty", "Bold")


@pytest.fixture
def committed(here: Path) -> Path:
    """The protocol and an edit in one file, in a repository."""
    (here / "votes.py").write_text(CAST + HASTY)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "one")):
        subprocess.run([*git, *arguments], check=True, capture_output=True)
    return here


@pytest.mark.parametrize("against", ["HEAD", "old.py"])
def test_the_class_that_is_changed_is_compared_where_the_model_states_verdicts(
    against: str, committed: Path, checker: Any
) -> None:
    """The main class is as before, the edit is not; it states no expectation, the model that it edits states three."""
    (committed / "old.py").write_text(CAST + HASTY)
    (committed / "votes.py").write_text(CAST + CHANGED)
    found = checker("compare", "votes.py", "--against", against, *BRIEFLY, "--json", "c.json")
    before = "votes.py:Hasty at HEAD" if against == "HEAD" else "old.py:Hasty"
    assert found.out.startswith(f"{before} against votes.py:Hasty\n") and "nothing is edited" not in found.out
    assert found.code == 1 and "at         processes=3: breaks a_majority_has_voted" in found.out
    rows = json.loads(Path("c.json").read_text())["configurations"]
    assert [row["given"] for row in rows] == [{"processes": 2}, {"processes": 3}, {"processes": 4, "phi": 2}]


def test_other_changed_and_new_classes_are_named_with_the_command_that_compares_them(
    committed: Path, checker: Any
) -> None:
    """One comparison is of one class."""
    (committed / "votes.py").write_text(SAME + CHANGED + BOLD)
    found = checker("compare", "votes.py", "--against", "HEAD", *BRIEFLY, "-D", "processes=2")
    assert found.out.startswith("votes.py at HEAD against votes.py\n")
    told = [line.removeprefix("  warning    ") for line in found.out.splitlines() if "not compared" in line]
    commands = ("votes.py:Hasty --against HEAD", "votes.py:Bold")
    assert [line.strip() for line in told] == [
        f"votes.py: class Votes is compared; not compared, but changed too: Hasty; checker compare {commands[0]}",
        f"not compared, since it is new: Bold; checker compare {commands[1]}",
    ]
    for command in commands:
        assert checker("compare", *command.split(), *BRIEFLY, "-D", "processes=2").code in (0, 1)


def test_a_change_that_an_edit_only_inherits_is_none_of_the_edit(committed: Path, checker: Any) -> None:
    """The comparison of the main class says it."""
    (committed / "votes.py").write_text(SAME + HASTY)
    assert "not compared" not in checker("compare", "votes.py", "--against", "HEAD", *BRIEFLY, "-D", "processes=2").out


def test_a_file_of_edits_without_a_class_names_those_that_are_left_out(here: Path, checker: Any) -> None:
    """The first is compared."""
    (here / "votes.py").write_text(CAST)
    (here / "edits.py").write_text(f"from checker.language import rule\nfrom votes import Votes\n{CHANGED}{BOLD}")
    found = checker("compare", "edits.py", *BRIEFLY, "-D", "processes=2")
    said = "edits.py: class Hasty is compared; not compared, in the same file: Bold; checker compare edits.py:Bold"
    assert said in " ".join(found.out.split())
    named = checker("compare", "edits.py:Hasty", *BRIEFLY, "-D", "processes=2")
    assert named.out.startswith("votes.py against edits.py:Hasty") and "not compared" not in named.out


def test_the_copy_of_a_shipped_model_is_told_what_to_compare_it_with(here: Path, checker: Any) -> None:
    """It derives from no model; its class has the name of one.  The command compares the two."""
    text = Path(str(sys.modules[Sequencer.__module__].__file__)).read_text(encoding="utf-8")
    (here / "mine.py").write_text(text.replace("m in self.held[p] and self.due", "self.due"), encoding="utf-8")
    refused = checker("compare", "mine.py")
    assert refused.code == 2 and "for example `checker compare sequencer mine.py`" in refused.err
    found = checker("compare", "sequencer", "mine.py", *BRIEFLY, "--events", "0", "-D", "workload=1,1")
    assert found.out.startswith("sequencer against mine.py\n") and "changed    rule deliverable" in found.out
    assert "not compared" not in found.out
    (here / "own.py").write_text(CAST, encoding="utf-8")
    assert "for example" not in checker("compare", "own.py").err
