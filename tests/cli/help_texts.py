"""The help texts of all commands as one text.  `python -m tests.cli.help_texts` writes it beside this file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from checker.cli.commands import commands

FILE = Path(__file__).with_suffix(".txt")
WIDTH = 100


def help_texts() -> str:
    """`checker --help` and the help of each command, in the order of the list."""
    return "\n".join(_texts())


def _texts() -> Iterator[str]:
    settings = commands.context_settings
    top = click.Context(commands, info_name="checker", terminal_width=WIDTH, max_content_width=WIDTH, **settings)
    yield commands.get_help(top) + "\n"
    for name in commands.list_commands(top):
        command = commands.get_command(top, name)
        assert command is not None
        yield command.get_help(click.Context(command, parent=top, info_name=name)) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        print(help_texts(), end="")
    else:
        FILE.write_text(help_texts(), encoding="utf-8")
