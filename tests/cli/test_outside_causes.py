"""Errors whose cause is the machine: the same words and exit code on the terminal and in each file of results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from checker.cli.failed import outside_cause
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

TWO = '''
from checker.language import Int, Model, action, holds, invariant, require, var


class Two(Model):
    n = var(Int(0, 5), 0)
    m = var(Int(0, 5), 0)

    @action
    def up(self):
        require(self.n < 5)
        self.n += 1

    @action
    def side(self):
        require(self.m < 5)
        self.m += 1

    @invariant
    def alpha(self):
        """alpha stays small."""
        return self.n < 4

    @invariant
    def beta(self):
        """beta stays small."""
        return self.m < 2

    expect = holds()
'''


def no_memory(*_: object, **__: object) -> None:
    raise MemoryError("cannot reserve 1224704 bytes")


def test_too_little_memory_is_a_limit_and_no_fault_of_the_model(
    checker: Checker, lock: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 4, as of any limit; JUnit has the words of the terminal, and calls nothing a fault of the checker."""
    cause = outside_cause(MemoryError())
    assert cause is not None and cause.exit_code == 4
    monkeypatch.setattr("checker.cli.verify.verify_all", no_memory)
    ran = checker("verify", lock, "--junit", str(tmp_path / "junit.xml"))
    junit = (tmp_path / "junit.xml").read_text(encoding="utf-8")
    assert ran.code == 4 and "there is not enough memory" in ran.err
    assert "there is not enough memory" in junit and "fault of the checker" not in junit


def test_of_several_failing_properties_the_reason_names_its_own(checker: Checker, write: Write) -> None:
    """The shortest run is of beta: the line of the reason says so."""
    ran = checker("verify", write("two.py", TWO))
    reasons = [line.strip() for line in ran.out.splitlines() if "Not here" in line]
    assert ran.code == 1 and len(reasons) == 1
    assert reasons[0].startswith("beta: ") and "beta stays small. Not here: m = 2" in reasons[0]
