"""Properties of whole runs: leads-to under weak fairness, on the explored graph."""

from __future__ import annotations

from attrs import frozen

from checker.backends.interpreter.interpreter import Raw
from checker.engines.explored import Behaviour
from checker.language.definition import PropertyDefinition
from checker.search.liveness import leads_to


@frozen
class BreakingRun:
    """The states of a run that breaks a property; from the last one it goes on at `loop` (None: it stops there)."""

    path: tuple[Raw, ...]
    loop: int | None


def breaking_run(property: PropertyDefinition, behaviour: Behaviour) -> BreakingRun | None:
    """A fair run on which `when` is not followed by `then`, or None if there is none."""
    graph = behaviour.graph
    lasso = leads_to(graph, *behaviour.truth(property))
    if lasso is None:
        return None
    path = list(behaviour.path(lasso.start))
    for edge in (*lasso.stem, *lasso.cycle):
        path.append(behaviour.path(int(graph.targets[edge]))[-1])
    loop = len(path) - 1 - len(lasso.cycle) if lasso.cycle else None
    return BreakingRun(tuple(path), loop)
