"""`checker watch`: a check after every save, with the options of the command handed on to each."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from checker.cli.output import Output
from checker.cli.watching import keep_checking
from checker.language.constants import written


def watch(name: str, properties: tuple[str, ...], everything: bool, lines: bool, **options: Any) -> int:
    """Do what these options say; the exit code."""
    passed = [word for constant, value in options.pop("constants") for word in ("-D", f"{constant}={written(value)}")]
    passed += [word for text in properties for word in ("--property", text)] + ["--all"] * everything
    given = [
        option
        for option in options
        if click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE
    ]
    passed += [word for option in given for word in (f"--{option.replace('_', '-')}", str(options[option]))]
    keep_checking(name, passed, Output().line, lines=lines)
    return 0
