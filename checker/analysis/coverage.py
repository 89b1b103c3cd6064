"""Additions to the report of `check` on request: antecedents of properties, parts of guards, strictness, a profile."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from checker.analysis.check import Examined
from checker.analysis.locality import distant
from checker.analysis.profile.growth import endless_growth
from checker.analysis.profile.lowering import lowerings
from checker.analysis.profile.profile import profile
from checker.analysis.profile.reaching import source_of
from checker.analysis.vacuity.blocking import guard_parts
from checker.analysis.vacuity.decided import decided_comparisons
from checker.analysis.vacuity.empty import empty_domains
from checker.analysis.vacuity.ending import ending_by_faults
from checker.analysis.vacuity.tested import about_nothing, tested, untested
from checker.analysis.vacuity.unexecuted import unchanged, unexecuted
from checker.analysis.vacuity.with_faults import not_for_faults
from checker.bound import LIMITS
from checker.engines.reduced import require_reducible
from checker.engines.request import Irreducible
from checker.results.checked import Report
from checker.results.vacuity import Vacuity
from checker.results.verdict import Verdict

TRYING_SECONDS, TRYING_ASKED_SECONDS = 2.0, 20.0


def with_coverage(examined: Examined, strict: bool) -> Report:
    """The report with the antecedents (as `with_conditions`), and the steps that each part of a guard blocked in the
    expanded states.
    """
    start = time.perf_counter()
    report = evolve(with_conditions(examined, strict), locality=distant(examined.definition))
    report, survey, start = _timed(report, "locality", start), examined.explored.survey, time.perf_counter()
    if survey is None:
        return report
    return _timed(evolve(report, guards=tuple(guard_parts(survey()))), "guards", start)


def _timed(report: Report, phase: str, start: float) -> Report:
    return evolve(report, seconds={**report.seconds, phase: time.perf_counter() - start})


def with_conditions(examined: Examined, strict: bool) -> Report:
    """The report with the antecedents, if the search was complete.  strict: a verdict "holds" with findings becomes
    "vacuous".
    """
    report, start = examined.report, time.perf_counter()
    more: list[Vacuity] = []
    if examined.explored.complete and examined.explored.survey is not None:
        survey = examined.explored.survey()
        conditions = tested(survey, examined.definition)
        broken = {p.name for p in report.properties if p.verdict is Verdict.VIOLATED}
        holding = {p.name for p in report.properties if p.verdict is Verdict.HOLDS}
        found = untested(examined.definition, survey, conditions, list(report.findings))
        more += (f for f in found if f.subject not in broken)
        more += ending_by_faults(examined.definition, survey, holding)
        more += about_nothing(survey, broken | {f.subject for f in more})
        if not examined.explored.reduced:
            without_effect = (*unexecuted(survey), *unchanged(examined.definition, survey))
            more += not_for_faults(examined.definition, without_effect, examined.request.limits)
        report = evolve(report, conditions=tuple(conditions))
    more += empty_domains(examined.definition, {f.subject for f in more})
    more += decided_comparisons(examined.definition)
    report = _timed(evolve(report, findings=(*report.findings, *more)), "coverage", start)
    vacuous = strict and report.findings and report.verdict is Verdict.HOLDS
    return evolve(report, verdict=Verdict.VACUOUS) if vacuous else report


def with_profile(
    examined: Examined, given: Mapping[str, Any], asked: bool, say: Callable[[str], None] = lambda text: None
) -> Report:
    """The report with a profile, if one was requested or a limit ended the search.  given: the constants set on the
    command line; say: called with a sentence at each trial.

    Ctrl-C leaves the profile out, and the report unchanged.
    """
    report, start = examined.report, time.perf_counter()
    source = source_of(examined.explored, asked) if asked or report.bound in LIMITS else None
    if source is None:
        return report
    try:
        seconds = TRYING_ASKED_SECONDS if asked else TRYING_SECONDS
        worth = lowerings(examined.definition, examined.explored, given, seconds, say)
        say("profile: values of each variable, duplicates of each action")
        growing = report.growing
        if growing is None and not examined.explored.complete:
            growing = endless_growth(examined.definition, source)
        found = profile(examined.explored, source, worth, growing)
    except KeyboardInterrupt:
        return report
    found = evolve(found, reducible=report.bound in LIMITS and _reducible(examined))
    return _timed(evolve(report, profile=found, growing=growing), "profile", start)


def _reducible(examined: Examined) -> bool:
    """Whether a reduced search could answer what an ordinary one was asked."""
    if examined.request.reduce:
        return False
    try:
        require_reducible(examined.request)
    except Irreducible:
        return False
    return True
