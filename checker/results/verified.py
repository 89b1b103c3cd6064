"""The results of comparing a model with its expectations: one case for each `expect = holds(...)` or
`violates(...)`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from checker.bound import Bound
from checker.frozen import frozen
from checker.language.constants import written
from checker.language.errors import UsageError
from checker.language.expectation import Expectation
from checker.language.model import Model
from checker.results.checked import Report
from checker.results.exit_codes import HOLDS, INCONCLUSIVE, INTERNAL, USAGE, VACUOUS, VIOLATED
from checker.results.parts import Part
from checker.results.vacuity import Vacuity
from checker.wording import listed

COUNTING, VIOLATING, IRREDUCIBLE = "counts are stated", "a violation is shown", "the search cannot be reduced"
"""Why an expectation is searched in full although a reduced search was requested."""


@frozen
class Unread:
    """A model file, or a class in it, whose expectations cannot be read, by its reference."""

    reference: str
    error: UsageError


@frozen
class Case:
    """One expectation of a model class in a file, with the reference of the class; `mark` distinguishes it from another
    expectation of the class with the same constants, "" if there is none.
    """

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
        """The expectation, in words."""
        return f"violates {', '.join(self.expectation.violated)}" if self.expectation.violated else "holds"


@frozen
class Remark:
    """One sentence about a case; of: the kind and name of the property that it concerns, None if it concerns none.
    claim, reason: what the property should do, and why that is not decided, "" of another sentence.
    """

    text: str
    of: tuple[str, str] | None = None
    claim: str = ""
    reason: str = ""

    def __str__(self) -> str:
        return self.text


@frozen
class Verified:
    """A case with the result of its check.  mismatches: the differences, in words; undecided: what was left open of the
    expectation; hollow: why the result says nothing about the class.

    Without --strict `hollow` has only that the class changes nothing of its base.  in_full: why the search was not
    reduced, if that was requested.
    `file` and `line`: the place of an error of the model as written, if known; internal: the checker is at fault, so
    nothing is known.  in_change: the CAUSE of a violation is a step that the model before the change does not allow.
    blamed: of several parts of the source that have changed those without which the expectation would be met, each
    alone; None if that is not known.
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
    in_change: bool = False
    blamed: tuple[Part, ...] | None = None

    @property
    def met(self) -> bool:
        """Whether everything is known to be as expected."""
        return not self.mismatches and not self.undecided

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search."""
        return self.report is not None and self.report.bound is Bound.INTERRUPTED

    @property
    def exit_code(self) -> int:
        """70 internal error, 2 wrong as written, 1 contradicted, 4 not decided, 3 vacuous, 0 as expected."""
        if self.internal:
            return INTERNAL
        if self.mismatches:
            return USAGE if self.report is None else VIOLATED
        return INCONCLUSIVE if self.undecided else VACUOUS if self.hollow else HOLDS


def said_once(remarks: Iterable[Remark]) -> tuple[str, ...]:
    """The sentences; one for all properties that should do the same and are undecided for the same reason."""
    alike: dict[object, list[Remark]] = {}
    for remark in remarks:
        key = (remark.claim, remark.reason) if remark.of and remark.reason else remark
        alike.setdefault(key, []).append(remark)
    return tuple(_of_several(several) for several in alike.values())


def _of_several(remarks: Sequence[Remark]) -> str:
    first, names = remarks[0], [remark.of[1] for remark in remarks if remark.of]
    if len(set(names)) < 2:
        return first.text
    return f"{listed(names)} should {first.claim}, but are undecided: {first.reason}"


def unmet(results: Iterable[Verified]) -> tuple[int, int, int]:
    """How many of these expectations are not as stated, are not decided, are met only vacuously."""
    codes = [result.exit_code for result in results]
    hollow, undecided = codes.count(VACUOUS), codes.count(INCONCLUSIVE)
    return len(codes) - codes.count(HOLDS) - hollow - undecided, undecided, hollow


def without_result(cases: Iterable[Case], results: Iterable[Verified]) -> list[Case]:
    """The cases that were not reached: after an interruption the results have another order than the cases."""
    reached = [result.case for result in results]
    return [case for case in cases if case not in reached]
