"""The comparison of a protocol with an edited one in several configurations: the differences in each, and the
configurations that were not compared.

One of them is shown in full: the first in which a property breaks, else the first in which something differs or is
undecided, else the largest.  "No difference" refers only to what was compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import Factory, frozen

from checker.displayed import Displayed
from checker.results.comparison import Comparison, Word
from checker.results.exit_codes import VACUOUS, worst
from checker.results.validated import Validation, together
from checker.results.verdict import Compared
from checker.trace.trace import Trace
from checker.wording import counted


@frozen
class Looked:
    """The differences in one configuration.

    given: its constants, none for the defaults; states: of each side, and whether they are those of a reduced graph
    (reduced); broken: properties with the steps of a shortest run, None if no run is known to be a shortest one; new,
    gone: outcomes, None if they were not compared; added, removed: the first sequence of events of one side alone;
    events: whether all sequences were compared; new_step, gone_step: a shortest run to a step of one side alone, steps:
    whether all were compared; unknown: properties of which it is not known whether they break, left_open: what else is
    not known; validation: how far the
    interpreter confirmed all this; proved: every step of both is the same, known without a search, so that states may
    be few or none.
    """

    given: Mapping[str, Any]
    states: tuple[int, int]
    broken: tuple[tuple[str, int | None], ...] = ()
    repaired: tuple[str, ...] = ()
    new: int | None = None
    gone: int | None = None
    added: Word | None = None
    removed: Word | None = None
    events: bool = False
    new_step: Trace | None = None
    gone_step: Trace | None = None
    steps: bool = False
    unknown: tuple[str, ...] = ()
    left_open: tuple[str, ...] = ()
    validation: Validation | None = None
    reduced: tuple[bool, bool] = (False, False)
    proved: bool = False

    @property
    def undecided(self) -> tuple[str, ...]:
        """Why it is not known whether a property breaks."""
        return (*(f"{name} not decided" for name in self.unknown), *self.left_open)

    @property
    def way(self) -> tuple[object, ...]:
        """In what it differs, without numbers and runs."""
        alone = (self.new, self.gone, self.added, self.removed, self.new_step, self.gone_step)
        return (tuple(name for name, _ in self.broken), self.repaired, *map(bool, alone))

    @property
    def verdict(self) -> Compared:
        """The verdict of the comparison in this configuration."""
        if self.proved:
            return Compared.SAME
        if self.broken:
            return Compared.BROKEN
        if self.undecided:
            return Compared.INCONCLUSIVE
        alone = (self.added, self.removed, self.new_step, self.gone_step)
        differs = self.repaired or self.new or self.gone or any(side is not None for side in alone)
        return Compared.CHANGED if differs else Compared.SAME


@frozen
class Passed:
    """A configuration that was not compared, and why; late: because there was no time for it."""

    given: Mapping[str, Any]
    why: str
    late: bool = False


@frozen
class Beyond:
    """A rule that differs with more processes than any compared configuration has, over all states of the types."""

    rule: str
    relation: str
    processes: int

    @property
    def text(self) -> str:
        """rule r: weaker with processes=4, and the range of states."""
        states = "over all states of its types, reachable or not; nothing was compared there"
        return f"rule {self.rule}: {self.relation} with processes={self.processes} {states}"


@frozen(repr=False)
class FamilyComparison(Displayed):
    """All configurations: those compared, the smallest first, the one that is shown, and those passed over.

    asked: the configurations were named one by one, so that one passed over leaves the question open; beyond: rules
    that differ in larger configurations; onward: the values of a constant for larger configurations, as on a command
    line; seconds: the time of each part; interrupted: whether Ctrl-C ended the comparison.
    """

    shown: Comparison
    place: int
    looked: tuple[Looked, ...]
    passed: tuple[Passed, ...] = ()
    asked: bool = False
    beyond: tuple[Beyond, ...] = ()
    onward: str = ""
    seconds: Mapping[str, float] = Factory(dict)
    interrupted: bool = False

    def heading(self) -> str:
        return f"{self.shown.heading()}; {counted(len(self.looked), 'configuration')}"

    @property
    def verdict(self) -> Compared:
        """broken, inconclusive, changed or same: the worst of those that were compared."""
        found = {row.verdict for row in self.looked}
        if self.interrupted or self.asked and self.passed:
            found.add(Compared.INCONCLUSIVE)
        return next(v for v in Compared if v in found)

    @property
    def validation(self) -> Validation | None:
        """How far the interpreter confirmed all of it."""
        others = (row.validation for number, row in enumerate(self.looked) if number != self.place)
        return together((self.shown.validation, *others))

    @property
    def peak_memory(self) -> int:
        """Of the process, in bytes, as the searches saw it."""
        return max(self.shown.base.peak_memory, self.shown.edit.peak_memory)

    @property
    def exit_code(self) -> int:
        """As of one comparison."""
        return worst((self.verdict.exit_code, *[VACUOUS] * bool(self.shown.misspelt)))
