"""Which constant to lower first, measured by searches of smaller models.

Each whole number among the constants, and the largest number of each tuple, is lowered by one in turn, and the smaller
model is searched for a short time.  Searches are compared at equal depth: by their states within the same number of
steps.  After a reduced search the model itself is searched again in full for the same time, because levels of a reduced
graph are not comparable.  Near the initial states a constant may matter less than later, so the sentence names the
depth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from checker.analysis.vacuity.vacuous import trivial
from checker.backends.native.kernel import InitialError
from checker.bound import Bound
from checker.engines.explored import Explored
from checker.engines.native import compiled, improvement
from checker.engines.request import Request
from checker.language.constants import written
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.results.profile import Lowering
from checker.search.breadth_first import search
from checker.search.limits import Limits

LIMITS = Limits(max_states=50_000, max_seconds=1.0)
# what a model's own arithmetic may say to constants it did not expect
ODD_CONSTANTS = (UsageError, ArithmeticError, LookupError, TypeError, ValueError)


Worth = tuple[tuple[Lowering, ...], tuple[str, ...], bool]


def lowerings(
    definition: Definition, explored: Explored, given: Mapping[str, Any], seconds: float, say: Callable[[str], None]
) -> Worth:
    """The effect of lowering each constant, the largest effect first; the names of constants for which there was no
    time; and whether too few levels were searched for a comparison.  No constant is tried after `seconds`.  given: the
    constants set on the command line; say: called with a sentence at each trial.
    """
    deadline = time.monotonic() + seconds
    own = _searched(definition, dict(given)) if explored.reduced else (explored.levels, explored.complete)
    if own is None:
        return (), (), True
    whole = own[0] if explored.reduced or own[1] else own[0][:-1]
    tried: list[tuple[str, dict[str, Any], tuple[int, ...], bool]] = []
    untried: list[str] = []
    for name, changed in _candidates(definition, given):
        if time.monotonic() > deadline:
            untried.append(name)
            continue
        say(f"profile: how many states {name}={written(changed[name])} leaves")
        found = _searched(definition, changed)
        if found is not None:
            tried.append((name, changed, *found))
    depths = [len(whole), *(len(levels) for _, _, levels, complete in tried if not complete)]
    depth = min(depths)
    if depth < 2:
        return (), tuple(untried), True
    before = sum(whole[:depth])
    old, steps = definition.constants, depth - 1

    def lowering(name: str, new: Mapping[str, Any], levels: tuple[int, ...]) -> Lowering:
        along = tuple((n, v) for n, v in new.items() if n != name and v != given.get(n))
        return Lowering(name, old[name], new[name], steps, before, sum(levels[:depth]), along)

    results = (lowering(n, new, levels) for n, new, levels, _ in tried)
    fewer = sorted((r for r in results if r.after < r.before), key=lambda r: r.after)
    return tuple(fewer), tuple(untried), False


def _candidates(definition: Definition, given: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Changed constants, each with the name of the constant that was lowered."""
    constants = definition.constants
    for name, value in constants.items():
        if name == "processes":
            members = {n: v[:-1] for n, v in given.items() if isinstance(v, tuple) and len(v) == value}
            yield name, {**given, **members, name: value - 1}
        elif type(value) is int and value > 0:
            yield name, {**given, name: value - 1}
        elif isinstance(value, tuple) and value and all(type(v) is int for v in value) and max(value) > 0:
            last = len(value) - 1 - value[::-1].index(max(value))
            yield name, {**given, name: (*value[:last], value[last] - 1, *value[last + 1 :])}


def _searched(definition: Definition, constants: dict[str, Any]) -> tuple[tuple[int, ...], bool] | None:
    """The states of each whole level, and whether these are all levels; None if the model refuses the constants, or if
    no property is left to check.

    Raises KeyboardInterrupt if Ctrl-C ended the search.
    """
    try:
        smaller = define(definition.model, constants, [p.name for p in definition.properties])
        if any(trivial(smaller)):
            return None
        kernel = compiled(Request(smaller), {}, quick=True)
        result = search(kernel, limits=LIMITS, stop_at_first=False, improvement=improvement(kernel))
    except (*ODD_CONSTANTS, InitialError):
        return None
    if result.bound is Bound.INTERRUPTED:
        raise KeyboardInterrupt
    if result.small:
        return None
    return (result.levels if result.complete else result.levels[:-1]), result.complete
