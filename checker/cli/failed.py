"""An error that ends a command, written into each file for its results.

Otherwise a file of an earlier run could be taken for a result of this one: a build server publishes the files that
exist.  Files written in this run before the error stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from checker.language.errors import UsageError
from checker.report.written import whole, writable

BUILD = ("junit", "sarif", "markdown", "lines")
RESULTS = ("json", *BUILD, "comment", "link")
"""Options of files for results; `link` belongs to the comment."""


def write_error(error: UsageError, targets: Mapping[str, str], exit_code: int) -> None:
    """Write an error into files by option; at most one of them is standard output."""
    printed = [name for name, target in targets.items() if target == "-"]
    for name, target in targets.items():
        if name == "link" or target in whole or name in printed[1:]:
            continue
        with suppress(UsageError):  # what cannot be written has been said
            writable(target, f"--{name}")
            _write(name, target, error, targets.get("link"), exit_code)


def _write(name: str, target: str, error: UsageError, link: str | None, exit_code: int) -> None:
    if name == "json":
        from checker.report.data import error_data, write

        write(target, {**error_data(error), "exit_code": exit_code})
    elif name == "comment":
        from checker.report.review import failure_comment
        from checker.report.written import write_file

        write_file(target, failure_comment(str(error), link), "--comment")
    else:
        from checker.report.suites import BuildFiles, suite_of_error

        BuildFiles({name: target}).write([suite_of_error(error, exit_code)])
