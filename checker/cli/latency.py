"""`checker latency`: delays and messages over all runs."""

from __future__ import annotations

from typing import Any

import click

from checker.analysis.latency.survey import survey
from checker.cli.arguments import constants_of_options
from checker.cli.options import json_option, markdown_option, out_option, search_options
from checker.cli.output import Output
from checker.cli.reports import report_directory
from checker.cli.searching import limits, progress, read
from checker.report.latency import data, lines, markdown_text
from checker.report.written import writable, write_file


@click.command()
@click.argument("name", metavar="MODEL")
@search_options(("native",))
@markdown_option("Write the table as Markdown.")
@click.option(
    "--until",
    default="deliver",
    show_default=True,
    metavar="EVENT",
    help="Measure up to this event of a process and a message.",
)
@out_option("Write reports of a run with the greatest delay.")
@json_option
def latency(name: str, markdown: str | None, until: str, out: str | None, **options: Any) -> int:
    """Measure delays and messages over all runs: from a multicast to its deliveries, least and most.

    A delay is the number of messages on the longest chain from the multicast to the delivery, each sent after the one
    before had arrived; in a model with time, the time. Exit code 4: the search was stopped, so there may be other
    values.
    """
    if markdown is not None:
        writable(markdown, "--markdown")
    given = limits(options).begun()
    (entry,), directory, output = read([name], given), report_directory(out), Output(options["json_file"])
    with progress(options["json_file"]) as shown:
        found = survey(
            entry.cls,
            entry.reference,
            constants_of_options(options["constants"]),
            until=until,
            threads=options["threads"],
            limits=given,
            progress=shown,
            slowest=out is not None,
        )
    output.print(lines(found))
    if markdown is not None:
        write_file(markdown, markdown_text(found), "--markdown")
        output.line(f"  wrote {markdown}")
    output.write(lambda: data(found))
    for file in directory.write_trace(found.slowest) if found.slowest is not None else []:
        output.line(f"  wrote {file}")
    return found.exit_code
