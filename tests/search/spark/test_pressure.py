"""Back-pressure between the workers of a gang on Spark: one of them gets nearly everything and is slow to take it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.search.spark.wire import HEADER
from tests.search.spark.pressure import BLOCK, WINDOW, WORDS, pressed

ROOT = Path(__file__).resolve().parents[3]


def exact_within_bounds(found: dict[str, Any]) -> None:
    """All states by level and all transitions, without a restart; more was sent than could be under way, and never more
    waited. What was told on the way is of all workers.

    How often a worker was held back depends on how fast the others were just then; that it was does not.
    """
    levels, whole = found["levels"], found["whole"]
    assert levels[: len(whole)] == whole and not any(levels[len(whole) :])
    assert found["same"]
    assert found["transitions"][0] == found["transitions"][1]
    assert found["restarts"] == 0
    assert found["sent"] > 500 * WINDOW
    most = WINDOW + BLOCK + 8 * WORDS + 8 * HEADER.size  # what may wait, the block that is more, and headers
    assert all(worker["peak"] <= most for worker in found["saw"])
    assert sum(worker["held_back"] for worker in found["saw"]) > 0
    assert found["saw"][0]["paused"]
    told = found["progress"]
    assert [p["level"] for p in told] == sorted(p["level"] for p in told) and told[-1]["level"] < len(whole)
    assert 0 < max(p["distinct"] for p in told) <= sum(whole)
    assert told[-1]["skew"] > 1.5  # one of the workers has nine tenths of the states
    assert {"expand", "send", "wait", "accept", "store"} <= set(found["spent"])


@pytest.mark.parametrize(
    "memory, encrypt", [(None, False), (None, True), (1 << 20, False)], ids=["plain", "encrypted", "spilling"]
)
def test_a_slow_owner_holds_the_others_back_and_nobody_waits_for_ever(
    spark: str, memory: int | None, encrypt: bool
) -> None:
    """Also while it is stopped for a second, encrypts, or has to put what it has seen on disk."""
    if encrypt:
        pytest.importorskip("cryptography")
    found = pressed(spark, 2, memory, encrypt)
    exact_within_bounds(found)
    assert (found["spilled"] > 0) == (found["progress"][-1]["spilled"] > 0) == (memory is not None)


@pytest.mark.thorough
def test_three_executors_hold_each_other_back(tmp_path: Path) -> None:
    """local-cluster: a JVM and a Python process for each worker."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.search.spark.pressure", "local-cluster[3,1,1024]", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    exact_within_bounds(json.loads(done.stdout.splitlines()[-1]))
