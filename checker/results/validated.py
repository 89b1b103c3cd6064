"""The extent of translation validation (checker.validation): how much of a search the interpreter confirmed."""

from __future__ import annotations

from collections.abc import Iterable

from checker.frozen import frozen
from checker.wording import counted, listed


@frozen
class Validation:
    """How far the interpreter confirmed a search.

    initial: initial states compared, all or the first; states: those executed, `of` those found; steps: out of them;
    properties: those whose values were compared; actions_not_taken: those that the search took and the sample did not;
    ended_by_clock: whether the comparison was cut short; whole_runs: states whose steps and predicates were compared
    for leads-to properties.
    """

    initial: int
    states: int
    of: int
    steps: int
    properties: int
    actions_not_taken: tuple[str, ...] = ()
    ended_by_clock: bool = False
    whole_runs: int = 0

    def text(self, agreeing: str = "the interpreter agrees") -> str:
        """In words."""
        part = "" if self.states == self.of else f"{self.states:,} of "
        some = f"{part}{counted(self.of, 'state')}"
        properties = f", {self.properties} propert{'y' if self.properties == 1 else 'ies'}" if self.properties else ""
        runs = f", whole runs in {counted(self.whole_runs, 'state')}" if self.whole_runs else ""
        missing = f"; not taken there: {listed(self.actions_not_taken)}" if self.actions_not_taken else ""
        clock = "; ended by the clock" if self.ended_by_clock else ""
        return f"{agreeing} on {some}, {counted(self.steps, 'step')}{properties}{runs}{missing}{clock}"


def together(parts: Iterable[Validation | None]) -> Validation | None:
    """The total extent of several searches; None of none."""
    found = [part for part in parts if part is not None]
    if not found:
        return None
    initial, states, of, steps, runs = map(
        sum, zip(*((p.initial, p.states, p.of, p.steps, p.whole_runs) for p in found))
    )
    untaken = tuple(dict.fromkeys(name for p in found for name in p.actions_not_taken))
    clock, properties = any(p.ended_by_clock for p in found), max(p.properties for p in found)
    return Validation(initial, states, of, steps, properties, untaken, clock, runs)
