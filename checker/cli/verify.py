"""`checker verify`: the expectations that models state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from attrs import define, field

from checker.analysis.since import touched
from checker.analysis.verify import Selected, not_examined, select_readable
from checker.analysis.verify_all import verify_all
from checker.analysis.workers import interrupted_once
from checker.catalogue import file_named
from checker.cli.options import processors
from checker.cli.output import Output, report_directory
from checker.cli.searching import limits, progress, so_far
from checker.cli.settings import models
from checker.language.errors import UsageError, debugging, internal_error
from checker.report.data import verified_data
from checker.report.directory import ReportDirectory
from checker.report.suite import Suite
from checker.report.suites import BuildFiles, place_of_change, suite_of_error, suite_of_expectation, suite_of_unread
from checker.report.verified import Summary, unread_lines, verified_lines
from checker.report.written import writable, write_file
from checker.results.exit_codes import INTERNAL
from checker.results.review import Part
from checker.results.verified import Unread, Verified
from checker.search.deadline import READING, within
from checker.wording import counted


def verify(comment: str | None, link: str | None, **options: Any) -> int:
    directory = report_directory(options["out"])
    _consistent(comment, link, **options)
    if options["reduce"] and (options["strict"] or options["max_depth"] is not None):
        what = (
            f"{'--strict' if options['strict'] else '--max-depth'} asks about every state, and --reduce leaves some out"
        )
        raise UsageError(what, remedy="Leave out one of the two.")
    return _verify(directory, comment, link, **options)


def _verify(
    directory: ReportDirectory,
    comment: str | None,
    link: str | None,
    *,
    names: tuple[str, ...],
    since: str | None,
    strict: bool,
    with_shipped: bool,
    json_file: str | None,
    **options: Any,
) -> int:
    build = BuildFiles.of(options)
    output = Output(json_file, build.printed(json_file))
    with within(limits(options).begun(), "reading the model files", READING):
        named = names if names or with_shipped else models(file_named)
        selected = select_readable(named, options["thorough"], with_shipped)
    cases = selected.cases
    for text in _looked_at(selected, since is not None):
        output.line(text, "dim")
    change = None if since is None else touched(cases, since)
    if change is not None:
        cases = list(change.cases)
        for text in change.texts(str(since)):
            output.line(text, "dim")
    told = Told(
        directory,
        output,
        json_file is not None,
        build.wanted,
        options["everything"],
        {} if change is None else change.parts,
    )
    for one in selected.unread:
        told.add_unread(one)
    shown = progress(json_file)
    verified = verify_all(
        cases,
        jobs=options["jobs"] or max(1, processors() // options["threads"]),
        strict=strict,
        traces=strict or told.wants_traces or comment is not None,
        announce=lambda *running: shown.say(so_far("expectations", *running)),
        engine=options["engine"],
        threads=options["threads"],
        limits=limits(options),
        progress=shown,
        reduce=options["reduce"],
    )
    with interrupted_once(), shown, closing(verified):
        try:
            for result in verified:
                shown.clear()
                told.add(result)
                if result.interrupted:
                    break
        except KeyboardInterrupt:
            if not told.results:
                raise
        except Exception as error:  # of the machine, say: what is known until then is worth its files
            wrong = error if isinstance(error, UsageError) else internal_error(error)
            build.write([*told.suites, suite_of_error(wrong, INTERNAL if wrong is not error else wrong.exit_code)])
            raise
        build.write(told.suites)
        if change is not None and comment is not None:
            from checker.analysis.review import review
            from checker.report.review import review_comment

            found = review(told.results, change, str(since), shown, selected.unread)
            write_file(comment, review_comment(found, link), "--comment")
        left = len(cases) - len(told.results)
        summary = Summary(told.results, selected.without, left=left, unread=selected.unread, passed=selected.passed)
        output.print(summary.lines())
        output.write(lambda: summary.data(told.data))
        return summary.exit_code


def _looked_at(selected: Selected, changes_only: bool) -> Iterator[str]:
    """Where models were looked for, if none was named.  UsageError if there are none, unless the question is what a
    change does: where nothing is, nothing has changed."""
    if selected.own is None:
        return
    where = f"in or below {Path.cwd()}"
    if selected.own:
        yield f"{counted(len(selected.own), 'file')} with models {where}"
    elif changes_only:
        yield f"there are no models {where}"
    else:
        remedy = "Name a file or a folder. --shipped verifies the models that the checker ships."
        raise UsageError(f"there are no models {where}", remedy=remedy)


def _consistent(
    comment: str | None, link: str | None, *, out: str | None, since: str | None, everything: bool, **_: Any
) -> None:
    """UsageError for an option that has no effect without another."""
    if everything and out is None:
        raise UsageError("--all writes reports, and there is no --out", remedy="Add --out DIR.")
    if comment is not None and since is None:
        raise UsageError("--comment says what a change does, and there is no --since", remedy="Add --since REVISION.")
    if link is not None and comment is None:
        raise UsageError("--link is written into the comment, and there is no --comment", remedy="Add --comment FILE.")
    if comment is not None:
        writable(comment, "--comment")


@define
class Told:
    """The results so far: each is printed, with its reports written, when it comes.  everything: reports of expected
    violations too; changed: by reference the parts of the source that a change touches.

    A result is one with what is written of it: Ctrl-C leaves both or neither."""

    directory: ReportDirectory
    output: Output
    as_data: bool
    as_suites: bool
    everything: bool
    changed: Mapping[str, Sequence[Part]]
    told: list[tuple[Verified, dict[str, Any] | None, Suite | None]] = field(init=False, factory=list)
    unread: list[Suite] = field(init=False, factory=list)

    @property
    def wants_traces(self) -> bool:
        """Whether runs are written anywhere; what is printed names none."""
        return self.directory.path is not None or self.as_data or self.as_suites

    @property
    def results(self) -> list[Verified]:
        return [result for result, _, _ in self.told]

    @property
    def data(self) -> list[dict[str, Any]]:
        return [data for _, data, _ in self.told if data is not None]

    @property
    def suites(self) -> list[Suite]:
        return [*self.unread, *(suite for _, _, suite in self.told if suite is not None)]

    def add_unread(self, unread: Unread) -> None:
        """A file that cannot be read: nothing of it is verified."""
        if self.as_suites:
            self.unread.append(suite_of_unread(unread))
        self.output.print(unread_lines(unread))

    def add(self, result: Verified) -> None:
        """One more, in order.  An error while its reports are made is its result."""
        try:
            self._add(result)
        except Exception as error:
            if debugging() or result.report is None or isinstance(error, MemoryError | OSError):
                raise
            self._add(not_examined(result.case, error))

    def _add(self, result: Verified) -> None:
        expected = None if self.everything else result.case.expectation.violated
        files = self.directory.write(result.report, expected) if result.report else {}
        parts = self.changed.get(result.case.reference, ())
        changed = place_of_change(parts) if parts else None
        data = verified_data(result, files) if self.as_data else None
        suite = suite_of_expectation(result, files, changed) if self.as_suites else None
        self.output.print(verified_lines(result, files, parts))
        self.told.append((result, data, suite))
