"""`checker step`: a model or a stored trace, executed by hand."""

from __future__ import annotations

from typing import Any

import click

from checker.analysis.step import Session
from checker.catalogue import find
from checker.cli.arguments import constants_of_options
from checker.cli.options import constants_option, trust_option
from checker.cli.output import Output
from checker.cli.stepping import converse
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.errors import UsageError
from checker.report.directory import stored


@click.command()
@click.argument("name", metavar="MODEL", required=False)
@constants_option()
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
