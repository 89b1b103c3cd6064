"""What `--help` says is part of the product: a change of it is meant, and stands in CHANGELOG.md."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.help_texts import FILE

ROOT = Path(__file__).resolve().parents[2]


def test_the_help_of_every_command_is_as_stored() -> None:
    """`python -m tests.cli.help_texts` accepts a change that is meant."""
    # in a process of its own: a command keeps the options of the first help that was asked of it
    found = subprocess.run(
        [sys.executable, "-m", "tests.cli.help_texts", "--print"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout == FILE.read_text(encoding="utf-8")
