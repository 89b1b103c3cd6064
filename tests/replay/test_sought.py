"""A violation keeps its verdict and its confirmed run where the checker fails while it seeks the reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import pytest

from checker.cli.program import run
from checker.language.errors import UsageError
from checker.replay import head, marked, sought, traced

MODEL = '''"""One lock, which nobody releases, and an edit that begins with the lock taken."""

from checker.language import Bool, Model, action, quiescent, require, var


class Lock(Model):
    taken = var(Bool)

    @action
    def take(self):
        require(not self.taken)
        self.taken = True

    @quiescent
    def free(self) -> bool:
        return not self.taken


class Taken(Lock):
    """EDIT: it is taken at the start."""

    taken = var(Bool, True)
'''
MISSING = "its reasons are incomplete, by a fault of the checker (IndexError: no such part; CHECKER_DEBUG=1 shows it)"


def failing(error: Exception) -> Any:
    def raises(*_: object, **__: object) -> NoReturn:
        raise error

    return raises


@pytest.fixture(autouse=True)
def in_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_fault_is_passed_over: tuple[type[Exception], ...]
) -> None:
    """The model is in the working directory, and faults are passed over as by a command."""
    (tmp_path / "lock.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sought, "FAULTS", no_fault_is_passed_over)


@pytest.mark.parametrize(("owner", "name"), [(traced.Run, "_blocked"), (marked, "mark_cause"), (head, "with_line")])
def test_a_fault_in_what_seeks_reasons_costs_no_verdict(
    owner: Any, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command ends as after any violation, and each report says that reasons are missing."""
    monkeypatch.setattr(owner, name, failing(IndexError("no such part")))
    assert run(["check", "lock.py:Taken", "--engine", "interpreter", "--out", "out", "--markdown", "summary.md"]) == 1
    written = [file.read_text() for file in (Path("summary.md"), *Path("out").rglob("*.txt"))]
    assert all(MISSING in " ".join(text.split()) for text in (capsys.readouterr().out, *written))


def test_what_is_no_fault_of_the_checker_ends_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model that is wrong as written is an error of the user, wherever it is noticed."""
    monkeypatch.setattr(traced.Run, "_blocked", failing(UsageError("the model is wrong")))
    assert run(["check", "lock.py:Taken", "--engine", "interpreter"]) == 2
    assert "the model is wrong" in capsys.readouterr().err
