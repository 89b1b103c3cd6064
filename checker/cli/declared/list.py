"""The options of `checker list`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, json_option


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@json_option
def list(**options: Any) -> int:
    """Show the models: edits, constants with defaults, properties."""
    return call("checker.cli.list:list_models", options)
