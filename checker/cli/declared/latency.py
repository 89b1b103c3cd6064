"""The options of `checker latency`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, json_option, markdown_option, out_option, search_options


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
def latency(**options: Any) -> int:
    """Measure delays and messages over all runs: from a multicast to its deliveries, least and most.

    A delay is the number of messages on the longest chain from the multicast to the delivery, each sent after the one
    before had arrived; in a model with time, the time. Exit code 4: the search was stopped, so there may be other
    values.
    """
    return call("checker.cli.latency:latency", options)
