"""The directory for reports of violations, one folder for each model and property; and reading stored traces back."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from attrs import evolve

from checker.language.errors import UsageError
from checker.report.written import not_written
from checker.results.checked import Report
from checker.results.explained import Background
from checker.trace.trace import Trace
from checker.wording import counted

logging.getLogger("checker").addHandler(logging.StreamHandler())  # "dot is missing": on standard error


class ReportDirectory:
    """A directory for reports, created at once, so that no search begins whose result cannot be written.  None writes
    nothing. background: a function that gives the model's information on each written trace.
    """

    def __init__(self, path: str | None, background: Callable[[Trace], Background]) -> None:
        self.path = None if path is None else Path(path)
        self._background = background
        self._used: set[str] = set()
        self._runs: dict[tuple[Any, ...], str] = {}
        if path is not None and not path:
            raise UsageError("--out '': names nothing", remedy="`.` is the directory you are in.")
        if self.path is not None:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                probe = self.path / ".writable"
                probe.touch()
                probe.unlink()
            except OSError as error:
                raise UsageError(f"--out {path}: cannot write there: {error.strerror}") from None

    def write(self, report: Report, expected: Collection[str] | None = None) -> dict[str, list[Path]]:
        """Write the reports of all traces of a check; return the files by property.  expected: the properties whose
        violation is expected; then reports of other violations only.
        """
        if self.path is None:
            return {}
        guards = tuple(part.sentence for part in report.guards or ())
        return {
            p.name: self.write_trace(p.trace, evolve(self._background(p.trace), guards=guards))
            for p in report.properties
            if p.trace is not None and (expected is None or p.verdict.refuted and p.name not in expected)
        }

    def write_trace(self, trace: Trace, background: Background | None = None, again: bool = False) -> list[Path]:
        """Write the reports of one trace; return the files.  background: additional information for the page (default:
        from the model, if the trace is still a behaviour of it); again: in place of those of a trace of the same
        property with the same constants.
        """
        if self.path is None:
            return []
        from checker.report.write import write_reports

        folder, background = self.path / self._folder(trace, again), background or self._background(trace)
        try:
            return write_reports(trace, folder, background)
        except OSError as error:
            not_written(f"--out {error.filename or folder}", error)
            return []

    def _folder(self, trace: Trace, again: bool) -> str:
        name, run = name_of(trace), (trace.reference, trace.property, trace.constants)
        if again and run in self._runs:
            return self._runs[run]
        numbered = chain([name], (f"{name}-{n}" for n in count(2)))
        free = next(n for n in numbered if n not in self._used)
        self._used.add(free)
        self._runs[run] = free
        return free


def name_of(trace: Trace) -> str:
    """A name for the files of a trace, from those of its model and property."""
    model = trace.display_name().rsplit("/", 1)[-1].replace(".py", "")
    return re.sub(r"[^\w.-]+", "-", f"{model}-{trace.property or trace.kind}")


def trace_file(files: Sequence[Path]) -> str | None:
    """The stored trace among the reports of a run; None if there are none."""
    return next((str(file) for file in files if file.name.endswith(".itf.json")), None)


def stored(path: str) -> Trace:
    """A stored trace, whose model is found from any directory (`_placed`).  Raises UsageError if the file cannot be
    read or holds anything else.
    """
    from checker.trace.read_itf import read_trace

    file = Path(path)
    try:
        if file.is_char_device():
            raise UsageError(f"{path} is a device, not a file")  # /dev/zero has no end
        if file.is_dir():
            found = sorted(file.glob("*.itf.json")) or sorted(file.glob("*/*.itf.json"))
            if len(found) != 1:
                some = ", ".join(map(str, found[:3])) + (", ..." if len(found) > 3 else "")
                remedy = f"Name one: {some}" if found else "`checker check MODEL --out DIR` writes traces."
                raise UsageError(f"{path} is a directory with {counted(len(found), 'trace')}", remedy=remedy)
            file = found[0]
        return _placed(read_trace(file), file)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(str(error)) from None


def _placed(trace: Trace, file: Path) -> Trace:
    """The trace with the path of its model from here.  A run names its model relative to the directory in which it was
    made; if there is no such file here, it is searched in the directories that contain the trace, the nearest first.
    """
    name, colon, cls = trace.reference.partition(":")
    if not name.endswith(".py") or Path(name).is_absolute() or Path(name).exists():
        return trace
    there = next((place / name for place in file.resolve().parents if (place / name).is_file()), None)
    return trace if there is None else evolve(trace, reference=f"{there}{colon}{cls}")
