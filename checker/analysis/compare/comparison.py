"""The comparison of a protocol with an edited one: both are checked with the same constants, and everything that
differs is gathered.

The verdict of a comparison is about the edit: it is broken if it violates a property that the base is not known to
violate.  Both searches go on after a violation, so that every property gets its own verdict and its own shortest trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from checker.analysis.check import Examined, PropertyReport, Report, examine
from checker.analysis.compare.behaviours import BehaviourDifference, behaviour_difference
from checker.analysis.compare.costs import Cost, costs
from checker.analysis.compare.delays import outcome_delays, unit_of
from checker.analysis.compare.failures import by_meaning
from checker.analysis.compare.outcomes import OutcomeDifference, OutcomeKind, outcome_difference
from checker.analysis.compare.reach import with_runs
from checker.analysis.compare.rules import RuleComparison, compare_rules
from checker.analysis.compare.sources import Difference, differences
from checker.analysis.compare.steps import StepDifference, step_difference
from checker.analysis.compare.undecided import open_parts, smaller
from checker.engines.explored import require_finished
from checker.engines.registry import declared
from checker.language.define import constants_of, define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.replay.base import shared_constants
from checker.replay.cause import cause
from checker.replay.symmetry import require_unmerged
from checker.search.limits import NO_LIMITS, Limits
from checker.trace.trace import Trace
from checker.validation.validation import Validation, together

BAD = ("violated", "unreachable")
UNLISTED = "not listed"
RULE_SECONDS = 10.0
STEP_SECONDS = 5.0
EVENT_SECONDS = 10.0
# kinds of outcome on each side for which a run is shown: with all edits of this repository at their constants, every
# one
MOST_RUNS = 100


@frozen
class Side:
    """A model to be compared: the class and what it is called in the report."""

    cls: type[Model]
    label: str


@frozen
class PropertyChange:
    """A property under both protocols.

    change: "" (same verdict), broken, repaired, or other (one side does not list it, or does not decide it).  `trace`
    is the edit's violation if broken, the base's if repaired; `note` says of a repaired one where the edit leaves the
    base's trace.
    """

    name: str
    kind: str
    before: str
    after: str
    change: str
    trace: Trace | None = None
    note: str = ""


@frozen
class OutcomeRun:
    """A kind of outcome that one side has alone, with its run where one is shown; `note` says of a removed one where
    the edit leaves it."""

    kind: OutcomeKind
    trace: Trace | None
    note: str = ""


@frozen
class Comparison:
    """Everything that differs; verdict: broken (exit code 1), inconclusive (4) or sound (0)."""

    before: Side
    after: Side
    constants: Mapping[str, Any]
    base: Report
    edit: Report
    sources: tuple[Difference, ...]
    rules: tuple[RuleComparison, ...]
    properties: tuple[PropertyChange, ...]
    outcomes: OutcomeDifference | None
    added: tuple[OutcomeRun, ...] = field(default=())
    removed: tuple[OutcomeRun, ...] = field(default=())
    steps: StepDifference | None = None
    behaviours: BehaviourDifference | None = None
    costs: tuple[Cost, Cost] | None = None
    delays_cut: bool = False  # delays over all runs were asked for, and not known in time
    warnings: tuple[str, ...] = field(default=())

    @property
    def validation(self) -> Validation | None:
        """How far the interpreter confirmed all searches of the comparison."""
        more = [part.validation for part in (self.steps, self.behaviours) if part is not None]
        return together((self.base.validation, self.edit.validation, *more))

    @property
    def verdict(self) -> str:
        """Whether the edit breaks something."""
        if any(p.change == "broken" for p in self.properties):
            return "broken"
        return "inconclusive" if self.undecided else "sound"

    @property
    def undecided(self) -> tuple[str, ...]:
        """Why it is not known whether the edit breaks something, a sentence each; properties of one side alone are no
        reason, if there are others."""
        found = [
            f"{side.label} has no state that its constraints keep"
            for side, r in ((self.before, self.base), (self.after, self.edit))
            if r.verdict == "vacuous"
        ]
        unknown = [p.name for p in self.properties if p.after == "unknown"]
        if unknown:
            bound = f": the search was stopped by its bound on {self.edit.bound}" if self.edit.bound else ""
            found.append(f"{', '.join(unknown)} not decided for {self.after.label}{bound}")
        if self.properties and not self.common:
            found.append("the two have no property in common")
        return tuple(found)

    @property
    def left_open(self) -> str:
        """What was not decided in the time for it, and what would; "" if nothing was left."""
        parts = ", ".join(open_parts(self))
        constants = smaller((self.before.cls, self.after.cls), self.constants) if parts else ""
        return (
            f"{parts}: more seconds decide it"
            + (f", or smaller constants, for example {constants}" if constants else "")
            if parts
            else ""
        )

    @property
    def common(self) -> tuple[PropertyChange, ...]:
        """The properties that both have."""
        return tuple(p for p in self.properties if UNLISTED not in (p.before, p.after))

    @property
    def exit_code(self) -> int:
        """1 if the edit breaks a property that the base is not known to violate, 4 if that is not decided, else 0."""
        return {"broken": 1, "inconclusive": 4, "sound": 0}[self.verdict]


def compare(
    before: Side,
    after: Side,
    constants: Mapping[str, Any] | None = None,
    *,
    engine: str = "native",
    threads: int = 1,
    limits: Limits = NO_LIMITS,
    progress: Any = None,
    rule_seconds: float = RULE_SECONDS,
    step_seconds: float = STEP_SECONDS,
    delay_seconds: float = 0.0,
    event_seconds: float = 0.0,
    most_runs: int = MOST_RUNS,
) -> Comparison:
    """Compare two model classes; each rule symbolically for at most `rule_seconds` (0: not at all), and for as long a
    reachable state in which one differs, the steps for `step_seconds`, the sequences of events for `event_seconds`, and
    delays over all runs for `delay_seconds` on each side; runs to at most `most_runs` kinds of outcome on each side.

    UsageError if they have nothing in common or a constant is declared by neither.
    """
    of_base, of_edit = _constants(before.cls, after.cls, dict(constants or {}))
    base_definition, edit_definition = define(before.cls, of_base), define(after.cls, of_edit)
    _comparable(before, after, base_definition, edit_definition)
    for definition in (base_definition, edit_definition):
        require_unmerged(definition, "a comparison")
    sources = differences(base_definition, edit_definition, (before.label, after.label))
    rules = compare_rules(base_definition, edit_definition, sources, rule_seconds) if rule_seconds > 0 else ()
    if declared(engine).keeps_states:
        rules = with_runs(
            rules,
            before.cls,
            after.cls,
            (of_base, of_edit),
            before.label,
            threads=threads,
            limits=shorter(limits, rule_seconds),
            progress=progress,
        )
    run = {"engine": engine, "threads": threads, "limits": limits, "stop_at_first": False, "progress": progress}
    listed = list(dict.fromkeys((*before.cls.properties, *after.cls.properties)))
    watched, not_of_base = _listing(before.cls, listed, of_base)
    also, not_of_edit = _listing(after.cls, listed, of_edit)
    base = uninterrupted(examine(watched, before.label, of_base, **run, base=watched))
    edit = uninterrupted(examine(also, after.label, of_edit, **run, base=before.cls))
    alone = {n: f"only {after.label} has it; asked of {before.label}: {why}" for n, why in not_of_base.items()}
    alone |= {n: f"only {before.label} has it; asked of {after.label}: {why}" for n, why in not_of_edit.items()}
    found = outcome_difference(base, edit)
    steps = (
        step_difference(before.cls, after.cls, (of_base, of_edit), (before.label, after.label), step_seconds, engine)
        if step_seconds > 0
        else None
    )
    told = (
        behaviour_difference(
            before.cls, after.cls, (of_base, of_edit), (before.label, after.label), event_seconds, engine
        )
        if event_seconds > 0
        else None
    )
    measured = delay_seconds > 0 and declared(engine).keeps_states and base.explored.complete and edit.explored.complete
    within = shorter(limits, delay_seconds)
    extremes = tuple(
        outcome_delays(*side, threads, within) if measured else None
        for side in ((before.cls, of_base), (after.cls, of_edit))
    )
    cut = measured and None in extremes and all(unit_of(d) is not None for d in (base_definition, edit_definition))
    return Comparison(
        before,
        after,
        dict(edit_definition.constants),
        base.report,
        edit.report,
        sources,
        rules,
        tuple(_properties(base, edit, after, alone)),
        found,
        added=() if found is None else tuple(_added(edit, found, most_runs)),
        removed=() if found is None else tuple(_removed(base, found, after, most_runs)),
        steps=steps,
        behaviours=told,
        costs=costs(base, edit, (extremes[0], extremes[1])),
        warnings=tuple(_warnings(base, edit)),
        delays_cut=cut,
    )


def uninterrupted(side: Examined) -> Examined:
    """The same; KeyboardInterrupt if the search was ended by it: half a comparison says nothing."""
    require_finished(side.explored)
    return side


def shorter(limits: Limits, seconds: float) -> Limits:
    """The limits, with so many seconds at most."""
    return evolve(limits, max_seconds=seconds if limits.max_seconds is None else min(seconds, limits.max_seconds))


def _constants(base: type[Model], edit: type[Model], given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The constants of both sides: those given, and for the base whatever they come to in the edit."""
    known = {cls: constants_of(cls) for cls in (base, edit)}
    for name in given:
        if not any(name in declared for declared in known.values()):
            both = dict.fromkeys((*known[base], *known[edit]))
            raise UsageError(f"neither model has a constant {name}", remedy=f"They have: {', '.join(both) or 'none'}.")
    of_edit = {n: v for n, v in given.items() if n in known[edit]}
    alike = shared_constants(base, define(edit, of_edit).constants)
    return alike | {n: v for n, v in given.items() if n in known[base]}, of_edit


