"""The comparison of a protocol with an edited one: both are checked with the same constants, and all differences are
collected.

The verdict of a comparison is about the edit: it is BROKEN if the edit violates a property that the base is not known
to violate.  This module compares one configuration; `checker.analysis.compare.several` compares all that the models
state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypedDict, Unpack

from attrs import evolve, frozen

from checker.analysis.check import Examined
from checker.analysis.compare.behaviours import behaviour_difference
from checker.analysis.compare.costs import costs
from checker.analysis.compare.delays import outcome_delays, unit_of
from checker.analysis.compare.outcomes import Kind, kinds_alone
from checker.analysis.compare.pair import (
    Announce,
    Pair,
    configured,
    leaving,
    property_changes,
    require_reducible,
    searched,
    shorter,
    silent,
)
from checker.analysis.compare.reach import with_runs
from checker.analysis.compare.rules import compare_rules
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import differences
from checker.analysis.compare.steps import other_variables, step_difference
from checker.analysis.compare.stopping import Stopping
from checker.analysis.compare.undecided import left_open
from checker.engines.explored import Phases
from checker.engines.registry import declared
from checker.replay.base import related
from checker.results.comparison import (
    BehaviourDifference,
    Comparison,
    OutcomeDifference,
    OutcomeRun,
    Proof,
    StepDifference,
)
from checker.results.rules import DIFFERS, RuleComparison
from checker.search.limits import NO_LIMITS, Limits

RULE_SECONDS = 10.0
STEP_SECONDS = 5.0
USUAL = {"rule_seconds": RULE_SECONDS, "step_seconds": STEP_SECONDS, "event_seconds": 10.0, "delay_seconds": 10.0}
BRIEF = {"rule_seconds": 3.0, "step_seconds": 1.0, "event_seconds": 2.0, "delay_seconds": 2.0}
"""The time for parts whose time is None; BRIEF once a property is broken: then they only add to the answer."""
# kinds of outcome on each side for which a run is shown: with all edits of this repository at their constants, every
# one
MOST_RUNS = 100


class Parts(TypedDict, total=False):
    """The time for each part, 0 for none: each rule symbolically (and the same time for a reachable state in which the
    rule differs), the steps, the sequences of events, delays over all runs on each side.  Also the number of kinds of
    outcome on each side that are shown with a run.  None: the usual time, or a brief one once a property is broken.
    """

    rule_seconds: float | None
    step_seconds: float | None
    event_seconds: float | None
    delay_seconds: float | None
    most_runs: int


@frozen
class Seconds:
    """The time for each part."""

    rules: float
    steps: float
    events: float
    delays: float

    @classmethod
    def of(cls, parts: Parts, broken: bool = False) -> Seconds:
        """Of parts that are not named the rules and the steps are compared alone."""
        found: dict[str, Any] = {
            "rule_seconds": None,
            "step_seconds": None,
            "event_seconds": 0.0,
            "delay_seconds": 0.0,
            **parts,
        }
        return cls(*(found[n] if found[n] is not None else (BRIEF if broken else USUAL)[n] for n in USUAL))


def compare(
    before: Side,
    after: Side,
    constants: Mapping[str, Any] | None = None,
    *,
    engine: str = "native",
    threads: int = 1,
    limits: Limits = NO_LIMITS,
    progress: Any = None,
    announce: Announce = silent,
    reduce: bool | None = None,
    **parts: Unpack[Parts],
) -> Comparison:
    """Compare two model classes in one configuration.  reduce: reduce the searches, where that is possible; None: the
    large ones.

    Raises UsageError if they have nothing in common, or neither declares a constant that was given.
    """
    if reduce:
        require_reducible(limits, engine)
    sides = configured(before, after, dict(constants or {}))
    found = searched(sides, announce, engine=engine, threads=threads, limits=limits, progress=progress, reduce=reduce)
    return detailed(found, engine=engine, threads=threads, limits=limits, announce=announce, **parts)


def detailed(
    pair: Pair,
    *,
    engine: str = "native",
    threads: int = 1,
    limits: Limits = NO_LIMITS,
    progress: Any = None,
    announce: Announce = silent,
    steps: StepDifference | None = None,
    behaviours: BehaviourDifference | None = None,
    rules: tuple[RuleComparison, ...] | None = None,
    proof: Proof | None = None,
    phases: Phases | None = None,
    stopping: Stopping | None = None,
    **parts: Unpack[Parts],
) -> Comparison:
    """Everything that differs between two searched models.  steps, behaviours, rules: the results of these comparisons,
    if known.  proof: why nothing else needs to be compared, if that is known.  phases: records the time of each part.
    stopping: leaves out parts after Ctrl-C.
    """
    properties = tuple(property_changes(pair))
    given = Seconds.of(parts, any(p.change == "broken" for p in properties))
    if proof is not None:
        given = Seconds(given.rules, 0.0, 0.0, 0.0)
    phases, stopping = phases or Phases(), stopping or Stopping(allowed=False)
    before, after, (base, edit) = pair.sides.before, pair.sides.after, (pair.base, pair.edit)
    definitions, packed = pair.sides.definitions, declared(engine).keeps_states
    sources = differences(*definitions, (before.label, after.label))
    if rules is None:
        announce("rules, over all states of their types")
        with phases("rules"):
            asked = partial(compare_rules, *definitions, sources, given.rules)
            none: tuple[RuleComparison, ...] = ()
            rules = stopping.part("rules", asked, none) if given.rules > 0 else none
    if packed and any(r.relation in DIFFERS for r in rules):
        announce("rules: a reachable state in which one differs")
        within = shorter(limits, given.rules)
        with phases("rules"):
            seen = partial(with_runs, rules, before, after, threads=threads, limits=within, progress=progress)
            rules = stopping.part("reachable states in which rules differ", seen, rules)
    announce("properties and outcomes, a run for each difference")
    with phases("runs"):
        outcomes = _outcomes(base, edit, after, parts.get("most_runs", MOST_RUNS))
    if steps is None and given.steps > 0:
        announce("steps, one by one")
        with phases("steps"):
            steps = stopping.part("steps", partial(step_difference, before, after, given.steps, engine), None)
    steps_apart = other_variables(before, after) if steps is None and given.steps > 0 else ""
    if behaviours is None and given.events > 0:
        announce("sequences of events")
        with phases("events"):
            found_events = partial(behaviour_difference, before, after, given.events, engine)
            behaviours = stopping.part("sequences of events", found_events, None)
    measured = given.delays > 0 and packed and pair.complete and not (base.report.reduced or edit.report.reduced)
    if measured:
        announce("delays over all runs")
    within = shorter(limits, given.delays)
    with phases("delays"):
        delays = [partial(outcome_delays, side, threads, within) for side in (before, after)]
        extremes = [stopping.part("delays over all runs", one, None) if measured else None for one in delays]
    cut = measured and not stopping.over and None in extremes and all(unit_of(d) is not None for d in definitions)
    both = tuple(f"both: {w}" for w in _told(base) if w in _told(edit))
    found = Comparison(
        before.label,
        after.label,
        related(before.cls, after.cls),
        dict(definitions[1].constants),
        base.report,
        edit.report,
        sources,
        rules,
        properties,
        outcomes,
        steps=steps,
        behaviours=behaviours,
        costs=costs(base, edit, (extremes[0], extremes[1])),
        warnings=tuple(_warnings(pair, both, proof)),
        of_both=both,
        steps_apart=steps_apart,
        given=pair.sides.given,
        renamed=before.renamed,
        proof=proof,
    )
    return evolve(found, left_open=left_open(found, (before.cls, after.cls), cut, stopping.left))


def _outcomes(base: Examined, edit: Examined, after: Side, most: int) -> OutcomeDifference | None:
    found = kinds_alone(base, edit)
    if found is None:
        return None
    before, now, added, removed = found
    gone = tuple(_outcome_runs(removed, base, "former", most, after))
    return OutcomeDifference(before, now, tuple(_outcome_runs(added, edit, "new", most)), gone)


def _outcome_runs(
    kinds: Iterable[Kind], side: Examined, word: str, most: int, after: Side | None = None
) -> Iterator[OutcomeRun]:
    """The kinds of outcome that one side has alone, the first of them with a run.  after: the edit, whose base does not
    allow these runs.
    """
    for number, kind in enumerate(kinds, 1):
        path = kind.run.path()
        trace = side.replay.run(path, f"{word} outcome {number}") if number <= most else None
        note = leaving(trace, side, after) if trace is not None and after is not None else ""
        yield OutcomeRun(kind.count, kind.example, len(path) - 1, note, trace)


def _told(side: Examined) -> list[str]:
    """The warnings of a side, except that it edits nothing, which the summary states."""
    unedited = {f.text for f in side.report.findings if f.kind == "edits-nothing"}
    return [w for w in side.report.warnings if w not in unedited]


def _warnings(pair: Pair, both: Sequence[str], proof: Proof | None) -> Iterable[str]:
    base, edit = pair.base, pair.edit
    yield from (f"{side} was searched in full: {why}" for side, why in pair.in_full.items())
    yield from both
    for side, other in ((base, edit), (edit, base)):
        yield from (f"{side.report.reference}: {w}" for w in _told(side) if w not in _told(other))
        if side.report.bound is not None and proof is None:
            yield f"{side.report.reference}: the search was stopped by its bound on {side.report.bound}"
