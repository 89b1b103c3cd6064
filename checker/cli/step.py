"""`checker step`: a model or a stored trace, executed by hand."""

from __future__ import annotations

from typing import Any

from checker.analysis.step import Session
from checker.catalogue import find
from checker.cli.arguments import constants_of_options
from checker.cli.output import Output
from checker.cli.stepping import converse
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.errors import UsageError
from checker.report.directory import stored


def step(name: str | None, constants: tuple[tuple[str, Any], ...], trace: str | None) -> int:
    """Do what these options say; the exit code."""
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
