"""`checker inspect`: what is in a work directory."""

from __future__ import annotations

from checker.analysis.inspect import inspect as look
from checker.cli.output import Output
from checker.report.inspected import inspected_data, inspected_lines


def inspect(workdir: str, clean: bool, json_file: str | None) -> int:
    output = Output(json_file)
    found = look(workdir, clean)
    output.print(inspected_lines(found))
    output.write(lambda: inspected_data(found))
    return found.exit_code
