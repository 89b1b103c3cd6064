"""`checker show`: stored traces as text."""

from __future__ import annotations

from functools import partial

from checker.cli.output import Output, report_directory
from checker.report.data import trace_data
from checker.report.directory import stored
from checker.report.lines import line
from checker.report.text import report_lines
from checker.results.exit_codes import HOLDS


def show(traces: tuple[str, ...], out: str | None, json_file: str | None) -> int:
    directory, output = report_directory(out), Output(json_file)
    for number, (file, trace) in enumerate([(file, stored(file)) for file in traces]):
        if number:
            output.line()
        files = directory.write_trace(trace)
        output.print(report_lines(trace, file))
        output.print(line(f"  wrote {path}") for path in files)
        output.gather(HOLDS, partial(trace_data, trace))
    return output.finish()
