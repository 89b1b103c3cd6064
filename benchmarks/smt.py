"""Bounded model checking by z3 beside the explicit search: the same models, the same property, the same depth.

Each measurement runs in a process of its own, which is ended when its time is over; what was covered until then is in
the table.  The search's seconds hold compilation with nothing cached, z3's the encoding of one step; importing either
is in neither.  An answer of one that contradicts the other's is WRONG and exit code 1; that one did not finish
contradicts nothing.

Where it stops: z3 provides for `network` messages in flight; a row says if some run within the depth needs more.  Both
look for model errors too, z3 one step further.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from benchmarks.models import path_of
from benchmarks.throughput import machine
from checker.analysis.prove.prove import needs_z3
from checker.bound import Bound
from checker.cli.output import Output
from checker.language.constants import written
from checker.language.errors import UsageError
from checker.report.tables import Right, markdown_table

TIMEOUT = 30.0  # seconds for each side of each row
MEMORY = 4 << 30  # bytes for the search
GRACE = 5.0  # seconds beyond the timeout before a process is ended that does not stop itself


@frozen
class Case:
    """One line of the table: a model with its constants, one property, and how far to look."""

    model: str
    constants: Mapping[str, Any]
    property: str
    depth: int
    network: int = 4


CASES = (
    Case("two_phase_commit", {"managers": 4}, "consistent", 8),
    Case("two_phase_commit", {"managers": 8}, "consistent", 8),
    Case("two_phase_commit", {"managers": 8}, "consistent", 16),
    Case("ewd840", {"nodes": 6}, "detection", 4),
    Case("ewd840", {"nodes": 8}, "detection", 4),
    Case("ewd840", {"nodes": 10}, "detection", 4),
    Case("ewd840", {"nodes": 12}, "detection", 4),
    Case("bakery", {"processes": 3, "tickets": 3}, "mutual_exclusion", 8),
    Case("bakery", {"processes": 3, "tickets": 3}, "mutual_exclusion", 16),
    Case("filter_lock", {"processes": 4}, "mutual_exclusion", 8),
    Case("chang_roberts", {"nodes": 5}, "smallest_wins", 8),
    Case("paxos", {"ballots": 1}, "one_value", 5),
    Case("paxos", {"ballots": 1}, "one_value", 8),
    Case("lamport_mutex", {"clock": 3}, "mutual_exclusion", 6),
    Case("sequencer", {"workload": (1, 1)}, "TotalOrder", 6),
    Case("isis", {"workload": (1, 1)}, "TotalOrder", 6),
    Case("isis:NoTieBreak", {"workload": (1, 1)}, "TotalOrder", 13),
    Case("s_toto:PhiVotes", {"workload": (1, 1)}, "PrefixOrder", 4),
    Case("s_toto", {"workload": (1, 1, 1), "phi": 2}, "PrefixOrder", 5),
)


@frozen
class Answer:
    """What one side found.

    verdict: none (no violation within `covered` steps, which is the depth asked for), violated (by a run of `steps`),
    stopped (`by` its limit; nothing within `covered` steps, -1: not even that).  prepare: seconds of compilation, or of
    encoding; work: seconds of search, or of solving.  size: states, or nothing.  left_out: z3 only.
    """

    verdict: str
    covered: int
    prepare: float
    work: float
    steps: int | None = None
    states: int | None = None
    left_out: bool = False
    by: str = ""

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.prepare + self.work


@frozen
class Row:
    """Both answers to one case."""

    case: Case
    search: Answer
    smt: Answer

    @property
    def agree(self) -> bool:
        """Whether neither contradicts the other: a violation found by one lies beyond what the other has covered, or
        both found one of that length."""
        for one, other in ((self.search, self.smt), (self.smt, self.search)):
            if one.steps is not None and other.steps != one.steps and other.covered >= one.steps:
                return False
        return self.search.steps is None or self.smt.steps is None or self.search.steps == self.smt.steps

    @property
    def faster(self) -> str:
        """Which side answered first, and how many times faster; "" if neither finished."""
        done = [name for name, side in (("search", self.search), ("z3", self.smt)) if side.verdict != "stopped"]
        if len(done) < 2:
            return f"{done[0]} (the other did not finish)" if done else "neither finished"
        low, high = sorted((self.search.seconds, self.smt.seconds))
        return f"{'search' if self.search.seconds <= self.smt.seconds else 'z3'}, {high / max(low, 1e-3):,.1f} times"


@frozen
class SmtBench:
    """The table, the machine it was made on, and the time each side had."""

    rows: tuple[Row, ...]
    timeout: float
    machine: str
    date: str
    load: str

    @property
    def exit_code(self) -> int:
        """1 if the two contradict each other anywhere."""
        return 0 if all(row.agree for row in self.rows) else 1


def run_smt_bench(
    names: Iterable[str] = (), *, timeout: float = TIMEOUT, say: Callable[[str], None] = print
) -> SmtBench:
    """Measure all cases (of the models named).  UsageError if a name has no case, or without z3."""
    needs_z3()
    names = list(names)
    known = {case.model.partition(":")[0] for case in CASES}
    if unknown := [n for n in names if n not in known]:
        raise UsageError(
            f"there is no comparison of z3 and search on {unknown[0]}", remedy=f"There are: {', '.join(sorted(known))}."
        )
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    rows = []
    for case in CASES:
        if not names or case.model.partition(":")[0] in names:
            say(f"{case.model} {_constants(case)}, {case.depth} steps")
            rows.append(Row(case, _apart(search_side, case, timeout), _apart(smt_side, case, timeout)))
    return SmtBench(tuple(rows), timeout, machine(), time.strftime("%Y-%m-%d"), load)


# The two sides


def search_side(case: Case, timeout: float, tell: Callable[[Answer], None]) -> Answer:
    """The native search, one thread, to the depth."""
    from checker.analysis.check import check
    from checker.catalogue import find
    from checker.search.limits import Limits

    limits = Limits(max_depth=case.depth, max_seconds=timeout, max_memory=MEMORY)
    report = check(
        find(path_of(case.model)).cls,
        case.model,
        case.constants,
        only=[case.property],
        limits=limits,
        traces=False,
        count_outcomes=False,
    )
    violated = next((p.steps for p in report.properties if p.verdict.refuted and p.name == case.property), None)
    prepare = sum(s for phase, s in report.seconds.items() if phase not in ("search", "replay"))
    failed = [p.name for p in report.properties if p.kind in ("error", "assert")]
    stopped = violated is None and (report.bound not in (None, Bound.DEPTH) or len(failed) > 0)
    # the last level may be there in part, and the one before not yet judged
    covered = case.depth if not stopped else max(-1, report.depth - 3)
    return Answer(
        "violated" if violated is not None else "stopped" if stopped else "none",
        covered if violated is None else violated - 1,
        prepare,
        report.seconds["search"],
        violated,
        report.distinct,
        by=(failed[0] if failed else str(report.bound)) if stopped else "",
    )


def smt_side(case: Case, timeout: float, tell: Callable[[Answer], None]) -> Answer:
    """Bounded model checking to the depth; tells after each depth how far it is."""
    from checker.backends.smt.bounded import Goal, base_cases
    from checker.backends.smt.clock import Clock
    from checker.backends.smt.system import System
    from checker.catalogue import find
    from checker.frontend.lower import lower
    from checker.language.define import define

    start = time.perf_counter()
    definition = define(find(path_of(case.model)).cls, case.constants, [case.property])
    model = lower(
        definition, {v.name: case.network for v in definition.variables if v.network is not None}, any_state=True
    )
    system = System(model)
    system.relation()
    prepare = time.perf_counter() - start
    tell(Answer("stopped", -1, prepare, timeout - prepare, by="seconds"))
    system.clock = Clock.of(timeout - prepare)
    answer = Answer("stopped", -1, prepare, 0.0, by="seconds")
    for found in base_cases(system, Goal(system, tuple(model.properties)), case.depth, lambda text: None):
        work = time.perf_counter() - start - prepare
        failed = found.run is not None and found.run.failing
        verdict = (
            "violated"
            if found.verdict == "violated" and not failed
            else "none"
            if found.base == case.depth
            else "stopped"
        )
        steps = len(found.run.states) - 1 if found.run is not None and not failed else None
        answer = Answer(
            verdict,
            found.base,
            prepare,
            work,
            steps,
            left_out=found.left_out,
            by="" if verdict != "stopped" else "a model error" if failed else "seconds",
        )
        tell(answer)
    return answer


def _apart(side: Callable[..., Answer], case: Case, timeout: float) -> Answer:
    """One side in a new process with an empty kernel cache; ended a little after its time, with the last answer it
    told."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as cache:
        process = context.Process(target=_child, args=(side, case, timeout, there, cache))
        process.start()
        there.close()
        last = Answer("stopped", -1, timeout, 0.0, by="seconds")
        deadline = time.monotonic() + timeout + GRACE
        try:
            while here.poll(max(0.0, deadline - time.monotonic())):
                told = here.recv()
                if isinstance(told, UsageError):
                    raise told
                last = told
        except EOFError:
            pass  # it has said everything
        finally:
            process.terminate()
            process.join()
            here.close()
    return last


