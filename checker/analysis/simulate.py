"""`checker simulate`: random walks, for configurations that are too large to explore.

A violation is as good as any other: replayed, drawn, and shortened as far as its own walk allows.  That nothing was
found decides nothing, so the exit code is then 4.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from checker.analysis.walks import walk
from checker.language.define import define
from checker.language.errors import Undecided
from checker.language.model import Model
from checker.results.found import Simulation
from checker.results.listing import PropertyListing
from checker.search.deadline import READING, OutOfTime, within
from checker.search.limits import NO_LIMITS, Limits

NOT_JUDGED = ("leads-to", "reachable")
"""Kinds of properties that need whole runs, or all states."""


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
    met = walks.met
    return Simulation(
        reference,
        definition.constants,
        seed,
        met.runs,
        met.steps,
        met.longest,
        met.ends,
        met.bound,
        tuple(name for name, count in walks.enabled.items() if not count),
        tuple(PropertyListing(p.name, p.kind) for p in definition.properties if p.kind in NOT_JUDGED),
        time.perf_counter() - started,
        walks.validation,
        walks.trace,
    )
