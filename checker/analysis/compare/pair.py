"""Both sides of a comparison, searched with the same constants: one configuration.

Both searches continue after a violation, so that every property gets its own verdict and its own shortest trace.  Each
side is checked with the properties of both (`checker.analysis.compare.properties`).

A reduced search of a side is kept if it shows that all properties hold; its outcomes are then those of the model.
Otherwise the side is searched in full.  Unless one or the other is requested, a side is searched in full as far as
LARGE states, and then reduced: below, compiling the reduced steps takes longer than it saves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import Factory, evolve, frozen

from checker.analysis.check import Examined, examine
from checker.analysis.compare.failures import by_meaning
from checker.analysis.compare.properties import CHANGED, FORMER, watched
from checker.analysis.compare.side import Side
from checker.bound import Bound
from checker.engines.explored import require_finished
from checker.engines.registry import declared
from checker.engines.request import Irreducible
from checker.language.declared import require_an_effect
from checker.language.define import constants_of, define
from checker.language.definition import Definition
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.replay.base import shared_constants
from checker.replay.cause import cause
from checker.replay.own_constants import former_constants
from checker.replay.symmetry import require_unmerged
from checker.results.checked import FAILURES, PropertyReport
from checker.results.comparison import UNLISTED, PropertyChange, Redefined
from checker.results.verdict import REFUTED, Verdict
from checker.search.limits import NO_LIMITS, Limits
from checker.trace.trace import Trace

SHOWN = "a violation is shown, and others are looked for"
"""Why a side that can be reduced is searched in full."""
LARGE = 6_000_000  # states: of larger graphs a reduced one is explored, where that is possible
LEAST = 1e-9  # seconds: a limit of none at all is no limit
Announce = Callable[[str], None]  # what is being done, in words


def silent(_: str) -> None:
    """No progress is reported."""


@frozen
class Configured:
    """The two models of a comparison, with constants.  given: the requested constants."""

    given: Mapping[str, Any]
    before: Side
    after: Side
    definitions: tuple[Definition, Definition]


@frozen
class Pair:
    """Both searches.  alone: for a property that does not fit the other model, its side and the reason; twofold: the
    names of the properties that the sides define differently; in_full: sides that were searched in full although a
    reduced search was requested, with the reasons.
    """

    sides: Configured
    base: Examined
    edit: Examined
    alone: Mapping[str, str]
    twofold: frozenset[str] = frozenset()
    in_full: Mapping[str, str] = Factory(dict)

    @property
    def complete(self) -> bool:
        """Whether every state of both was explored."""
        return self.base.explored.complete and self.edit.explored.complete


def configured(before: Side, after: Side, given: Mapping[str, Any]) -> Configured:
    """The two models with these constants.  Raises UsageError if one of them refuses the constants, or they have
    nothing in common.
    """
    of_base, of_edit = _constants(before, after.cls, given)
    before, after = evolve(before, constants=of_base), evolve(after, constants=of_edit)
    definitions = define(before.cls, of_base), define(after.cls, of_edit)
    if not set.intersection(*({v.name for v in d.variables} for d in definitions)):
        raise UsageError(f"{before.label} and {after.label} have no variable in common: there is nothing to compare")
    for definition in definitions:
        require_unmerged(definition, "a comparison")
    return Configured(given, before, after, definitions)


def searched(
    sides: Configured,
    announce: Announce,
    *,
    until: float | None = None,
    limits: Limits = NO_LIMITS,
    reduce: bool | None = None,
    half: bool = False,
    **run: Any,
) -> Pair:
    """Explore both sides, each within the limits, and until a time of the monotonic clock.  reduce: reduce the search
    of a side where that keeps its verdicts and outcomes; None: if it is large.  run: engine, threads, progress.

    Raises KeyboardInterrupt if it ends a search; half: not if that is the search of the edit, whose bound says so then.
    """
    before, after = sides.before, sides.after
    both = watched(before, after, sides.definitions)
    in_full: dict[str, str] = {}

    def explored(side: Side, cls: type[Model], base: type[Model], broken: Mapping[str, int]) -> Examined:
        announce(f"searching {side.label}")
        bound = limits if until is None else shorter(limits, max(until - time.monotonic(), LEAST))
        marked = {"base": base, "broken_before": broken, "version": before.version}
        given = {**run, **marked, "limits": bound.begun()}
        if reduce is None:
            found, why = _by_size(cls, side.label, side.constants, **given), ""
        else:
            found, why = _examined(reduce, cls, side.label, side.constants, **given)
        if not half or side is before:
            require_finished(found.explored)  # half a comparison says nothing of what differs
        in_full.update({side.label: why} if why else {})
        return found

    base = explored(before, both.base, both.base, {})
    steps = {p.name: p.steps for p in base.report.properties if p.verdict.refuted and p.steps is not None}
    broken = {both.of_edit(name): number for name, number in steps.items()}
    edit = explored(after, both.edit, before.cls, broken)
    return Pair(sides, base, edit, both.alone, both.twofold, in_full)


def _examined(reduce: bool, *side: Any, **how: Any) -> tuple[Examined, str]:
    """The check of a side, and why it used the full graph although a reduced search was requested.

    A search that continues after it shows a violation; where a limit ends that search before, the reduced search shows
    it.
    """
    reduced, why = None, ""
    if reduce:
        try:
            reduced, why = examine(*side, **how, reduce=True, lengths=True, stop_at_first=True), SHOWN
            if reduced.report.verdict not in REFUTED or reduced.report.bound is Bound.INTERRUPTED:
                return reduced, ""
        except Irreducible as irreducible:
            why = irreducible.message
    try:
        full = examine(*side, **how, stop_at_first=False)
        if reduced is not None:
            require_finished(full.explored)
    except Undecided:
        if reduced is None:
            raise
        return reduced, ""
    return (full, why) if reduced is None or full.report.verdict in REFUTED else (reduced, "")


def _by_size(*side: Any, limits: Limits, **how: Any) -> Examined:
    """The check of a side: in full if it has at most LARGE states, else reduced where that is possible."""
    most = min(LARGE, limits.max_states or LARGE)
    found = examine(*side, **how, limits=evolve(limits, max_states=most), stop_at_first=False)
    if found.report.bound not in (Bound.STATES, Bound.MEMORY) or most == limits.max_states:
        return found
    refuted = found.report.verdict in REFUTED
    try:
        further, _ = _examined(not refuted, *side, **how, limits=limits)
    except Undecided:
        return found
    if refuted and further.report.verdict not in REFUTED:
        require_finished(further.explored)
        return found
    return further


def require_reducible(limits: Limits, engine: str) -> None:
    """Raise UsageError for options that need all states of each search."""
    given = {"--max-depth": limits.max_depth is not None, f"--engine {engine}": not declared(engine).keeps_states}
    for option in (option for option, is_given in given.items() if is_given):
        what = f"{option} explores every state, and --reduce leaves some out"
        raise UsageError(what, remedy="Leave out one of the two.")


def shorter(limits: Limits, seconds: float) -> Limits:
    """The limits, with at most the given number of seconds."""
    return evolve(limits, max_seconds=seconds if limits.max_seconds is None else min(seconds, limits.max_seconds))


def _constants(before: Side, edit: type[Model], given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The constants of both sides: the given ones; the base has those that follow in the edit, an earlier version its
    own where they are a part of the change.
    """
    base = before.cls
    known = {cls: constants_of(cls) for cls in (base, edit)}
    for name in given:
        if not any(name in declared for declared in known.values()):
            require_an_effect(edit, name)
            both = dict.fromkeys((*known[base], *known[edit]))
            raise UsageError(f"neither model has a constant {name}", remedy=f"They have: {', '.join(both) or 'none'}.")
    of_edit = {n: v for n, v in given.items() if n in known[edit]}
    edited = define(edit, of_edit)
    alike = former_constants(base, edited) if before.version else shared_constants(base, edited.constants)
    return alike | {n: v for n, v in given.items() if n in known[base]}, of_edit


