"""A runner of `python -m benchmarks` inside the test process, in an empty working directory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.__main__ import run
from tests.cli.commands import Ran


@pytest.fixture
def benchmarks(here: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `python -m benchmarks ARGUMENTS` there."""

    def execute(*arguments: str) -> Ran:
        code = run(list(arguments))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return execute
