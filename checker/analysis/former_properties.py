"""Properties that a change defines otherwise: does the model of today keep them as they were defined before?

An invariant that is weakened until it holds would hide what the change breaks, be it through a helper or a constant
(`checker.analysis.as_before`).  Each expectation that a property holds, before and now, is searched once more with the
former definition, if that fits the model of today.

Where it stops: after SECONDS of each search; expectations for thorough runs are not searched.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from checker.analysis.as_before import as_before, read_otherwise
from checker.analysis.check import check
from checker.analysis.compare.properties import FORMER
from checker.analysis.compare.sources import redefined
from checker.language.definition import Definition
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.results.checked import PropertyReport
from checker.results.verdict import Verdict
from checker.search.limits import Limits
from checker.wording import counted, listed

SECONDS = 20.0


def hidden(before: Definition, now: Definition, held: Collection[str], given: Mapping[str, Any]) -> list[str]:
    """The former properties, among those expected to hold, that the model of today breaks, in words.  given: the
    constants that the expectation of today states.  Raises Undecided if that is not known.
    """
    otherwise = {name: read_otherwise(before, now, name) for name in held}
    names = sorted({*redefined(before, now), *(name for name, read in otherwise.items() if read)} & {*held})
    if not names:
        return []
    model, unfit = as_before(before, now, names)
    asked = {f"{FORMER}{name}": name for name in names if name not in unfit}
    broken, left = list[str](), [f"{name} does not fit: {why}" for name, why in unfit.items()]
    try:
        found = _searched(model, now.name, given, list(asked)) if asked else ()
    except UsageError as error:  # the former property fails on a state of today
        found, left = (), [*left, error.message]
    for one in (p for p in found if p.name in asked):
        name = asked[one.name]
        if one.verdict.refuted:
            broken.append(_broken(one, name, otherwise[name]))
        elif one.verdict is Verdict.UNKNOWN:
            left.append(f"{name} was not decided in {SECONDS:.0f} s")
    if left and not broken:
        raise Undecided("; ".join(left))
    return broken


def _searched(
    model: type[Model], name: str, given: Mapping[str, Any], asked: Sequence[str]
) -> Sequence[PropertyReport]:
    limits = Limits(max_seconds=SECONDS)
    return check(model, name, given, only=asked, traces=False, base=model, limits=limits).properties


def _broken(found: PropertyReport, name: str, otherwise: Sequence[str]) -> str:
    steps = "" if found.steps is None else f" in {counted(found.steps, 'step')}"
    through = f", through {listed(otherwise)}" if otherwise else ""
    return f"{name} was changed{through}; as it was before, it is {found.verdict}{steps}"
