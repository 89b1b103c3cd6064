"""The delay of the last delivery at each outcome, over all runs to the outcome: least and greatest.

The search explores a copy of the model in which each message carries the length of the longest chain to its sender; in
a model with time the copy stores the time of the multicast (checker.analysis.latency.measures).  A run follows one
message.  For an outcome, the greatest delay is that of the slowest run and its slowest message.  The least delay is the
maximum, over the messages, of the delay in the fastest run for the message.
"""

from __future__ import annotations

import numpy as np

from checker.analysis.compare.side import Side
from checker.analysis.latency.measures import delays, instrumented, largest, times, unit
from checker.analysis.latency.survey import LENGTHS
from checker.engines.explored import require_finished
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.properties import Property
from checker.replay.plain import plain_raw
from checker.results.costs import Extremes
from checker.search.limits import Limits
from checker.trace.values import FrozenMap


def outcome_delays(side: Side, threads: int, limits: Limits) -> dict[FrozenMap, Extremes] | None:
    """The delays by outcome; None for a model without messages of a multicast, if a limit ends the search, or if chains
    are longer than the counter allows.
    """
    measured = unit_of(side.definition)
    if measured == "time":
        return _measured(side, times(largest(side.definition)), threads, limits)
    for most in LENGTHS if measured == "messages" else ():
        found = _measured(side, delays(most), threads, limits)
        if found is None or all(greatest <= most - 1 for _, greatest in found.values()):
            return found
    return None


def unit_of(definition: Definition) -> str | None:
    """ "messages" or "time"; None for a model that does not multicast, or has neither a network nor time."""
    try:
        return unit(definition)
    except UsageError:
        return None


def _measured(side: Side, measure: type[Property], threads: int, limits: Limits) -> dict[FrozenMap, Extremes] | None:
    definition = define(instrumented(side.cls, measure), side.constants, [measure.__name__])
    explored = explore(Request(definition, threads=threads, limits=limits))
    require_finished(explored)
    if explored.packed is None or not explored.complete:
        return None
    kernel, result = explored.packed.kernel, explored.packed.result
    ends = result.states()[result.quiescent_indices]
    if not len(ends):
        return {}
    names, domains = side.cls.outcome, {v.name: v.domain for v in definition.variables}
    lasts: dict[FrozenMap, dict[int, list[int]]] = {}  # outcome -> message followed -> delays of its last delivery
    for row in np.unique(ends & kernel.mask([*names, "Delays.tracked", "Delays.delay"]), axis=0):
        values = kernel.decode(row)
        outcome = FrozenMap({n: plain_raw(domains[n], values[n]) for n in names})
        message, last = values["Delays.tracked"], max(values["Delays.delay"])
        if last:
            lasts.setdefault(outcome, {}).setdefault(message, []).append(last - 1)
    return {outcome: (max(map(min, of.values())), max(map(max, of.values()))) for outcome, of in lasts.items()}
