"""What holding a model to its expectations gave: one case for each `expect = holds(...)` or `violates(...)`."""

from __future__ import annotations

from pathlib import Path

from checker.frozen import frozen
from checker.language.constants import written
from checker.language.expectation import Expectation
from checker.language.model import Model
from checker.results.checked import Report
from checker.results.exit_codes import HOLDS, INCONCLUSIVE, INTERNAL, USAGE, VACUOUS, VIOLATED
from checker.results.vacuity import Vacuity

COUNTING, VIOLATING, IRREDUCIBLE = "counts are stated", "a violation is shown", "the search cannot be reduced"
"""Why an expectation is searched in full although a reduced search was asked for."""


@frozen
class Unread:
    """A model file, or a class in it, whose expectations cannot be read, by what the command line calls it: what is
    wrong, and where, if that is known."""

    reference: str
    message: str
    file: str | None = None
    line: int | None = None


@frozen
class Case:
    """One expectation of a model class, which stands in a file and which the command line calls by its reference;
    `mark` tells it from another of its class with the same constants, "" if there is none."""

    reference: str
    cls: type[Model]
    file: Path
    expectation: Expectation
    mark: str = ""

    @property
    def label(self) -> str:
        """The reference with its constants, as on a command line."""
        return " ".join([self.reference, *(f"{n}={written(v)}" for n, v in self.expectation.at.items())])

    @property
    def claim(self) -> str:
        """What is expected, in words."""
        return f"violates {', '.join(self.expectation.violated)}" if self.expectation.violated else "holds"


@frozen
class Remark:
    """One sentence about a case; of: the kind and name of the property that it is about, None if it is about none."""

    text: str
    of: tuple[str, str] | None = None

    def __str__(self) -> str:
        return self.text


@frozen
class Verified:
    """A case with what the check gave; `mismatches` says in words what differs, `undecided` what was left open of what
    is expected, `hollow` why what holds as expected says less than it seems to.

    `hollow` is asked only by a strict verification.  in_full: why the search was not reduced, where that was asked for.
    `file` and `line` are where what is wrong as written stands, if that is known; internal: the checker is at fault, so
    nothing is known.
    """

    case: Case
    report: Report | None
    mismatches: tuple[Remark, ...]
    seconds: float = 0.0
    hollow: tuple[Vacuity, ...] = ()
    undecided: tuple[Remark, ...] = ()
    in_full: str = ""
    file: str | None = None
    line: int | None = None
    internal: bool = False

    @property
    def met(self) -> bool:
        """Whether everything is known to be as expected."""
        return not self.mismatches and not self.undecided

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search."""
        return self.report is not None and self.report.bound == "interrupted"

    @property
    def exit_code(self) -> int:
        """70 internal error, 2 wrong as written, 1 contradicted, 4 not decided, 3 vacuous, 0 as expected."""
        if self.internal:
            return INTERNAL
        if self.mismatches:
            return USAGE if self.report is None else VIOLATED
        return INCONCLUSIVE if self.undecided else VACUOUS if self.hollow else HOLDS
