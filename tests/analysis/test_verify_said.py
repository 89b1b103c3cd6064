"""What `checker verify` says of an expectation that is not met: what was expected and found, and of an error of the
model what it is, with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from junitparser import JUnitXml

from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

BEYOND = '''"""Counts."""
from checker.language import Int, Model, action, holds, invariant, var, violates


class Beyond(Model):
    """Counts on."""

    n = var(Int(0, 2), 0)

    @action
    def up(self):
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 2

    expect = EXPECTED
'''


def test_a_model_error_is_named_with_its_line(checker: Checker, write: Write) -> None:
    """Nobody has claimed that "out of range" should hold."""
    file = write("beyond.py", BEYOND.replace("EXPECTED", 'violates("small", steps=2)'))
    ran = checker("verify", file, "--lines", "l.txt", "--junit", "j.xml")
    assert ran.code == 1 and "    model error: out of range (line 12), in 3 steps\n" in ran.out
    said = "model error: 3 is out of range Int(0, 2) (beyond.py:12), in 3 steps"
    assert Path("l.txt").read_text(encoding="utf-8") == f"beyond.py:12: error: {said} [beyond.py]\n"
    (wrong,) = [case for suite in JUnitXml.fromfile("j.xml") for case in suite if case.result]
    assert wrong.result[0].message == said and wrong._elem.get("line") == "12"


def test_what_is_not_met_is_told_from_what_was_found(checker: Checker, write: Write) -> None:
    """The line alone must not read as if the model held; a wrong number is said below it."""
    stated = 'holds(only=["small"])', 'violates("small", only=["small"], steps=3)'
    text = BEYOND.replace("self.n += 1", "self.n = (self.n + 1) % 3")
    ran = checker("verify", write("up.py", text.replace("EXPECTED", f"[{', '.join(stated)}]")))
    assert ran.code == 1
    assert [line.split("  ")[-2 if "state" in line else -1] for line in ran.out.splitlines() if "DIFFERS" in line] == [
        "expected holds, found violated",
        "violates small, but not as stated",
    ]
