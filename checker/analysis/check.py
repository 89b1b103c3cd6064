"""One check from a model class to a report: define, lower, compile, search, replay.

This module joins the parts: a search is asked of an engine (`checker.engines.registry`), which lowers, compiles and
searches, and what it found is replayed by the interpreter.  Which part may import which is held by
tests/test_architecture.py.  The order of everything in a report is canonical, so two runs differ only in their times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Unpack

from attrs import evolve, frozen

from checker.analysis.vacuity.hollow import Hollow, hollow
from checker.backends.interpreter.interpreter import Interpreter
from checker.displayed import Displayed
from checker.engines.explored import ActionReport, Explored, Found, Phases
from checker.engines.registry import explore
from checker.engines.request import How, Request
from checker.engines.runs import breaking_run
from checker.language.define import define as define_model
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.replay.base import base_of
from checker.replay.plain import plain_raw
from checker.replay.replay import Replay, Shown
from checker.replay.symmetry import require_unmerged
from checker.search.deadline import READING, OutOfTime, within
from checker.search.limits import NO_LIMITS, Limits
from checker.trace.trace import Trace
from checker.wording import counted, first_paragraph

if TYPE_CHECKING:
    from checker.analysis.profile.profile import Profile
    from checker.analysis.vacuity.blocking import GuardPart
    from checker.analysis.vacuity.tested import Tested
    from checker.results.validated import Validation

EXIT_CODES = {"holds": 0, "violated": 1, "vacuous": 3, "inconclusive": 4}
SHORTEST = "breadth-first, no shorter trace exists"
FIRST_ENDED = "the search ended at the first violation"


@frozen
class PropertyReport:
    """verdict: holds, violated, reachable, unreachable, unknown (not decided, for the `reason` in words)."""

    name: str
    kind: str
    verdict: str
    steps: int | None = None
    trace: Trace | None = None
    reason: str = ""


@frozen
class Report(Displayed):
    """What a check found.  `bound` names the limit that ended the search; `levels` the states of each depth.

    validation: how far the interpreter confirmed the search; None if it made the search itself.  merged: each state
    counted stands for all its permutations.  conditions (of properties, with what `tested` says of them), guards (what
    each part blocked) and profile are there where they were asked for.
    """

    model: str
    reference: str
    constants: Mapping[str, Any]
    engine: str
    verdict: str
    distinct: int
    transitions: int
    depth: int
    initial: int
    quiescent: int
    cut: int
    outcomes: int | None
    properties: tuple[PropertyReport, ...]
    actions: tuple[ActionReport, ...]
    findings: tuple[Hollow, ...]
    seconds: Mapping[str, float]
    peak_memory: int
    bound: str | None
    levels: tuple[int, ...]
    coverage: str = ""
    doc: str = ""
    conditions: tuple[Tested, ...] | None = None
    guards: tuple[GuardPart, ...] | None = None
    profile: Profile | None = None
    merged: bool = False
    validation: Validation | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the verdict."""
        return EXIT_CODES[self.verdict]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the verdict say less than it seems to, in words."""
        return tuple(f.text for f in self.findings)


@frozen
class Examined:
    """A check with what it was made from, for questions beyond its report."""

    report: Report
    request: Request
    explored: Explored
    replay: Replay

    @property
    def definition(self) -> Definition:
        """What was searched."""
        return self.request.definition


def check(
    cls: type[Model],
    reference: str,
    constants: Mapping[str, Any] | None = None,
    *,
    only: Iterable[str] | None = None,
    traces: bool = True,
    count_outcomes: bool = True,
    base: type[Model] | None = None,
    **how: Unpack[How],
) -> Report:
    """Check a model class.  In each violation of an edited model the first step that `base` (default: the class it
    edits) would not allow is marked; base=cls marks nothing.  how: engine, threads, limits, stop_at_first, progress,
    placement (`checker.engines.request.Request`).

    UsageError for a model that is wrong as written; checker.replay.disagreement.Disagreement if engines differ.
    """
    return examine(
        cls, reference, constants, only=only, traces=traces, count_outcomes=count_outcomes, base=base, **how
    ).report


def examine(
    cls: type[Model],
    reference: str,
    constants: Mapping[str, Any] | None = None,
    *,
    only: Iterable[str] | None = None,
    traces: bool = True,
    count_outcomes: bool = True,
    base: type[Model] | None = None,
    **how: Unpack[How],
) -> Examined:
    """Check a model class, and keep what was explored."""
    request = _defined(cls, constants, None if only is None else list(only), how, reference)
    definition, engine, phases = request.definition, request.engine, request.phases
    explored = explore(request)
    outcomes = None
    if count_outcomes and cls.outcome and explored.complete and not definition.merges:
        with phases("outcomes"):
            outcomes = len(explored.outcomes())
    with phases("replay"):
        former = base_of(cls) if base is None else base
        replay = Replay(Interpreter(definition), reference, engine, None if former is cls else former)
        properties = _properties(definition, explored, replay, traces)
    validation = explored.validation
    if (
        validation is not None
        and explored.complete
        and not explored.cut
        and any(p.kind == "leads-to" for p in definition.properties)
    ):
        validation = evolve(validation, whole_runs=explored.behaviour().confirmed)
    verdict = _verdict(definition, properties, explored)
    report = Report(
        model=definition.name,
        reference=reference,
        constants=definition.constants,
        engine=engine,
        verdict=verdict,
        merged=definition.merges,
        distinct=explored.distinct,
        transitions=explored.transitions,
        depth=explored.depth,
        initial=explored.initial,
        quiescent=explored.quiescent,
        cut=explored.cut,
        outcomes=outcomes,
        properties=properties,
        actions=explored.actions,
        findings=tuple(hollow(definition, explored)),
        seconds=phases.seconds,
        peak_memory=explored.peak_memory,
        bound=explored.bound,
        validation=validation,
        levels=explored.levels,
        coverage=f"while {explored.before}, before the search began"
        if explored.before
        else _coverage(*explored.coverage),
        doc=first_paragraph(cls.__doc__),
    )
    return Examined(report, request, explored, replay)


def _defined(
    cls: type[Model], constants: Mapping[str, Any] | None, only: list[str] | None, how: How, reference: str = ""
) -> Request:
    """The search of a model with its constants fixed.  Undecided if the limits leave no time for that."""
    phases, limits = Phases(), how.get("limits", NO_LIMITS).begun()
    try:
        with phases("define"), within(limits, "reading the model", READING):
            definition = define_model(cls, constants, only)
    except OutOfTime as late:
        raise Undecided(str(late), remedy="Raise --max-seconds, or lower the constants.") from None
    given: How = {**how, "limits": limits}
    return Request(definition, reference, only, phases=phases, **given)


def stopped(bound: str) -> str:
    """What ended a search before it was complete, in words that follow "the search was"."""
    return "interrupted" if bound == "interrupted" else f"stopped by the limit on {bound}"


def _coverage(levels: int, unexpanded: int) -> str:
    """How far a search went that a limit or a violation ended."""
    return f"{counted(levels, 'level')} expanded, {counted(unexpanded, 'state')} not expanded"


def outcomes(cls: type[Model], constants: Mapping[str, Any] | None = None, **how: Unpack[How]) -> list[dict[str, Any]]:
    """The distinct outcomes at quiescence, as plain values, in canonical order.  UsageError if the model names none,
    Undecided if the search is cut short."""
    return confirmed_outcomes(cls, constants, **how)[0]


def confirmed_outcomes(
    cls: type[Model], constants: Mapping[str, Any] | None = None, **how: Unpack[How]
) -> tuple[list[dict[str, Any]], Validation | None]:
    """The outcomes, and how far the interpreter confirmed the search for them."""
    if not cls.outcome:
        raise UsageError(f"{cls.__name__} names no outcome", remedy='outcome = ("variable", ...) in the class')
    request = _defined(cls, constants, [], {**how, "stop_at_first": False})
    definition = request.definition
    require_unmerged(definition, "a list of outcomes")
    explored = explore(request)
    if not explored.complete:
        raise Undecided(
            f"the search was {stopped(str(explored.bound))}; outcomes need a complete search",
            remedy="Raise the limit, or lower the constants: `checker check --profile` tells which first.",
        )
    for broken in (f.shown for f in explored.found if f.shown.kind in ("error", "assert")):
        raise UsageError(
            f"a run ends in a model error, {_failure_name(broken)}, so it has no outcome",
            remedy="`checker check` shows the run.",
        )
    domains = {v.name: v.domain for v in definition.variables}
    return [
        {n: plain_raw(domains[n], r) for n, r in outcome.items()} for outcome in explored.outcomes()
    ], explored.validation


def _properties(definition: Definition, explored: Explored, replay: Replay, traces: bool) -> tuple[PropertyReport, ...]:
    by_name = {f.shown.name: f for f in reversed(explored.found) if f.shown.kind not in ("error", "assert")}
    reports = []
    for p in definition.properties:
        if p.name in by_name:
            reports.append(_found_report(by_name[p.name], replay, traces))
        elif not explored.complete:
            reason = f"the search was {stopped(explored.bound)}" if explored.bound else FIRST_ENDED
            reports.append(PropertyReport(p.name, p.kind, "unknown", reason=reason))
        elif p.kind == "leads-to":
            reports.append(_run_report(p, explored, replay, traces))
        else:
            reports.append(PropertyReport(p.name, p.kind, "unreachable" if p.kind == "reachable" else "holds"))
    failures = [f for f in explored.found if f.shown.kind in ("error", "assert")]
    # engines find those of one level in different orders
    failures.sort(key=lambda f: (f.steps, f.shown.line, f.shown.name))
    return (*reports, *(_found_report(f, replay, traces) for f in failures))


def _found_report(found: Found, replay: Replay, traces: bool) -> PropertyReport:
    shown = found.shown
    trace = replay.trace(found.path(), shown, SHORTEST) if traces else None
    # an error in a quiescence property is met while steps are taken, and shows before any
    steps = found.steps if trace is None else len(trace.steps)
    return PropertyReport(
        _failure_name(shown), shown.kind, "reachable" if shown.kind == "reachable" else "violated", steps, trace
    )


def _run_report(property: PropertyDefinition, explored: Explored, replay: Replay, traces: bool) -> PropertyReport:
    if explored.cut:
        return PropertyReport(
            property.name, property.kind, "unknown", reason="a constraint cut off steps, so whole runs are not known"
        )
    run = breaking_run(property, explored.behaviour())
    if run is None:
        return PropertyReport(property.name, property.kind, "holds")
    trace = (
        replay.trace(run.path, Shown(property.kind, property.name, loop=run.loop, values=run.values), taken=run.taken)
        if traces
        else None
    )
    return PropertyReport(property.name, property.kind, "violated", len(run.path) - 1, trace)


def _failure_name(shown: Shown) -> str:
    return f"{shown.name} (line {shown.line})" if shown.line else shown.name


def _verdict(definition: Definition, properties: tuple[PropertyReport, ...], explored: Explored) -> str:
    if any(p.verdict in ("violated", "unreachable") for p in properties):
        return "violated"
    if any(p.verdict == "unknown" for p in properties) or not explored.complete:
        return "inconclusive"
    return "vacuous" if explored.distinct == 0 else "holds"


__all__ = ["Limits", "PropertyReport", "Report", "check", "examine", "outcomes", "stopped"]
