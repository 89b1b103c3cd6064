"""A model swept over many configurations: a row for each, and the conclusions about each property.

The smallest configuration that violates a property has the fewest processes, then messages, then faults, then the
smallest sum of all other numbers; it is the smallest among those searched, and nothing is known of others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, frozen

from checker.bound import Bound
from checker.displayed import Displayed
from checker.language.constants import BUDGETS, written
from checker.language.errors import UsageError
from checker.results.exit_codes import worst
from checker.results.validated import Validation, together
from checker.results.verdict import REFUTED, Swept, Verdict
from checker.wording import counted


@frozen
class Configuration:
    """One combination of values.  given: by the command line; constants: all of the model, as far as it accepts them;
    only: the properties to check, if not all; fewer: smaller budgets of faults whose verdicts are to be read off the
    search.
    """

    given: Mapping[str, Any]
    constants: Mapping[str, Any]
    only: tuple[str, ...] | None = None
    fewer: tuple[Mapping[str, int], ...] = ()

    @property
    def label(self) -> str:
        """As on a command line."""
        return " ".join(f"{n}={written(v)}" for n, v in self.given.items())


@frozen
class Fewer:
    """A budget of faults among the states of a search.  verdicts: of the properties that are read off, each with the
    steps to the first violation; distinct, depth: 0 if the search was not complete."""

    verdicts: Mapping[str, tuple[Verdict | Swept, int | None]]
    distinct: int = 0
    depth: int = 0


@frozen
class Judged:
    """A property in one configuration.  A violation that follows from another row has no steps."""

    name: str
    verdict: Verdict | Swept
    steps: int | None


@frozen
class Row:
    """The result of searching one configuration.  verdict: None as long as it is not searched; why: why it is skipped,
    or which budgets imply it; error: why it is wrong; also: the properties that reduced searches decided afterwards.
    Counts are those of the search, which checked only properties that were not implied; reduced: they are those of a
    reduced graph.
    """

    configuration: Configuration
    verdict: Verdict | Swept | None
    exit_code: int
    properties: tuple[Judged, ...] = ()
    distinct: int = 0
    transitions: int = 0
    depth: int = 0
    outcomes: int | None = None
    seconds: float = 0.0
    bound: Bound | None = None
    why: str = ""
    fewer: tuple[Fewer, ...] = ()
    validation: Validation | None = None
    reduced: bool = False
    also: tuple[str, ...] = ()
    error: UsageError | None = None

    @property
    def note(self) -> str:
        """Why, and what was decided afterwards, in words."""
        also = f"decided by a reduced search: {', '.join(self.also)}" if self.also else ""
        return ", ".join(filter(None, (str(self.error or self.why), also)))

    @property
    def reason(self) -> str:
        """Why it is skipped or wrong, in a line."""
        return self.error.first_line if self.error is not None else self.why

    @property
    def violated(self) -> tuple[Judged, ...]:
        """The properties that do not hold."""
        return tuple(p for p in self.properties if p.verdict in REFUTED)


@frozen
class Summary:
    """A property over all configurations: in how many it is violated (found, or implied by fewer faults), holds, holds
    as implied by more faults (implied), is vacuous (untested), is not decided; the smallest that violates it.
    """

    property: str
    violated: int
    holds: int
    implied: int
    untested: int
    undecided: int
    smallest: Configuration | None
    steps: int | None


@frozen(repr=False)
class Sweep(Displayed):
    """All rows in the order of the product.  varying: the constants that differ between rows; stop_at_first: a search
    ended at its first violation; edit: the class edits another, which `checker compare` compares it with; left_out: how
    many distributions each text with `alike` leaves out.
    """

    reference: str
    constants: Mapping[str, Any]
    varying: tuple[str, ...]
    rows: tuple[Row, ...]
    seconds: float
    stop_at_first: bool = True
    edit: bool = False
    left_out: Mapping[str, int] = Factory(dict)

    def heading(self) -> str:
        over = f" over {', '.join(self.varying)}" if self.varying else ""
        return f"{self.reference}{over}, {counted(len(self.rows), 'configuration')}"

    @property
    def searched(self) -> tuple[Row, ...]:
        """The rows that were neither skipped nor left out by Ctrl-C."""
        return tuple(r for r in self.rows if r.verdict not in (Swept.SKIPPED, Swept.NOT_REACHED))

    @property
    def validation(self) -> Validation | None:
        """How far the interpreter confirmed all searches."""
        return together(r.validation for r in self.rows)

    @property
    def not_reached(self) -> int:
        """How many configurations Ctrl-C left out."""
        return sum(r.verdict is Swept.NOT_REACHED for r in self.rows)

    @property
    def exit_code(self) -> int:
        """The worst of all configurations; those that Ctrl-C left out are inconclusive."""
        return worst(r.exit_code for r in self.rows)

    def summaries(self) -> list[Summary]:
        """The conclusions about each property, in the order of the model."""
        names = dict.fromkeys(p.name for r in self.searched for p in r.properties)
        return [_summary(name, self.searched) for name in names]


def _summary(name: str, rows: Sequence[Row]) -> Summary:
    found = [(row, p) for row in rows for p in row.properties if p.name == name]
    broken = [(row, p) for row, p in found if p.verdict in REFUTED]
    holds = sum(p.verdict in (Verdict.HOLDS, Verdict.REACHABLE) for _, p in found)
    others = (Swept.IMPLIED, Swept.UNTESTED, Verdict.UNKNOWN)
    implied, untested, undecided = (sum(p.verdict is v for _, p in found) for v in others)
    if not broken:
        return Summary(name, 0, holds, implied, untested, undecided, None, None)
    row, least = min(broken, key=lambda pair: (size(pair[0].configuration.constants), pair[1].steps is None))
    return Summary(name, len(broken), holds, implied, untested, undecided, row.configuration, least.steps)


def size(constants: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """The size of a configuration: processes, messages, faults, and the sum of all other whole numbers."""
    rest = [v for n, v in constants.items() if type(v) is int and n not in ("processes", *BUDGETS)]
    messages = sum(v for v in constants.get("workload", ()) if type(v) is int)
    return constants.get("processes", 0), messages, sum(constants.get(n, 0) for n in BUDGETS), sum(rest)
