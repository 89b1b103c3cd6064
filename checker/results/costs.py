"""The costs of runs of two protocols, outcome by outcome, and which of the two delivers earlier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import frozen

from checker.trace.values import FrozenMap
from checker.wording import range_text

MOST_RUNS = 64  # outcomes measured on each side, those that both have before the others
Extremes = tuple[int, int]
"""The delay of the last delivery, least and greatest over all runs."""


@frozen
class Spread:
    """How often each number occurs, in order: ((number, times), ...), never empty."""

    counts: tuple[tuple[int, int], ...]

    @property
    def least(self) -> int:
        """The smallest number."""
        return self.counts[0][0]

    @property
    def most(self) -> int:
        """The greatest number."""
        return self.counts[-1][0]

    def __str__(self) -> str:
        return range_text(self.least, self.most)


def spread(numbers: Iterable[int]) -> Spread | None:
    """How often each number occurs; None if there is none."""
    found = Counter(numbers)
    return Spread(tuple(sorted(found.items()))) if found else None


@frozen
class Cost:
    """The costs of a shortest run to each outcome: steps, messages between different processes, delays of all
    deliveries, and of the last one.  None where there is none.

    last_of: the delay of the last delivery for each measured outcome that has one; slowest and fastest: over all runs,
    by outcome, if that is known, in messages or time.
    """

    runs: int
    outcomes: int
    states: int
    steps: Spread | None
    messages: Spread | None
    delays: Spread | None
    last: Spread | None
    last_of: Mapping[FrozenMap, int]
    extremes: Mapping[FrozenMap, Extremes] | None = None
    unit: str = "messages"  # of the extremes

    @property
    def slowest(self) -> Spread | None:
        """Outcomes by the greatest delay of their last delivery over all runs."""
        return None if self.extremes is None else spread(most for _, most in self.extremes.values())

    @property
    def fastest(self) -> Spread | None:
        """Outcomes by the least delay of their last delivery over all runs."""
        return None if self.extremes is None else spread(least for least, _ in self.extremes.values())


@frozen
class PaceChange:
    """An outcome with the delays of its last delivery in both protocols."""

    outcome: FrozenMap
    before: Extremes
    after: Extremes


@frozen
class Pace:
    """Outcomes that both protocols have, by the delay of the last delivery: how many the edit reaches earlier, later,
    and after as many messages in a row.

    example: an outcome with the greatest change, None if there is no change.  over_all_runs: whether delays are the
    least and greatest over all runs; else those of two shortest runs; unit: messages or time.
    """

    earlier: int
    later: int
    alike: int
    example: PaceChange | None
    over_all_runs: bool
    unit: str = "messages"


def pace(before: Cost, after: Cost) -> Pace | None:
    """Whether the edit delivers earlier, where both were measured; None if no outcome was."""
    if before.extremes is not None and after.extremes is not None:
        a, b, everywhere, unit = before.extremes, after.extremes, True, before.unit
    else:
        a, b = ({o: (d, d) for o, d in c.last_of.items()} for c in (before, after))
        everywhere, unit = False, "messages"
    gains = {o: (a[o][1] - b[o][1], a[o][0] - b[o][0]) for o in a if o in b}
    if not gains:
        return None
    far = max(gains, key=lambda o: tuple(map(abs, gains[o])))
    example = PaceChange(far, a[far], b[far]) if gains[far] != (0, 0) else None
    earlier, later = (sum(gain > (0, 0) for gain in gains.values()), sum(gain < (0, 0) for gain in gains.values()))
    return Pace(earlier, later, len(gains) - earlier - later, example, everywhere, unit)
