"""A runner of the command line inside the test process, in an empty working directory.

tests/conftest.py gives its fixtures to all tests; the checker is imported where a test asks for them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from tests.cli import protocols


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
    """An empty working directory.  Kernels come from the cache of all tests: whether one was compiled before changes no
    answer (tests/stored/test_cache.py)."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def checker(here: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `checker ARGUMENTS` there."""
    from checker.cli.program import run

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
