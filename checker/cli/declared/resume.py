"""The options of `checker resume`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import (
    KEEPING,
    asking,
    call,
    json_option,
    out_option,
    search_options,
    spark_options,
    trust_option,
)


@click.command()
@click.argument("workdir", metavar="WORKDIR")
@search_options(KEEPING, constants=False, spills=True)
@spark_options
@asking
@out_option("Write reports of each violation: text, diagram, ITF.")
@trust_option
@json_option
def resume(**options: Any) -> int:
    """Go on with a search that was stopped, from its last finished level, on any engine.

    WORKDIR is what --workdir named. The model must not have changed since.
    """
    return call("checker.cli.resume:resume", options)
