"""The options of `checker inspect`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call


@click.command()
@click.argument("workdir", metavar="WORKDIR")
@click.option("--clean", is_flag=True, help="Remove what is left over, if no search is going on there.")
def inspect(**options: Any) -> int:
    """Say what is in a work directory, whether it is whole, and what is left over in it.

    Every file of the search is compared with its checksum; no model is executed. The exit code is 2 if one is damaged.
    """
    return call("checker.cli.inspect:inspect", options)
