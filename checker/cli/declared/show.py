"""The options of `checker show`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, json_option, out_option, trust_option


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@out_option("Make the reports of the traces again, there.")
@trust_option
@json_option
def show(**options: Any) -> int:
    """Print stored traces."""
    return call("checker.cli.show:show", options)
