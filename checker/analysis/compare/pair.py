"""Both sides of a comparison, searched with the same constants: one configuration.

Both searches continue after a violation, so that every property gets its own verdict and its own shortest trace.  A
property that only one side lists is checked on the other side too, if it fits.  Where both sides list different classes
of one name, both classes are checked on both sides, under the names NAME_of_base and NAME_of_edit.  Otherwise an edit
that weakens a property could hide a violation.

A reduced search of a side is kept if it shows that all properties hold; its outcomes are then those of the model.
Otherwise the side is searched in full.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import Factory, evolve, frozen

from checker.analysis.check import Examined, examine
from checker.analysis.compare.failures import by_meaning
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import redefined
from checker.engines.explored import require_finished
from checker.engines.registry import declared
from checker.engines.request import Irreducible
from checker.frontend.lower import lower
from checker.language.define import constants_of, define
from checker.language.definition import Definition
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.language.properties import Property
from checker.replay.base import shared_constants
from checker.replay.cause import cause
from checker.replay.symmetry import require_unmerged
from checker.results.checked import FAILURES, PropertyReport
from checker.results.comparison import UNLISTED, PropertyChange
from checker.results.verdict import REFUTED, Verdict
from checker.search.limits import NO_LIMITS, Limits
from checker.trace.trace import Trace

SHOWN = "a violation is shown, and others are looked for"
"""Why a side that can be reduced is searched in full."""
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
    """Both searches.  alone: for a property that does not fit the other model, its side and the reason; in_full: sides
    that were searched in full although a reduced search was requested, with the reasons.
    """

    sides: Configured
    base: Examined
    edit: Examined
    alone: Mapping[str, str]
    in_full: Mapping[str, str] = Factory(dict)

    @property
    def complete(self) -> bool:
        """Whether every state of both was explored."""
        return self.base.explored.complete and self.edit.explored.complete


def configured(before: Side, after: Side, given: Mapping[str, Any]) -> Configured:
    """The two models with these constants.  Raises UsageError if one of them refuses the constants, or they have
    nothing in common.
    """
    of_base, of_edit = _constants(before.cls, after.cls, given)
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
    reduce: bool = False,
    **run: Any,
) -> Pair:
    """Explore both sides, each within the limits, and until a time of the monotonic clock.  reduce: reduce the search
    of a side where that keeps its verdicts and outcomes.  run: engine, threads, progress.

    Raises KeyboardInterrupt if it ends a search.
    """
    before, after = sides.before, sides.after
    labels = before.label, after.label
    twofold = {d.name for d in redefined(*sides.definitions, labels)}
    of_base, of_edit = (
        [_called(p, f"{p.__name__}_of_{side}") if p.__name__ in twofold else p for p in cls.properties]
        for side, cls in (("base", before.cls), ("edit", after.cls))
    )
    listed = list(dict.fromkeys((*of_base, *of_edit)))
    watched, not_of_base = _listing(before, of_base, listed)
    also, not_of_edit = _listing(after, of_edit, listed)
    in_full: dict[str, str] = {}

    def explored(side: Side, cls: type[Model], base: type[Model], broken: Mapping[str, int]) -> Examined:
        announce(f"searching {side.label}")
        bound = limits if until is None else shorter(limits, max(until - time.monotonic(), LEAST))
        marked = {"base": base, "broken_before": broken}
        found, why = _examined(reduce, cls, side.label, side.constants, **run, **marked, limits=bound.begun())
        in_full.update({side.label: why} if why else {})
        return found

    base = explored(before, watched, watched, {})
    broken = {p.name: p.steps for p in base.report.properties if p.verdict.refuted and p.steps is not None}
    edit = explored(after, also, before.cls, broken)
    alone = {n: f"only {after.label} has it; asked of {before.label}: {why}" for n, why in not_of_base.items()}
    alone |= {n: f"only {before.label} has it; asked of {after.label}: {why}" for n, why in not_of_edit.items()}
    return Pair(sides, base, edit, alone, in_full)


def _examined(reduce: bool, *side: Any, **how: Any) -> tuple[Examined, str]:
    """The check of a side, and why it used the full graph although a reduced search was requested.

    A search that continues after it shows a violation; where a limit ends that search before, the reduced search shows
    it.
    """
    reduced, why = None, ""
    if reduce:
        try:
            reduced, why = examine(*side, **how, reduce=True, lengths=True, stop_at_first=True), SHOWN
            require_finished(reduced.explored)
            if reduced.report.verdict not in REFUTED:
                return reduced, ""
        except Irreducible as irreducible:
            why = irreducible.message
    try:
        full = examine(*side, **how, stop_at_first=False)
        require_finished(full.explored)  # half a comparison says nothing
    except Undecided:
        if reduced is None:
            raise
        return reduced, ""
    return (full, why) if reduced is None or full.report.verdict in REFUTED else (reduced, "")


def require_reducible(limits: Limits, engine: str) -> None:
    """Raise UsageError for options that need all states of each search."""
    given = {"--max-depth": limits.max_depth is not None, f"--engine {engine}": not declared(engine).keeps_states}
    for option in (option for option, is_given in given.items() if is_given):
        what = f"{option} explores every state, and --reduce leaves some out"
        raise UsageError(what, remedy="Leave out one of the two.")


def shorter(limits: Limits, seconds: float) -> Limits:
    """The limits, with at most the given number of seconds."""
    return evolve(limits, max_seconds=seconds if limits.max_seconds is None else min(seconds, limits.max_seconds))


def _constants(base: type[Model], edit: type[Model], given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The constants of both sides: the given ones; the base has those that follow in the edit."""
    known = {cls: constants_of(cls) for cls in (base, edit)}
    for name in given:
        if not any(name in declared for declared in known.values()):
            both = dict.fromkeys((*known[base], *known[edit]))
            raise UsageError(f"neither model has a constant {name}", remedy=f"They have: {', '.join(both) or 'none'}.")
    of_edit = {n: v for n, v in given.items() if n in known[edit]}
    alike = shared_constants(base, define(edit, of_edit).constants)
    return alike | {n: v for n, v in given.items() if n in known[base]}, of_edit