def _child(side: Callable[..., Answer], case: Case, timeout: float, pipe: Any, cache: str) -> None:
    import z3  # noqa: F401  importing is in neither side's time

    import checker.engines.native  # noqa: F401

    os.environ["XDG_CACHE_HOME"] = cache
    try:
        pipe.send(side(case, timeout, pipe.send))
    except UsageError as error:
        pipe.send(error)


# The table

HEAD = (
    "model",
    "property",
    "steps",
    "answer",
    "states",
    "search s",
    "of it compiling",
    "z3 s",
    "of it encoding",
    "faster",
)


def cells(row: Row) -> tuple[str, ...]:
    """One line of the table."""
    case, search, smt = row.case, row.search, row.smt
    return (
        f"{case.model} {_constants(case)}",
        case.property,
        str(case.depth),
        _answer(row),
        f"{search.states:,}" if search.states is not None else "",
        _seconds(search),
        f"{search.prepare:.2f}",
        _seconds(smt),
        f"{smt.prepare:.2f}",
        row.faster,
    )


def _answer(row: Row) -> str:
    if not row.agree:
        return "WRONG"
    steps = row.search.steps if row.search.steps is not None else row.smt.steps
    text = "none" if steps is None else f"violated in {steps}"
    return text + (f"; z3 for at most {row.case.network} messages in flight" if row.smt.left_out else "")


