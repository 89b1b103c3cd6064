"""The comparison of a protocol with an edited one: both are checked with the same constants, and everything that
differs is gathered.

The verdict of a comparison is about the edit: it is broken if it violates a property that the base is not known to
violate.  Both searches go on after a violation, so that every property gets its own verdict and its own shortest trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve

from checker.analysis.check import Examined, examine
from checker.analysis.compare.behaviours import behaviour_difference
from checker.analysis.compare.costs import costs
from checker.analysis.compare.delays import outcome_delays, unit_of
from checker.analysis.compare.failures import by_meaning
from checker.analysis.compare.outcomes import Kind, kinds_alone
from checker.analysis.compare.reach import with_runs
from checker.analysis.compare.rules import compare_rules
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import differences
from checker.analysis.compare.steps import step_difference
from checker.analysis.compare.undecided import left_open
from checker.engines.explored import require_finished
from checker.engines.registry import declared
from checker.engines.request import How
from checker.frontend.lower import lower
from checker.language.define import constants_of, define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.replay.base import related, shared_constants
from checker.replay.cause import cause
from checker.replay.symmetry import require_unmerged
from checker.results.checked import FAILURES, PropertyReport
from checker.results.comparison import UNLISTED, Comparison, OutcomeDifference, OutcomeRun, PropertyChange
from checker.results.verdict import REFUTED
from checker.search.limits import NO_LIMITS, Limits
from checker.trace.trace import Trace

RULE_SECONDS = 10.0
STEP_SECONDS = 5.0
EVENT_SECONDS = 10.0
# kinds of outcome on each side for which a run is shown: with all edits of this repository at their constants, every
# one
MOST_RUNS = 100


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
    before, after = evolve(before, constants=of_base), evolve(after, constants=of_edit)
    definitions = define(before.cls, of_base), define(after.cls, of_edit)
    _comparable(before, after, *definitions)
    for definition in definitions:
        require_unmerged(definition, "a comparison")
    sources = differences(*definitions, (before.label, after.label))
    rules = compare_rules(*definitions, sources, rule_seconds) if rule_seconds > 0 else ()
    packed = declared(engine).keeps_states
    run: How = {"threads": threads, "limits": shorter(limits, rule_seconds), "progress": progress}
    if packed:
        rules = with_runs(rules, before, after, **run)
    run |= {"limits": limits, "engine": engine, "stop_at_first": False}
    listed = list(dict.fromkeys((*before.cls.properties, *after.cls.properties)))
    watched, not_of_base = _listing(before, listed)
    also, not_of_edit = _listing(after, listed)
    base = uninterrupted(examine(watched, before.label, of_base, **run, base=watched))
    edit = uninterrupted(examine(also, after.label, of_edit, **run, base=before.cls))
    alone = {n: f"only {after.label} has it; asked of {before.label}: {why}" for n, why in not_of_base.items()}
    alone |= {n: f"only {before.label} has it; asked of {after.label}: {why}" for n, why in not_of_edit.items()}
    steps = step_difference(before, after, step_seconds, engine) if step_seconds > 0 else None
    behaviours = behaviour_difference(before, after, event_seconds, engine) if event_seconds > 0 else None
    measured = delay_seconds > 0 and packed and base.explored.complete and edit.explored.complete
    within = shorter(limits, delay_seconds)
    extremes = [outcome_delays(side, threads, within) if measured else None for side in (before, after)]
    cut = measured and None in extremes and all(unit_of(d) is not None for d in definitions)
    found = Comparison(
        before.label,
        after.label,
        related(before.cls, after.cls),
        dict(definitions[1].constants),
        base.report,
        edit.report,
        sources,
        rules,
        tuple(_properties(base, edit, after, alone)),
        _outcomes(base, edit, after, most_runs),
        steps=steps,
        behaviours=behaviours,
        costs=costs(base, edit, (extremes[0], extremes[1])),
        warnings=tuple(_warnings(base, edit)),
    )
    return evolve(found, left_open=left_open(found, (before.cls, after.cls), cut))


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


def _listing(side: Side, properties: list[Any]) -> tuple[type[Model], dict[str, str]]:
    """The class with the properties that either side lists, as far as they fit it (a property speaks of variables and
    events by name), and why the others do not."""
    cls, kept, unfit = side.cls, list(side.cls.properties), {}
    for extra in properties:
        if extra.__name__ not in {p.__name__ for p in kept}:
            why = _misfit(_deriving(cls, [*kept, extra]), side.constants)
            if why:
                unfit[extra.__name__] = why
            else:
                kept.append(extra)
    return (cls if kept == list(cls.properties) else _deriving(cls, kept)), unfit


def _deriving(cls: type[Model], properties: list[Any]) -> type[Model]:
    own = {name: getattr(cls, name) for name in ("__doc__", "__module__", "__qualname__")}
    return type(cls.__name__, (cls,), {"properties": properties, **own})


def _misfit(cls: type[Model], constants: Mapping[str, Any]) -> str:
    """Why the model with this list of properties cannot be read and lowered; "" if it can."""
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
    if (a is not None and b is not None) or kind in FAILURES:
        return ""
    return f"only {(base if b is None else edit).report.reference} has it"


def _verdict(found: PropertyReport | None, kind: str) -> str:
    if found is not None:
        return found.verdict
    return "holds" if kind in FAILURES else UNLISTED


def _change(a: PropertyReport | None, b: PropertyReport | None, kind: str) -> str:
    """What happened to a property.  An error or failed assertion that one side does not report does not happen
    there."""
    before, after = _verdict(a, kind), _verdict(b, kind)
    if (before in REFUTED) == (after in REFUTED):
        return "" if before == after else "other"
    if after in REFUTED:
        return "broken"
    return "repaired" if after not in (UNLISTED, "unknown") else "other"


def _leaving(trace: Trace, base: Examined, after: Side) -> str:
    """Where the edit leaves a run of the base."""
    found = cause(trace, base.definition, after.cls)
    return found.note if found.step is None else f"the edit leaves this run at step {found.step}: {found.note}"


def _outcomes(base: Examined, edit: Examined, after: Side, most: int) -> OutcomeDifference | None:
    found = kinds_alone(base, edit)
    if found is None:
        return None
    added = tuple(_outcome_runs(found.added, edit, "new", most))
    removed = tuple(_outcome_runs(found.removed, base, "former", most, after))
    return OutcomeDifference(found.before, found.after, added, removed)


def _outcome_runs(
    kinds: Iterable[Kind], side: Examined, word: str, most: int, after: Side | None = None
) -> Iterator[OutcomeRun]:
    """The kinds of outcome that a side has alone, the first with a run; after: the edit that leaves these runs."""
    for number, kind in enumerate(kinds, 1):
        path = kind.run.path()
        trace = side.replay.run(path, f"{word} outcome {number}") if number <= most else None
        note = _leaving(trace, side, after) if trace is not None and after is not None else ""
        yield OutcomeRun(kind.count, kind.example, len(path) - 1, note, trace)


def _warnings(base: Examined, edit: Examined) -> Iterable[str]:
    both = [w for w in base.report.warnings if w in edit.report.warnings]
    yield from (f"both: {w}" for w in both)
    for side in (base, edit):
        yield from (f"{side.report.reference}: {w}" for w in side.report.warnings if w not in both)
        if side.report.bound is not None:
            yield f"{side.report.reference}: the search was stopped by its bound on {side.report.bound}"
