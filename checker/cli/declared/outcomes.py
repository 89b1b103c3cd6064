"""The options of `checker outcomes`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, json_option, reduce_option, search_options


@click.command()
@click.argument("name", metavar="MODEL")
@search_options()
@reduce_option("Leave out steps that do not change the outcomes: fewer states, the same list.")
@json_option
def outcomes(**options: Any) -> int:
    """List what the protocol can end with: the values of its outcome variables in quiescent states."""
    return call("checker.cli.outcomes:outcomes", options)
