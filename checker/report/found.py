"""Answers to single questions as text and as data: a state found, random walks, outcomes, a replayed trace, the rows of
a query.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any

from checker.report.data import as_data, plain_data
from checker.report.directory import trace_file
from checker.report.lines import STYLES, Line, line
from checker.report.tables import Right, aligned
from checker.report.text import report_lines
from checker.report.wording import constants_text
from checker.results.found import Replayed, Rows, Search, Simulation
from checker.results.validated import Validation
from checker.trace.trace import Trace
from checker.trace.values import show
from checker.wording import counted

WIDEST = 60  # of a cell of a query's table


def run_lines(trace: Trace, files: Sequence[Path]) -> Iterator[Line]:
    """A run, and where its reports were written."""
    yield from report_lines(trace, trace_file(files))
    for path in files[:1]:
        yield line(f"  reports    {path.parent}/")


# find


def search_lines(found: Search, files: Sequence[Path]) -> Iterator[Line]:
    """Whether there is such a state, with the run to it."""
    yield from () if found.trace is None else run_lines(found.trace, files)
    if found.validation is not None:
        yield line(f"  confirmed  {found.validation.text()}", "dim")
    if found.trace is not None:
        run = "a run of the reduced graph, shorter ones may exist" if found.reduced else "no shorter run"
        style, words = "green", f"in {counted(len(found.trace.steps), 'step')}; {run}"
    elif found.bound is None:
        every = f"every state of a reduced graph of {found.distinct:,}, which suffices, was looked at"
        full = f"{counted(found.distinct, 'reachable state')}, all looked at"
        style, words = "bold red", every if found.reduced else full
    else:
        ended = found.bound.ended_at(found.limit)
        style, words = "yellow", f"not within {counted(found.distinct, 'state')}; the search was {ended}"
    yield (found.verdict.upper(), style), (f"  {found.predicate}: {words}", "")


def search_data(found: Search, files: Sequence[Path]) -> dict[str, Any]:
    """The result as data."""
    return as_data(found, "reference predicate constants verdict exit_code distinct bound validation trace reduced") | {
        "files": as_data(files)
    }


# simulate


def simulation_lines(found: Simulation, files: Sequence[Path]) -> Iterator[Line]:
    """The results of the walks."""
    yield (found.reference, "bold"), (f"  {constants_text(found.constants)}", "")
    ends = f"{found.ends:,} of them where nothing is possible, the longest after {counted(found.longest, 'step')}"
    walked = f"{counted(found.steps, 'step')} of walks side by side; {counted(found.walks, 'walk')} ended"
    yield line(f"  walked     {walked}, {ends}; seed {found.seed}")
    yield line(f"  confirmed  {found.validation.text()}")
    yield line(f"  took       {found.seconds:.2f} s")
    if found.never_enabled:
        yield ("  never possible on the way: ", "yellow"), (", ".join(found.never_enabled), "")
    if found.not_judged:
        kinds = ", ".join(f"{p.name} ({p.kind})" for p in found.not_judged)
        yield ("  not evaluated on walks: ", "yellow"), (kinds, "")
    if found.trace is not None:
        yield from run_lines(found.trace, files)
        what = f"{found.property} in {counted(len(found.trace.steps), 'step')}; a shorter run may exist"
    else:
        why = "the time was up" if found.bound else "all walks were made"
        what = f"no violation on the way; {why}, and what was not met was not checked"
    yield (found.verdict.upper(), STYLES[found.verdict]), (f"  {what}", "")


def simulation_data(found: Simulation, files: Sequence[Path]) -> dict[str, Any]:
    """The result as data."""
    counts = "walks steps longest ends bound never_enabled not_judged seconds"
    names = f"reference constants seed verdict exit_code {counts} validation property trace"
    return as_data(found, names) | {"files": as_data(files)}


# outcomes


def outcome_lines(
    reference: str, found: Sequence[Mapping[str, Any]], validation: Validation | None, reduced: bool = False
) -> Iterator[Line]:
    """The outcomes, numbered; reduced: the confirmed states are those of a reduced graph."""
    numbers = [(Right(number), "  ".join(f"{n}: {show(v)}" for n, v in o.items())) for number, o in enumerate(found, 1)]
    yield from map(line, aligned(numbers))
    if validation is not None:
        yield line(f"{validation.text()}{'; states of a reduced graph' * reduced}", "dim")
    yield line(f"{counted(len(found), 'outcome')} of {reference}", "bold")


def outcome_data(
    reference: str, found: Sequence[Mapping[str, Any]], validation: Validation | None, reduced: bool = False
) -> dict[str, Any]:
    """The outcomes as data."""
    return {
        "reference": reference,
        "outcomes": [{n: plain_data(v) for n, v in o.items()} for o in found],
        "count": len(found),
        "validation": as_data(validation),
        "reduced": reduced,
    }


# replay


def replay_lines(trace: Trace, result: Replayed) -> Iterator[Line]:
    """Whether a stored trace is still a behaviour with the same finding."""
    what = f"{trace.property or trace.kind} of {trace.display_name()}"
    if result.confirmed:
        steps = counted(len(trace.steps), "step")
        yield ("CONFIRMED", "green"), (f"  {what}: {steps}, executed again by the interpreter", "")
        return
    place = "at the start" if result.step == 0 else f"at step {result.step}"
    yield ("DIFFERS", "bold red"), (f"  {what}: {place}, {result.reason}", "")
    yield from (line(f"  {text}") for text in result.differences)


def replay_data(trace: Trace, result: Replayed, shown: Trace | None = None) -> dict[str, Any]:
    """The same as data; `shown`: with the run in another order."""
    return {
        "reference": trace.reference or trace.model,
        "property": trace.property,
        **as_data(result),
        "exit_code": result.exit_code,
        **({} if shown is None else {"trace": as_data(shown)}),
    }


# query


def table_lines(found: Rows) -> Iterator[Line]:
    """Rows of a query: columns aligned, numbers on the right, long texts cut."""
    cells: list[Sequence[str]] = [found.columns, *(tuple(map(_cell, row)) for row in found.rows)]
    head, *rows = aligned(cells)
    yield line(head)
    yield line("  ".join("-" * max(map(len, column)) for column in zip(*cells, strict=True)))
    yield from map(line, rows)
    if found.more:
        yield line(f"... only {counted(len(found.rows), 'row')}; --limit shows more")


def table_data(found: Rows) -> dict[str, Any]:
    """The rows as data."""
    return {"rows": [dict(zip(found.columns, map(_plain, row))) for row in found.rows]}


def _plain(value: Any) -> Any:
    """A value of a query in JSON: bytes in hexadecimal, NaN and infinite numbers as null, and text for types without a
    JSON form (dates, keys of a map).
    """
    match value:
        case bytes() | bytearray():
            return bytes(value).hex()
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case float():
            return value if isfinite(value) else None
        case dict():
            return {k if isinstance(k, str) else _key(k): _plain(item) for k, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int) else str(value)


def _key(key: Any) -> str:
    """The key of a map as text: as JSON, if it is not text itself."""
    plain = _plain(key)
    return plain if isinstance(plain, str) else json.dumps(plain)


def _cell(value: Any) -> str:
    plain = _plain(value)
    text = "" if plain is None else plain if isinstance(plain, str) else json.dumps(plain)
    text = text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
    return Right(text) if isinstance(value, int | float) else text
