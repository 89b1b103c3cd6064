"""`checker replay`: stored traces executed again."""

from __future__ import annotations

from functools import partial

from checker.analysis.stored_trace import replay as run_replay
from checker.cli.output import Output
from checker.report.directory import stored
from checker.report.found import replay_data, replay_lines


def replay(traces: tuple[str, ...], json_file: str | None) -> int:
    """Do what these options say; the exit code."""
    output = Output(json_file)
    for trace in [stored(file) for file in traces]:
        result = run_replay(trace)
        output.print(replay_lines(trace, result))
        output.gather(result.exit_code, partial(replay_data, trace, result))
    return output.finish()
