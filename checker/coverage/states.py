"""The states of a search, for questions about all of them: those that it kept, or those of a second search by compiled code in this process.

The interpreter keeps values and not words, Spark leaves the states with its workers, and a search taken up again knows only the levels it ran itself.  What
coverage, strictness and a profile ask needs all packed states in one place, in the order of discovery.  So the model is searched once more, within the same
limits of depth, states and memory; of time only if time is what ended the first search.  Two complete searches must agree; that they do is checked.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from checker.check import Examined
from checker.engines.explored import Explored, Phases
from checker.engines.native import explore_native
from checker.engines.replay import Disagreement
from checker.language.errors import Undecided
from checker.search.limits import Limits


def with_states(examined: Examined, *, threads: int = 1, limits: Limits = Limits(), stop_at_first: bool = False, progress: Any = None) -> Examined:
    """The check with packed states; as it is if Ctrl-C ended it.

    Undecided if the first search was complete and the second meets a limit; Disagreement if both are complete and count differently.
    """
    first = examined.explored
    if first.packed is not None or first.bound == "interrupted":
        return examined
    phases = Phases()
    again = explore_native(examined.definition, threads, limits if first.bound == "seconds" else evolve(limits, max_seconds=None), stop_at_first, progress, phases)
    if first.complete and not again.complete:
        raise Undecided(
            f"the states are looked at in this process, and the search for them was stopped by the limit on {again.bound}",
            remedy="Raise the limit, lower the constants, or leave out what asks for all states: --coverage, --strict, --profile.",
        )
    if first.complete and _counts(first) != _counts(again):
        raise Disagreement(f"{examined.report.engine} found {_counts(first)} states, transitions and quiescent states, native {_counts(again)}")
    report = evolve(examined.report, seconds={**examined.report.seconds, "again": sum(phases.seconds.values())})
    return evolve(examined, report=report, explored=evolve(first, packed=again.packed))


def _counts(explored: Explored) -> tuple[int, int, int]:
    return explored.distinct, explored.transitions, explored.quiescent
