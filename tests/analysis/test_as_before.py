"""A property whose own text is the same says less if what it calls or reads does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TEXT = """from checker.language import Int, Invariant, Model, action, const, holds, invariant, require, rule, var

HIGHEST = 3


class Below(Invariant):
    def holds(self) -> bool:
        return self.low(self.n) and self.mine(self.n)

    def mine(self, n: Int(0, 12)) -> bool:
        return n <= self.top


class Counter(Model):
    top = const(3, "highest")
    half = top + 1
    n = var(Int(0, 12), 0)

    @rule
    def may(self) -> bool:
        return self.n < 3

    @action
    def up(self) -> None:
        require(self.may() and self.shared(self.n))
        self.n += 1

    def low(self, n: Int(0, 12)) -> bool:
        return self.lower(n)

    def lower(self, n: Int(0, 12)) -> bool:
        return n <= 3

    def shared(self, n: Int(0, 12)) -> bool:
        return n < 3

    @invariant
    def of_helper(self) -> bool:
        return self.low(self.n)

    @invariant
    def of_shared(self) -> bool:
        return self.n == 0 or self.shared(self.n - 1)

    @invariant
    def of_value(self) -> bool:
        return self.n <= HIGHEST

    @invariant
    def of_derived(self) -> bool:
        return self.n < self.half

    @invariant
    def of_rule(self) -> bool:
        return self.n == 0 or self.n <= 12 and (self.may() or self.n > 0)

    properties = [Below]
    expect = holds(only=[ONLY])
"""
MAY = ("        return self.n < 3\n\n    @action", "        return self.n < 5\n\n    @action")
SHARED = ("return n < 3", "return n < 5")
LOWER = ("return n <= 3\n\n    def shared", "return n <= 5\n\n    def shared")
BROKEN = (MAY, SHARED)
MINE = ("return n <= self.top", "return n <= 5")
TOP = ('const(3, "highest")', 'const(5, "highest")')
THROUGH = "{} was changed, through {}; as it was before, it is violated in 4 steps"


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("only", "replacements", "what"),
    [
        ("of_helper", (*BROKEN, LOWER), THROUGH.format("of_helper", "lower")),
        ("of_helper", (*BROKEN, ("return self.lower(n)", "return n <= 5")), "of_helper was changed, through low"),
        ("of_shared", BROKEN, THROUGH.format("of_shared", "shared")),
        ("of_value", (*BROKEN, ("HIGHEST = 3", "HIGHEST = 5")), "of_value was changed, through HIGHEST; as it was"),
        ("of_derived", (*BROKEN, TOP), "of_derived was changed, through half (it was 4); as it was before"),
        ("Below", (*BROKEN, LOWER, TOP), "Below was changed, through "),
        (
            "Below",
            (*BROKEN, LOWER, ("return n <= self.top", "return n <= 5")),
            "Below was changed, through top (it was 3), lower; as",
        ),
        # what says the same, or only allows more of what never happens, is no loss
        ("of_helper", (LOWER,), ""),
        ("of_helper", (("return self.lower(n)", "return n < 4"),), ""),
        ("of_value", (("HIGHEST = 3", "HIGHEST = 9"),), ""),
        ("of_derived", (TOP,), ""),
        ("of_rule", (MAY,), ""),
    ],
)
def test_a_property_is_asked_with_what_it_called_and_read(
    here: Path, checker: Any, only: str, replacements: tuple[tuple[str, str], ...], what: str
) -> None:
    """Its helpers, also where an action calls them; values of the module; constants."""
    text = TEXT.replace("ONLY", "Below" if only == "Below" else f"'{only}'")
    Path("counting.py").write_text(text, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "start")
    for old, new in replacements:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    Path("counting.py").write_text(text, encoding="utf-8")
    ran = checker("verify", "counting.py", "--since", "main", "--json", "o.json")
    for name in [n for n in sys.modules if n.startswith(("model_counting", "counting"))]:
        del sys.modules[name]
    found = [one["what"] for one in json.loads(Path("o.json").read_text(encoding="utf-8"))["removed"]]
    assert ran.code == (3 if what else 0), ran.out + ran.err
    assert [text.startswith(what) for text in found] == [True] * bool(what), found
    assert "was before" not in ran.out or what, ran.out
