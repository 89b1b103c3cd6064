"""A model that prints: its words are on standard error, and what stands on standard output is the result alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TEXT = '''"""Counts."""
from checker.language import Int, Model, action, derived, holds, invariant, require, var

print("while it is imported")


def doubled(constants) -> int:
    print("while a value is derived")
    return 2


class Counter(Model):
    top = derived(doubled)
    n = var(Int(0, 9), 0)

    @action
    def up(self) -> None:
        require(self.n < self.top)
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3

    expect = holds()
'''


@pytest.mark.parametrize(
    "command", [("verify", "--json"), ("check", "--json"), ("verify", "--junit"), ("list", "--json")]
)
def test_what_a_model_prints_is_no_part_of_the_result(write: Any, checker: Any, command: tuple[str, str]) -> None:
    """Whatever format standard output has."""
    ran = checker(command[0], write("printing.py", TEXT), command[1], "-")
    assert ran.code == 0, ran.err
    assert ran.err.startswith("while it is imported\n") and "while" not in ran.out
    assert command[0] == "list" or "while a value is derived" in ran.err
    if command[1] == "--json":
        ran.json()


def test_processes_that_search_are_no_exception(here: Path, write: Any) -> None:
    """Several jobs, in a process of its own: nothing but JSON comes through the pipe."""
    for name in ("printing.py", "other.py"):
        write(name, TEXT)
    command = [sys.executable, "-m", "checker.cli.program", "verify", ".", "--jobs", "2", "--json", "-"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=here, check=False)
    assert ran.returncode == 0, ran.stderr
    assert len(json.loads(ran.stdout)["results"]) == 2 and ran.stderr.count("while it is imported") >= 2


def test_a_text_shows_results_alone(write: Any, checker: Any) -> None:
    """Without a format, too."""
    ran = checker("check", write("printing.py", TEXT))
    assert ran.code == 0 and "while" not in ran.out and "while it is imported" in ran.err