def _listing(cls: type[Model], properties: list[Any], constants: dict[str, Any]) -> tuple[type[Model], dict[str, str]]:
    """The class with the properties that either side lists, as far as they fit it (a property speaks of variables and
    events by name), and why the others do not."""
    kept, unfit = list(cls.properties), {}
    for extra in properties:
        if extra.__name__ not in {p.__name__ for p in kept}:
            why = _misfit(_deriving(cls, [*kept, extra]), constants)
            if why:
                unfit[extra.__name__] = why
            else:
                kept.append(extra)
    return (cls if kept == list(cls.properties) else _deriving(cls, kept)), unfit


def _deriving(cls: type[Model], properties: list[Any]) -> type[Model]:
    return type(
        cls.__name__,
        (cls,),
        {
            "properties": properties,
            "__doc__": cls.__doc__,
            "__module__": cls.__module__,
            "__qualname__": cls.__qualname__,
        },
    )


def _misfit(cls: type[Model], constants: dict[str, Any]) -> str:
    """Why the model with this list of properties cannot be read and lowered; "" if it can."""
    from checker.frontend.lower import lower

    try:
        lower(define(cls, constants))
    except UsageError as error:
        return error.message
    return ""


def _comparable(before: Side, after: Side, base: Any, edit: Any) -> None:
    names = [{v.name for v in d.variables} for d in (base, edit)]
    if not names[0] & names[1]:
        raise UsageError(f"{before.label} and {after.label} have no variable in common: there is nothing to compare")


