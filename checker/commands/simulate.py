"""`checker simulate`: random walks, for configurations that are too large to explore.

A violation is as good as any other: replayed, drawn, and shortened as far as its own walk allows.  That nothing was
found decides nothing, so the exit code is then 4.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from checker.engines.walks import Walks, walk
from checker.language.define import define
from checker.language.errors import Undecided
from checker.language.model import Model
from checker.search.deadline import READING, OutOfTime, within
from checker.search.limits import NO_LIMITS, Limits
from checker.wording import counted

UNJUDGED = ("leads-to", "reachable")
"""Kinds of properties that need whole runs, or all states."""


@frozen
class Simulation:
    """What was simulated and what came of it; `seed` makes the same walks again.  unjudged: properties of which walks
    say nothing, with their kinds."""

    reference: str
    constants: Mapping[str, Any]
    seed: int
    walks: Walks
    seconds: float
    unjudged: tuple[tuple[str, str], ...] = ()

    @property
    def exit_code(self) -> int:
        """1 violated, 4 nothing found, which decides nothing."""
        return 4 if self.walks.trace is None else 1


def simulation(
    cls: type[Model],
    reference: str,
    constants: Mapping[str, Any] | None = None,
    *,
    only: list[str] | None = None,
    runs: int,
    depth: int,
    seed: int,
    limits: Limits = NO_LIMITS,
    progress: Any = None,
) -> Simulation:
    """Random walks of a model class."""
    started, limits = time.perf_counter(), limits.begun()
    try:
        with within(limits, "reading the model", READING):
            definition = define(cls, constants, only)
    except OutOfTime as late:
        raise Undecided(str(late), remedy="Raise --max-seconds, or lower the constants.") from None
    walks = walk(definition, reference, runs=runs, depth=depth, seed=seed, limits=limits, progress=progress)
    unjudged = tuple((p.name, p.kind) for p in definition.properties if p.kind in UNJUDGED)
    return Simulation(reference, definition.constants, seed, walks, time.perf_counter() - started, unjudged)


def print_simulation(found: Simulation, output: Any, files: list[Any]) -> int:
    """Print the result, and write its JSON; returns the exit code."""
    from checker.commands.json_output import trace_data
    from checker.commands.reports import trace_file
    from checker.language.constants import written
    from checker.report.text import print_report

    met, trace = found.walks.met, found.walks.trace
    never = [name for name, count in found.walks.enabled.items() if not count]
    if output.json_file != "-":
        output.fields(
            (found.reference, "bold"), ("  " + " ".join(f"{n}={written(v)}" for n, v in found.constants.items()), "")
        )
        output.line(
            f"  walked     {counted(met.steps, 'step')} of walks side by side; {counted(met.runs, 'walk')} ended, "
            f"{met.ends:,} of them where nothing is possible, the longest after "
            f"{counted(met.longest, 'step')}; seed {found.seed}"
        )
        output.line(f"  confirmed  {found.walks.validation.text()}")
        output.line(f"  took       {found.seconds:.2f} s")
        if never:
            output.fields(("  never possible on the way: ", "yellow"), (", ".join(never), ""))
        if found.unjudged:
            output.fields(
                ("  not judged by walks: ", "yellow"),
                (", ".join(f"{name} ({kind})" for name, kind in found.unjudged), ""),
            )
        if trace is not None:
            print_report(trace, output.console, trace_file(files))
            for path in files[:1]:
                output.line(f"  reports    {path.parent}/")
            output.fields(
                ("VIOLATED", "bold red"),
                (f"  {trace.property} in {counted(len(trace.steps), 'step')}; a shorter run may exist", ""),
            )
        else:
            why = "the time was up" if met.bound else "all walks were made"
            output.fields(
                ("INCONCLUSIVE", "yellow"),
                (f"  no violation on the way; {why}, and what was not met was not checked", ""),
            )
    output.write(
        {
            "reference": found.reference,
            "constants": dict(found.constants),
            "seed": found.seed,
            "verdict": "inconclusive" if trace is None else "violated",
            "exit_code": found.exit_code,
            "walks": met.runs,
            "steps": met.steps,
            "longest": met.longest,
            "ends": met.ends,
            "bound": met.bound,
            "never_enabled": never,
            "not_judged": [{"name": name, "kind": kind} for name, kind in found.unjudged],
            "seconds": found.seconds,
            "validation": found.walks.validation.data(),
            "property": None if trace is None else trace.property,
            "trace": None if trace is None else trace_data(trace),
            "files": [str(f) for f in files],
        }
    )
    return found.exit_code
