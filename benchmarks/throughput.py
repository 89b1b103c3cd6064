"""The throughput table: the native search on models with known counts, beside the interpreter and, where installed,
SPIN.

Each search runs in a process of its own, so that its memory is its own.  CPU seconds are those of the search phase,
compilation apart, as for SPIN's verifier; runs of ours and of SPIN alternate and the fastest of each counts, since
other load on the machine only ever adds.  The compilation shown is a first one, with an empty kernel cache; the search
is that of a later run, which begins with optimised code.  Only figures of one table, made in one run on one machine,
are comparable.
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from attrs import asdict, define, evolve, field, frozen

from benchmarks.cold_start import ColdStart, cold_starts
from benchmarks.models import path_of
from checker.cli.output import Output
from checker.engines.explored import Explored, Phases
from checker.language.errors import UsageError
from checker.report.tables import Right, markdown_table
from checker.results.exit_codes import HOLDS, VIOLATED

REPEAT_FOR = 10.0  # CPU seconds, SPIN's included, after which a search is not run again
REPEATED = 3
SHORT_FOR, SHORT_REPEATED = 8.0, 15
"""Short searches are run more often, with one thread and with several, for so many seconds in all: a moment's
disturbance is a large part of them."""
MOST_RUNS = 5
"""Runs from an empty cache after which a search is not repeated for its optimised code."""
INTERPRETED_STATES = 1_500


@frozen
class Run:
    """One line of the table: a model, its constants, and the counts that other checkers found for this graph.

    only: the property checked (None: all). Observers of others would add state. large: it takes minutes or gigabytes.
    """

    model: str
    constants: Mapping[str, Any]
    distinct: int
    transitions: int
    only: str | None = None
    large: bool = False


RUNS = (
    Run("two_phase_commit", {"managers": 8}, 1_745_408, 18_507_777),
    Run("two_phase_commit", {"managers": 9}, 10_340_352, 123_558_401),
    Run("two_phase_commit", {"managers": 10}, 61_515_776, 817_760_257, large=True),
    Run("ewd840", {"nodes": 8}, 786_942, 25_909_510),
    Run("ewd840", {"nodes": 9}, 3_539_966, 146_641_415, large=True),
    Run("filter_lock", {"processes": 6}, 2_111_008, 7_861_932),
    Run("bakery", {"processes": 5, "tickets": 5}, 2_316_639, 9_291_095),
    Run("paxos", {"ballots": 2}, 185_369, 1_350_915),
    Run("lamport_mutex", {"clock": 8}, 2_763_329, 10_216_215),
    Run("chang_roberts", {"nodes": 8}, 3_095_363, 15_292_331),
    Run("causal_broadcast:Retested", {"workload": (2, 1, 1)}, 426_751, 1_684_981, "NoDuplication"),
    Run("isis", {"workload": (2, 1, 0)}, 3_735_221, 17_739_384, "TotalOrder"),
    Run("isis", {"workload": (2, 2)}, 5_291_649, 23_440_946, "TotalOrder"),
    Run("reliable_multicast", {"workload": (1, 1, 0)}, 474_713, 3_442_484, "NoDuplication"),
)


@frozen
class Measured:
    """One native search.  memory: bytes of the process at its peak beyond what it held before the search; optimised:
    whether the search began with optimised code.
    """

    distinct: int
    transitions: int
    cpu_seconds: float
    wall_seconds: float
    compile_seconds: float
    memory: int
    verdict: str
    optimised: bool = True


@frozen
class Row:
    """One line of the table with its figures; None where there are none.  exact: our counts, and SPIN's, are the known
    ones."""

    model: str
    constants: dict[str, Any]
    native: Measured
    threaded: Measured | None
    interpreter_rate: float
    spin_cpu_seconds: float | None
    spin_memory: int | None
    exact: bool


@frozen
class Bench:
    """The table and the machine it was made on."""

    rows: tuple[Row, ...]
    threads: int
    machine: str
    date: str
    load: str
    cold: tuple[ColdStart, ...] = ()


@define
class _CpuPhases(Phases):
    """Phases in CPU seconds of the whole process; wall-clock seconds, and what the process held before each, beside
    them."""

    wall: dict[str, float] = field(factory=dict)
    held: dict[str, int] = field(factory=dict)

    def __call__(self, name: str) -> Any:
        return _Clocks(self, name)


def phases_of_cpu() -> Phases:
    """Phases whose seconds are CPU seconds of the whole process."""
    return _CpuPhases()


class _Clocks:
    def __init__(self, phases: Any, name: str) -> None:
        self.phases, self.name = phases, name

    def __enter__(self) -> None:
        from checker.search.memory import resident

        self.phases.held[self.name] = resident()
        self.start = time.process_time(), time.perf_counter()

    def __exit__(self, *_: object) -> None:
        cpu, wall = time.process_time() - self.start[0], time.perf_counter() - self.start[1]
        self.phases.seconds[self.name] = self.phases.seconds.get(self.name, 0.0) + cpu
        self.phases.wall[self.name] = self.phases.wall.get(self.name, 0.0) + wall


def measure(model: str, constants: Mapping[str, Any], threads: int, only: list[str] | None) -> Measured:
    """One native search in this process."""
    from checker.catalogue import find
    from checker.engines.native import explore
    from checker.engines.request import Request
    from checker.language.define import define as define_model

    phases = _CpuPhases()
    definition = define_model(find(path_of(model)).cls, constants, only)
    explored = explore(Request(definition, threads=threads, stop_at_first=False, phases=phases))
    return Measured(
        explored.distinct,
        explored.transitions,
        phases.seconds["search"],
        phases.wall["search"],
        phases.wall["lower"] + phases.wall["compile"],
        explored.peak_memory - phases.held["search"],
        explored.bound or "complete",
        not _quick(explored),
    )


def _quick(explored: Explored) -> bool:
    """Whether a native search began with quickly compiled code."""
    from checker.backends.native.kernel import NativeKernel

    assert explored.packed is not None
    first = explored.packed.result.sources[0]
    return isinstance(first, NativeKernel) and first.quick


def interpreted_rate(model: str, constants: Mapping[str, Any], only: list[str] | None) -> float:
    """Transitions per CPU second of the interpreter, on the first states of the same search."""
    from checker.backends.interpreter.explore import explore
    from checker.backends.interpreter.interpreter import Interpreter
    from checker.catalogue import find
    from checker.language.define import define as define_model

    interpreter = Interpreter(define_model(find(path_of(model)).cls, constants, only))
    start = time.process_time()
    explored = explore(interpreter, max_states=INTERPRETED_STATES)
    return explored.transitions / (time.process_time() - start)


def run_bench(
    names: Iterable[str] = (), *, large: bool = False, threads: int = 2, say: Callable[[str], None] = print
) -> Bench:
    """Measure all runs (of the models named).  UsageError if a name has no run."""
    names = list(names)
    known = {run.model.partition(":")[0] for run in RUNS}
    if unknown := [n for n in names if n not in known]:
        raise UsageError(f"there is no benchmark of {unknown[0]}", remedy=f"There are: {', '.join(sorted(known))}.")
    chosen = [r for r in RUNS if (not names or r.model.partition(":")[0] in names) and (large or not r.large)]
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    rows = []
    for run in chosen:
        say(f"{run.model} {_text(run.constants)}")
        rows.append(_row(run, threads))
    return Bench(tuple(rows), threads, machine(), time.strftime("%Y-%m-%d"), load, () if names else cold_starts())


def _row(run: Run, threads: int) -> Row:
    only = None if run.only is None else [run.only]
    rate = apart(interpreted_rate, run.model, _small(run), only)
    ours: list[Measured] = []
    shared: list[Measured] = []
    peer: list[float] = []
    memory, exact = None, True
    while len(ours) < REPEATED and sum(m.cpu_seconds for m in ours) + sum(peer) < REPEAT_FOR:
        ours.append(_measured(run.model, run.constants, 1, only))
        if threads > 1:
            shared.append(_measured(run.model, run.constants, threads, only))
        spin = _spin(run)
        if spin is not None:
            peer.append(spin.cpu_seconds)
            memory = spin.memory
            exact &= spin.counts(run.distinct, run.transitions)
    while threads > 1 and len(ours) < SHORT_REPEATED and sum(m.wall_seconds for m in ours) < SHORT_FOR:
        ours.append(_measured(run.model, run.constants, 1, only))
        shared.append(_measured(run.model, run.constants, threads, only))
    exact &= all((found.distinct, found.transitions) == (run.distinct, run.transitions) for found in ours + shared)
    fastest = min(ours, key=lambda m: m.cpu_seconds)
    native = evolve(
        fastest,
        wall_seconds=min(m.wall_seconds for m in ours),
        compile_seconds=min(m.compile_seconds for m in ours + shared),
    )
    threaded = min(shared, key=lambda m: m.wall_seconds, default=None)
    return Row(run.model, dict(run.constants), native, threaded, rate, min(peer, default=None), memory, exact)


def _small(run: Run) -> dict[str, Any]:
    """Constants for the interpreter: ewd840 has too many initial states to begin with."""
    return {"nodes": 4} if run.model == "ewd840" else dict(run.constants)


def _spin(run: Run) -> Any:
    from benchmarks.promela import promela
    from benchmarks.spin import available, run_spin

    model = promela(run.model, run.constants)
    return run_spin(model) if model is not None and available() else None


def _measured(*arguments: Any) -> Measured:
    """Searches in new processes, the first with an empty kernel cache: its seconds of compilation, and everything else
    of the first later one that begins with optimised code.  In the first, the seconds of the search have those of
    optimising the code beside it; if the search is short, several leave no optimised code (`checker.search.improving`).
    """
    with empty_cache():
        first = later = apart(measure, *arguments)
        for _ in range(MOST_RUNS):
            later = apart(measure, *arguments)
            if later.optimised:
                break
        return evolve(later, compile_seconds=first.compile_seconds)


@contextmanager
def empty_cache() -> Iterator[None]:
    """A kernel cache of its own, empty at first, for the processes that are started meanwhile."""
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory() as cache:
        _set_cache(cache)
        try:
            yield
        finally:
            _set_cache(before)


def apart(function: Callable[..., Any], *arguments: Any) -> Any:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def _set_cache(directory: str | None) -> None:
    if directory is None:
        os.environ.pop("XDG_CACHE_HOME", None)
    else:
        os.environ["XDG_CACHE_HOME"] = directory


def machine() -> str:
    """Processor, cores, memory, system and Python."""
    from checker.search.memory import physical_memory

    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return (
        f"{name}, {os.cpu_count()} cores, {physical_memory() / 2**30:.0f} GB, {platform.system()} "
        f"{platform.release()}, Python {platform.python_version()}"
    )


def markdown(bench: Bench) -> str:
    """The table as Markdown, with the machine and how to make it again."""
    head = [
        "model",
        "states",
        "transitions",
        "CPU s",
        "M transitions/s",
        f"{bench.threads} threads, times faster",
        "bytes/state",
        "compile s",
        "SPIN CPU s",
        "SPIN / ours",
        "SPIN bytes/state",
        "interpreter, k transitions/s",
        "counts",
    ]
    rows = []
    for row in bench.rows:
        n = row.native
        cells = (
            f"{row.model} {_text(row.constants)}",
            f"{n.distinct:,}",
            f"{n.transitions:,}",
            f"{n.cpu_seconds:.2f}",
            f"{n.transitions / n.cpu_seconds / 1e6:.1f}",
            f"{n.wall_seconds / row.threaded.wall_seconds:.2f}" if row.threaded else "",
            f"{n.memory / n.distinct:.0f}",
            f"{n.compile_seconds:.2f}",
            f"{row.spin_cpu_seconds:.2f}" if row.spin_cpu_seconds is not None else "",
            f"{row.spin_cpu_seconds / n.cpu_seconds:.1f}" if row.spin_cpu_seconds is not None else "",
            f"{row.spin_memory / n.distinct:.0f}" if row.spin_memory is not None else "",
            f"{row.interpreter_rate / 1e3:.1f}",
            "exact" if row.exact else "WRONG",
        )
        rows.append(cells)
    return markdown_table([head[0], *map(Right, head[1:])], rows)


def _cold(bench: Bench) -> str:
    if not bench.cold:
        return ""
    times = "; ".join(f"{cold.model} {_text(cold.constants)} {cold.seconds:.2f} s" for cold in bench.cold)
    return (
        f"A whole check from an empty kernel cache, from the start of the process to its end, the fastest of "
        f"three: {times}.\n"
    )


def bench_data(bench: Bench) -> dict[str, Any]:
    """The table as JSON data."""
    return asdict(bench)


def print_bench(bench: Bench, output: Output, directory: Path | None) -> int:
    """Print the table, and write it to a directory; returns the exit code."""
    if output.json_file != "-":
        print(markdown(bench))
    if directory is not None:
        write_results(bench, directory)
    output.write(lambda: bench_data(bench))
    return HOLDS if all(row.exact for row in bench.rows) else VIOLATED


def write_results(bench: Bench, directory: Path) -> None:
    """Write results.md and results.json."""
    text = f"""# Throughput

