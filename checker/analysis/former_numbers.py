"""The numbers that an expectation stated at the merge base and states no longer; and the defaults of constants that are
lower now, which make every expectation that does not state the constant one of a smaller model.

Where it stops: another number, smaller or larger, is what nearly every change of a protocol leaves; the search compares
it, and the comment on the change shows both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from checker.language.constants import written
from checker.language.define import define
from checker.language.errors import UsageError
from checker.language.expectation import Expectation
from checker.language.model import Model

NUMBERS = {"steps": "number of steps", "distinct": "number of states", "transitions": "number of transitions"}
NUMBERS["depth"] = "number of levels"


def lost_numbers(before: Expectation, today: Sequence[Expectation], there: str) -> Iterator[str]:
    """The numbers that are no longer stated; a run that is expected no more has no steps.  there: the constants, in
    words."""
    for name, words in NUMBERS.items():
        was, asked = getattr(before, name), [e for e in today if name != "steps" or e.violated]
        if was is None or not asked:
            continue
        if all(getattr(e, name) is None for e in asked):
            yield f"the {words} ({was:,}) is no longer stated{there}"


def lowered(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The constants that have a lower default, each in words.  before, now: the values of the constants."""
    for name, was in before.items():
        if name in now and _lower(now[name], was):
            yield name, f"the default of {name} is {written(now[name])}, and was {written(was)}"


def other_defaults(now: type[Model], stated: Expectation, before: Mapping[str, Any]) -> str:
    """The constants that a former expectation did not state and that have another default today, in words; "" if there
    is none."""
    try:
        today = define(now, stated.at, []).constants
    except UsageError:
        return ""
    found = (n for n, was in before.items() if n in today and n not in stated.at and written(today[n]) != written(was))
    return ", ".join(f"the default of {n} was {written(before[n])}, and is {written(today[n])} now" for n in found)


def _lower(now: Any, was: Any) -> bool:
    if type(now) is not type(was):
        return False
    if isinstance(was, tuple):
        return len(now) < len(was) or len(now) == len(was) and any(map(_lower, now, was))
    return isinstance(was, int) and now < was
