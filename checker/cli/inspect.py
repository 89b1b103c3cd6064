"""`checker inspect`: what is in a work directory."""

from __future__ import annotations

from checker.analysis.inspect import inspect as look
from checker.cli.output import Output
from checker.report.inspected import inspected_lines


def inspect(workdir: str, clean: bool) -> int:
    found = look(workdir, clean)
    Output().print(inspected_lines(found))
    return found.exit_code
