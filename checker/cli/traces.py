"""Commands about runs: a stored trace shown, executed again or explained, and a run made by hand."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from checker.cli.arguments import CONSTANT, Number, constants_of_options
from checker.cli.options import json_option, trust_option
from checker.language.errors import UsageError
from checker.report.lines import line
from checker.results.exit_codes import HOLDS


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@click.option("--out", metavar="DIR", help="Make the reports of the traces again, there.")
@trust_option
@json_option
def show(traces: tuple[str, ...], out: str | None, json_file: str | None) -> int:
    """Print stored traces."""
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.report.data import trace_data
    from checker.report.directory import stored
    from checker.report.text import report_lines

    directory, output = report_directory(out), Output(json_file)
    for number, (file, trace) in enumerate([(file, stored(file)) for file in traces]):
        if number:
            output.line()
        files = directory.write_trace(trace)
        output.print(report_lines(trace, file))
        output.print(line(f"  wrote {path}") for path in files)
        output.gather(HOLDS, partial(trace_data, trace))
    return output.finish()


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@trust_option
@json_option
def replay(traces: tuple[str, ...], json_file: str | None) -> int:
    """Execute stored traces again: is each still a behaviour of its model, and does it still show what it showed?  Of
    several the worst result is the exit code."""
    from checker.analysis.stored_trace import replay as run_replay
    from checker.cli.output import Output
    from checker.report.directory import stored
    from checker.report.found import replay_data, replay_lines

    output = Output(json_file)
    for trace in [stored(file) for file in traces]:
        result = run_replay(trace)
        output.print(replay_lines(trace, result))
        output.gather(result.exit_code, partial(replay_data, trace, result))
    return output.finish()


@click.command()
@click.argument("trace", metavar="TRACE.json")
@click.argument("words", nargs=-1, metavar="[-- VALUE...]")
@click.option("--step", type=Number(0), help="The state after this step; 0 is the start.  [default: the last]")
@click.option("--action", metavar="NAME", help="Only this action, every instance of it.")
@click.option(
    "--condition",
    metavar="PREDICATE",
    help="Also why this is true or false there, as in `checker find`: 'deliverable(p2, m1.1)'.",
)
@click.option(
    "--out",
    metavar="DIR",
    help="Make the reports of the trace again, there; the page answers the question at each step.",
)
@trust_option
@json_option
def explain(trace: str, words: tuple[str, ...], out: str | None, json_file: str | None, **options: Any) -> int:
    """Why not?  For a state of a stored trace: each action that is not enabled, with the part of its guard that blocks
    it and the values.

    VALUES choose instances: checker explain trace.itf.json --step 7 --action deliver -- p2 m1.1
    """
    from checker.analysis.explain import answer, background
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.report.directory import stored
    from checker.report.explained import answer_data, answer_lines

    directory, output, run = report_directory(out), Output(json_file), stored(trace)
    found = answer(run, words=words, **options)
    output.print(answer_lines(found))
    files = directory.write_trace(run, background(run, options["action"], words)) if out else []
    for path in files:
        output.line(f"  wrote {path}")
        if path.suffix == ".html":
            output.line(f"  this step: {path}#step={found.step}")
    output.write(lambda: answer_data(found) | {"files": [str(path) for path in files]})
    return 0


@click.command()
@click.argument("name", metavar="MODEL", required=False)
@click.option(
    "-D",
    "constants",
    type=CONSTANT,
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a constant: 3, true, fifo or 2,1,0.",
)
@click.option(
    "--trace",
    metavar="TRACE.json",
    help="Walk through this stored trace, and leave it anywhere; model and constants are its own.",
)
@trust_option
def step(name: str | None, constants: tuple[tuple[str, Any], ...], trace: str | None) -> int:
    """Execute a model by hand: choose among the enabled actions, see what changes, undo, ask why, save the run as a
    trace.

    Commands come from standard input; `help` lists them.
    """
    from checker.analysis.step import Session
    from checker.catalogue import find
    from checker.cli.output import Output
    from checker.cli.stepping import converse
    from checker.engines.interpreted import interpreter_of
    from checker.language.define import define
    from checker.report.directory import stored

    if (name is None) == (trace is None) or (trace and constants):
        raise UsageError(
            "step takes a model (with -D) or --trace",
            remedy="checker step MODEL, or checker step --trace trace.itf.json",
        )
    if trace:
        session = Session.of_trace(stored(trace))
    else:
        entry = find(str(name))
        session = Session(interpreter_of(define(entry.cls, constants_of_options(constants))), entry.reference)
    converse(session, Output().line)
    return 0


COMMANDS = (show, replay, explain, step)
