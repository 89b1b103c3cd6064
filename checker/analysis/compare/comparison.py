"""The comparison of a protocol with an edited one: both are checked with the same constants, and all differences are
collected.

The verdict of a comparison is about the edit: it is BROKEN if the edit violates a property that the base is not known
to violate.  This module compares one configuration; `checker.analysis.compare.several` compares all that the models
state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from attrs import evolve

from checker.analysis.check import Examined
from checker.analysis.compare.costs import costs
from checker.analysis.compare.pair import (
    Announce,
    Pair,
    configured,
    property_changes,
    require_reducible,
    searched,
    silent,
)
from checker.analysis.compare.parts import MOST_RUNS, Parts, Seconds, Undertaking
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import differences
from checker.analysis.compare.steps import other_variables
from checker.analysis.compare.undecided import left_open
from checker.replay.base import related
from checker.results.comparison import BehaviourDifference, Comparison, Proof, StepDifference
from checker.results.rules import RuleComparison
from checker.search.limits import NO_LIMITS, Limits


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
    how: dict[str, Any] = {"engine": engine, "threads": threads, "limits": limits, "announce": announce}
    return detailed(found, parts=parts, **how)


def detailed(
    pair: Pair,
    *,
    steps: StepDifference | None = None,
    behaviours: BehaviourDifference | None = None,
    rules: tuple[RuleComparison, ...] | None = None,
    proof: Proof | None = None,
    parts: Parts | None = None,
    **how: Any,
) -> Comparison:
    """Everything that differs between two searched models.  steps, behaviours, rules: the results of these comparisons,
    if known.  proof: why nothing else needs to be compared, if that is known.  how: fields of `Undertaking`.
    """
    properties, asked = tuple(property_changes(pair)), parts or Parts()
    given = Seconds.of(asked, any(p.change == "broken" for p in properties))
    if proof is not None:
        given = Seconds(given.rules, 0.0, 0.0, 0.0)
    work = Undertaking(pair, given, **how)
    before, after, (base, edit) = work.before, work.after, (pair.base, pair.edit)
    sources = differences(*pair.sides.definitions, (before.label, after.label))
    rules = work.in_reachable_states(work.rules(sources) if rules is None else rules)
    outcomes = work.outcomes(asked.get("most_runs", MOST_RUNS))
    steps = work.steps() if steps is None else steps
    steps_apart = other_variables(before, after) if steps is None and given.steps > 0 else ""
    behaviours = work.behaviours() if behaviours is None else behaviours
    *extremes, cut = work.delays()
    both = tuple(f"both: {w}" for w in _told(base) if w in _told(edit))
    found = Comparison(
        before.label,
        after.label,
        related(before.cls, after.cls),
        dict(pair.sides.definitions[1].constants),
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
        version=before.version,
        proof=proof,
    )
    return evolve(found, left_open=left_open(found, (before.cls, after.cls), cut, work.stopping.left))


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
            yield f"{side.report.reference}: the search was {side.report.ended}"
