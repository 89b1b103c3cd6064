"""The search on Spark beside one native thread: wall-clock seconds of both in the same run, by exchange, and the time
of small levels.

Searches alternate, native first, and the fastest of each counts: other load on the machine only ever adds.  A search on
Spark begins in this process and is handed over as `checker check` does it; starting the session and the workers'
processes is apart, as compilation is for the native search.  Small levels are those of a search that is on Spark from
its first level on; its first one, for which every shard is set up, is left out.

Where it stops: one machine, where workers share memory bandwidth and nothing crosses a network.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from benchmarks.models import path_of
from benchmarks.throughput import RUNS, Measured, Run, apart, machine, measure
from checker.cli.output import Output
from checker.engines.placement import HANDOVER, Placement
from checker.language.constants import written
from checker.language.errors import UsageError
from checker.report.tables import Right, markdown_table
from checker.results.exit_codes import HOLDS, VIOLATED

EXCHANGES = ("files",)
LEAST_STATES = 2_000_000  # smaller searches are hardly handed over before they end
SMALL = Run("two_phase_commit", {"managers": 7}, 296_448, 2_744_705)
SMALL_LEVEL = 3_000
# times one native thread from ten million states on; ms of a small level
BARS = {"files": (0.35, 120.0)}
BAR_STATES = 10_000_000
ROUNDS = 2
ONE_ROUND_FROM = 30.0  # seconds of the native search


@frozen
class OnSpark:
    """One search on Spark.  Seconds by the clock, apart from cpu_seconds: of the workers, in all; phases: of the
    workers, in all."""

    distinct: int
    transitions: int
    seconds: float
    start_seconds: float
    cpu_seconds: float
    sent: int
    spilled: int
    skew: float
    restarts: int
    phases: dict[str, float]


@frozen
class Row:
    """One model: the native search with one thread, and one search for each exchange.  exact: all counts are the known
    ones."""

    model: str
    constants: dict[str, Any]
    native: Measured
    exchanges: dict[str, OnSpark]
    exact: bool

    def ratio(self, exchange: str) -> float:
        """How many times as fast as one native thread."""
        return self.native.wall_seconds / self.exchanges[exchange].seconds


@frozen
class SmallLevels:
    """Milliseconds of the levels with fewer than SMALL_LEVEL states before and after."""

    count: int
    median: float
    largest: float


@frozen
class SparkBench:
    """The tables and where they were made."""

    rows: tuple[Row, ...]
    small: dict[str, SmallLevels]
    exact: bool
    master: str
    partitions: int
    machine: str
    date: str
    load: str


@frozen
class Place:
    """Where to search."""

    master: str
    partitions: int
    worker_memory: int | None


def run_spark_bench(
    names: Iterable[str], place: Place, *, large: bool = False, say: Callable[[str], None] = print
) -> SparkBench:
    """Measure the runs of many states (of the models named).  UsageError if a name has no such run, or Spark cannot be
    used."""
    names = list(names)
    runs = [r for r in RUNS if r.distinct >= LEAST_STATES]
    known = {run.model.partition(":")[0] for run in runs}
    if unknown := [n for n in names if n not in known]:
        raise UsageError(
            f"there is no benchmark of {unknown[0]} on Spark", remedy=f"There are: {', '.join(sorted(known))}."
        )
    chosen = [r for r in runs if (not names or r.model.partition(":")[0] in names) and (large or not r.large)]
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    small, exact = {}, True
    for exchange in EXCHANGES:
        say(f"small levels, {exchange}")
        small[exchange], right = _small_levels(place, exchange)
        exact &= right
    rows = []
    for run in chosen:
        say(f"{run.model} {_text(run.constants)}")
        rows.append(_row(run, place))
    return SparkBench(
        tuple(rows),
        small,
        exact and all(row.exact for row in rows),
        place.master,
        place.partitions,
        machine(),
        time.strftime("%Y-%m-%d"),
        load,
    )


def _row(run: Run, place: Place) -> Row:
    natives: list[Measured] = []
    searches: dict[str, list[OnSpark]] = {exchange: [] for exchange in EXCHANGES}
    while True:
        natives.append(apart(measure, run.model, run.constants, 1, _only(run)))
        for exchange in EXCHANGES:
            searches[exchange].append(_on_spark(run, place, exchange, HANDOVER)[0])
        if len(natives) == ROUNDS or natives[0].wall_seconds > ONE_ROUND_FROM:
            break
    everything: list[Measured | OnSpark] = [*natives, *(s for some in searches.values() for s in some)]
    return Row(
        run.model,
        dict(run.constants),
        min(natives, key=lambda m: m.wall_seconds),
        {exchange: min(some, key=lambda s: s.seconds) for exchange, some in searches.items()},
        all((m.distinct, m.transitions) == (run.distinct, run.transitions) for m in everything),
    )


def _only(run: Run) -> list[str] | None:
    return None if run.only is None else [run.only]


def _small_levels(place: Place, exchange: str) -> tuple[SmallLevels, bool]:
    found, levels = _on_spark(SMALL, place, exchange, 0)
    small = [
        1e3 * seconds for (before, _), (rows, seconds) in zip(levels[1:], levels[2:]) if max(before, rows) < SMALL_LEVEL
    ]
    right = (found.distinct, found.transitions) == (SMALL.distinct, SMALL.transitions)
    return SmallLevels(len(small), statistics.median(small), max(small)), right


def _on_spark(run: Run, place: Place, exchange: str, handover: int) -> tuple[OnSpark, list[tuple[int, float]]]:
    """A search, and the states and seconds of its levels."""
    from checker.catalogue import find
    from checker.engines.explored import Phases
    from checker.engines.request import Request
    from checker.engines.spark import explore
    from checker.language.define import define
    from checker.search.spark.driver import Outcome
    from checker.search.workdir import WorkDirectory

    noted: list[Outcome] = []
    phases = Phases()
    definition = define(find(path_of(run.model)).cls, run.constants, _only(run))
    with tempfile.TemporaryDirectory(prefix="checker-", ignore_cleanup_errors=True) as directory:
        workdir = Path(directory) / "search"
        placement = Placement(
            workdir,
            False,
            place.master,
            place.partitions,
            handover,
            place.worker_memory,
            say=lambda _: None,
            note=noted.append,
        )
        explored = explore(
            Request(definition, run.model, _only(run), "spark", stop_at_first=False, placement=placement, phases=phases)
        )
        with WorkDirectory.open(workdir) as work:
            levels = [(level.rows, level.seconds) for level in work.levels]
    outcome = noted[-1] if noted else Outcome()
    return OnSpark(
        explored.distinct,
        explored.transitions,
        phases.seconds["search"],
        phases.seconds.get("spark", 0.0),
        sum(s.cpu for s in outcome.spent.values()),
        outcome.sent,
        outcome.spilled,
        outcome.skew,
        outcome.restarts,
        {phase: s.wall for phase, s in outcome.spent.items()},
    ), levels


def _text(constants: Mapping[str, Any]) -> str:
    return " ".join(f"{n}={written(v)}" for n, v in constants.items())


# ---- tables


def markdown(bench: SparkBench) -> str:
    """Three tables as Markdown: searches, small levels, and the bars."""
    head = [
        "model",
        "exchange",
        "states",
        "transitions",
        "s",
        "native, one thread, s",
        "times one native thread",
        "workers, CPU s",
        "native, CPU s",
        "MB sent",
        "largest shard, times its share",
        "started over",
        "counts",
    ]
    rows = []
    for row in bench.rows:
        for exchange, found in row.exchanges.items():
            cells = [
                f"{row.model} {_text(row.constants)}",
                exchange,
                f"{found.distinct:,}",
                f"{found.transitions:,}",
                f"{found.seconds:.2f}",
                f"{row.native.wall_seconds:.2f}",
                f"{row.ratio(exchange):.2f}",
                f"{found.cpu_seconds:.2f}",
                f"{row.native.cpu_seconds:.2f}",
                f"{found.sent / 1e6:,.0f}",
                f"{found.skew:.2f}",
                str(found.restarts),
                "exact" if row.exact else "WRONG",
            ]
            rows.append(cells)
    small = [(e, str(f.count), f"{f.median:.1f}", f"{f.largest:.1f}") for e, f in bench.small.items()]
    levels = f"levels of fewer than {SMALL_LEVEL:,} states"
    tables = (
        markdown_table([*head[:2], *map(Right, head[2:])], rows),
        markdown_table([levels, Right("levels"), Right("median, ms"), Right("longest, ms")], small),
        markdown_table(
            ["aim", Right("measured"), "reached"],
            [(aim, measured, "yes" if reached else "no") for aim, measured, reached in bars(bench)],
        ),
    )
    return "\n\n".join(tables)


def bars(bench: SparkBench) -> list[tuple[str, str, bool]]:
    """What is aimed at, what was measured, and whether that is enough."""
    lines = []
    for exchange, (times, milliseconds) in BARS.items():
        for row in bench.rows:
            if row.native.distinct >= BAR_STATES:
                ratio = row.ratio(exchange)
                lines.append(
                    (
                        f"{exchange}, {row.model} {_text(row.constants)}: {times} times one native thread",
                        f"{ratio:.2f}",
                        ratio >= times,
                    )
                )
        small = bench.small[exchange]
        lines.append(
            (
                f"{exchange}, a small level: {milliseconds:.0f} ms",
                f"{small.median:.1f} (longest {small.largest:.1f})",
                small.median <= milliseconds,
            )
        )
    return lines


def print_spark_bench(bench: SparkBench, output: Output, directory: Path | None) -> int:
    """Print the tables, write them to a directory, and give the exit code: whether all counts are right."""
    if output.json_file != "-":
        print(markdown(bench))
    if directory is not None:
        write_results(bench, directory)
    output.write(lambda: asdict(bench))
    return HOLDS if bench.exact else VIOLATED


def write_results(bench: SparkBench, directory: Path) -> None:
    """Write spark.md and spark.json."""
    text = f"""# The search on Spark

Made on {bench.date} by `python -m benchmarks spark --master '{bench.master}' --out benchmarks` on: {bench.machine}. Load averages before the start: {bench.load}.

{markdown(bench)}

s: wall-clock seconds of the search, the fastest of {ROUNDS} runs (of one, if the native search takes more than {ONE_ROUND_FROM:.0f} s); native searches and searches on Spark alternate.
A search on Spark begins in the driver and is handed over at a level of {HANDOVER:,} states; every level is stored on disk, which the native search does not do.
Starting the session and the workers' Python processes is apart, as compilation is for the native search.
Workers, CPU s: of the Python processes together, without Java and without what is begun before the handover. MB sent: candidates on their way between shards, those to the own shard, too.
Small levels: two_phase_commit {_text(SMALL.constants)} on Spark from the first level on, without the first one; the median is compared with the aim.
counts: exact if states and transitions of all runs are those that independent checkers found for this graph.
A load above the number of processors: other programs ran. Then CPU seconds and the ratios say more than seconds.
"""  # noqa: E501
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "spark.md").write_text(text, encoding="utf-8")
    (directory / "spark.json").write_text(json.dumps(asdict(bench), indent=1) + "\n", encoding="utf-8")
