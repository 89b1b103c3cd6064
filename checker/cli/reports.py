"""Reports of runs that a command writes, with what the model says of each run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from checker.cli.output import Output
from checker.language.errors import UsageError
from checker.report.directory import ReportDirectory
from checker.report.lines import Line
from checker.results.explained import Background
from checker.trace.trace import Trace


def report_directory(out: str | None) -> ReportDirectory:
    """The directory that --out names; the pages in it say what is possible in each state, and why not more."""
    return ReportDirectory(out, _background)


def _background(trace: Trace) -> Background:
    from checker.analysis.explain import background

    try:
        return background(trace)
    except UsageError as error:  # a trace whose model is gone, or not to be executed, is worth a page all the same
        logging.getLogger("checker").warning(
            "the pages of %s show the stored run alone: %s", trace.reference or trace.model, error
        )
        return Background()


def told(
    found: Any,
    lines: Callable[[Any, list[Path]], Iterable[Line]],
    data: Callable[[Any, list[Path]], dict[str, Any]],
    directory: ReportDirectory,
    output: Output,
) -> int:
    """Write the reports of the one run in a result, print the result, write its data; returns its exit code."""
    files = directory.write_trace(found.trace) if found.trace else []
    output.print(lines(found, files))
    output.write(lambda: data(found, files))
    return int(found.exit_code)