def _listing(side: Side, own: list[Any], properties: list[Any]) -> tuple[type[Model], dict[str, str]]:
    """The class with its own properties and those of the other side that fit it (a property names variables and
    events), and why the others do not fit.
    """
    cls, kept, unfit = side.cls, list(own), {}
    for extra in properties:
        if extra.__name__ not in {p.__name__ for p in kept}:
            why = _misfit(_deriving(cls, [*kept, extra]), side.constants)
            if why:
                unfit[extra.__name__] = why
            else:
                kept.append(extra)
    return (cls if kept == list(cls.properties) else _deriving(cls, kept)), unfit


def _deriving(cls: type[Model], properties: list[Any]) -> type[Model]:
    return type(cls.__name__, (cls,), {"properties": properties, **_told_of(cls)})


def _called(property: type[Property], name: str) -> type[Property]:
    """The property under another name."""
    return type(name, (property,), _told_of(property))


def _told_of(cls: type) -> dict[str, Any]:
    """Where a class is defined, for messages."""
    return {name: getattr(cls, name) for name in ("__doc__", "__module__", "__qualname__")}


def _misfit(cls: type[Model], constants: Mapping[str, Any]) -> str:
    """Why the model with this list of properties cannot be read and lowered; "" if it can."""
    try:
        lower(define(cls, constants))
    except UsageError as error:
        return error.message
    return ""


def property_changes(pair: Pair) -> Iterable[PropertyChange]:
    """The change of each property's verdict."""
    base, edit, after = pair.base, pair.edit, pair.sides.after
    before, now = by_meaning(base), by_meaning(edit)
    for key in dict.fromkeys((*before, *now)):
        a, b = before.get(key), now.get(key)
        found = b or a
        assert found is not None
        name, kind = found.name, found.kind
        change = _change(a, b, kind)
        trace, note = None, pair.alone.get(name) or _alone(a, b, base, edit, kind)
        if a is not None and b is not None and a.name != b.name:
            note = f"the same statement as that of {a.name} before"
        if change == "broken" and b is not None:
            trace = b.trace
        elif change == "repaired" and a is not None and a.trace is not None:
            trace, note = a.trace, leaving(a.trace, base, after)
        yield PropertyChange(name, kind, _verdict(a, kind), _verdict(b, kind), change, trace, note)


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
    found = cause(trace, base.definition, after.cls)
    return found.note if found.step is None else f"the edit leaves this run at step {found.step}: {found.note}"
