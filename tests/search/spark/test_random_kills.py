"""A random walk over the processes and files of a search on a local Spark: kills at random moments, each followed by
another command that resumes, on Spark or in one process. The counts at the end are exact."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.search.spark.processes import below, running
from tests.search.spark.test_faults import TRANSITIONS, command, levels_committed, on_spark, reported, searching

pytestmark = pytest.mark.thorough

STRIKES = ("driver", "java", "workers", "interrupt", "candidates")
MANAGERS = 8
LEVELS = 27
"""At most so many are committed when something strikes."""


def strike(kind: str, process: Any, work: Path, chance: random.Random) -> None:
    """Do it."""
    if kind == "driver":
        process.kill()
    elif kind == "interrupt":
        process.send_signal(signal.SIGINT)
    elif kind == "candidates":
        there = [p for p in (work / "exchange").iterdir() if "-to-" in p.name]
        for path in chance.sample(there, min(len(there), 1)):
            path.unlink(missing_ok=True)
    else:
        parents = {p.pid: p.parent for p in running()}
        daemons = below(process.pid, "-m checker.search.spark.daemon")
        killed = below(process.pid, "java") if kind == "java" else [p for p in daemons if parents.get(p) in daemons]
        for number in killed:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it has just ended


def gone(work: Path) -> None:
    """Wait until nobody has the directory any more: what a killed driver started ends a little later."""
    deadline = time.monotonic() + 60
    while any(f"{work}" in there.command for there in running()) and time.monotonic() < deadline:
        time.sleep(0.1)


@pytest.mark.parametrize("seed", range(12))
def test_a_search_that_is_struck_again_and_again_ends_exactly(seed: int, tmp_path: Path) -> None:
    """Three strikes at most, then it may end. Each command ends with a documented code, and none with a traceback."""
    assert MANAGERS in TRANSITIONS
    chance, work = random.Random(seed), tmp_path / "w"
    memory = chance.choice([(), ("--worker-memory", "2M")])
    spark = ("--engine", "spark", "--master", "local[2]", *memory)
    for round_ in range(5):
        if not (work / "search.json").exists():
            asked = searching(MANAGERS, work, *on_spark("local[2]"), *memory)
        else:
            more = spark if round_ < 3 or chance.random() < 0.5 else ("--engine", "native")
            asked = command("resume", work, *more)
        process = subprocess.Popen([*asked, "--json", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        kind = chance.choice(STRIKES) if round_ < 3 else None
        if kind is not None:
            level = levels_committed(work) + chance.randrange(1, 10)
            deadline = time.monotonic() + 200
            while process.poll() is None and levels_committed(work) < min(level, LEVELS):
                assert time.monotonic() < deadline, "the search does not go on"
                time.sleep(0.002)
            time.sleep(chance.random() / 10)
            if process.poll() is None:
                strike(kind, process, work, chance)
        output, errors = process.communicate(timeout=300)
        assert "Traceback" not in errors and "internal error" not in errors, f"{kind}: {errors}"
        if process.returncode == 0:
            reported(output, MANAGERS)
            return
        assert kind is not None, f"nothing had struck: {errors}"
        assert process.returncode in ((-signal.SIGKILL,) if kind == "driver" else (2, 3, 4, 130)), f"{kind}: {errors}"
        gone(work)
    pytest.fail("the search does not end")
