"""Findings about code without effect that a fault explains: a branch or variable for what happens after a crash, a
loss, a duplicate or a partition has no effect where the budget of the fault is 0, and is no mistake.

Each budget of 0 is raised to 1, one after the other, and the model is searched once more.  Every run without the fault
is also a run with it, so a complete search without the finding shows that the budget alone caused it.  These searches
take no more time and memory than the limits of the check leave.  Where it stops: a search that a limit ends shows
nothing, and a branch that needs two faults is still a finding.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from checker.analysis.vacuity.unexecuted import unchanged, unexecuted
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.distributed import BUDGETS, Distributed
from checker.language.errors import UsageError
from checker.results.vacuity import Vacuity
from checker.search.deadline import OutOfTime, within
from checker.search.limits import Limits

MOST_STATES = 200_000  # of each search


def not_for_faults(
    definition: Definition, findings: Sequence[Vacuity], limits: Limits, most: int = MOST_STATES, claimed: bool = True
) -> tuple[Vacuity, ...]:
    """The findings that are there with each fault, too.  limits: of the check; most: states of each search; claimed:
    whether the findings stay where that does not suffice.
    """
    left = tuple(findings)
    if not issubclass(definition.model, Distributed):
        return left
    for budget in (name for name in BUDGETS if definition.constants.get(name) == 0):
        if not left:
            break
        try:
            with within(limits, "reading the model with a fault"):
                faulty = define(definition.model, {**definition.constants, budget: 1}, [])
        except UsageError:  # the model has no such fault, or refuses it
            continue
        except OutOfTime:
            return left if claimed else ()
        found = _in(faulty, evolve(limits, max_depth=None, max_states=most))
        if found is None and not claimed:
            return ()
        if found is not None:
            left = tuple(f for f in left if (f.kind, f.subject) in found)
    return left


def _in(faulty: Definition, limits: Limits) -> set[tuple[str, str]] | None:
    """Kinds and subjects of what is found in a model with one fault; None if the search is not complete."""
    try:
        explored = explore(Request(faulty, stop_at_first=False, limits=limits))
        if not explored.complete or explored.survey is None:
            return None
        with within(limits, "searching for branches that are never executed"):
            survey = explored.survey()
            return {(f.kind, f.subject) for f in (*unexecuted(survey), *unchanged(faulty, survey))}
    except (UsageError, OutOfTime):  # the model with the fault is refused; a limit leaves too little for it
        return None
