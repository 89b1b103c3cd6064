"""The first occurrence of each finding of a search.

The first occurrence has the fewest steps, then the earliest place in the order of discovery. A finding can occur in a
state or on a step out of one, and the two are detected at different times, so occurrences are compared by rank.
"""

from __future__ import annotations

from attrs import define, field

from checker.contract import CUT, QUIET, Source
from checker.search.result import Violation
from checker.search.store import Store


@define(eq=False)
class Occurrences:
    """The first occurrence of each finding so far.

    Of two with as many steps, the one with the smaller anchor is first: the state out of which its step leads, or the
    parent of its state; then the one in a stored state.
    """

    source: Source
    best: dict[int, tuple[tuple[int, int, bool], Violation]] = field(factory=dict)

    def record(self, number: int, steps: int, anchor: int, index: int, beyond: bool, cut: bool) -> None:
        rank = (steps, anchor, beyond)
        if number not in self.best or rank < self.best[number][0]:
            finding = self.source.findings[number]
            self.best[number] = (rank, Violation(finding, number, steps, index, beyond, cut))

    def expanded(self, shown: list[tuple[int, int]], level: int) -> None:
        """Add the findings of the expansion of a level's states."""
        for code, index in shown:
            part, number = divmod(code, len(self.source.findings))
            self.record(number, level + (part != QUIET), index, index, part != QUIET, part == CUT)

    def checked(self, shown: list[tuple[int, int]], level: int, store: Store) -> None:
        """Add the findings of a level's states."""
        for number, index in shown:
            parent = store.parent(index)
            self.record(number, level, index if parent is None else parent, index, False, False)

    @property
    def void(self) -> bool:
        """Whether the source found itself too small for the model."""
        return any(violation.finding.kind == "grow" for _, violation in self.best.values())

    def ordered(self, witnesses: bool) -> tuple[Violation, ...]:
        """The occurrences in order of steps, then of discovery."""
        chosen = [entry for entry in self.best.values() if (entry[1].finding.kind == "reachable") == witnesses]
        return tuple(entry[1] for entry in sorted(chosen, key=lambda entry: (entry[0], entry[1].number)))
