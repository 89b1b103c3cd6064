"""Properties that a change defines otherwise: does the model of today keep them as they were defined before?

An invariant that is weakened until it holds would hide what the change breaks, be it through a helper or a constant
(`checker.analysis.as_before`).  Each expectation that a property holds, before and now, is searched once more with the
former definition, if that fits the model of today.

A former property that does not fit the model of today, or that is not decided after SECONDS of its search, is named as
such: what was not compared says less until somebody has looked at it.

Where it stops: expectations for thorough runs are not searched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from checker.analysis.as_before import as_before, read_otherwise
from checker.analysis.check import Examined, examine
from checker.analysis.compare.properties import FORMER
from checker.analysis.compare.sources import redefined
from checker.analysis.emptied import following_from_types, never_tested
from checker.language.definition import Definition
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.results.checked import PropertyReport
from checker.results.verdict import Verdict
from checker.search.limits import Limits
from checker.wording import counted, listed

SECONDS = 20.0

Told = tuple[str, str]  # the name of a property, and what is said of it


def hidden(before: Definition, now: Definition, held: Collection[str], given: Mapping[str, Any]) -> list[Told]:
    """Of the properties expected to hold, in words: those that the model of today breaks as they were before, those of
    which that is not known, and the changed ones that say nothing any more.  given: the constants that the expectation
    of today states.
    """
    otherwise = {name: read_otherwise(before, now, name) for name in held}
    changed = {*redefined(before, now), *(n for n in held if otherwise[n] or _is_class(before, n) != _is_class(now, n))}
    names = sorted(changed & {*held})
    if not names:
        return []
    model, unfit = as_before(before, now, names)
    asked = {name: f"{FORMER}{name}" for name in names if name not in unfit}
    said = [_not_asked(name, f"it does not fit the model of today: {why}") for name, why in unfit.items()]
    if asked:
        try:
            searched = _searched(model, now.name, given, [*asked.values(), *asked])
        except (UsageError, Undecided) as error:  # a former property fails on a state of today
            return [*said, *(_not_asked(name, str(error)) for name in asked)]
        said += _kept(searched.report.properties, asked, otherwise)
        said += [] if said else never_tested(searched, asked)
        said += [] if said else following_from_types(before, now, asked)
    return said


def _is_class(side: Definition, name: str) -> bool:
    return any(one.__name__ == name for one in side.model.properties)


def _kept(
    found: Iterable[PropertyReport], asked: Mapping[str, str], otherwise: Mapping[str, Sequence[str]]
) -> Iterator[Told]:
    """The former properties that the model of today breaks, or of which that is not decided, in words.  Where one of
    today's is violated the search ended there, and the expectation is not met anyway."""
    reports = {one.name: one for one in found}
    ended = any(reports[name].verdict.refuted for name in asked)
    for name, former in asked.items():
        one = reports[former]
        if one.verdict.refuted:
            yield name, _broken(one, name, otherwise[name])
        elif one.verdict is Verdict.UNKNOWN and not ended:
            yield _not_asked(name, one.reason or f"{SECONDS:.0f} s of search do not decide it")


def _not_asked(name: str, why: str) -> Told:
    return name, f"{name} was changed, and whether the model keeps it as it was before is not known: {why}"


def _searched(model: type[Model], name: str, given: Mapping[str, Any], asked: Sequence[str]) -> Examined:
    limits = Limits(max_seconds=SECONDS)
    return examine(model, name, given, only=asked, traces=False, base=model, limits=limits)


def _broken(found: PropertyReport, name: str, otherwise: Sequence[str]) -> str:
    steps = "" if found.steps is None else f" in {counted(found.steps, 'step')}"
    through = f", through {listed(otherwise)}" if otherwise else ""
    return f"{name} was changed{through}; as it was before, it is {found.verdict}{steps}"
