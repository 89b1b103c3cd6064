"""An error that ends a command: its cause, if that is not the checker, and the error in each file for its results.

Otherwise a file of an earlier run could be taken for a result of this one: a build server publishes the files that
exist.  Files written in this run before the error stay.  No process can write when it is killed, so each file says from
the start that the command has not finished, until its results replace that.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from checker.language.errors import Undecided, UsageError, debugging, too_deep, too_little_memory
from checker.report.written import unwritten, whole, writable
from checker.results.exit_codes import INCONCLUSIVE
from checker.stored.errors import StoredFileError

BUILD = ("junit", "sarif", "code-quality", "markdown", "lines")
RESULTS = ("json", *BUILD, "comment", "link")
"""Options of files for results; `link` belongs to the comment."""
NOT_FINISHED = "the command has not finished: it still runs, or it was killed"


OUTSIDE = {
    getattr(errno, name)
    for name in (
        "ENOSPC EDQUOT EIO EROFS EFBIG EMFILE ENFILE EACCES EPERM ENOTDIR EISDIR EEXIST ENAMETOOLONG ELOOP"
    ).split()
}
"""Errors of the system that are not faults of the program: full, read-only or broken disks, too many files, places
where nothing can be created.
"""


def outside_cause(error: BaseException) -> UsageError | None:
    """The reason why a command ended, if it is the model, a file, a limit or the machine; None if it is the checker."""
    # loaded by whoever raises its OutOfTime; importing it here would load numpy
    deadline = sys.modules.get("checker.search.deadline")
    if isinstance(error, UsageError):
        return error
    if isinstance(error, StoredFileError):
        return UsageError(str(error))
    if isinstance(error, MemoryError):
        return too_little_memory()
    if isinstance(error, RecursionError):
        return too_deep()
    if deadline is not None and isinstance(error, deadline.OutOfTime):
        return Undecided(str(error), remedy="Raise --max-seconds, or lower the constants.")
    if isinstance(error, OSError) and error.errno in OUTSIDE and not debugging():
        return UsageError(str(error) if error.filename is None else f"{error.filename}: {error.strerror}")
    return None


def write_not_finished(targets: Mapping[str, str]) -> None:
    """Write into each file for results that the command has not finished; the results, or an error, replace it."""
    files = {name: target for name, target in targets.items() if name == "link" or _is_plain(target)}
    before = len(unwritten)
    with suppress(OSError):
        write_error(Undecided(NOT_FINISHED), files, INCONCLUSIVE)
    whole.difference_update(files.values())
    del unwritten[before:]  # the results will not be written either, which is then reported


def _is_plain(target: str) -> bool:
    """Whether a file can be written twice: no pipe, no device, no standard output."""
    path = Path(target)
    try:
        return target != "-" and (path.is_file() or not path.exists()) and path.resolve().parts[1:2] != ("proc",)
    except OSError:  # a name that is too long, or leads to itself
        return False


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
