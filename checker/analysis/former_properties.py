"""Properties that a change defines otherwise: does the model of today keep them as they were defined before?

An invariant that is weakened until it holds would hide what the change breaks.  Each expectation that a property holds,
before and now, is searched once more with the former definition, if that fits the model of today.

Where it stops: after SECONDS of each search; expectations for thorough runs are not searched.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from checker.analysis.check import check
from checker.analysis.compare.properties import FORMER, watched
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import redefined
from checker.language.definition import Definition
from checker.language.errors import Undecided, UsageError
from checker.results.checked import PropertyReport
from checker.results.verdict import Verdict
from checker.search.limits import Limits
from checker.wording import counted

SECONDS = 20.0


def hidden(before: Definition, now: Definition, held: Collection[str], given: Mapping[str, Any]) -> list[str]:
    """The former properties, among those expected to hold, that the model of today breaks, in words.  given: the
    constants that the expectation of today states.  Raises Undecided if that is not known.
    """
    names = [name for name in redefined(before, now) if name in held]
    if not names:
        return []
    former, edited = (Side(side.model, side.name, side.constants) for side in (before, now))
    both = watched(former, edited, (before, now))
    asked = [f"{FORMER}{name}" for name in names if f"{FORMER}{name}" not in both.alone]
    if not asked:
        return []
    try:
        found = check(
            both.edit, now.name, given, only=asked, traces=False, base=both.edit, limits=Limits(max_seconds=SECONDS)
        )
    except UsageError as error:  # the former property fails on a state of today
        raise Undecided(error.message) from None
    left = [p.name for p in found.properties if p.verdict is Verdict.UNKNOWN]
    broken = [_broken(p) for p in found.properties if p.name in asked and p.verdict.refuted]
    if left and not broken:
        raise Undecided(f"{', '.join(left)} {'was' if len(left) == 1 else 'were'} not decided in {SECONDS:.0f} s")
    return broken


def _broken(found: PropertyReport) -> str:
    name = found.name.removeprefix(FORMER)
    steps = "" if found.steps is None else f" in {counted(found.steps, 'step')}"
    return f"{name} was changed; as it was before, it is {found.verdict}{steps}"
