"""More states than memory: two-phase commit with 10 to 12 resource managers, whose counts a closed form gives.

Each search is a `checker check --max-memory` in a process of its own.  Its states, transitions and the new states of
each level are compared with `expected`, which no search made.

**The closed form** is that of `benchmarks/models/two_phase_commit.py` with n managers.  Every message stays, and no
step of a manager disables or enables one of another.  So a state is in one of three parts, by the decision of the
transaction manager, and in each the managers are independent; the level of a state is the number of steps that made it.
A part is a polynomial in x, whose coefficient of x^k counts its states of level k:

* undecided: a manager is working (0 steps), prepared (1), prepared and counted (2), or aborted by itself (1):
  (1 + 2x + x^2)^n;
* aborted, one step more: also aborted when prepared (2), or when prepared and counted (3): x (1 + 2x + 2x^2 + x^3)^n;
* committed, after the 2n steps that count all, and one more: each has learned it or not: x^(2n+1) (1 + x)^n.

With x = 1: 4^n + 6^n + 2^n states.  Transitions, self-loops among them: of the undecided states 4^n to abort, one to
commit, and n 4^n of the managers (two of a manager that works, one again and again of each whose vote is sent); of the
aborted ones n 6^n that receive the decision and 2n 6^(n-1) of those that work; of the committed ones n 2^n.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict, evolve, frozen

from benchmarks.models import path_of
from benchmarks.throughput import machine
from checker.cli.output import Output
from checker.report.tables import Right, markdown_table
from checker.results.exit_codes import HOLDS, VIOLATED

MEGABYTE = 1 << 20


@frozen
class Beyond:
    """A search of so many managers within so much memory (bytes of its own structures)."""

    managers: int
    memory: int


RUNS = (Beyond(10, 512 * MEGABYTE), Beyond(11, 1700 * MEGABYTE), Beyond(12, 3500 * MEGABYTE))


@frozen
class Counts:
    """Distinct states, transitions, and the new states of each level."""

    distinct: int
    transitions: int
    levels: tuple[int, ...]


@frozen
class Row:
    """One search.  Seconds of the whole process, its resident memory and disk in bytes at their most.  in_memory_cpu:
    CPU seconds of the same check without a limit of memory; None if that was not measured.  load: averages before."""

    managers: int
    memory: int
    counts: Counts
    seconds: float
    cpu_seconds: float
    resident: int
    disk: int
    in_memory_cpu: float | None
    date: str
    load: str

    @property
    def exact(self) -> bool:
        """The counts are those of the closed form."""
        return self.counts == expected(self.managers)


@frozen
class ScaleBench:
    """The table and the machine it was made on."""

    rows: tuple[Row, ...]
    machine: str


def expected(managers: int) -> Counts:
    """The counts of two-phase commit by its closed form, in exact arithmetic."""
    n = managers
    levels = _sum(_power((1, 2, 1), n), (0, *_power((1, 2, 2, 1), n)), (*([0] * (2 * n + 1)), *_power((1, 1), n)))
    transitions = 4**n + 1 + n * 4**n + n * 6**n + 2 * n * 6 ** (n - 1) + n * 2**n
    return Counts(sum(levels), transitions, levels)


def _power(polynomial: tuple[int, ...], exponent: int) -> tuple[int, ...]:
    product: Any = np.array([1], dtype=object)  # Python's integers: no overflow
    for _ in range(exponent):
        product = np.convolve(product, np.array(polynomial, dtype=object))
    return tuple(product)


def _sum(*polynomials: tuple[int, ...]) -> tuple[int, ...]:
    longest = max(len(p) for p in polynomials)
    return tuple(sum(p[k] for p in polynomials if k < len(p)) for k in range(longest))


def run_scale_bench(
    runs: Iterable[Beyond] = RUNS,
    spill: Path | None = None,
    *,
    in_memory: bool = False,
    say: Callable[[str], None] = print,
) -> ScaleBench:
    """Search one after the other.  in_memory: each also without a limit of memory, before it."""
    rows = []
    for run in runs:
        say(f"{run.managers} managers, {run.memory // MEGABYTE:,} MB")
        date, load = time.strftime("%Y-%m-%d"), ", ".join(f"{x:.1f}" for x in os.getloadavg())
        free = _check(run.managers, [])[1] if in_memory else None
        place = ["--max-memory", str(run.memory), *(["--spill", str(spill)] if spill else [])]
        found, cpu, seconds = _check(run.managers, place)
        counts = Counts(found["distinct"], found["transitions"], tuple(found["levels"]))
        resident, disk = found["peak_memory"], found["peak_disk"]
        rows.append(Row(run.managers, run.memory, counts, seconds, cpu, resident, disk, free, date, load))
    return ScaleBench(tuple(rows), machine())


def _check(managers: int, options: list[str]) -> tuple[dict[str, Any], float, float]:
    """What a check in a process of its own found, its CPU seconds, and seconds."""
    model, began = path_of("two_phase_commit"), time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, "-m", "checker", "check", str(model), "-D", f"managers={managers}", *options, "--json", "-"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found: dict[str, Any] = json.loads(ran.stdout)
    return found, cpu, time.perf_counter() - began


def markdown(bench: ScaleBench) -> str:
    """The searches, a line each."""
    rows = [
        (
            f"{row.managers}",
            f"{row.memory // MEGABYTE:,}",
            f"{row.counts.distinct:,}",
            f"{row.counts.transitions:,}",
            f"{row.seconds:,.0f}",
            f"{row.cpu_seconds:,.0f}",
            "" if row.in_memory_cpu is None else f"{row.cpu_seconds / row.in_memory_cpu:.2f}",
            f"{row.resident / MEGABYTE:,.0f}",
            f"{row.disk / 1e6:,.0f}",
            f"{row.disk / row.counts.distinct:.1f}",
            "exact" if row.exact else "WRONG",
            row.date,
            row.load,
        )
        for row in bench.rows
    ]
    names = (
        *("managers", "limit, MB", "states", "transitions", "s", "CPU s", "times in memory"),
        *("resident, MB", "disk, MB", "bytes of disk a state"),
    )
    return markdown_table([*(Right(name) for name in names), "counts", "date", "load before"], rows)


def levels_table(bench: ScaleBench) -> str:
    """The new states of each level, a column for each search."""
    longest = max(len(row.counts.levels) for row in bench.rows)
    rows = [
        (f"{k}", *(f"{row.counts.levels[k]:,}" if k < len(row.counts.levels) else "" for row in bench.rows))
        for k in range(longest)
    ]
    return markdown_table([Right("level"), *(Right(f"{row.managers} managers") for row in bench.rows)], rows)


def page(bench: ScaleBench) -> str:
    """The page that is kept beside the figures."""
    return f"""# More states than memory

