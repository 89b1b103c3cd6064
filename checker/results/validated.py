"""How far the interpreter confirmed a search: the extent of translation validation (checker.validation)."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from checker.wording import counted


@frozen
class Validation:
    """How far the interpreter confirmed a search.

    initial: initial states compared, all or the first; states: those executed, `of` those found; steps: out of them;
    properties: those whose values were compared; actions_not_taken: those that the search took and the sample did not;
    ended_by_clock: whether the comparison was cut short; whole_runs: states whose steps and predicates were compared
    for properties of whole runs.
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
        some = (
            counted(self.states, "state")
            if self.states == self.of
            else (f"{self.states:,} of {counted(self.of, 'state')}")
        )
        properties = f", {self.properties} propert{'y' if self.properties == 1 else 'ies'}" if self.properties else ""
        runs = f", whole runs in {counted(self.whole_runs, 'state')}" if self.whole_runs else ""
        missing = f"; not taken there: {', '.join(self.actions_not_taken)}" if self.actions_not_taken else ""
        clock = "; ended by the clock" if self.ended_by_clock else ""
        return f"{agreeing} on {some}, {counted(self.steps, 'step')}{properties}{runs}{missing}{clock}"


def together(parts: Iterable[Validation | None]) -> Validation | None:
    """The extent of several searches; None of none."""
    total: Validation | None = None
    for part in parts:
        if part is None:
            continue
        total = (
            part
            if total is None
            else Validation(
                total.initial + part.initial,
                total.states + part.states,
                total.of + part.of,
                total.steps + part.steps,
                max(total.properties, part.properties),
                tuple(dict.fromkeys((*total.actions_not_taken, *part.actions_not_taken))),
                total.ended_by_clock or part.ended_by_clock,
                total.whole_runs + part.whole_runs,
            )
        )
    return total
