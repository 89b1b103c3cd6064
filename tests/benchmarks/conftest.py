"""A runner of `python -m benchmarks` inside the test process, in an empty working directory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.__main__ import run
from tests.command_line.conftest import Ran


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and no kernels cached."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def benchmarks(here: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `python -m benchmarks ARGUMENTS` there."""

    def execute(*arguments: str) -> Ran:
        code = run(list(arguments))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return execute
