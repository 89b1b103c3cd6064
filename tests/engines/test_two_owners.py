"""Two searches of one work directory: the second is refused at once, and the first is not disturbed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

MODEL = Path(__file__).resolve().parents[2] / "benchmarks" / "models" / "two_phase_commit.py"
STATES, TRANSITIONS = 1_745_408, 18_507_777
ON_SPARK = ("--engine", "spark", "--master", "local[2]", "--handover", "0")
CHECK = ("check", str(MODEL), "-D", "managers=8", "--workdir", "w", "--json", "found.json")
ENGINES = {"native": (), "spark": ON_SPARK}
SECOND = {
    "native": CHECK,
    "native, beyond memory": (*CHECK, "--max-memory", "300M"),
    "native, resumed": ("resume", "--trust", "w"),
    "Spark": (*CHECK, *ON_SPARK),
    "Spark, resumed": ("resume", "--trust", "w", *ON_SPARK[:-2]),
}


def program(*arguments: str) -> list[str]:
    """A command of the checker in a process of its own."""
    return [sys.executable, "-m", "checker", *arguments]


def stopped_search(place: Path, engine: str) -> subprocess.Popen[str]:
    """A search that has committed levels, stopped in its middle."""
    first = subprocess.Popen(program(*CHECK, *ENGINES[engine]), cwd=place, text=True, stderr=subprocess.PIPE)
    waited = time.monotonic() + 300
    while not (place / "w" / "levels" / "00003.json").exists():
        assert first.poll() is None and time.monotonic() < waited
        time.sleep(0.002)
    first.send_signal(signal.SIGSTOP)
    return first


@pytest.mark.parametrize("engine", ["native", pytest.param("spark", marks=pytest.mark.thorough)])
def test_a_second_search_of_a_directory_is_refused(tmp_path: Path, engine: str) -> None:
    """With exit code 2 and the name of the directory, on each engine and before Java is started; the first search goes
    on and is exact.
    """
    first = stopped_search(tmp_path, engine)
    try:
        kept = {path: path.read_bytes() for path in (tmp_path / "w").glob("*.json")}
        for name, arguments in SECOND.items():
            second = subprocess.run(program(*arguments), cwd=tmp_path, capture_output=True, text=True, check=False)
            assert second.returncode == 2, (name, second.stderr)
            assert "w is in use by another search" in second.stderr and "Traceback" not in second.stderr, name
        reading = subprocess.run(program("inspect", "w"), cwd=tmp_path, capture_output=True, text=True, check=False)
        assert reading.returncode == 0, reading.stderr
        assert kept == {path: path.read_bytes() for path in kept}
    finally:
        first.send_signal(signal.SIGCONT)
        _, err = first.communicate(timeout=500)
    found: Any = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert first.returncode == 0, err
    assert (found["distinct"], found["transitions"]) == (STATES, TRANSITIONS)