Made by `python -m benchmarks scale --out benchmarks` on: {bench.machine}. Each row has the day of its
measurement; with `--managers N` only its row is made again.

`checker check benchmarks/models/two_phase_commit.py -D managers=N --max-memory SIZE`, one thread: states beyond that
memory go to disk ([how](../docs/out_of_core.md)).

{markdown(bench)}

s, CPU s: of the whole process. times in memory: the ratio to the CPU seconds of the same check without a limit, made
just before. resident: at the peak, Python and the interpreter's sample included. disk: runs and levels together, at
the peak; all files are removed. counts: exact if states, transitions and the new states of every level are those of
the closed form in `benchmarks/scale.py`, which was not computed by a search: 6^N + 4^N + 2^N states.

## New states of each level

{levels_table(bench)}
"""


def recorded(file: Path) -> tuple[Row, ...]:
    """The rows of an earlier table."""
    stored = json.loads(file.read_text(encoding="utf-8"))["rows"] if file.exists() else []
    return tuple(
        Row(**{**row, "counts": Counts(**{**row["counts"], "levels": tuple(row["counts"]["levels"])})})
        for row in stored
    )


def print_scale_bench(bench: ScaleBench, output: Output, directory: Path | None) -> int:
    """Print the table, and write it to a directory, where rows of other searches stay; returns the exit code: 1 if a
    count is wrong."""
    if output.json_file != "-":
        print(markdown(bench))
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
        made = {row.managers: row for row in (*recorded(directory / "scale.json"), *bench.rows)}
        whole = evolve(bench, rows=tuple(made[managers] for managers in sorted(made)))
        (directory / "scale.md").write_text(page(whole), encoding="utf-8")
        (directory / "scale.json").write_text(json.dumps(asdict(whole), indent=1) + "\n", encoding="utf-8")
    output.write(lambda: asdict(bench))
    return HOLDS if all(row.exact for row in bench.rows) else VIOLATED
