"""docs/sweeps.md: each sweep it declares gives what stands below it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from checker.cli import run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sweeps.md"
DECLARED = re.findall(r"^```sh\n(checker sweep .*?)\n```\n\n```text\n(.*?)\n```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def summary(printed: str) -> list[str]:
    """The lines below the table: what became of each property, and how many configurations there were; no times."""
    lines = printed.splitlines()
    kept = [line for line in lines if re.search(r" (is first violated at|holds in|never put to the test in|not decided in|violated in) ", line)]
    return [*kept, re.sub(r" in [\d.]+ s$", "", lines[-1])]


def test_the_page_declares_a_sweep_for_each_command() -> None:
    """No command stands without its result."""
    assert len(DECLARED) == PAGE.read_text("utf-8").count("\nchecker sweep ") > 5


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "expected"), DECLARED, ids=[c.split()[2] for c, _ in DECLARED])
def test_a_declared_sweep_gives_its_table(command: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same number of configurations, and the same first violation of each property."""
    run(shlex.split(command)[1:])
    assert summary(capsys.readouterr().out) == expected.splitlines()
