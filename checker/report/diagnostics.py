"""Suites as lines `FILE:LINE: error: TEXT`, the form of compiler messages that editors read.

Files are relative to the working directory, where the editor has started the command.  Each failure is one line, at the
line that a build server would show; an undecided property is a warning.  A failure without a line in the repository is
placed at the model's class, else at line 1 of the named file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from checker.report.repository import repository
from checker.report.suite import ERROR, FAILED, Case, Suite, shown_here
from checker.results.checked import FAILURES


def diagnostic_lines(suites: Sequence[Suite]) -> str:
    """One line for each case that failed or was not decided."""
    return "".join(f"{line}\n" for suite in suites for line in _of(suite))


def diagnostic(file: str | Path, line: int, text: str, kind: str = "error") -> str:
    """One line; file: absolute, or relative to the working directory."""
    return f"{os.path.relpath(file)}:{max(line, 1)}: {kind}: {' '.join(text.split())}"


def _of(suite: Suite) -> Iterator[str]:
    for case in suite.cases:
        if case.status in (FAILED, ERROR):
            place = shown_here(case.place, suite.place.file if suite.place else None) or suite.place
            file, line = (suite.reference.partition(":")[0], 1) if place is None else (place.file, place.line)
            yield diagnostic(repository() / file, line, _text(suite, case), "error" if case.is_wrong else "warning")


def _text(suite: Suite, case: Case) -> str:
    name = "" if case.kind in FAILURES and case.message else f"{case.name}: "  # of no property
    return f"{name}{case.message or case.verdict} [{suite.name}]"
