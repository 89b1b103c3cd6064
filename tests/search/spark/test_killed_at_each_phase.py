"""kill -9 of each kind of process at each phase of a search on a local Spark: exact, at once or when it is resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.search.spark.striking import DRIVERS, PROGRAM, WORKERS, struck
from tests.search.spark.test_faults import command, on_spark, reported, searching
from tests.search.spark.test_random_kills import gone

pytestmark = pytest.mark.thorough

MANAGERS = 7
STRIKES = [(f"worker: {phase}", victim) for phase in WORKERS for victim in ("worker", "java", "driver")]
STRIKES += [(f"driver: {phase}", "driver") for phase in DRIVERS]
CALLS = {"worker: expansion": 30, "worker: merge": 1}
"""For the how-maniest time; the others are called once or twice for each level."""


@pytest.mark.parametrize("place, victim", STRIKES)
def test_a_search_is_exact_although_a_process_was_killed(place: str, victim: str, tmp_path: Path) -> None:
    """A worker: the level begins again. Java: exit code 2. The driver or Java: the search is resumed, natively."""
    work, mark = tmp_path / "w", tmp_path / "struck"
    (tmp_path / "sitecustomize.py").write_text("from tests.search.spark.striking import install\n\ninstall()\n")
    root = Path(__file__).resolve().parents[3]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{root}", **struck(place, CALLS.get(place, 8), victim, mark)}
    asked = [*searching(MANAGERS, work, *on_spark("local[2]"), "--worker-memory", "1M"), "--json", "-"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *asked[3:]], capture_output=True, text=True, timeout=300, env=environment
    )
    assert mark.exists(), "nobody was struck"
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr
    if victim == "worker":
        assert done.returncode == 0, done.stderr
        reported(done.stdout, MANAGERS)
        return
    assert done.returncode == (2 if victim == "java" else -signal.SIGKILL), done.stderr
    assert victim != "java" or f"checker resume {work}" in done.stderr
    gone(work)
    resumed = subprocess.run(command("resume", work, "--json", "-"), capture_output=True, text=True, timeout=300)
    reported(resumed.stdout, MANAGERS)
