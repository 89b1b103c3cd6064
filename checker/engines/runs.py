"""Leads-to properties under weak fairness, decided on the explored graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import field

from checker.backends.interpreter.interpreter import Raw
from checker.engines.explored import Behaviour
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


def breaking_run(property: PropertyDefinition, behaviour: Behaviour) -> BreakingRun | None:
    """A fair run on which `when` is not followed by `then`, for the first value of the parameters that has one; None if
    no value has one.
    """
    graph, every = behaviour.graph, enumerate(property.values())
    found = ((values, leads_to(graph, *behaviour.truth(property, n))) for n, values in every)
    values, lasso = next(((v, lasso) for v, lasso in found if lasso is not None), ({}, None))
    if lasso is None:
        return None
    edges = (*lasso.stem, *lasso.cycle)
    path = [*behaviour.path(lasso.start), *(behaviour.path(int(graph.targets[edge]))[-1] for edge in edges)]
    taken = tuple(edge - int(np.searchsorted(graph.sources, graph.sources[edge])) for edge in edges)
    loop = len(path) - 1 - len(lasso.cycle) if lasso.cycle else None
    return BreakingRun(tuple(path), loop, taken, values)
