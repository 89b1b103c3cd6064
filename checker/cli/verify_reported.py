"""The results of `checker verify` as they arrive: each is printed at once, its report and its diagrams are written, and
the contents of the files of results are collected.

An error while the reports of one result are made becomes the result of that expectation; the others continue.  Errors
of the machine (a full disk, no memory) end the command instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from checker.analysis.verify import not_examined
from checker.cli.output import Output
from checker.language.errors import debugging
from checker.report.data import verified_data
from checker.report.directory import ReportDirectory
from checker.report.same_cause import SameCauses
from checker.report.suite import Suite
from checker.report.suites import suite_of_expectation, suite_of_removed, suite_of_unread
from checker.report.verified import unread_lines, verified_lines
from checker.results.parts import Part
from checker.results.removed import Removed
from checker.results.verified import Unread, Verified


@define
class Reported:
    """The results so far, each with its data and its suite.

    everything: write the reports of expected violations too; changed: for each reference of a class, the parts of the
    source that a change since a revision touches; lost: what is expected no more, unless that is allowed; disabled: the
    classes that hold because the change disables actions, allowed or not.  A result and its data are added together, so
    that Ctrl-C leaves both or neither.
    """

    directory: ReportDirectory
    output: Output
    as_data: bool
    as_suites: bool
    everything: bool
    changed: Mapping[str, Sequence[Part]]
    since: str = ""
    entries: list[tuple[Verified, dict[str, Any] | None, Suite | None]] = field(init=False, factory=list)
    apart: list[Suite] = field(init=False, factory=list)
    lost: list[Removed] = field(init=False, factory=list)
    disabled: tuple[Removed, ...] = field(init=False, default=())
    causes: SameCauses = field(init=False)

    @causes.default
    def _causes(self) -> SameCauses:
        return SameCauses(self.changed)

    @property
    def wants_traces(self) -> bool:
        """Whether runs are written anywhere; the printed text contains none."""
        return self.directory.path is not None or self.as_data or self.as_suites

    @property
    def results(self) -> list[Verified]:
        return [result for result, _, _ in self.entries]

    @property
    def data(self) -> list[dict[str, Any]]:
        return [data for _, data, _ in self.entries if data is not None]

    @property
    def suites(self) -> list[Suite]:
        return [*self.apart, *(suite for _, _, suite in self.entries if suite is not None)]

    def add_unread(self, unread: Unread) -> None:
        """Add a file that cannot be read: nothing of it is verified."""
        if self.as_suites:
            self.apart.append(suite_of_unread(unread))
        self.output.print(unread_lines(unread))

    def add_removed(self, removed: Sequence[Removed]) -> None:
        """Add a suite for each class whose expectation the change removes; the summary prints them."""
        self.lost += removed
        if self.as_suites:
            self.apart += map(suite_of_removed, removed)

    def add(self, result: Verified) -> None:
        """Add a result, in order.  An error while its reports are made becomes its result."""
        try:
            self._add(result)
        except Exception as error:
            if debugging() or result.report is None or isinstance(error, MemoryError | OSError):
                raise
            self._add(not_examined(result.case, error))

    def end(self) -> None:
        """Print what was not printed when it was added: the results with the cause of another."""
        self.output.print(self.causes.lines())

    def _add(self, result: Verified) -> None:
        expected = None if self.everything else result.case.expectation.violated
        files = self.directory.write(result.report, expected) if result.report else {}
        parts = self.changed.get(result.case.reference, ())
        data = verified_data(result, files) if self.as_data else None
        suite = suite_of_expectation(result, files, parts, self.since) if self.as_suites else None
        if self.causes.add(result):
            self.output.print(verified_lines(result, files, parts))
        self.entries.append((result, data, suite))
