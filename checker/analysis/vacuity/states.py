"""The states of a search, for questions about all of them: where the search stored them, or in a second native search
in this process.

Coverage, strictness and a requested profile read states wherever they are stored (`checker.engines.survey`): in memory,
in files, in tasks on Spark.  Only the interpreter stores values instead of words.  After its search the model is
searched once more, natively, within the same limits of depth, states and memory, and of time only if time ended the
first search.  Two complete searches must agree, which is checked.

Where a limit ended the search and no option requires all states, a profile uses the first states, from a search bounded
in states and time.  They are the same states, because every engine discovers them in the same order; states far from
the start are not among them.
"""

from __future__ import annotations

from attrs import evolve

from checker.analysis.check import Examined
from checker.bound import Bound
from checker.engines.explored import Explored, Phases, require_finished
from checker.engines.placement import Placement
from checker.engines.registry import explore
from checker.language.errors import Undecided
from checker.replay.disagreement import Disagreement
from checker.search.limits import Limits

FIRST_STATES, FIRST_SECONDS = 200_000, 3.0


def with_states(examined: Examined) -> Examined:
    """The check with states that can be read; unchanged if Ctrl-C ended it.

    Raises Undecided if the first search was complete and the second reaches a limit; raises KeyboardInterrupt if Ctrl-C
    ends the second; raises Disagreement if both are complete and their counts differ.
    """
    first = examined.explored
    if first.survey is not None or first.before or first.bound is Bound.INTERRUPTED:
        return examined
    again, result = _again(examined, _no_further(first, examined.request.limits))
    require_finished(again)
    if first.complete and not again.complete:
        less = "Raise the limit, lower the constants, or leave out what asks for all states"
        stopped = f"the search for them was stopped by the limit on {again.bound}"
        what = f"the states are looked at in this process, and {stopped}"
        raise Undecided(what, remedy=f"{less}: --coverage, --strict, --profile.")
    if first.complete and _counts(first) != _counts(again):
        found = f"{examined.report.engine} found {_counts(first)} states, transitions and quiescent states"
        raise Disagreement(f"{found}, native {_counts(again)}")
    return result


def _again(examined: Examined, limits: Limits) -> tuple[Explored, Examined]:
    """A second search in this process, with its own time, and the check with the states that it found."""
    now = evolve(limits, began=None)
    request = evolve(examined.request, engine="native", placement=Placement(), phases=Phases(), limits=now)
    again = explore(request)
    seconds = {**examined.report.seconds, "again": sum(request.phases.seconds.values())}
    explored = evolve(examined.explored, survey=examined.explored.survey or again.survey, packed=again.packed)
    return again, evolve(examined, report=evolve(examined.report, seconds=seconds), explored=explored)


def _no_further(first: Explored, limits: Limits) -> Limits:
    """Limits within which the second search explores no other states than the first, so that results for its states
    apply to the report of the first.
    """
    if first.bound is None:
        return evolve(limits, max_seconds=None)
    whole = bool(first.levels) and first.expanded[1] == first.levels[-1]
    return evolve(
        limits,
        max_seconds=limits.max_seconds if first.bound is Bound.SECONDS else None,
        max_states=max(1, first.distinct),
        max_depth=first.depth - 1 if whole else limits.max_depth,
    )


def with_first_states(examined: Examined) -> Examined:
    """The check with its first packed states, at most FIRST_STATES and as many as are found in FIRST_SECONDS; unchanged
    if it has states, or if Ctrl-C ended the search for them.
    """
    first = examined.explored
    if first.packed is not None or first.before or first.reduced:
        return examined
    limits = examined.request.limits
    bounded = evolve(
        _no_further(first, limits),
        max_states=max(1, min(first.distinct, FIRST_STATES)),
        max_seconds=min(limits.max_seconds or FIRST_SECONDS, FIRST_SECONDS),
    )
    again, result = _again(examined, bounded)
    return examined if again.bound is Bound.INTERRUPTED else result


def _counts(explored: Explored) -> tuple[int, int, int]:
    return explored.distinct, explored.transitions, explored.quiescent
