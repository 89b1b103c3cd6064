"""`checker find`: a shortest run to a state that satisfies a predicate, or the answer that no such state is reachable.

The negation of the predicate (checker.analysis.predicate) becomes an invariant, and the search ends at the first state
that violates it.  A reduced search decides this too; the run comes from the ordinary search, unless a limit ends that
search first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from checker.analysis.check import examine
from checker.analysis.predicate import LOOKED_FOR, in_the_words_of, resolved, with_predicate
from checker.engines.request import How, Sought
from checker.language.errors import UsageError
from checker.language.model import Model, invariant, quiescent
from checker.results.checked import REDUCED
from checker.results.found import Search
from checker.results.verdict import LookedFor

A_STATE = Sought("find", "for a state", "for another state or of another model")


def find_state(
    cls: type[Model],
    reference: str,
    predicate: str,
    constants: Mapping[str, Any] | None = None,
    *,
    at_end: bool = False,
    **how: Unpack[How],
) -> Search:
    """Look for a state; `at_end`: a quiescent one.  how: engine, threads, limits, progress, reduce, placement.

    Raises UsageError if the predicate is no expression of the language or does not fit the model's types.
    """
    never = f"not ({resolved(cls, predicate, constants)})"
    watched = with_predicate(cls, LOOKED_FOR, never, quiescent if at_end else invariant)
    how = {**how, "sought": A_STATE}
    with in_the_words_of(cls, predicate, constants):
        examined = examine(
            watched, reference, constants, only=[LOOKED_FOR], traces=False, count_outcomes=False, base=watched, **how
        )
    failures = examined.explored.failures
    found = next((f for f in examined.explored.found if f.shown.name == LOOKED_FOR), None)
    report = examined.report
    reduced = bool(report.reduced)
    claim = REDUCED if reduced else None
    trace = None if found is None else examined.replay.run(found.path(), predicate, claim=claim)
    if trace is None and failures:
        remedy = "The predicate may fail itself (none used as a value?); else see `checker check`."
        raise UsageError(f"the search ended at a model error: {failures[0].shown.name}", remedy=remedy)
    verdict = LookedFor.FOUND if trace is not None else LookedFor.UNKNOWN if report.bound else LookedFor.NONE
    bound = report.bound if trace is None else None
    found_in = report.distinct, bound, report.validation, trace, reduced, report.limit
    return Search(reference, predicate, report.constants, verdict, *found_in)