def _properties(base: Examined, edit: Examined, after: Side, alone: Mapping[str, str]) -> Iterable[PropertyChange]:
    before, now = by_meaning(base), by_meaning(edit)
    for key in dict.fromkeys((*before, *now)):
        a, b = before.get(key), now.get(key)
        found = b or a
        assert found is not None
        name, kind = found.name, found.kind
        change = _change(a, b, kind)
        trace, note = None, alone.get(name) or _alone(a, b, base, edit, kind)
        if a is not None and b is not None and a.name != b.name:
            note = f"the same statement as that of {a.name} before"
        if change == "broken" and b is not None:
            trace = b.trace
        elif change == "repaired" and a is not None and a.trace is not None:
            trace, note = a.trace, _leaving(a.trace, base, after)
        yield PropertyChange(name, kind, _verdict(a, kind), _verdict(b, kind), change, trace, note)


def _alone(a: PropertyReport | None, b: PropertyReport | None, base: Examined, edit: Examined, kind: str) -> str:
    """Of a property that one model defines itself: whose it is."""
    if (a is not None and b is not None) or kind in ("error", "assert"):
        return ""
    return f"only {(base if b is None else edit).report.reference} has it"


def _verdict(found: PropertyReport | None, kind: str) -> str:
    if found is not None:
        return found.verdict
    return "holds" if kind in ("error", "assert") else UNLISTED


def _change(a: PropertyReport | None, b: PropertyReport | None, kind: str) -> str:
    """What happened to a property.  An error or failed assertion that one side does not report does not happen
    there."""
    before, after = _verdict(a, kind), _verdict(b, kind)
    if (before in BAD) == (after in BAD):
        return "" if before == after else "other"
    if after in BAD:
        return "broken"
    return "repaired" if after not in (UNLISTED, "unknown") else "other"


def _leaving(trace: Trace, base: Examined, after: Side) -> str:
    """Where the edit leaves a run of the base."""
    found = cause(trace, base.definition, after.cls)
    return found.note if found.step is None else f"the edit leaves this run at step {found.step}: {found.note}"


def _added(side: Examined, found: OutcomeDifference, most: int) -> Iterator[OutcomeRun]:
    for number, kind in enumerate(found.added, 1):
        yield OutcomeRun(kind, side.replay.run(kind.path(), f"new outcome {number}") if number <= most else None)


def _removed(side: Examined, found: OutcomeDifference, after: Side, most: int) -> Iterator[OutcomeRun]:
    for number, kind in enumerate(found.removed, 1):
        trace = side.replay.run(kind.path(), f"former outcome {number}") if number <= most else None
        yield OutcomeRun(kind, trace, "" if trace is None else _leaving(trace, side, after))


def _warnings(base: Examined, edit: Examined) -> Iterable[str]:
    both = [w for w in base.report.warnings if w in edit.report.warnings]
    yield from (f"both: {w}" for w in both)
    for side in (base, edit):
        yield from (f"{side.report.reference}: {w}" for w in side.report.warnings if w not in both)
        if side.report.bound is not None:
            yield f"{side.report.reference}: the search was stopped by its bound on {side.report.bound}"
