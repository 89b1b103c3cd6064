"""The check of one model file for an editor: its problems with their lines and fixes, and the meaning of each name.

Every model class of the file is compared with its expectations; a class without expectations is checked with its
defaults, and a violated property is then a problem.  A finding counts if every expectation of the class has it: a
finding that another set of constants clears comes from the constants.  Each search has a time limit; what it leaves
undecided is a warning.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from checker.analysis.check import Examined, examine
from checker.analysis.verify import COUNTS, cases, verify_kept
from checker.catalogue import Entry, in_file
from checker.editor import remedies
from checker.editor.answer import ERROR, WARNING, Answer, Known, Problem
from checker.editor.names import known
from checker.editor.source import Source
from checker.frozen import frozen
from checker.language.errors import UsageError, internal_error
from checker.language.expectation import check_stated
from checker.report.repository import repository
from checker.report.suite import ERROR as OPEN
from checker.report.suite import FAILED, Suite, shown_here
from checker.report.suites import suite_of_check, suite_of_expectation
from checker.results.checked import Report
from checker.results.vacuity import Vacuity, told
from checker.results.verified import Case, Verified
from checker.search.limits import Limits


def examined(file: Path, seconds: float) -> Iterator[Answer]:
    """Check a file, with a time limit in seconds for each search; an answer for each class, when it is known."""
    here = _File(file.resolve(), Source.read(file), Limits(max_seconds=seconds))
    try:
        entries = in_file(file)
    except UsageError as error:
        yield Answer(tuple(here.of_error(error)))
        return
    yield from map(here.of_class, entries)


@frozen(eq=False)
class _File:
    """The file under examination."""

    path: Path
    source: Source
    limits: Limits

    def of_class(self, entry: Entry) -> Answer:
        """The answer about one model class."""
        cls = entry.cls.__name__
        try:
            check_stated(entry.cls)
            stated = cases(entry)
            if not stated:
                found = examine(entry.cls, entry.reference, limits=self.limits.begun(), count_outcomes=False)
                suite = suite_of_check(found.report, entry.cls)
                failed = list(self._failed(suite, self.source.line_of(cls)))
                return self._answer(cls, known(found, {}), [found.report], failed)
            problems, reports = list[Problem](), list[Report]()
            largest: tuple[Examined, Case] | None = None
            for number, case in enumerate(stated):
                verified, found = verify_kept(case, limits=self.limits.begun())
                reports.append(found.report)
                problems += self._differs(verified, number)
                if largest is None or found.report.distinct > largest[0].report.distinct:
                    largest = found, case
            assert largest is not None
            return self._answer(cls, known(largest[0], largest[1].expectation.at), reports, problems)
        except UsageError as error:
            return Answer(tuple(self.of_error(error, self.source.line_of(cls))))
        except Exception as error:  # a fault of the checker is told at its model, and other classes are checked
            return Answer(tuple(self.of_error(internal_error(error), self.source.line_of(cls))))

    def of_error(self, error: UsageError, line: int | None = None) -> Iterator[Problem]:
        """The problems of a model error and of the errors reported with it; an error without a place gets the given
        line."""
        for one in (error, *getattr(error, "others", ())):
            file = self.path if one.file is None else Path(os.path.abspath(one.file))
            fixes = remedies.of_error(self.source, one) if file == self.path else ()
            text = f"{one.message}\n{one.remedy}" if one.remedy else one.message
            yield Problem(str(file), one.line or line or 1, ERROR, text, "model", fixes)

    def _answer(self, cls: str, names: Known, reports: list[Report], problems: list[Problem]) -> Answer:
        return Answer((*problems, *self._findings(cls, reports)), (names,))

    def _differs(self, verified: Verified, number: int) -> Iterator[Problem]:
        """The mismatches of an expectation of a class."""
        if verified.met:
            return
        case = verified.case
        calls = self.source.expectations(case.cls.__name__)
        line = calls[number].lineno if number < len(calls) else self.source.line_of(case.cls.__name__)
        counted = _counted(case, verified.report)
        fix = remedies.of_counts(self.source, case.cls.__name__, number, counted) if counted else None
        for problem in self._failed(suite_of_expectation(verified), line):
            yield evolve(problem, fixes=(fix,)) if fix and problem.code == "expectation" else problem

    def _failed(self, suite: Suite, line: int | None) -> Iterator[Problem]:
        """The cases of a suite that failed or were not decided.  line: for those that concern no property."""
        for case in suite.cases:
            if case.status in (FAILED, OPEN):
                place = shown_here(case.place, suite.place.file if suite.place else None)
                own = place is None or case.kind == "expectation"
                file = self.path if own or place is None else repository() / place.file
                at = line if own or place is None else place.line
                text = f"{case.name}: {case.message or case.verdict} [{suite.name}]"
                yield Problem(str(file), at or 1, ERROR if case.is_wrong else WARNING, text, case.name)

    def _findings(self, cls: str, reports: list[Report]) -> Iterator[Problem]:
        """The findings that limit the meaning of a class's verdicts, in every report."""
        first, *others = reports
        common = [f for f in first.findings if all(_same(f) in map(_same, r.findings) for r in others)]
        for finding in told(common):
            owner, _, name = finding.subject.partition(":")[0].rpartition(".")
            line = self.source.line_of(owner or cls, name) or self.source.line_of(cls)
            fix = remedies.of_finding(self.source, cls, finding)
            text = f"{finding.text} [{cls}]"
            yield Problem(str(self.path), line or 1, WARNING, text, finding.kind, (fix,) if fix else ())


def _same(finding: Vacuity) -> tuple[str, str]:
    return finding.kind, finding.subject


def _counted(case: Case, report: Report | None) -> dict[str, tuple[int, int]]:
    """The wrong counts of an expectation after a finished search: the stated and the actual number."""
    if report is None or report.bound:
        return {}
    found = {name: int(getattr(report, name)) for name in COUNTS}
    steps = [p.steps for p in report.properties if p.verdict.refuted and p.steps is not None]
    if {p.name for p in report.properties if p.verdict.refuted} != set(case.expectation.violated):
        return {}  # the verdict is another: no count would mend that
    found |= {"steps": min(steps)} if steps else {}
    stated = {name: getattr(case.expectation, name) for name in found}
    return {n: (stated[n], found[n]) for n in found if stated[n] is not None and stated[n] != found[n]}
