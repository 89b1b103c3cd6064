"""`checker replay`: stored traces executed again."""

from __future__ import annotations

from functools import partial

import click

from checker.analysis.stored_trace import replay as run_replay
from checker.cli.options import json_option, trust_option
from checker.cli.output import Output
from checker.report.directory import stored
from checker.report.found import replay_data, replay_lines


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@trust_option
@json_option
def replay(traces: tuple[str, ...], json_file: str | None) -> int:
    """Execute stored traces again: is each still a behaviour of its model, and does it still show what it showed?  Of
    several the worst result is the exit code."""
    output = Output(json_file)
    for trace in [stored(file) for file in traces]:
        result = run_replay(trace)
        output.print(replay_lines(trace, result))
        output.gather(result.exit_code, partial(replay_data, trace, result))
    return output.finish()
