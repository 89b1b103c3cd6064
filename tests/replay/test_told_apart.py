"""Two versions that find the same values are told apart by what each asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.language import Int, action, invariant, require, rule, var
from checker.language.model import Model
from checker.replay.asked import LONGEST, asked, told_apart
from checker.report.wording import guilty_line


class Lock(Model):
    owner = var(Int(0, 3), 0)
    n = var(Int(0, 9), 0)

    @rule
    def may(self) -> bool:
        return self.owner == 0

    @action
    def up(self) -> None:
        require(self.may())
        require(self.n < 9)
        self.n += 1
        self.owner = 1

    @action
    def free(self) -> None:
        require(self.n == 1)
        if self.owner == 1:
            self.n = 0
            self.owner = 0

    @invariant
    def small(self) -> bool:
        return self.n < 2


class EditedRule(Lock):
    """EDIT: the other sign."""

    @rule
    def may(self) -> bool:
        return self.owner != 0 or self.n == 0


class EditedGuard(Lock):
    """EDIT: the condition of the rule with another sign."""

    @action
    def up(self) -> None:
        require(self.owner != 0 or self.n == 0)
        require(self.n < 9)
        self.n += 1
        self.owner = 1


class EditedTest(Lock):
    """EDIT: the branches change places."""

    @action
    def free(self) -> None:
        require(self.n == 1)
        if self.owner != 1:
            self.n = 0
        else:
            self.n = 2


class OtherNumber(Lock):
    """EDIT: another number, so the sentences differ by themselves."""

    @rule
    def may(self) -> bool:
        return self.owner != 2


@pytest.mark.parametrize(
    ("edit", "now", "before"),
    [
        (EditedRule, "owner = 1 is not 0 (asked: owner != 0 or n == 0)", "owner = 1 is not 0 (asked: owner == 0)"),
        (EditedGuard, "(asked: owner != 0 or n == 0)", "may() is false (test_told_apart.py:22): owner = 1 is not 0 ("),
        (EditedTest, "finds owner is 1 (", "(asked: owner == 1)"),
        (OtherNumber, "owner = 1 is not 2", "owner = 1 is not 0"),
    ],
)
def test_the_words_of_both_versions_differ(edit: type[Model], now: str, before: str) -> None:
    """Also where the values are the same."""
    (found,) = check(edit, edit.__name__, {}).properties
    assert found.trace is not None
    line = guilty_line(found.trace)
    told, _, former = line.partition("; before the edit it ")
    assert now in told and before in former
    assert ("asked" in line) is (edit is not OtherNumber)


def test_a_line_is_read_as_what_it_asks(tmp_path: Path) -> None:
    """A statement of several lines is read to its end; what is none stands as it is, without what is too long."""
    file = tmp_path / "lines.py"
    lines = [
        "    elif self.a == 1:",
        "    return self.a",
        "  while self.a < 2:",
        "self.a = 3",
        "if (self.a and",
        "x " * 90,
        "return not any(",
        "    self.a == x",
        "    for x in self.b",
        ")",
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    found = [asked((str(file), number)) for number in range(1, len(lines) + 2)]
    assert found[:5] == ["a == 1", "a", "a < 2", "a = 3", "if (a and"] and found[10] == "" and asked(None) == ""
    assert found[6] == "not any(a == x for x in b)" and found[7] == "a == x"
    assert found[5].endswith("x ...") and len(found[5]) <= LONGEST + 4
    assert told_apart("sets k to 1", "sets k to 10", ((str(file), 1), (str(file), 2))) == ("", "")
    assert told_apart("goes on: x", "waits: f() is false: x (a.py:1)", ((str(file), 1), None)) == (
        " (asked: a == 1)",
        "",
    )
