"""Of several changed parts the one that matters is named: each is changed back alone, and everything is verified
again."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.changed_back import with_former
from checker.language.errors import UsageError

MODEL = '''"""A lock."""
from checker.language import Int, Invariant, Model, action, const, holds, require, rule, var

FAR = 3


def most() -> int:
    return 1


class Small(Invariant):
    def holds(self) -> bool:
        return self.n < 3


class Lock(Model):
    slack = const(0, "how much more")
    n = var(Int(0, 9), 0)
    m = var(Int(0, 9), 0)

    @rule
    def limit(self) -> int:
        return 1

    @action
    def up(self) -> None:
        require(self.n < self.limit() + self.slack)
        self.n += 1

    @action
    def other(self) -> None:
        require(self.m < FAR)
        self.m += 1

    properties = [Small]
    expect = holds()
'''
INNOCENT = (("FAR = 3", "FAR = 4"), ("self.m += 1", "self.m += 2"))


def git(*arguments: str) -> None:
    """In the working directory."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def changed(here: Path, checker: Any) -> Any:
    """The reason, the sentence of the comment, and the first line of the SARIF file, after replacements."""
    file = Path("lock.py")
    file.write_text(MODEL, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "start")

    def execute(*replacements: tuple[str, str]) -> tuple[str, str, int]:
        text = MODEL
        for old, new in replacements:
            assert text.count(old) == 1
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
        ran = checker("verify", "lock.py", "--since", "main", "--comment", "c.md", "--sarif", "s.json")
        assert ran.code == 1, ran.out + ran.err
        why = next(line for line in ran.out.splitlines() if line.startswith("    ") and "should hold" not in line)
        comment = Path("c.md").read_text(encoding="utf-8").splitlines()
        (result,) = json.loads(Path("s.json").read_text(encoding="utf-8"))["runs"][0]["results"]
        line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        return why.strip(), next((text for text in comment if "Due to" in text), ""), line

    return execute


def test_the_one_part_that_matters_is_named(changed: Any) -> None:
    """It is neither the first nor the last in the file."""
    why, sentence, line = changed(*INNOCENT, ("slack = const(0", "slack = const(2"))
    assert why.startswith("constant slack of Lock (const(0, 'how much more') → const(2, 'how much more')) changed")
    assert "FAR" not in why and "other" not in why and line == 17
    assert (
        sentence.endswith("(`lock.py:17`): if it alone is changed back, nothing fails here.")
        and "**constant slack" in sentence
    )
    assert changed(*INNOCENT, ("return 1\n\n    @action", "return 3\n\n    @action"))[0].startswith(
        "rule limit of Lock"
    )


def test_parts_that_matter_together_are_all_named(changed: Any) -> None:
    """Either of them changed back ends the failure; the innocent part is not named."""
    why, sentence, _ = changed(
        INNOCENT[0],
        ("slack = const(0", "slack = const(1"),
        ("        return 1\n\n    @a", "        return 2\n\n    @a"),
    )
    assert (
        why.startswith("constant slack of Lock (") and " changed (lock.py:17) and rule limit of Lock changed (" in why
    )
    assert "FAR" not in why and "if any of them alone is changed back, nothing fails here" in sentence


def test_where_each_of_several_is_enough_no_part_is_blamed_alone(changed: Any) -> None:
    """All are named."""
    why, sentence, _ = changed(
        ("slack = const(0", "slack = const(2"), ("        return 1\n\n    @a", "        return 3\n\n    @a")
    )
    assert (
        why.startswith("no part alone: constant slack of Lock (") and "; rule limit of Lock changed (lock.py:23)" in why
    )
    assert sentence == "> Due to no part alone: the failure stays, whichever is changed back."


def test_a_part_that_cannot_be_changed_back_alone_leaves_it_open(changed: Any) -> None:
    """The rule calls one that is new: without that the model cannot be read, but the call can be changed back."""
    new = ("    @rule\n", "    @rule\n    def more(self) -> int:\n        return 3\n\n    @rule\n")
    calls = ("        return 1\n\n    @action\n    def up", "        return self.more()\n\n    @action\n    def up")
    why, sentence, _ = changed(new, calls)
    assert (
        why.startswith("rule limit of Lock changed (lock.py:27); CAUSE") and "if it alone is changed back" in sentence
    )
    why, sentence, _ = changed(new, calls, ("slack = const(0", "slack = const(2"))
    assert why.startswith("constant slack of Lock (") and ", and 2 other parts; CAUSE" in why and not sentence


FAR = """

class Far(Lock):
    @rule
    def limit(self) -> int:
        return 5

    expect = violates(Small)
"""


@pytest.fixture
def far(changed: Any) -> str:
    """The text of the file, in which the edit Far violates the property, as it should."""
    text = MODEL.replace("import Int,", "import violates, Int,") + FAR
    Path("lock.py").write_text(text, encoding="utf-8")
    git("commit", "-qam", "an edit")
    return text


def test_an_expectation_that_changed_may_be_all_that_matters(far: str, checker: Any) -> None:
    """The edit violates the property as it did before, and is expected to hold now."""
    text = far.replace("expect = violates(Small)", "expect = holds()").replace(*INNOCENT[0])
    Path("lock.py").write_text(text, encoding="utf-8")
    ran = checker("verify", "lock.py", "--since", "HEAD")
    assert "    expectation of Far changed (lock.py:" in ran.out and "FAR" not in ran.out, ran.out


def test_an_expectation_that_says_more_is_not_blamed_for_the_rule(far: str, checker: Any) -> None:
    """It has no former version with the constants that are new."""
    text = far.replace("expect = holds()", 'expect = [holds(), holds(at={"slack": 1})]')
    Path("lock.py").write_text(text.replace("return 1\n\n    @action", "return 4\n\n    @action"), encoding="utf-8")
    ran = checker("verify", "lock.py:Lock", "--since", "HEAD")
    assert ran.out.count("    rule limit of Lock changed (lock.py:23); ") == 1, ran.out
    assert "\nDIFFERS      like lock.py  Small: 1 other expectation of Lock\n" in ran.out


def test_the_former_text_of_one_part_is_put_in_its_place() -> None:
    """Of a method with its decorator, a class, a value; what is new goes, and what was removed comes back."""
    new = MODEL.replace("FAR = 3", "FAR = (\n    4\n)").replace("return self.n < 3", "return self.n < 8")
    new = new.replace("    @rule\n    def limit(self) -> int:\n        return 1\n\n", "")
    new = new.replace(
        "        self.m += 1\n", "        self.m += 1\n\n    @action\n    def more(self) -> None:\n        self.m = 0\n"
    )
    assert "FAR = 3\n" in with_former(MODEL, new, "", "FAR") and "< 8" in with_former(MODEL, new, "", "FAR")
    assert "return self.n < 3" in with_former(MODEL, new, "Small", "Small")
    back = with_former(MODEL, new, "Lock", "limit")
    assert back.endswith("    expect = holds()\n    @rule\n    def limit(self) -> int:\n        return 1\n")
    gone = with_former(MODEL, new, "Lock", "more")
    assert "def more" not in gone and "@action\n    def other" in gone
    without = MODEL.replace("def most() -> int:\n    return 1\n\n\n", "")
    assert "def most() -> int:\n    return 1\nFAR = 3" in with_former(MODEL, without, "", "most")
    for text in (back, gone):
        compile(text, "lock.py", "exec")
    with pytest.raises(UsageError, match="neither text has nothing"):
        with_former(MODEL, new, "Lock", "nothing")
