"""`checker replay`: stored traces executed again."""

from __future__ import annotations

from functools import partial

from checker.analysis.stored_trace import regrouped
from checker.analysis.stored_trace import replay as run_replay
from checker.cli.output import Output
from checker.report.directory import stored
from checker.report.found import replay_data, replay_lines
from checker.report.text import report_lines


def replay(traces: tuple[str, ...], group: bool, json_file: str | None) -> int:
    output = Output(json_file)
    for file, trace in [(file, stored(file)) for file in traces]:
        result, shown = run_replay(trace), None
        if group and result.confirmed:
            shown = regrouped(trace)
            result = run_replay(shown)
        output.print(replay_lines(trace, result))
        if shown is not None:
            output.print(report_lines(shown, file))
        output.gather(result.exit_code, partial(replay_data, trace, result, shown))
    return output.finish()
