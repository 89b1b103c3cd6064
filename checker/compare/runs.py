"""The runs of a comparison, by what they show: one for each difference that a run can show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from checker.compare.behaviours import separating
from checker.trace.trace import Trace

if TYPE_CHECKING:
    from checker.compare.comparison import Comparison


def violations(c: Comparison) -> list[Trace]:
    """Of the edit, one for each property that it breaks, shortest first."""
    return sorted(
        (p.trace for p in c.properties if p.change == "broken" and p.trace is not None), key=lambda t: len(t.steps)
    )


def others(c: Comparison) -> Iterator[tuple[str, list[Trace]]]:
    """What the runs of a group show, and the runs: none of them violates a property of the edit."""
    yield "outcomes that came", [r.trace for r in c.added if r.trace is not None]
    yield "outcomes that went", [r.trace for r in c.removed if r.trace is not None]
    yield "sequences of events of one side alone", separating(c.behaviours)
    yield (
        "steps of one side alone",
        [] if c.steps is None else [t for t in (c.steps.added, c.steps.removed) if t is not None],
    )
    yield "states in which a rule differs", [r.reached for r in c.rules if r.reached is not None]
    yield (
        "violations that the edit repairs",
        [p.trace for p in c.properties if p.change == "repaired" and p.trace is not None],
    )


def every_run(c: Comparison) -> Iterator[Trace]:
    """All of them."""
    yield from chain(violations(c), *(runs for _, runs in others(c)))


def telling(c: Comparison) -> Trace | None:
    """The one run that tells most: the shortest new violation, else the first new outcome, sequence of events or step,
    else a state in which a rule differs."""
    groups = dict(others(c))
    first = (
        violations(c),
        groups["outcomes that came"],
        groups["sequences of events of one side alone"],
        groups["steps of one side alone"],
        groups["states in which a rule differs"],
    )
    return next((runs[0] for runs in first if runs), None)
