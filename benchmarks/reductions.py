"""Full and reduced searches side by side (`check --reduce`), and whether the aims set for reduction are reached.

Both searches of a row run in processes of their own, the same models, constants and properties, one thread.  CPU
seconds of the full search are those of its phase `search`; of the reduced one also those of `cycles`, in which the
graph is examined, since without it nothing may be concluded.  Footprints and tables (`reduce`) stand apart, as
compilation does: they depend on the model, hardly on the number of states.  As in the table of throughput, the search
is that of a later run, whose code is in the cache, and the fastest of several counts; runs with and without reduction
alternate.

Where it stops: a full search is given up at so many states, and is then a lower bound.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from benchmarks.throughput import apart, empty_cache, machine, phases_of_cpu
from checker.cli.output import Output
from checker.language.constants import written
from checker.report.tables import Right, markdown_table
from checker.results.exit_codes import HOLDS, VIOLATED

REPEATED = 3
REPEAT_FOR = 20.0
"""CPU seconds of searches after which a row is not measured again."""
GIVEN_UP = 14_000_000
"""States after which a full search is given up."""
SECONDS = 10.0
"""What "in seconds" means: the search and the examination of its graph."""

LOGS = ("NoDuplication", "NoCreation")


@frozen
class Aim:
    """What a row is to reach.  states: no more; hoped: no more, where that was hoped for; seconds: of CPU, no more;
    times: less CPU than the full search.  A row without any is to be decided at all."""

    states: int | None = None
    hoped: int | None = None
    seconds: float | None = None
    times: float | None = None


@frozen
class Run:
    """A model, its constants, the properties (None: all), and the aim."""

    model: str
    workload: tuple[int, ...]
    aim: Aim
    only: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """How the row is called."""
        return f"{self.model} ({written(self.workload)})"


CAUSAL = "causal_broadcast:Retested"
OF_CAUSAL, OF_S_TOTO = (*LOGS, "FifoOrder"), (*LOGS, "CausalOrder", "PrefixOrder")
SEQUENCER = "sequencer:StartAtMinusOne"
SOON = Aim(seconds=SECONDS)

RUNS = (
    Run("isis", (2, 1, 0), Aim(states=500_000, hoped=100_000, times=4)),
    Run("isis", (1, 1, 0, 0), Aim(seconds=1)),
    Run(CAUSAL, (2, 1, 1), Aim(states=36_000), OF_CAUSAL),
    Run(CAUSAL, (1, 1, 1, 1), Aim(), OF_CAUSAL),
    Run("reliable_multicast", (1, 1, 0), Aim(states=700, hoped=142)),
    Run("reliable_multicast", (2, 1, 0), SOON),
    Run("reliable_multicast", (1, 1, 1), SOON),
    Run("reliable_multicast", (1, 1, 0, 0), SOON),
    Run(SEQUENCER, (2, 1, 0), Aim(states=900)),
    Run(SEQUENCER, (2, 2, 0), Aim()),
    Run(SEQUENCER, (1, 1, 1, 1), Aim()),
    Run("s_toto", (1, 1, 1, 1), Aim(states=6_000, times=20), OF_S_TOTO),
    Run("s_toto", (2, 1, 1, 1), SOON, OF_S_TOTO),
)


@frozen
class Measured:
    """A search.  at_rest: quiescent states; cpu_seconds: of the search and, reduced, of the examination for cycles;
    of_tables: of footprints and tables; verdict: of the properties together; bound: what ended it too early, or
    None."""

    distinct: int
    transitions: int
    at_rest: int
    cpu_seconds: float
    of_tables: float
    verdict: str
    bound: str | None


@frozen
class Row:
    """Both searches of a run."""

    name: str
    only: tuple[str, ...] | None
    aim: Aim
    full: Measured
    reduced: Measured

    @property
    def sound(self) -> bool:
        """Whether what both found is equal, as far as both are complete."""
        if self.full.bound or self.reduced.bound:
            return True
        return (self.full.at_rest, self.full.verdict) == (self.reduced.at_rest, self.reduced.verdict)

    @property
    def decided(self) -> bool:
        """Whether the reduced search was complete, with every property decided."""
        return self.reduced.bound is None and self.reduced.verdict == "holds"

    @property
    def times(self) -> float:
        """How many times less CPU the reduced search takes; at least, if the full one was given up."""
        return self.full.cpu_seconds / max(self.reduced.cpu_seconds, 1e-3)

    def missed(self) -> list[str]:
        """The parts of the aim that are not reached, in words."""
        aim, found = self.aim, self.reduced
        if not self.decided:
            return ["not decided"]
        wanting = {
            f"{aim.states or 0:,} states": aim.states is not None and found.distinct > aim.states,
            f"{aim.hoped or 0:,} states hoped for": aim.hoped is not None and found.distinct > aim.hoped,
            f"{aim.seconds or 0:g} s": aim.seconds is not None and found.cpu_seconds > aim.seconds,
            f"{aim.times or 0:g} times less CPU": aim.times is not None and self.times < aim.times,
        }
        return [text for text, missing in wanting.items() if missing]


@frozen
class ReductionBench:
    """The table and the machine it was made on."""

    rows: tuple[Row, ...]
    machine: str
    date: str


def measure(model: str, workload: tuple[int, ...], only: tuple[str, ...] | None, reduce: bool, most: int) -> Measured:
    """One search in this process; most: states after which a full one is given up."""
    from checker.analysis.check import examine
    from checker.catalogue import find
    from checker.search.limits import Limits

    phases = phases_of_cpu()
    report = examine(
        find(model).cls,
        model,
        {"workload": workload},
        only=only,
        count_outcomes=False,
        reduce=reduce,
        limits=Limits(max_states=None if reduce else most),
        phases=phases,
    ).report
    assert bool(report.reduced) == reduce
    spent = phases.seconds
    searching = spent["search"] + spent.get("cycles", 0.0)
    counts = report.distinct, report.transitions, report.quiescent
    return Measured(*counts, searching, spent.get("reduce", 0.0), report.verdict.value, report.bound)


def run_reduction_bench(
    names: Iterable[str] = (), runs: Iterable[Run] = RUNS, *, most: int = GIVEN_UP, say: Callable[[str], None] = print
) -> ReductionBench:
    """Measure the runs (of the models named)."""
    names = list(names)
    rows = []
    for run in runs:
        if not names or run.model.partition(":")[0] in names:
            say(run.name)
            rows.append(Row(run.name, run.only, run.aim, *both_measured(run, most)))
    return ReductionBench(tuple(rows), machine(), time.strftime("%Y-%m-%d"))


def both_measured(run: Run, most: int) -> tuple[Measured, Measured]:
    """The full and the reduced search of a run.  The first of each fills a cache of machine code: its seconds have
    those of optimising the code beside the search, so it counts for no more than its result."""
    with empty_cache():
        found = [_once(run, most)]
        while len(found) < 2 or (len(found) <= REPEATED and sum(x.cpu_seconds for y in found for x in y) < REPEAT_FOR):
            found.append(_once(run, most))
    full, reduced = (min(each, key=lambda x: x.cpu_seconds) for each in zip(*found[1:]))
    return full, reduced


def _once(run: Run, most: int) -> tuple[Measured, Measured]:
    full, reduced = (apart(measure, run.model, run.workload, run.only, r, most) for r in (False, True))
    return full, reduced


def markdown(bench: ReductionBench) -> str:
    """A line for each run."""
    head = ["model, workload", "properties", *map(Right, ("states", "reduced", "transitions", "reduced", "at rest"))]
    head += [*map(Right, ("CPU s", "reduced", "times less", "tables, CPU s")), "aim", "reached"]
    return markdown_table(head, [_cells(row) for row in bench.rows])


def _cells(row: Row) -> list[str]:
    full, reduced = row.full, row.reduced
    beyond = "> " if full.bound else ""
    cut = "> " if reduced.bound else ""
    missed = row.missed()
    reached = "yes" if not missed else f"**no**: {', '.join(missed)}"
    return [
        row.name,
        "all" if row.only is None else ", ".join(row.only),
        f"{beyond}{full.distinct:,}",
        f"{cut}{reduced.distinct:,}",
        f"{beyond}{full.transitions:,}",
        f"{cut}{reduced.transitions:,}",
        f"{reduced.at_rest:,}",
        f"{beyond}{full.cpu_seconds:.2f}",
        f"{reduced.cpu_seconds:.2f}",
        f"{beyond}{row.times:.1f}",
        f"{reduced.of_tables:.2f}",
        aim_text(row.aim),
        reached if row.sound else "**WRONG**: states at rest or verdicts differ",
    ]


def aim_text(aim: Aim) -> str:
    """An aim in words."""
    parts = [] if aim.states is None else [f"at most {aim.states:,} states"]
    parts += [] if aim.hoped is None else [f"{aim.hoped:,} hoped for"]
    parts += [] if aim.seconds is None else [f"in {aim.seconds:g} s"]
    parts += [] if aim.times is None else [f"{aim.times:g} times less CPU"]
    return ", ".join(parts) or "decided"


def page(bench: ReductionBench) -> str:
    """The page that is kept beside the figures."""
    missed = [f"* {row.name}: {', '.join(parts)}" for row in bench.rows if (parts := row.missed())]
    aims = "All aims are reached." if not missed else "Missed:\n\n" + "\n".join(missed)
    return f"""# Fewer states

