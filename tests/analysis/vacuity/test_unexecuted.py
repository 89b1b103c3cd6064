"""Branches that no step executes and variables that never change are found, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

COUNTER = '''"""A number that grows to three."""

from checker.language import Bool, Int, Model, action, expect_nothing, invariant, require, rule, var


class Counter(Model):
    """It grows."""

    n = var(Int(0, 9), 0)
    seen = var(Int(0, 9), 0)

    @action
    def grow(self):
        require(self.n < 3)
        self.n += 1
BODY

    @action
    def look(self):
        self.note(2)

    def note(self, least: Int(0, 9)):
        if self.n >= least:
            self.seen = self.n

    @rule
    def early(self) -> bool:
        return False

    @action
    def ask(self):
        require(self.early() or self.n < 9)
        self.seen = min(self.seen, 8)

    @invariant
    def small(self) -> bool:
        """It is small."""
        return self.seen <= 3
'''.replace(" expect_nothing,", "")

BODIES = {
    "if self.n > 5: self.seen = 1": {"'n > 5' is never true: what is under its `if` is never executed"},
    "if self.n == 2: self.seen = 1": set(),
    "if self.n > 0: self.seen = 1": set(),
    "if self.n > 0: self.seen = 1\nelse: self.seen = 2": {
        "'n > 0' is never false: what is under its `else` or `elif` is never executed"
    },
    "if self.n == 9: self.seen = 1\nelif self.n == 1: self.seen = 2\nelif self.n == 8: self.seen = 3": {
        "'n == 9' is never true: what is under its `if` is never executed",
        "'n == 8' is never true: what is under its `if` is never executed",
    },
    "if self.n > 0: return\nself.seen = 1": {"'n > 0' is never false: what follows its `if` is never executed"},
    "if self.n > 1: return\nself.seen = 1": set(),
    "if self.n > 7: return\nself.seen = 1": set(),
    "if self.n > 7:\n    if self.n > 8: self.seen = 1": {
        "'n > 7' is never true: what is under its `if` is never executed"
    },
    "if self.n > 1:\n    if self.n < 2: self.seen = 1": {
        "'n < 2' is never true: what is under its `if` is never executed"
    },
    "if self.n > 7: assert self.n < 9": set(),
    "if self.early(): self.seen = 1": set(),
    "if self.n > 0: self.seen = 1\nelif self.n == 8: self.seen = 2\nelse: self.seen = 3": {
        "'n > 0' is never false: what is under its `else` or `elif` is never executed"
    },
    "if self.n > 0: return\nif self.n > 8: self.seen = 1": {
        "'n > 0' is never false: what follows its `if` is never executed"
    },
    "for k in range(3):\n    if k == 2 and self.n == 3: self.seen = 1\n    if k + self.n > 5: self.seen = 2": {
        "'k + n > 5' is never true: what is under its `if` is never executed"
    },
    "for k in range(3):\n    if self.seen == 2 * k + 1: self.seen = min(self.seen + 2, 3)\n"
    "    if k == 0: self.seen = 1": set(),
    "self.note(9)": set(),
    "if self.n > 0 and (\n    self.n > 6\n): self.seen = 1": {
        "'n > 0 and n > 6' is never true: what is under its `if` is never executed"
    },
}


def model(body: str) -> str:
    """The counter, whose action goes on with this."""
    return COUNTER.replace("BODY", "\n".join(f"        {line}" for line in body.splitlines()))


@pytest.mark.parametrize("body", BODIES)
def test_the_branches_that_no_step_executes_are_named(checker: Checker, write: Write, body: str) -> None:
    """The outermost ones that change a variable; a branch of a method is executed if it is under some caller."""
    ran = checker("check", write("counter.py", model(body)), "--coverage", "--json", "-")
    found = {f["text"] for f in ran.json()["findings"]}
    assert {text.partition(": ")[2] for text in found} == BODIES[body]
    assert all(text.startswith("grow (counter.py:") for text in found)


def test_under_strict_nothing_is_held_by_a_branch_that_is_never_executed(checker: Checker, write: Write) -> None:
    """Exit code 3, with the line and the condition; an ordinary check does not look."""
    path = write("counter.py", model("if self.n > 5: self.seen = 1"))
    assert checker("check", path).code == 0
    ran = checker("check", path, "--strict")
    assert ran.code == 3 and "grow (counter.py:16): 'n > 5' is never true" in ran.out
    assert ran.out.splitlines()[-1].startswith("VACUOUS  nothing is violated, but: never-executed grow (counter.py:16)")
    assert checker("check", write("live.py", model("if self.n > 1: self.seen = 1")), "--strict").code == 0


def test_a_variable_that_never_changes_is_named(checker: Checker, write: Write) -> None:
    """Not one that no action assigns, nor one that an action assigns which is never enabled: that is told already."""
    text = model("self.still = 0\nself.moved = self.n").replace(
        "    seen = var",
        "    still = var(Int(0, 9), 0)\n    moved = var(Int(0, 9), 0)\n    kept = var(Int(0, 9), 2)\n    seen = var",
    )
    text = text.replace("self.seen <= 3", "self.seen <= 3 and self.kept == 2 and self.still + self.moved < 9")
    ran = checker("check", write("still.py", text), "--strict", "--json", "-")
    said = {(f["kind"], f["subject"], f["text"]) for f in ran.json()["findings"]}
    assert said == {("never-changed", "still", "the variable still never changes: no step gives it another value")}
    assert ran.code == 3
    idle = text.replace(
        "    @rule",
        "    @action\n    def never(self):\n        require(self.n > 8)\n        self.still = 1\n\n    @rule",
    )
    findings = checker("check", write("idle.py", idle), "--strict", "--json", "-").json()["findings"]
    assert [(f["kind"], f["subject"]) for f in findings] == [("never-enabled", "never")]


MERGED = '''"""A token goes round; states that differ in names only are merged."""

from checker.language import Ids, Model, action, anything, invariant, var


class Token(Model):
    """It is somewhere."""

    Place = Ids("p", 3, symmetric=True)
    at = var(Place, anything)

    @action
    def move(self, p: Place):
        self.at = p

    @invariant
    def somewhere(self) -> bool:
        """It is at one place."""
        return any(self.at == p for p in self.Place)
'''


def test_a_variable_that_changes_within_a_merged_class_is_not_named(checker: Checker, write: Write) -> None:
    """All places of the token are one state there."""
    ran = checker("check", write("token.py", MERGED), "-D", "symmetry=true", "--strict", "--json", "-")
    assert ran.json()["distinct"] == 1 and ran.json()["findings"] == []


EDITED = """
from checker.language import holds
from counter import Counter


class Low(Counter):
    \"\"\"EDIT: look earlier.\"\"\"

    expect = holds()

    @rule_
    def early(self) -> bool:
        return self.n > 8
"""


def test_verify_strict_clears_a_branch_that_the_base_executes(checker: Checker, write: Write) -> None:
    """As it clears an empty domain in a method that the edit does not change; without such an expectation of the base
    the finding stays."""
    base = model("if self.early(): self.seen = 1")
    base = base.replace("return False", "return self.n > 1").replace("import Bool", "import Bool, holds")
    edit = EDITED.replace("import holds", "import holds, rule").replace("@rule_", "@rule")
    for name, stated, code in (("stated", "    expect = holds()\n", 0), ("silent", "", 3)):
        write(f"{name}.py", base.replace("    n = var", f"{stated}    n = var"))
        path = write(f"{name}_low.py", edit.replace("from counter", f"from {name}"))
        assert checker("verify", path, "--strict").code == code
