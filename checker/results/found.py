"""Results of single questions about runs: a state that satisfies a predicate, a violation on random walks, whether a
stored trace is still a behaviour of its model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from checker.bound import Bound
from checker.displayed import Displayed
from checker.results.exit_codes import HOLDS, VIOLATED
from checker.results.listing import PropertyListing
from checker.results.validated import Validation
from checker.results.verdict import LookedFor, Verdict
from checker.trace.trace import Trace
from checker.wording import counted


@frozen(repr=False)
class Search(Displayed):
    """The result of a search for a state.  bound: what ended the search, or None; limit: the number of that limit, as
    the user gave it; reduced: the states are those of a reduced graph, in which a run need not be a shortest one.
    """

    reference: str
    predicate: str
    constants: Mapping[str, Any]
    verdict: LookedFor
    distinct: int
    bound: Bound | None
    validation: Validation | None
    trace: Trace | None
    reduced: bool = False
    limit: str = ""

    def heading(self) -> str:
        return f"{self.predicate} in {self.reference}: {self.verdict}"

    @property
    def exit_code(self) -> int:
        """0 found, 1 there is none, 4 not decided."""
        return self.verdict.exit_code


@frozen(repr=False)
class Simulation(Displayed):
    """The result of a simulation; `seed` makes the same walks again.

    walks: those that ended; steps: of all walks; longest: steps of the longest one; ends: walks that ended in a state
    without successors; bound: why the simulation ended before all walks were made, or None.  never_enabled: actions
    that were enabled in no state; not_judged: properties that walks do not decide.
    """

    reference: str
    constants: Mapping[str, Any]
    seed: int
    walks: int
    steps: int
    longest: int
    ends: int
    bound: Bound | None
    never_enabled: tuple[str, ...]
    not_judged: tuple[PropertyListing, ...]
    seconds: float
    validation: Validation
    trace: Trace | None

    def heading(self) -> str:
        return f"{self.reference} {self.verdict}, {counted(self.walks, 'walk')}"

    @property
    def verdict(self) -> Verdict:
        """Violated or inconclusive: walks without a violation decide nothing."""
        return Verdict.INCONCLUSIVE if self.trace is None else Verdict.VIOLATED

    @property
    def exit_code(self) -> int:
        """1 violated, 4 nothing found."""
        return self.verdict.exit_code

    @property
    def property(self) -> str | None:
        """The property that the run violates."""
        return None if self.trace is None else self.trace.property


@frozen
class Replayed:
    """Whether the trace is still a behaviour that shows its property; if not, from which step on (0: the start) and how
    it differs."""

    confirmed: bool
    step: int | None = None
    reason: str = ""
    differences: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 confirmed, 1 it differs."""
        return HOLDS if self.confirmed else VIOLATED


@frozen
class Rows:
    """Rows of a query; `more`: there were more than the limit."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: bool
