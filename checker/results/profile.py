"""The profile of a search: growth by level, values by variable, duplicates by action, and the constant to lower
first."""

from __future__ import annotations

from typing import Any

from checker.frozen import frozen
from checker.language.constants import written
from checker.wording import counted

BOUNDS = "Section 6 of docs/language.md shows how to bound what is sent again."


@frozen
class VariableProfile:
    """values: distinct ones seen; bits: of a packed state."""

    name: str
    values: int
    bits: int


@frozen
class ActionProfile:
    """transitions, and how many of them led to a known state; None: unknown (no state could be attributed)."""

    name: str
    transitions: int
    duplicates: int | None


@frozen
class Growth:
    """What still grew at the end of a search: on a run of it actions lead from a state to the same state with more.

    network: its name, if messages in flight grow, of these kinds (`kinds`); else variable: that whose items (`items`)
    or number grow, of at most `limit` if its type has one number for that.  most: how many or how large in the examined
    states, after this many `steps`.  actions: those that lead back to the same state; sender: the one that adds most.
    along: other variables that grow on the way.
    """

    network: str | None
    most: int
    steps: int
    actions: tuple[str, ...]
    sender: str
    variable: str | None = None
    items: bool = True
    limit: int | None = None
    along: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def grown_by(self) -> tuple[str, str]:
        """What grows, and by which action."""
        return self.network or self.variable or "", self.sender

    @property
    def sentence(self) -> str:
        """What grows, because of which action, and what to check."""
        lead = f"{' and '.join(self.actions)} {'leads' if len(self.actions) == 1 else 'lead'} back to the same state"
        more = "more of them" if self.network or self.items else "a larger value"
        if self.kinds:
            more = f"more {' and '.join(self.kinds)}"
        others = f"; {' and '.join(self.along)} {'grows' if len(self.along) == 1 else 'grow'} with it" * bool(
            self.along
        )
        still = f"{self.network or self.variable} still grows after {counted(self.steps, 'step')}"
        return f"{still}: up to {self._so_far}, and {lead} with {more}{others}. {self._ask}"

    @property
    def _ask(self) -> str:
        """Where a bound may be missing: in the action that adds most, or in one that makes it happen again."""
        if not self.network:
            return f"Is a guard missing in {self.sender}, or a @constraint?"
        sends = f"which sends {' and '.join(self.kinds)}" if self.kinds else "which sends"
        rest = [name for name in self.actions if name != self.sender]
        again = f", or in {' or '.join(rest)}, which makes that happen again" if rest else ""
        return f"Is a guard missing in {self.sender}, {sends}{again}? {BOUNDS}"

    @property
    def _so_far(self) -> str:
        if self.network:
            return f"{counted(self.most, 'message')} in flight"
        of = f" of at most {self.limit:,}" if self.limit is not None else ""
        return f"{self.most:,}{of}{' items' * self.items}"


@frozen
class Lowering:
    """One constant lowered: within `steps` steps there are `after` states instead of `before`.  along: constants that
    have to change with it.
    """

    name: str
    old: Any
    new: Any
    steps: int
    before: int
    after: int
    along: tuple[tuple[str, Any], ...] = ()

    @property
    def factor(self) -> float:
        """How many times fewer states."""
        return self.before / max(1, self.after)


@frozen
class Profile:
    """levels: states of each; growth: of the last whole level over the one before.  over: the number of first states on
    which the numbers of variables and actions are based; sampled: values and duplicates come from a sample of these.

    lowering: the effect of lowering each constant, the largest first; untried: constants for which there was no time;
    short: too few levels were searched for a comparison.  endless: what grows without bound, so that no constant helps.
    missing: about how many states were not found yet, if the levels became smaller; reducible: the properties allow a
    reduced search, and this was none.
    """

    levels: tuple[int, ...]
    growth: float | None
    over: int
    sampled: bool
    variables: tuple[VariableProfile, ...]
    actions: tuple[ActionProfile, ...]
    lowering: tuple[Lowering, ...] = ()
    untried: tuple[str, ...] = ()
    short: bool = False
    endless: Growth | None = None
    missing: int | None = None
    reducible: bool = False

    @property
    def advice(self) -> str:
        """What to do first, and why, in one or two sentences; or that this is unknown."""
        if self.endless is not None:
            return self.endless.sentence
        first = "add --reduce, which leaves out steps on which no verdict depends; else " * self.reducible
        shrinking = ""
        if self.missing is not None:
            shrinking = (
                f"a higher limit may suffice: if the levels go on to shrink, about {self.missing:,} states are left"
            )
        return first + "; ".join(filter(None, (shrinking, self._constants)))

    @property
    def _constants(self) -> str:
        """Which constant to lower first."""
        untried = f"there was no time to try {', '.join(self.untried)}" if self.untried else ""
        if self.short:
            return "the search was too short to tell which constant to lower"
        if not self.lowering:
            nothing = "no constant that could be lowered by one makes a difference"
            return f"{untried}: --profile takes longer" if untried else nothing
        best = self.lowering[0]
        others = [f"{r.name}={written(r.new)} {r.factor:.1f}" for r in self.lowering[1:4]]
        rest = f" (others: {', '.join(others)})" if others else ""
        along = "".join(f", with {name}={written(value)}" for name, value in best.along)
        lowered = f"lower {best.name} first: {best.name}={written(best.new)} instead of {written(best.old)}{along}"
        left = f"{best.after:,} of {best.before:,} states within {counted(best.steps, 'step')}"
        return f"{lowered} leaves {left}, {best.factor:.1f} times fewer{rest}" + (f"; {untried}" if untried else "")
