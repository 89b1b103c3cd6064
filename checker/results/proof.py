"""The result of `checker prove` for some properties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from checker.displayed import Displayed
from checker.results.exit_codes import HOLDS, INCONCLUSIVE, VIOLATED
from checker.results.profile import Growth
from checker.results.validated import Validation
from checker.results.verdict import Proved
from checker.trace.trace import Trace


@frozen
class Seen:
    """What a short search saw of a model: how many states, whether these are all, and what still grew in the end."""

    states: int
    whole: bool
    growing: Growth | None = None


@frozen(repr=False)
class Proof(Displayed):
    """The result for some properties.

    depth: k of the induction, or steps of the violation; base: no violation within so many steps; conditions: what the
    statement leaves out; warnings: what makes it vacuous; validation: how far the interpreter confirmed the lowered
    model that z3 was given; formulas: in how many states the formulas of properties were confirmed, and in how many the
    step relation; known: what was proved of the base classes first, which each state of an induction satisfies;
    not_looked_at: the properties of the model that nothing is said of, with their kinds; seen: of a proof that decides
    nothing, what a short search saw, on which the advice depends.
    """

    reference: str
    constants: Mapping[str, Any]
    properties: tuple[str, ...]
    helpers: tuple[str, ...]
    verdict: Proved
    depth: int
    base: int
    trace: Trace | None
    conditions: tuple[str, ...]
    left_out: bool
    warnings: tuple[str, ...]
    seconds: float
    validation: Validation | None = None
    formulas: tuple[int, int] = (0, 0)
    not_looked_at: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    seen: Seen | None = None

    def heading(self) -> str:
        return f"{self.reference} {', '.join(self.properties)}, {self.verdict}"

    @property
    def exit_code(self) -> int:
        """0 proved, 1 violated, 4 not decided; a proof that leaves out runs, or is bounded, decides nothing."""
        if self.verdict is Proved.VIOLATED:
            return VIOLATED
        return HOLDS if self.verdict is Proved.PROVED and not self.left_out else INCONCLUSIVE