Made on {bench.date} by `python -m benchmarks throughput --out benchmarks` on: {bench.machine}. Load averages before the start: {bench.load}.

{markdown(bench)}

{_cold(bench)}
CPU s: CPU seconds of the search with one thread, the fastest of three runs and more (of one, if that takes long), with optimised code from its beginning; compilation is not included (its column: first compilation, nothing cached), for SPIN neither.
SPIN explores the same graph (benchmarks/promela.py): `gcc -O2 -DSAFETY -DNOREDUCE`, `pan -n -E -w24`, with the smallest stack that suffices; runs of one thread, of several, and of SPIN alternated.
bytes/state: growth of the process's peak memory during the search, traces included. Threads: wall-clock time of one thread over that of several, each the fastest of its runs.
CPU s and bytes/state include the cost of a search before its first state (tens of milliseconds, tens of megabytes), which matters for the small models.
The interpreter is measured on the first {INTERPRETED_STATES:,} states. counts: exact if states and transitions, ours and SPIN's, are those that independent checkers found for this graph.
Figures of two tables are not comparable unless both were made in the same hour on the same machine.
"""  # noqa: E501
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "results.md").write_text(text, encoding="utf-8")
    (directory / "results.json").write_text(json.dumps(bench_data(bench), indent=1) + "\n", encoding="utf-8")


def _text(constants: Mapping[str, Any]) -> str:
    from checker.language.constants import written

    return " ".join(f"{n}={written(v)}" for n, v in constants.items())
