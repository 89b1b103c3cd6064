"""`checker explain`: why an action is not enabled in a state of a stored trace."""

from __future__ import annotations

from typing import Any

from checker.analysis.explain import answer, background
from checker.analysis.stored_trace import regrouped
from checker.cli.output import Output, report_directory
from checker.report.directory import stored
from checker.report.explained import answer_data, answer_lines


def explain(
    trace: str, words: tuple[str, ...], group: bool, out: str | None, json_file: str | None, **options: Any
) -> int:
    directory, output, run = report_directory(out), Output(json_file), stored(trace)
    run = regrouped(run) if group else run
    found = answer(run, words=words, **options)
    output.print(answer_lines(found))
    files = directory.write_trace(run, background(run, options["action"], words)) if out else []
    for path in files:
        output.line(f"  wrote {path}")
        if path.suffix == ".html":
            output.line(f"  this step: {path}#step={found.step}")
    output.write(lambda: answer_data(found) | {"files": [str(path) for path in files]})
    return 0
