"""The runs of a comparison: one for each difference that a run can show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from checker.results.comparison import Comparison
from checker.trace.trace import Trace


def violations(c: Comparison) -> list[Trace]:
    """Of the edit, one for each property that it breaks, shortest first."""
    return sorted((p.trace for p in c.changed("broken") if p.trace is not None), key=lambda t: len(t.steps))


def others(c: Comparison) -> Iterator[tuple[str, list[Trace]]]:
    """For each group of other runs its title and the runs: none of them violates a property of the edit."""
    came, went = ((), ()) if c.outcomes is None else (c.outcomes.added, c.outcomes.removed)
    behaviours = () if c.behaviours is None else (c.behaviours.added, c.behaviours.removed)
    steps = () if c.steps is None else (c.steps.added, c.steps.removed)
    for what, runs in (
        ("outcomes that came", [r.trace for r in came]),
        ("outcomes that went", [r.trace for r in went]),
        ("sequences of events of one side alone", [s.trace for s in behaviours if s is not None]),
        ("steps of one side alone", steps),
        ("states in which a rule differs", [r.reached for r in c.rules]),
        ("violations that the edit repairs", [p.trace for p in c.changed("repaired")]),
    ):
        yield what, [run for run in runs if run is not None]


def every_run(c: Comparison) -> Iterator[Trace]:
    """All of them."""
    yield from chain(violations(c), *(runs for _, runs in others(c)))
