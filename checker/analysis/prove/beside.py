"""What a short search knows of a model that a proof does not decide: that it has few states, or what grows without end.

Advice for an open proof depends on it.  `checker check` decides a model of few states at once.  A model in which
messages accumulate has no last state, so that neither a search nor a larger --network ends; there the model needs a
bound of its own.  Where it stops: LIMITS; and that something grows is a fact about the runs that were seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.analysis.profile.growth import still_growing
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.define import define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.results.proof import Seen
from checker.search.limits import Limits

LIMITS = Limits(max_states=50_000, max_seconds=3.0)


def seen(cls: type[Model], constants: Mapping[str, Any], reference: str) -> Seen | None:
    """A short search without properties; None if the model cannot be searched, or an error ends its runs."""
    try:
        definition = define(cls, constants, [])
        explored = explore(Request(definition, reference, [], limits=LIMITS.begun(), stop_at_first=False))
    except UsageError:
        return None
    if explored.failures:
        return None
    if explored.bound is None:
        return Seen(explored.distinct, whole=True)
    return Seen(explored.distinct, whole=False, growing=still_growing(definition, explored))
