"""`checker explain`: why an action is not enabled in a state of a stored trace."""

from __future__ import annotations

from typing import Any

import click

from checker.analysis.explain import answer, background
from checker.cli.arguments import Number
from checker.cli.options import json_option, out_option, trust_option
from checker.cli.output import Output
from checker.cli.reports import report_directory
from checker.report.directory import stored
from checker.report.explained import answer_data, answer_lines


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
@out_option("Make the reports of the trace again, there; the page answers the question at each step.")
@trust_option
@json_option
def explain(trace: str, words: tuple[str, ...], out: str | None, json_file: str | None, **options: Any) -> int:
    """Why not?  For a state of a stored trace: each action that is not enabled, with the part of its guard that blocks
    it and the values.

    VALUES choose instances: checker explain trace.itf.json --step 7 --action deliver -- p2 m1.1
    """
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
