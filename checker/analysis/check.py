"""One check from a model class to a report: define, lower, compile, search, replay.

This module joins the parts: an engine (`checker.engines.registry`) lowers, compiles and searches, and the interpreter
replays its findings.  tests/test_architecture.py states which part may import which.  Everything in a report has a
canonical order, so two runs differ only in their times.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, Unpack

from attrs import evolve

from checker.analysis.vacuity.vacuous import vacuities
from checker.backends.interpreter.interpreter import Interpreter
from checker.engines.explored import Explored, Found, Phases, too_late
from checker.engines.registry import explore
from checker.engines.request import How, Request
from checker.frozen import frozen
from checker.language.define import define as define_model
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.replay.base import former_of
from checker.replay.plain import plain_raw
from checker.replay.replay import Replay
from checker.replay.symmetry import require_unmerged
from checker.replay.traced import Shown
from checker.results.checked import FAILURES, FIRST_ENDED, REDUCED, SHORTEST, Failed, PropertyReport, Report
from checker.results.profile import Growth
from checker.results.vacuity import DECIDING, Vacuity
from checker.results.validated import Validation
from checker.results.verdict import Verdict
from checker.search.deadline import READING, OutOfTime, within
from checker.search.limits import NO_LIMITS
from checker.wording import first_paragraph


@frozen
class Examined:
    """A check with the objects it was made from, for questions beyond its report."""

    report: Report
    request: Request
    explored: Explored
    replay: Replay

    @property
    def definition(self) -> Definition:
        """The definition that was searched."""
        return self.request.definition


class Asked(How, total=False):
    """Options of `check` and `examine`; the defaults are those of `examine`."""

    only: Iterable[str] | None
    traces: bool
    confirmed: bool
    count_outcomes: bool
    base: type[Model] | None
    broken_before: Mapping[str, int] | None
    group: bool


Runs = Literal["told", "executed", "known"]  # what becomes of each run that is found; the interpreter executes one told


def check(
    cls: type[Model], reference: str, constants: Mapping[str, Any] | None = None, **asked: Unpack[Asked]
) -> Report:
    """The report of `examine`."""
    return examine(cls, reference, constants, **asked).report


def examine(
    cls: type[Model],
    reference: str,
    constants: Mapping[str, Any] | None = None,
    *,
    only: Iterable[str] | None = None,
    traces: bool = True,
    confirmed: bool = False,
    without_traces: Collection[str] = (),
    count_outcomes: bool = True,
    base: type[Model] | None = None,
    broken_before: Mapping[str, int] | None = None,
    version: bool = False,
    group: bool = False,
    announce: Callable[[str], None] | None = None,
    **how: Unpack[How],
) -> Examined:
    """Check a model class, and keep the explored states.  Each violation of an edited model has a mark at the first
    step that `base` does not allow, unless the base breaks the property too (default: the class that it edits, with its
    own value of a constant whose default the edit changes); base=cls marks nothing.  version: `base` has its own, too.
    broken_before: the properties that the base breaks, with the steps of a run (default: it is searched).  traces: make
    a trace of each run that is found, which the interpreter executes; confirmed: the interpreter executes the runs also
    without traces; without_traces: properties without traces, whose runs the interpreter executes too.  group: reorder
    steps that commute, so that those of each process are adjacent.  announce: called with a sentence before the
    CAUSE of a run is sought.  how: engine, threads, limits, stop_at_first, progress, placement
    (`checker.engines.request.Request`).

    Raises UsageError for a model that is wrong as written; raises checker.replay.disagreement.Disagreement if engines
    differ.
    """
    request = _defined(cls, constants, None if only is None else list(only), how, reference)
    definition, engine, phases = request.definition, request.engine, request.phases
    explored = explore(request)
    outcomes = None
    if count_outcomes and cls.outcome and explored.complete and not definition.merges:
        with phases("outcomes"):
            outcomes = len(explored.outcomes())
    with phases("replay"):
        former = former_of(cls) if base is None else base
        former = None if former is cls else former
        broken = _before(former, broken_before, request, explored)
        alike = base is not None and not version
        above = _above(former, request) if base is None else None
        vacuous = _vacuous(former, request) if base is None and broken_before is None else None
        replay = Replay(
            Interpreter(definition), reference, engine, former, group, broken, alike, announce, above, vacuous
        )
        runs: Runs = "told" if traces else "executed" if confirmed else "known"
        properties = _properties(definition, explored, replay, runs, without_traces)
    validation = explored.validation
    decided = any(p.kind == "leads-to" and p.verdict is not Verdict.UNKNOWN for p in properties)
    if validation is not None and decided:
        explored = evolve(explored, validation=evolve(validation, whole_runs=explored.behaviour().confirmed))
    with phases("vacuity"):
        findings = tuple(vacuities(definition, explored))
    growing = None if explored.bound is None else _growing(definition, explored, phases)
    report = Report(
        **explored.searched(),
        model=definition.name,
        reference=reference,
        constants=definition.constants,
        engine=engine,
        verdict=_verdict(properties, explored, findings),
        growing=growing,
        merged=definition.merges,
        outcomes=outcomes,
        properties=properties,
        findings=findings,
        seconds=phases.seconds,
        doc=first_paragraph(cls.__doc__),
    )
    return Examined(report, request, explored, replay)


def _growing(definition: Definition, explored: Explored, phases: Phases) -> Growth | None:
    """What still grew when a limit or Ctrl-C ended the search."""
    from checker.analysis.profile.growth import still_growing

    with phases("growth"):
        return still_growing(definition, explored)


def _defined(
    cls: type[Model], constants: Mapping[str, Any] | None, only: list[str] | None, how: How, reference: str = ""
) -> Request:
    """The search of a model with its constants fixed.  Raises Undecided if the limits leave no time for that."""
    phases, limits = how.get("phases") or Phases(), how.get("limits", NO_LIMITS).begun()
    try:
        with phases("define"), within(limits, "reading the model", READING):
            definition = define_model(cls, constants, only)
    except OutOfTime as late:
        raise too_late(late) from None
    given: How = {**how, "limits": limits, "phases": phases}
    return Request(definition, reference, only, **given)


def _before(
    former: type[Model] | None, known: Mapping[str, int] | None, request: Request, explored: Explored
) -> Callable[[str], int | None] | None:
    """Asked of a property: the steps in which the protocol before the edit breaks it.  All properties that the search
    found violated are asked at once.
    """
    if former is None or known is not None:
        return None if known is None else known.get
    asked = dict.fromkeys(f.shown.name for f in explored.found if f.shown.kind not in (*FAILURES, "reachable"))

    @cache
    def steps(names: tuple[str, ...]) -> dict[str, int]:
        from checker.analysis.before_edit import steps_before

        return steps_before(former, names, request)

    return lambda name: steps(tuple(asked) if name in asked else (name,)).get(name)


def _above(former: type[Model] | None, request: Request) -> Callable[[str, str], type[Model] | None] | None:
    """Asked of a property that the protocol before the edit breaks, and of the action that breaks it: the nearest
    protocol above that one which keeps it."""
    if former is None:
        return None

    @cache
    def above(name: str, action: str) -> type[Model] | None:
        from checker.analysis.before_edit import keeping_above

        return keeping_above(former, name, action, request)

    return above


def _vacuous(former: type[Model] | None, request: Request) -> Callable[[str, str], bool] | None:
    """Asked of a property and the action that breaks it: whether the protocol before the edit keeps it vacuously."""
    if former is None:
        return None

    @cache
    def vacuous(name: str, action: str) -> bool:
        from checker.analysis.before_edit import keeps_vacuously

        return keeps_vacuously(former, name, action, request)

    return vacuous


def outcomes(cls: type[Model], constants: Mapping[str, Any] | None = None, **how: Unpack[How]) -> list[dict[str, Any]]:
    """The distinct outcomes at quiescence, as plain values, in canonical order.  Raises UsageError if the model
    declares none, Undecided if a limit ends the search.
    """
    return confirmed_outcomes(cls, constants, **how)[0]


def confirmed_outcomes(
    cls: type[Model], constants: Mapping[str, Any] | None = None, reference: str = "", **how: Unpack[How]
) -> tuple[list[dict[str, Any]], Validation | None]:
    """The outcomes, and how far the interpreter confirmed the search for them.  reference: the name of the model in a
    work directory.

    A reduced search may end at the first model error; then there is no list.
    """
    if not cls.outcome:
        raise UsageError(f"{cls.__name__} names no outcome", remedy='outcome = ("variable", ...) in the class')
    request = _defined(cls, constants, [], {**how, "stop_at_first": how.get("reduce", False)}, reference)
    definition = request.definition
    require_unmerged(definition, "a list of outcomes")
    explored = explore(request)
    if explored.bound is not None:
        remedy = "Raise the limit, or lower the constants: `checker check --profile` tells which first."
        raise Undecided(f"the search was {explored.ended}; outcomes need a complete search", remedy=remedy)
    for broken in explored.failures:
        name, _ = _failed(broken, Replay(Interpreter(definition), cls.__name__, request.engine))
        what = f"a run ends in a model error, {name}, so it has no outcome"
        raise UsageError(what, remedy="`checker check` shows the run.")
    domains = {v.name: v.domain for v in definition.variables}
    found = [{n: plain_raw(domains[n], r) for n, r in outcome.items()} for outcome in explored.outcomes()]
    return found, explored.validation


def _properties(
    definition: Definition, explored: Explored, replay: Replay, asked: Runs, without_traces: Collection[str]
) -> tuple[PropertyReport, ...]:
    by_name = {f.shown.name: f for f in reversed(explored.found) if f.shown.kind not in FAILURES}

    def report(p: PropertyDefinition) -> PropertyReport:
        runs: Runs = "executed" if asked == "told" and p.name in without_traces else asked
        if p.name in by_name:
            return _found_report(by_name[p.name], replay, runs, bool(explored.reduced))
        if not explored.complete:
            reason = f"the search was {explored.ended}" if explored.bound else FIRST_ENDED
            return PropertyReport(p.name, p.kind, Verdict.UNKNOWN, reason=reason)
        if p.kind == "leads-to":
            return _run_report(p, explored, replay, runs)
        return PropertyReport(p.name, p.kind, Verdict.UNREACHABLE if p.kind == "reachable" else Verdict.HOLDS)

    found = (_found_report(f, replay, asked, bool(explored.reduced)) for f in explored.failures)
    return (*map(report, definition.properties), *found)


def _found_report(found: Found, replay: Replay, runs: Runs, reduced: bool) -> PropertyReport:
    shown = found.shown
    # an error in a quiescence property is met while steps are taken, and shows before any
    trace, steps = None, found.steps
    if runs == "told":
        trace = replay.trace(found.path(), shown, REDUCED if reduced else SHORTEST)
        steps = len(trace.steps)
    elif runs == "executed":
        steps = replay.confirmed_steps(found.path(), shown)
    verdict = Verdict.REACHABLE if shown.kind == "reachable" else Verdict.VIOLATED
    name, failed = _failed(found, replay)
    return PropertyReport(name, shown.kind, verdict, steps, trace=trace, failed=failed)


def _run_report(property: PropertyDefinition, explored: Explored, replay: Replay, runs: Runs) -> PropertyReport:
    name, kind = property.name, property.kind
    if explored.cut:
        reason = "a constraint cut off steps, so whole runs are not known"
        return PropertyReport(name, kind, Verdict.UNKNOWN, reason=reason)
    from checker.engines.runs import breaking_run

    try:
        run = breaking_run(property, explored.behaviour())
    except Undecided as error:  # the graph was beyond memory
        return PropertyReport(name, kind, Verdict.UNKNOWN, reason=f"{error.message}. {error.remedy}")
    if run is None:
        return PropertyReport(name, kind, Verdict.HOLDS)
    shown = Shown(kind, name, loop=run.loop, values=run.values)
    trace = replay.trace(run.path, shown, taken=run.taken) if runs == "told" else None
    if runs == "executed":
        replay.confirmed_steps(run.path, shown, run.taken)
    return PropertyReport(name, kind, Verdict.VIOLATED, len(run.path) - 1, trace=trace)


def _failed(found: Found, replay: Replay) -> tuple[str, Failed | None]:
    """The name of a property; for an error or failed assertion its kind and line, with the file if it is not the
    model's own; and the same as data.
    """
    shown = found.shown
    if not shown.line:
        return shown.name, None
    failure = replay.failure(found.path(), shown)
    if failure is None:
        return f"{shown.name} (line {shown.line})", Failed(shown.name, "", shown.line)
    place = f"line {shown.line}" if failure.own else f"{Path(failure.file).name}:{shown.line}"
    return f"{shown.name} ({place})", Failed(shown.name, failure.file, shown.line, failure.called)


def _verdict(properties: tuple[PropertyReport, ...], explored: Explored, findings: tuple[Vacuity, ...]) -> Verdict:
    if any(p.verdict.refuted for p in properties):
        return Verdict.VIOLATED
    if any(p.verdict is Verdict.UNKNOWN for p in properties) or not explored.complete:
        return Verdict.INCONCLUSIVE
    return Verdict.VACUOUS if any(f.kind in DECIDING for f in findings) else Verdict.HOLDS
