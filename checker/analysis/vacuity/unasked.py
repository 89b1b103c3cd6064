"""Branches that are never executed, properties that are never tested, quiescence that only faults bring about, and
comparisons that the types decide, without a request: where every property holds, or something that should happen does
not.

A property that holds because a handler never does anything, or because the situation that it concerns never occurs, is
no good news; where something is missing, a condition that is never true is a likelier reason than the guard that is
false at the end of the run.  Where it stops: of branches and tests nothing is claimed after a reduced search, of more
than SMALL_GRAPH states, or of a branch that a fault whose budget is 0 may execute.  Comparisons need no states.
"""

from __future__ import annotations

import time

from attrs import evolve

from checker.analysis.check import Examined
from checker.analysis.vacuity.decided import decided_comparisons
from checker.analysis.vacuity.ending import ending_by_faults
from checker.analysis.vacuity.tested import tested, untested
from checker.analysis.vacuity.unexecuted import unexecuted
from checker.analysis.vacuity.with_faults import not_for_faults
from checker.engines.explored import Explored, Phases
from checker.engines.placement import Placement
from checker.engines.registry import explore
from checker.language.errors import UsageError
from checker.results.checked import Report
from checker.results.vacuity import Vacuity
from checker.results.verdict import Verdict

SMALL_GRAPH, SMALL_SECONDS = 100_000, 3.0
SMALL_WITH_FAULT = 20_000  # states of a search with one more fault


def with_unasked(examined: Examined) -> Report:
    """The report with the comparisons in rules that the types decide, the branches that no step executes, and the
    properties that hold because their antecedents are never satisfied; unchanged unless the verdict is HOLDS, or
    something misses.
    """
    report = examined.report
    if report.verdict is not Verdict.HOLDS and not report.misses:
        return report
    start = time.perf_counter()
    decided = tuple(decided_comparisons(examined.definition))
    if decided:
        seconds = {**report.seconds, "vacuity of types": time.perf_counter() - start}
        report = evolve(report, findings=(*report.findings, *decided), seconds=seconds)
    return _of_states(examined, report)


def _of_states(examined: Examined, report: Report) -> Report:
    """The report with the findings that need all states.  A search that ended at the violation is made again, to its
    end.
    """
    explored, start = examined.explored, time.perf_counter()
    if explored.survey is None or explored.reduced or explored.distinct > SMALL_GRAPH:
        return report
    if not explored.complete:
        try:
            explored = _to_the_end(examined)
        except UsageError:  # the limit on memory leaves too little for it
            return report
    if not explored.complete or explored.survey is None:
        return report
    survey, holding = explored.survey(), {p.name for p in report.properties if p.verdict is Verdict.HOLDS}
    hollow = untested(examined.definition, survey, tested(survey, examined.definition), list(report.findings))
    left: list[Vacuity] = []
    if found := list(unexecuted(survey)):
        limits = examined.request.limits
        left += not_for_faults(examined.definition, found, limits, SMALL_WITH_FAULT, claimed=report.misses)
    left += (f for f in hollow if f.kind == "never-tested" and f.subject in holding)
    left += ending_by_faults(examined.definition, survey, holding)
    seconds = {**report.seconds, "vacuity of states": time.perf_counter() - start}
    return evolve(report, findings=(*report.findings, *left), seconds=seconds) if left else report


def _to_the_end(examined: Examined) -> Explored:
    """The search to its end, with the limits of a small graph, and no more than those of the check leave."""
    given = examined.request.limits
    left = given.left()
    seconds = SMALL_SECONDS if left is None else min(SMALL_SECONDS, left)
    limits = evolve(given, max_depth=None, max_states=SMALL_GRAPH, max_seconds=seconds, began=None)
    again = evolve(examined.request, stop_at_first=False, reduce=False, placement=Placement(), limits=limits)
    return explore(evolve(again, phases=Phases(), progress=None))
