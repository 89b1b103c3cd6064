"""kill -9 of a search beyond memory at each of its phases: `resume` ends it with exact counts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.search.spark.striking import NATIVE, PROGRAM, struck
from tests.search.spark.test_faults import command, reported, searching

MANAGERS = 6
CALLS = {"expansion": 60, "merge": 1, "comparison": 14, "files of a level": 12, "commit": 15}
"""For the how-maniest time; of 50,816 states in 20 levels, of which 4,096 at a time are in memory."""


EACH_BUILD = ("merge", "commit")
PHASES = [pytest.param(p, marks=[] if p in EACH_BUILD else [pytest.mark.thorough]) for p in NATIVE]


@pytest.mark.parametrize("phase", PHASES)
def test_a_search_beyond_memory_is_resumed_after_it_was_killed(phase: str, tmp_path: Path) -> None:
    """From its last whole level, with more memory; nothing stays of what it had on disk."""
    work, room, mark = tmp_path / "w", tmp_path / "room", tmp_path / "struck"
    room.mkdir()
    beyond = ("--max-memory", "131072", "--spill", room)
    environment = {**os.environ, **struck(f"native: {phase}", CALLS[phase], "worker", mark)}
    asked = [sys.executable, "-c", PROGRAM, *searching(MANAGERS, work, *beyond)[3:]]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=200, env=environment)
    assert mark.exists(), done.stderr
    assert done.returncode == -signal.SIGKILL
    assert list(room.iterdir()) == []
    more = command("resume", work, "--max-memory", "200M", "--spill", room, "--json", "-")
    again = subprocess.run(more, capture_output=True, text=True, timeout=200)
    assert again.returncode == 0, again.stderr
    reported(again.stdout, MANAGERS)
    assert list(room.iterdir()) == []
