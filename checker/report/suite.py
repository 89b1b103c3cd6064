"""A check for a build server: a suite of cases, whatever the file format.

A suite is a model with its constants, a case one property of it.  A case has failed if its property is broken (or,
under `checker verify`, if the verdict is not the expected one), is in error if the search ended before it was decided,
and skipped if the search ended at the violation of another property.  Places are files relative to the root of the
repository if they are in it (`checker/report/repository.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from checker.frozen import frozen
from checker.report.commands import change_command, picture_command
from checker.report.marks import cause_mark
from checker.report.phrases import step_text
from checker.report.text import step_details
from checker.report.wording import not_allowed
from checker.results.verdict import Verdict
from checker.trace.messages import messages
from checker.trace.trace import Trace

WRONG, FAULT, GONE = "wrong as written", "internal error", "removed"
"""Verdicts of cases in error that are not undecided."""
NOT_REACHED, COMMAND = "not reached", "command"
"""The verdict of an expectation behind an interruption, and the kind of the case of an error that ends a command."""
ABOUT_NONE = ("expectation", "vacuity", "model file", COMMAND)
"""Kinds of cases that are about no property."""
PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"


@frozen
class Place:
    """A line of source; `file` is relative to the root of the repository, or absolute."""

    file: str
    line: int

    @property
    def inside(self) -> bool:
        """Whether it is in the repository: a build server cannot show a line of another file."""
        return not Path(self.file).is_absolute()


def first_inside(*places: Place | None) -> Place | None:
    """The first of some places that lies in the repository."""
    return next((p for p in places if p is not None and p.inside), None)


def shown_here(place: Place | None, file: str | None) -> Place | None:
    """Whether a reader of the model's file can be sent to a place: in the repository, or in that file."""
    return place if place is not None and (place.inside or place.file == file) else None


@frozen
class Case:
    """One property of a suite.

    `status`: passed, failed, error or skipped; `verdict`: the actual verdict; `message`: one sentence, or empty;
    `meaning`: the claim of the property.  `places`: the action of each step of the trace, None for a step of the
    language; `stored`: the file with the trace, None if it was not kept; `place`: the line to look at first, of a
    failure that of the changed or the guilty rule; `stated`: the place of the property; `guilty`: the line that decides
    the CAUSE.
    """

    name: str
    kind: str
    status: str
    verdict: str
    message: str = ""
    meaning: str = ""
    place: Place | None = None
    trace: Trace | None = None
    places: tuple[Place | None, ...] = ()
    stored: str | None = None
    stated: Place | None = None
    guilty: Place | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether something is wrong, not only undecided."""
        return self.status == FAILED or self.verdict in (WRONG, FAULT, GONE)

    @property
    def is_vacuous(self) -> bool:
        """Whether it is in error because what holds says nothing."""
        return self.status == ERROR and self.verdict == Verdict.VACUOUS


@frozen
class Suite:
    """A model with its constants (name, value as written) and its cases; `explored`: how much was searched;
    `confirmed`: how much of it the interpreter executed again; `guards`: what the parts of guards blocked, in words;
    `mark`: distinguishes suites with the same model and constants; `since`: the revision since which a change touches
    the model, "" if that was not asked.
    """

    reference: str
    constants: tuple[tuple[str, str], ...]
    cases: tuple[Case, ...]
    explored: str = ""
    seconds: float = 0.0
    place: Place | None = None
    warnings: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    confirmed: str = ""
    mark: str = ""
    since: str = ""

    @property
    def name(self) -> str:
        """The reference with its constants, as on a command line, and the mark: the same in every run."""
        return " ".join([self.reference, *(f"{n}={v}" for n, v in self.constants), *filter(None, [self.mark])])

    def picture(self, case: Case) -> str:
        """How to make the picture of a case that failed, and how to step through it."""
        if self.since and case.trace is not None and any(step.cause for step in case.trace.steps):
            return change_command(self.reference, {}, self.since, compared=False)
        return picture_command(self.reference, dict(self.constants), case.kind, case.name)

    @property
    def is_unfinished(self) -> bool:
        """Whether the command has ended before its time."""
        return any(case.verdict == NOT_REACHED or case.kind == COMMAND for case in self.cases)

    def count(self, status: str) -> int:
        """How many cases have a status."""
        return sum(case.status == status for case in self.cases)

    @property
    def properties(self) -> tuple[Case, ...]:
        """The cases of properties."""
        return tuple(case for case in self.cases if case.kind not in ABOUT_NONE)


def not_passed(suites: Iterable[Suite]) -> list[tuple[Suite, Case]]:
    """The cases that failed or are in error, each with its suite."""
    return [(suite, case) for suite in suites for case in suite.cases if case.status in (FAILED, ERROR)]


def step_texts(trace: Trace) -> list[str]:
    """Each step of a trace in one line: actor, action, and changes."""
    sent, lines = messages(trace), []
    for step in trace.steps:
        head = step_text(step, sent)
        details = step_details(trace, step, head, step.lane, sent)
        who = f"{step.lane}: " if step.lane else ""
        mark = cause_mark(trace, step)
        cause = f"{mark} ({not_allowed(trace)}): " if mark else ""
        lines.append(f"{cause}{who}{head}" + (f"; {'; '.join(details)}" if details else ""))
    return lines
