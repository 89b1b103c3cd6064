"""A runner of the command line inside the test process, in an empty working directory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from checker.cli.program import run
from tests.command_line import protocols


@frozen
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and no kernels cached."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def checker(here: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `checker ARGUMENTS` there."""

    def execute(*arguments: str) -> Ran:
        code = run(list(arguments))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return execute


@pytest.fixture
def lock(here: Path) -> str:
    """The file of the lock model."""
    (here / "lock.py").write_text(protocols.LOCK, encoding="utf-8")
    return "lock.py"


@pytest.fixture
def write(here: Path) -> Callable[[str, str], str]:
    """Writes a file and returns its name."""

    def write_file(name: str, text: str) -> str:
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text, encoding="utf-8")
        return name

    return write_file
