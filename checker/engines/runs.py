"""Leads-to properties under weak fairness, decided on the explored graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import field

from checker.backends.interpreter.interpreter import Raw
from checker.engines.explored import Regions
from checker.frozen import frozen
from checker.language.definition import PropertyDefinition
from checker.search.liveness import leads_to


@frozen
class BreakingRun:
    """The states of a run that violates a property; after the last state the run continues at `loop` (None: it ends
    there).

    taken: for each of the last steps its number among the steps out of the state before.  Several steps may lead from
    one state to the same next state, and which of them is taken decides whether the run is fair.  values: of the
    parameters of the property, by name.
    """

    path: tuple[Raw, ...]
    loop: int | None
    taken: tuple[int, ...]
    values: Mapping[str, Any] = field(factory=dict)


def breaking_run(property: PropertyDefinition, behaviour: Regions) -> BreakingRun | None:
    """A fair run on which `when` is not followed by `then`, for the first value of the parameters that has one; None if
    no value has one.  Raises Undecided.
    """
    for n, values in enumerate(property.values()):
        region = behaviour.region(property, n)
        graph = region.graph
        lasso = leads_to(graph, region.when, region.then, region.first)
        if lasso is not None:
            edges = (*lasso.stem, *lasso.cycle)
            path = [*region.path(lasso.start), *(region.state(int(graph.targets[edge])) for edge in edges)]
            taken = tuple(edge - int(np.searchsorted(graph.sources, graph.sources[edge])) for edge in edges)
            loop = len(path) - 1 - len(lasso.cycle) if lasso.cycle else None
            return BreakingRun(tuple(path), loop, taken, values)
    return None
