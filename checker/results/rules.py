"""Rules of two models compared over all states of their types: for one choice of constants, or for a family of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import Factory, frozen

from checker.ir.types import Type
from checker.results.exit_codes import HOLDS, INCONCLUSIVE, VIOLATED
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap

DIFFERS = ("weaker", "stronger", "incomparable", "different")
OPEN = ("undecided", "skipped")
"""Relations of a rule of the edit to that of the base, besides "equivalent"."""
UNREACHED = "in no state between steps that the base reaches"
"""The note of a rule that differs, though all reachable states of the base give it the same values."""
NEITHER = "in no state between steps that base or edit reaches"
"""The same, where those of the edit do too."""


@frozen
class RuleExample:
    """A state (what the rules read) with arguments, in plain values; before, after: the rules' values, None where they
    fail."""

    state: FrozenMap
    arguments: FrozenMap
    before: Any
    after: Any
    fails: tuple[bool, bool]


@frozen
class RuleComparison:
    """A rule under both models.  relation: equivalent, or one of DIFFERS or OPEN; `reached`: a run of the base to a
    state in which they differ, if one was searched for and found; `asked`: the types of its arguments, for each way in
    which it is called; `so_far`: in how many states of the base no difference was found, if the search is incomplete;
    `confirmed`: in how many states Python's methods had the values of the lowered rules, which were compared;
    `nowhere`: whether no reachable state of the base shows the difference, which was then searched in all of them;
    `everywhere`: whether the relation covers every state of the types, with no network, loop or type cut short.
    """

    name: str
    relation: str
    examples: tuple[RuleExample, ...] = ()
    failures: tuple[RuleExample, ...] = ()
    note: str = ""
    reached: Trace | None = None
    asked: tuple[tuple[Type, ...], ...] = ()
    so_far: int = 0
    confirmed: int = 0
    everywhere: bool = False
    nowhere: bool = False

    @property
    def proved_same(self) -> bool:
        """Whether it has the same value, and fails in the same states, in every state of the types."""
        return self.relation == "equivalent" and not self.failures and self.everywhere


@frozen
class Member:
    """The rules for one combination of constants; refused: why a model does not accept it."""

    constants: Mapping[str, Any]
    rules: tuple[RuleComparison, ...]
    seconds: float
    refused: str = ""


@frozen
class Family:
    """All combinations, in the requested order.  searched: up to how many states of the base were searched in each for
    one in which a rule differs; constants: those of the edit with one value in all; onward: the next larger
    constants, as an option has them, "" if they are not known.
    """

    before: str
    after: str
    assuming: str | None
    members: tuple[Member, ...]
    notes: tuple[str, ...] = ()
    searched: int = 0
    constants: Mapping[str, Any] = Factory(dict)
    onward: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The rules compared anywhere."""
        return tuple(dict.fromkeys(r.name for m in self.members for r in m.rules))

    def of(self, name: str) -> list[tuple[Member, RuleComparison]]:
        """A rule in each combination for which it was compared."""
        return [(m, r) for m in self.members for r in m.rules if r.name == name]

    @property
    def exit_code(self) -> int:
        """0 every rule is the same everywhere, 1 some rule differs somewhere, 4 neither is known."""
        rules = [r for m in self.members for r in m.rules]
        if any(r.relation in DIFFERS or r.failures for r in rules):
            return VIOLATED
        return INCONCLUSIVE if any(r.relation in OPEN for r in rules) else HOLDS

    def implications(self, name: str) -> tuple[int, int, int]:
        """In how many combinations the base's rule implies the edit's, and the edit's the base's, and how many were
        decided; for Boolean rules.
        """
        relations = [r.relation for _, r in self.of(name) if r.relation not in OPEN]
        forth, back = (sum(r in ("equivalent", way) for r in relations) for way in ("weaker", "stronger"))
        return forth, back, len(relations)