Made on {bench.date} by `python -m benchmarks reductions --out benchmarks` on: {bench.machine}.

`checker check MODEL -D workload=...` without and with `--reduce` ([how](../docs/reduction.md)), one thread.

{markdown(bench)}

CPU s: CPU seconds of the search; for the reduced one also those in which its graph is examined for cycles, if that is
needed; compilation is not included, nor are footprints and tables, which have a column. Each search is the fastest of
up to {REPEATED} whose code is in the cache; searches with and without `--reduce` alternate. A full search is given up
after {GIVEN_UP:,} states; its figures, and the factors by which the reduced search is smaller, are then lower bounds
(>). at rest: quiescent states, equal in both if both are complete. "In seconds" is taken for {SECONDS:g} s.

{aims}

Of `causal_broadcast:Retested` and `s_toto` only properties of logs, which only grow, are checked. With
`ActivationAgreement`, which compares all processes, nearly no step of `s_toto` is left out. `CausalOrder` is violated
in `Retested`, and the ordinary search shows a violation in any case.
"""


def recorded(file: Path) -> tuple[Row, ...]:
    """The rows of an earlier table."""
    stored: Iterable[Mapping[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["rows"]
    parts = (("aim", Aim), ("full", Measured), ("reduced", Measured))
    return tuple(
        Row(
            **{
                **row,
                "only": None if row["only"] is None else tuple(row["only"]),
                **{name: cls(**row[name]) for name, cls in parts},
            }
        )
        for row in stored
    )


def print_reduction_bench(bench: ReductionBench, output: Output, directory: Path | None) -> int:
    """Print the table, and write it to a directory; returns the exit code: 1 if the two searches of a row differ."""
    if output.json_file != "-":
        print(markdown(bench))
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "reductions.md").write_text(page(bench), encoding="utf-8")
        (directory / "reductions.json").write_text(json.dumps(asdict(bench), indent=1) + "\n", encoding="utf-8")
    output.write(lambda: asdict(bench))
    return HOLDS if all(row.sound for row in bench.rows) else VIOLATED