def _seconds(side: Answer) -> str:
    if side.verdict != "stopped":
        return f"{side.seconds:.2f}"
    covered = f"{side.covered} steps done" if side.covered >= 0 else "no step done"
    return f"stopped by {side.by}, {covered}"


def markdown(bench: SmtBench) -> str:
    """The table as Markdown."""
    right = (2, 4, 6, 8)
    return markdown_table([Right(h) if i in right else h for i, h in enumerate(HEAD)], map(cells, bench.rows))


def text(bench: SmtBench) -> str:
    """The table aligned, for a terminal."""
    table = [HEAD, *map(cells, bench.rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(HEAD))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in table)


def print_smt_bench(bench: SmtBench, output: Output, directory: Path | None) -> int:
    """Print the table, and write it to a directory; returns the exit code."""
    if output.json_file != "-":
        print(text(bench))
    if directory is not None:
        write_smt_results(bench, directory)
    output.write(lambda: bench_data(bench))
    return bench.exit_code


def bench_data(bench: SmtBench) -> dict[str, Any]:
    """The table as JSON data."""
    rows = [{**asdict(row), "agree": row.agree, "faster": row.faster} for row in bench.rows]
    return {**asdict(bench), "rows": rows, "exit_code": bench.exit_code}


def write_smt_results(bench: SmtBench, directory: Path) -> None:
    """Write smt.md and smt.json."""
    report = f"""# z3 against the search

Bounded model checking by z3 and the native search with one thread on the same models, properties and depths. Made on {bench.date} by `python -m benchmarks smt --out benchmarks`
on: {bench.machine}. Load averages before the start: {bench.load}. Each side had {bench.timeout:g} s for each row.

{markdown(bench)}

steps: the depth of both. answer: *none* means no violation within this depth. states: distinct states of the search within the depth. search s: compilation (nothing
cached) and search. z3 s: encoding one step and solving for 0, 1, 2, ... steps. Figures are wall-clock times of one run each.

{reading(bench)}
"""  # noqa: E501
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "smt.md").write_text(report, encoding="utf-8")
    (directory / "smt.json").write_text(json.dumps(bench_data(bench), indent=1) + "\n", encoding="utf-8")


def reading(bench: SmtBench) -> str:
    """The number of rows in which each side is faster, and why."""
    wins = {"search": 0, "z3": 0}
    for row in bench.rows:
        for side in wins:
            wins[side] += row.faster.startswith(side)
    return (
        f"Of {len(bench.rows)} rows the search is faster in {wins['search']}, z3 in {wins['z3']}. z3 is "
        "faster if there are very many states within few steps, as with the initial states of ewd840, which z3 does "
        "not enumerate. The search is faster if messages in flight make the formula of a step large; its advantage "
        "grows with the depth."
    )


def _constants(case: Case) -> str:
    return " ".join(f"{n}={written(v)}" for n, v in case.constants.items())