def property_changes(pair: Pair) -> Iterable[PropertyChange]:
    """The change of each property's verdict."""
    base, edit, after = pair.base, pair.edit, pair.sides.after
    asked, formers = ({f"{prefix}{name}" for name in pair.twofold} for prefix in (CHANGED, FORMER))
    before, now = ({k: p for k, p in by_meaning(side).items() if p.name not in asked} for side in (base, edit))
    before |= {f"{FORMER}{name}": before[name] for name in pair.twofold if f"{FORMER}{name}" in now}
    for key in dict.fromkeys((*before, *now)):
        a, b = before.get(key), now.get(key)
        found = b or a
        assert found is not None
        name, kind = found.name, found.kind
        change, redefined = _change(a, b, kind), _redefinition(pair, name)
        trace, note = None, pair.alone.get(name) or _alone(a, b, base, edit, kind)
        if a is not None and b is not None and a.name != b.name and name not in formers:
            note = f"the same statement as that of {a.name} before"
        if redefined is not None:
            note = redefined.text(_verdict(a, kind), _verdict(b, kind))
        if change == "broken" and b is not None:
            trace = b.trace
        elif change == "repaired" and a is not None and a.trace is not None and redefined is None:
            trace, note = a.trace, leaving(a.trace, base, after)
        verdicts = _verdict(a, kind), _verdict(b, kind)
        yield PropertyChange(name, kind, *verdicts, change, trace, note, redefined, former=name in formers)


def _redefinition(pair: Pair, name: str) -> Redefined | None:
    """The other two verdicts on a property that the sides define differently."""
    if name not in pair.twofold:
        return None
    of_base, of_edit = ({p.name: p.verdict for p in e.report.properties} for e in (pair.base, pair.edit))
    on_base, on_edit = f"{CHANGED}{name}", f"{FORMER}{name}"
    unfit = pair.alone.get(on_base) or pair.alone.get(on_edit) or ""
    return Redefined(str(of_base.get(on_base, UNLISTED)), str(of_edit.get(on_edit, UNLISTED)), unfit)


def _alone(a: PropertyReport | None, b: PropertyReport | None, base: Examined, edit: Examined, kind: str) -> str:
    """For a property that one model defines itself: the side of this model."""
    if (a is not None and b is not None) or kind in FAILURES:
        return ""
    return f"only {(base if b is None else edit).report.reference} has it"


def _verdict(found: PropertyReport | None, kind: str) -> str:
    if found is not None:
        return found.verdict
    return Verdict.HOLDS if kind in FAILURES else UNLISTED


def _change(a: PropertyReport | None, b: PropertyReport | None, kind: str) -> str:
    """The change of a property's verdict.  An error or failed assertion that a side does not report does not occur
    there.
    """
    before, after = _verdict(a, kind), _verdict(b, kind)
    if (before in REFUTED) == (after in REFUTED):
        return "" if before == after else "other"
    if after in REFUTED:
        return "broken"
    return "repaired" if after not in (UNLISTED, Verdict.UNKNOWN) else "other"


def leaving(trace: Trace, base: Examined, after: Side) -> str:
    """Where the edit leaves a run of the base."""
    found = cause(trace, base.definition, after.cls, there="after the edit")
    if found.step is None:
        return found.note
    return f"the edit leaves this run at step {found.step}: {': '.join(filter(None, (found.note, found.refusal)))}"
