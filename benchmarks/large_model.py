"""What a model of many actions costs, phase by phase: models translated from tables have hundreds or thousands.

The model is made here: N actions over a map, a shared turn and a counter, each with a guard of three parts and three
assignments.  With one process it has at most 1,024 states, so what is measured is the text, not the search.  Each phase
should grow with N: the table has milliseconds an action.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from benchmarks.throughput import machine
from checker.cli.output import Output
from checker.report.tables import Right, markdown_table
from checker.results.exit_codes import HOLDS

SIZES = (100, 500, 1000, 2000)
PHASES = ("read", "define", "lower", "compile", "search", "validate", "vacuity")

_HEAD = '''"""A table of steps: many actions over a few variables."""

from checker.language import Distributed, Int, Map, Process, action, holds, invariant, require, var


class Table(Distributed):
    """Each action is a row of the table."""

    phase = var(Map[Process, Int(0, 7)], 0)
    turn = var(Int(0, 7), 0)
    count = var(Int(0, 15), 0)

    @invariant
    def Counted(self):
        return self.count <= 15

    expect = holds()
'''


def table(actions: int) -> str:
    """The text of a model of so many actions."""
    return _HEAD + "".join(_action(number) for number in range(actions))


def _action(n: int) -> str:
    return f"""
    @action
    def step_{n}(self, p: Process):
        require(self.phase[p] == {n % 8} and self.turn == {n // 8 % 8} and self.count <= {n % 16})
        self.phase[p] = {(n + 1 + n // 64) % 8}
        self.turn = {(n // 8 + n) % 8}
        self.count = (self.count + {n % 5}) % 16
"""


@frozen
class Size:
    """A model of so many actions: seconds of each phase of its check, and of the whole process."""

    actions: int
    states: int
    phases: dict[str, float]
    seconds: float


@frozen
class LargeBench:
    """The table and the machine it was made on."""

    rows: tuple[Size, ...]
    machine: str
    date: str
    load: str


def run_large_bench(sizes: Iterable[int] = SIZES, say: Callable[[str], None] = lambda text: None) -> LargeBench:
    """Check a model of each size in a process of its own, from an empty kernel cache."""
    load, rows = ", ".join(f"{x:.1f}" for x in os.getloadavg()), []
    for actions in sizes:
        say(f"{actions:,} actions")
        rows.append(_checked(actions))
    return LargeBench(tuple(rows), machine(), time.strftime("%Y-%m-%d"), load)


def _checked(actions: int) -> Size:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "table.py"
        file.write_text(table(actions), encoding="utf-8")
        began = time.perf_counter()
        ran = subprocess.run(
            [sys.executable, "-m", "checker", "check", str(file), "-D", "processes=1", "--json", "-"],
            env={**os.environ, "XDG_CACHE_HOME": place},
            capture_output=True,
            text=True,
            check=True,
        )
        seconds = time.perf_counter() - began
    data: dict[str, Any] = json.loads(ran.stdout)
    return Size(actions, data["distinct"], data["seconds"], seconds)


def markdown(bench: LargeBench) -> str:
    """Milliseconds an action of each phase, and seconds of the whole."""
    rows = []
    for row in bench.rows:
        each = (f"{1000 * row.phases.get(phase, 0.0) / row.actions:.2f}" for phase in PHASES)
        rows.append((f"{row.actions:,}", f"{row.states:,}", *each, f"{row.seconds:.1f}"))
    return markdown_table([Right(name) for name in ("actions", "states", *PHASES, "whole, s")], rows)


def print_large_bench(bench: LargeBench, output: Output, directory: Path | None) -> int:
    """Print the table, and write it to a directory; returns the exit code."""
    if output.json_file != "-":
        print(markdown(bench))
    if directory is not None:
        text = f"""# Models of many actions

Made on {bench.date} by `python -m benchmarks large-model --out benchmarks` on: {bench.machine}.
Load averages before the start: {bench.load}.

Milliseconds for each action, by phase of a check from an empty kernel cache; the whole process in seconds.

{markdown(bench)}
"""
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "large_model.md").write_text(text, encoding="utf-8")
    output.write(lambda: asdict(bench))
    return HOLDS
