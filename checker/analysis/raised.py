"""An expectation whose configuration is gone because the default of a constant was raised: more clients than before.

Nothing is lost where the same is expected of the larger model, and the model of today meets the former expectation with
the former defaults.  Only a number of identities, as `Ids("c", clients)`, and a bound of faults count: another constant
may as well be a threshold that a property or an assertion compares with, or select other initial states.

Where it stops: the former expectation is verified for SECONDS; what that does not decide counts as lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from attrs import evolve

from checker.analysis.as_before import read_otherwise
from checker.analysis.narrowed import narrowed
from checker.analysis.verify import verify_one
from checker.language.constants import written
from checker.language.definition import Definition
from checker.language.distributed import BUDGETS
from checker.language.domains import IdsDomain
from checker.language.expectation import Expectation
from checker.language.model import Model
from checker.results.verified import Case
from checker.search.limits import Limits

SECONDS = 20.0


def still_met(
    stated: Expectation, before: Definition, today: Iterable[tuple[Expectation, Definition]], now: type[Model]
) -> bool:
    """Whether a former expectation is stated of a larger model today, and met with its former constants.  before,
    today: the definitions of the expectations.
    """
    for other, definition in today:
        changed = [n for n, v in before.constants.items() if written(definition.constants.get(n)) != written(v)]
        if _same(stated, other) and changed and all(_raised(name, before, definition) for name in changed):
            known = {name: before.constants[name] for name in changed}
            case = Case(now.__name__, now, Path(), evolve(stated, at={**stated.at, **known}))
            return not verify_one(case, traces=False, limits=Limits(max_seconds=SECONDS)).exit_code
    return False


def _same(stated: Expectation, other: Expectation) -> bool:
    """Whether two expectations state the same constants, properties and limits."""
    mine, theirs = ((e.violated, e.only, e.within, e.thorough, written(tuple(e.at.items()))) for e in (stated, other))
    return mine == theirs


def _raised(name: str, before: Definition, now: Definition) -> bool:
    """Whether a constant is higher now, and nothing but a number of identities or a bound of faults."""
    was, value = before.constants[name], now.constants.get(name)
    if type(was) is not int or type(value) is not int or value <= was:
        return False
    if name not in BUDGETS and not any(_counts(before, now, type, was, value) for type in before.types):
        return False
    asked = {p.name for p in before.properties} & {p.name for p in now.properties}
    return not any(read_otherwise(before, now, one) for one in asked) and not any(narrowed(before, now))


def _counts(before: Definition, now: Definition, name: str, was: int, value: int) -> bool:
    domains = before.types[name], now.types.get(name)
    sizes = [len(list(domain)) for domain in domains if isinstance(domain, IdsDomain)]
    return sizes == [was, value]
