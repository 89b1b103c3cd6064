"""The options of `checker watch`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, properties_option, search_options


@click.command()
@click.argument("name", metavar="MODEL")
@properties_option()
@click.option("--all", "everything", is_flag=True, help="Do not stop at the first violation.")
@click.option("--lines", is_flag=True, help="Print lines FILE:LINE: error: TEXT alone, for an editor.")
@search_options()
def watch(**options: Any) -> int:
    """Check a model again whenever its file, or one beside it or beside its properties, is saved; print what changed in
    the verdict.

    Ends by Ctrl-C.
    """
    return call("checker.cli.watch:watch", options)
