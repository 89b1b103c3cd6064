"""Costs of two protocols side by side, and whether the edit delivers earlier or later: a finding with its outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checker.report.compare.steps import outcome_text
from checker.report.data import as_data
from checker.report.lines import Line, line
from checker.results.costs import MOST_RUNS, Cost, Pace, Spread, pace
from checker.wording import range_text

ROWS = (
    ("steps to an outcome", "steps"),
    ("messages between processes", "messages"),
    ("message delays of a delivery", "delays"),
    ("of the last delivery", "last"),
    ("last delivery, fastest run", "fastest"),
    ("last delivery, slowest run", "slowest"),
)
ON_SHORTEST = ("delays", "last")  # say less than what is known of all runs
EVERY_RUN = ("fastest", "slowest")  # in messages, or in time
MOST_SHOWN = 5  # different numbers of a distribution


def cost_lines(before: Cost, after: Cost) -> Iterator[Line]:
    """A table, the distribution of delays over the outcomes, and the conclusion."""
    rows = [("states", f"{before.states:,}", f"{after.states:,}")]
    known = before.slowest is not None and after.slowest is not None
    of_time = " (time)" if before.unit == "time" else ""
    for name, part in ROWS:
        old, new = getattr(before, part), getattr(after, part)
        if not (known and part in ON_SHORTEST) and (_says(old, part) or _says(new, part)):
            rows.append((name + of_time * (part in EVERY_RUN), str(old or "-"), str(new or "-")))
    width, head = max(len(a) for _, a, _ in rows), max(29, *(len(name) for name, _, _ in rows))
    for name, a, b in rows:
        yield line(f"{name:<{head}} {a:>{width}} {f'→ {b}' if a != b else '  the same'}", "" if a != b else "dim")
    every = [("least ", before.fastest, after.fastest), ("greatest ", before.slowest, after.slowest)]
    for words, old, new in every if known else [("", before.last, after.last)]:
        if old is not None and new is not None and (known or _says(old, "last") or _says(new, "last")):
            changed = "" if old == new else f" → {_distribution(new)}"
            shown = f"outcomes by the {words}delay of their last delivery: {_distribution(old)}{changed}"
            yield line(shown, "" if changed else "dim")
    yield from _pace_lines(before, after)
    if before.runs < before.outcomes or after.runs < after.outcomes:
        some = f"{MOST_RUNS} outcomes of each side, those first that both have"
        yield line(f"measured on a shortest run to each of {some}", "dim")


def _pace_lines(before: Cost, after: Cost) -> Iterator[Line]:
    """ "delivers earlier", "delivers later", or neither: at the outcomes that both have."""
    found = pace(before, after)
    if found is None or found.example is None:
        return
    a, b = range_text(*found.example.before), range_text(*found.example.after)
    words = _earlier_and_later(found, "delivers ")
    yield line(f"{words} of {_common(found)} outcomes that both have", "yellow" if found.later else "green")
    where = "over all runs" if found.over_all_runs else "on a shortest run"
    of_time = f"comes {b} units of time after the multicast"
    waits = f"waits for {b} {'message' if b == '1' else 'messages'} in a row" if found.unit == "messages" else of_time
    outcome = outcome_text(found.example.outcome)
    yield line(f"  for example, {where} the last delivery {waits} instead of {a} at {outcome}")


def pace_words(before: Cost, after: Cost) -> str:
    """The finding in a few words; "" if the two are alike."""
    found = pace(before, after)
    if found is None or found.example is None:
        return ""
    return f"delivers {_earlier_and_later(found)} of {_common(found)} common outcomes"


def _earlier_and_later(found: Pace, verb: str = "") -> str:
    counts = (("earlier", found.earlier), ("later", found.later))
    return " and ".join(f"{verb}{word} at {number}" for word, number in counts if number)


def _common(found: Pace) -> int:
    return found.earlier + found.later + found.alike


def cost_data(before: Cost, after: Cost) -> dict[str, Any]:
    """Both costs and the pace as JSON data."""
    return {"base": _side(before), "edit": _side(after), "pace": as_data(pace(before, after))}


def _side(c: Cost) -> dict[str, Any]:
    spreads = {part: as_data(getattr(c, part), "least most counts") for _, part in ROWS}
    return {**as_data(c, "runs outcomes states"), **spreads}


def _says(found: Spread | None, part: str) -> bool:
    """Whether a number deserves a line: a model without messages has no number of messages, and no delay in
    messages."""
    return found is not None and (found.most > 0 or part in EVERY_RUN)


def _distribution(found: Spread) -> str:
    """2 in 3 outcomes, 4 in 1."""
    shown = [f"{number} in {times:,}" for number, times in found.counts[:MOST_SHOWN]]
    return ", ".join(shown) + (", ..." if len(found.counts) > MOST_SHOWN else "")
