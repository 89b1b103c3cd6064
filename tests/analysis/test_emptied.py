"""A changed property that says nothing any more is named, of whatever kind.  The model keeps it as it was before, so
that no search finds the difference."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TEXT = '''"""A counter that stops at its top: 4 states, each property holds."""

from checker.language import Ids, Int, LeadsTo, Model, Set, action, holds, of, reachable, require, step_invariant, var


class Stops(LeadsTo):
    def when(self) -> bool:
        return self.n > 0

    def then(self) -> bool:
        return self.n == 3


class Met(LeadsTo):
    def when(self, p: of("Node")) -> bool:
        return self.n == 1

    def then(self, p: of("Node")) -> bool:
        return p in self.seen


class Counter(Model):
    Node = Ids("p", 2)
    n = var(Int(0, 3), 0)
    seen = var(Set[Node])
    properties = [Stops, Met]

    @action
    def up(self) -> None:
        require(self.n < 3)
        self.n += 1
        if self.n == 2:
            self.seen = set(self.Node)

    @step_invariant
    def rises(self) -> bool:
        return self.n > self.before.n

    @reachable
    def top(self) -> bool:
        return self.n == 3

    expect = holds()
'''
THEN = ("        return self.n == 3\n\n\nclass Met", "        return {}\n\n\nclass Met")
EMPTIED = [
    ("Stops", THEN[0], THEN[1].format("True")),
    ("Stops", THEN[0], THEN[1].format("self.n > 0")),  # as `when`
    ("Stops", THEN[0], THEN[1].format("self.n >= 0")),
    ("Stops", "return self.n > 0", "return self.n == 3"),  # as `then`
    ("Stops", "return self.n > 0", "return self.n > 3"),  # in no state
    ("Met", "return p in self.seen", "return p in self.seen or self.n >= 1"),
    ("rises", "self.n > self.before.n", "True"),
    ("rises", "self.n > self.before.n", "self.n + 3 >= self.before.n"),
    ("top", "        return self.n == 3\n\n    expect", "        return self.n < 4\n\n    expect"),
]
KEPT = [
    (THEN[0], THEN[1].format("self.n > 2")),
    ("return p in self.seen", "return p in self.seen and len(self.seen) > 1"),
    ("return p in self.seen", "return p in self.seen or self.n >= 2"),  # weaker
    ("self.n > self.before.n", "self.n >= self.before.n"),
    ("        return self.n == 3\n\n    expect", "        return self.n > 1\n\n    expect"),
]


@pytest.fixture
def after(here: Path, checker: Any) -> Any:
    """What `verify --since` says after a replacement in the one file of a repository, and its exit code."""
    file = Path("counting.py")
    file.write_text(TEXT, encoding="utf-8")
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "start"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *command], check=True, capture_output=True)

    def execute(old: str, new: str) -> tuple[list[str], int]:
        assert TEXT.count(old) == 1
        file.write_text(TEXT.replace(old, new), encoding="utf-8")
        for name in [n for n in sys.modules if n.startswith(("model_counting", "counting"))]:
            del sys.modules[name]
        ran = checker("verify", "counting.py", "--since", "main")
        assert "DIFFERS" not in ran.out, ran.out + ran.err
        return [line for line in ran.out.splitlines() if line.startswith("expectation weakened: ")], ran.code

    return execute


@pytest.mark.parametrize(("name", "old", "new"), EMPTIED)
def test_a_property_that_says_nothing_any_more_is_named(after: Any, name: str, old: str, new: str) -> None:
    """Nothing is expected of a run that the state, or the step, has not shown yet."""
    pytest.importorskip("z3")
    told, code = after(old, new)
    assert code == 3 and len(told) == 1 and f": {name} was changed, and says nothing now: " in told[0], told


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_a_property_that_says_less_or_the_same_and_is_kept_is_none(after: Any, old: str, new: str) -> None:
    """The model keeps the former property, and the new one still needs more than its types."""
    assert after(old, new) == ([], 0)


@pytest.mark.parametrize("number", [0, 6])
def test_what_returns_true_is_found_without_z3(after: Any, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Its text shows it."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "z3" else find(name, *more))
    name, old, new = EMPTIED[number]
    told, code = after(old, new)
    assert code == 3 and f": {name} was changed, and says nothing now: " in told[0], told
