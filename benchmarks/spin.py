"""Running SPIN on a reference model: counts and CPU seconds of its search, compilation apart.

The verifier is built exact and without partial-order reduction (-O2 -DSAFETY -DNOREDUCE), so that it explores the same
graph. Its stack is allocated in full at the start and would dominate small runs: the smallest of DEPTHS that suffices
is the one measured.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from attrs import field, frozen

COMPILE = ("gcc", "-w", "-O2", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000", "-DVECTORSZ=2048", "-o", "pan", "pan.c")
RUN = ("./pan", "-n", "-E", "-w24")
FIGURE = r"(\d+(?:\.\d+e\+\d+)?)"
DEPTHS = (100_000, 1_000_000, 10_000_000, 100_000_000)


@frozen
class Promela:
    """A model's text.  `extra_states` and `extra_transitions`: what initialisation adds to SPIN's counts."""

    text: str
    extra_states: int = field(default=0)
    extra_transitions: int = field(default=1)


@frozen
class SpinRun:
    """One search by SPIN.  Counts as SPIN prints them, to eight digits; memory in bytes."""

    distinct: int
    transitions: int
    cpu_seconds: float
    memory: int

    def counts(self, distinct: int, transitions: int) -> bool:
        """Whether these are the counts, as far as SPIN prints them."""
        pairs = ((self.distinct, distinct), (self.transitions, transitions))
        return all(ours == theirs or abs(ours - theirs) < 1e-7 * ours for ours, theirs in pairs)


def available() -> bool:
    """Whether spin and gcc are on PATH."""
    return shutil.which("spin") is not None and shutil.which("gcc") is not None


def run_spin(model: Promela) -> SpinRun:
    """Generate, compile and run a verifier.  RuntimeError if SPIN finds an error or does not finish."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "model.pml").write_text(model.text, encoding="ascii")
        subprocess.run(["spin", "-a", "model.pml"], cwd=directory, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(COMPILE, cwd=directory, check=True, stderr=subprocess.DEVNULL)
        for depth in DEPTHS:
            text, cpu = _search(directory, depth)
            if "max search depth too small" not in text:
                break
    if "errors: 0" not in text or "Search not completed" in text:
        raise RuntimeError(f"SPIN did not complete without errors:\n{text}")
    distinct, transitions = (int(_number(text, p)) for p in (rf"{FIGURE} states, stored", rf"{FIGURE} transitions"))
    memory = int(_number(text, r"([\d.]+)\s+total actual memory usage") * 2**20)
    return SpinRun(distinct - model.extra_states, transitions - model.extra_transitions, cpu, memory)


def _search(directory: Path, depth: int) -> tuple[str, float]:
    """SPIN's report of one search, and its CPU seconds."""
    with (directory / "out.txt").open("w+", encoding="ascii") as out:
        process = subprocess.Popen((*RUN, f"-m{depth}"), cwd=directory, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime


def _number(text: str, pattern: str) -> float:
    match = re.search(pattern, text)
    if match is None:
        raise RuntimeError(f"SPIN's report has no {pattern}:\n{text}")
    return float(match[1])
