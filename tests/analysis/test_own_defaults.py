"""A default that a change replaces: the model before the change has its own, where both can be compared then."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TEXT = """from checker.language import Ids, Int, Model, Set, action, const, holds, invariant, require, var


class Counter(Model):
    top = const(2, "highest")
    clients = const(1, "how many")
    Client = Ids("c", clients)
    n = var(Int(0, 9), 0)
    inside = var(Set[Client])

    @action
    def up(self) -> None:
        require(self.n < self.top)
        self.n += 1

    @action
    def enter(self, c: Client) -> None:
        require(c not in self.inside)
        self.inside.add(c)

    @invariant
    def small(self) -> bool:
        return self.n < 3

    expect = holds()
"""
TOP, CLIENTS = ("const(2,", "const(4,"), ("const(1,", "const(2,")
BAD = ("return self.n < 3", "return self.n < 2")


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def changed(here: Path) -> Iterator[Any]:
    """Commits a text, and leaves another one in the working directory."""

    def write(before: str, *replacements: tuple[str, str]) -> None:
        Path("counting.py").write_text(before, encoding="utf-8")
        git("init", "-q", "-b", "main")
        git("add", ".")
        git("commit", "-qm", "start")
        for old, new in replacements:
            assert before.count(old) == 1
            before = before.replace(old, new)
        Path("counting.py").write_text(before, encoding="utf-8")

    yield write
    for name in [n for n in sys.modules if n.startswith(("model_counting", "counting"))]:
        del sys.modules[name]


def test_each_side_has_its_own_default(changed: Any, checker: Any) -> None:
    """With the former constant nothing was violated; with that of today in both, nothing would differ."""
    changed(TEXT, TOP)
    ran = checker("compare", "counting.py", "--against", "main")
    assert ran.code == 1 and "  breaks     small" in ran.out, ran.out + ran.err
    assert "constant top: 2 → 4" in ran.out and "default top" not in ran.out
    assert "step 3 is up" in ran.out and "also a run of" not in ran.out
    checker("verify", "counting.py", "--since", "main", "--comment", "c.md")
    comment = Path("c.md").read_text(encoding="utf-8")
    assert "**breaks** small" in comment and "constant top: 2 → 4" in comment, comment
    assert "no difference" not in comment and "as before" not in comment and "before the change" not in comment


def test_a_given_constant_is_that_of_both(changed: Any, checker: Any) -> None:
    changed(TEXT, TOP)
    ran = checker("compare", "counting.py", "--against", "main", "-D", "top=4")
    assert ran.code == 0 and "both run with 4" in ran.out, ran.out + ran.err


def test_what_was_searched_with_todays_constants_is_not_called_before(changed: Any, checker: Any) -> None:
    """Another number of clients is another configuration: both models have that of today, which is said."""
    changed(TEXT.replace(*BAD), CLIENTS)
    ran = checker("compare", "counting.py", "--against", "main")
    assert "default clients: 1 → 2, both run with 2" in ran.out and "as before" not in ran.out, ran.out
    checker("verify", "counting.py", "--since", "main", "--comment", "c.md")
    comment = Path("c.md").read_text(encoding="utf-8")
    assert "**violated** by the former model with today's clients=2, too: small" in comment, comment
    assert "before the change" not in comment and "as before" not in comment


def test_a_property_that_is_listed_no_more_is_an_edit(changed: Any, checker: Any) -> None:
    """The model is checked with less, though each step of it is the same."""
    listed = "class Low(Invariant):\n    def holds(self) -> bool:\n        return self.n < 9\n\n\nclass Counter"
    text = TEXT.replace("import Ids", "import Ids, Invariant").replace("class Counter", listed)
    changed(text.replace("    expect = ", "    properties = [Low]\n    expect = "), ("    properties = [Low]\n", ""))
    ran = checker("compare", "counting.py", "--against", "main")
    assert "changed    property Low" in ran.out and "nothing is edited" not in ran.out, ran.out + ran.err
