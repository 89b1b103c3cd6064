"""The commands of the program, and their lines in the list of commands.

The options of a command are in a module of `checker.cli.declared`, which its help and the completion of options read
(all of them take three milliseconds).  The command itself is in a module of its name beside this one.  It is imported
when the command is called, with the analysis and the reports that it needs.  Modules of commands can therefore import
at their top, and no command waits for modules that another one needs.  The list of commands and the completion of names
in a shell read only this table.  A test compares the table with the commands.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from checker.language.errors import near
from checker.version import VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

TABLE: dict[str, str] = {
    "check": "Explore every reachable state of the models and report each property.",
    "compare": (
        "Compare a protocol with an edited one: source, verdicts, outcomes, events, and the first step that was not "
        "allowed before."
    ),
    "explain": (
        "Why not? For a state of a stored trace: each action that is not enabled, with the part of its guard that "
        "blocks it and the values."
    ),
    "explore": (
        "Walk through the runs of a model in the browser: choose among the enabled steps, go back, see what each "
        "changes and what blocks the others."
    ),
    "find": (
        "Find a shortest run to a state that satisfies PREDICATE, for example 'any(len(delivered[p]) == 2 for p in "
        "Process)'."
    ),
    "gallery": (
        "Write the run and the diagram of every violation that models expect, and a page for each model; or compare "
        "them with the existing files."
    ),
    "inspect": "Report what a work directory contains, whether it is complete, and what is left over in it.",
    "latency": "Measure delays and messages over all runs: from a multicast to its deliveries, least and most.",
    "list": "Show the models: edits, constants with defaults, properties.",
    "lsp": "Serve an editor on standard input and output, by the Language Server Protocol.",
    "outcomes": "List the outcomes of a protocol: the values of its outcome variables in quiescent states.",
    "prove": "Prove invariants of a model by k-induction, for runs of every length, with z3.",
    "query": "Query the explored graph in SQL: tables states, edges, steps, outcomes, levels and actions.",
    "replay": (
        "Execute stored traces again: is each still a behaviour of its model, with the same finding?  The exit code is "
        "that of the worst result."
    ),
    "resume": "Resume a stopped search from its last finished level, on any engine.",
    "rules": "Compare the rules of two models by z3 over all states of their types, for a family of constants.",
    "show": "Print stored traces.",
    "simulate": (
        "Make random walks through MODEL and check every state and step, where there are too many states to explore."
    ),
    "step": (
        "Execute a model by hand: choose among the enabled actions, see what changes, undo, ask why, save the run as a "
        "trace."
    ),
    "sweep": (
        "Check a model with every combination of the values given for its constants, and show where each property "
        "first fails."
    ),
    "verify": "Check every model and edit that states an expected verdict.",
    "watch": (
        "Check a model again whenever its file, or one beside it or beside its properties, is saved; print what "
        "changed in the verdict."
    ),
}
"""The commands by name, each with the first sentence of its help."""
_RUNS, _QUESTIONS = (
    "explain explore lsp replay show step".split(),
    "compare gallery inspect list prove query rules".split(),
)


def command(name: str) -> click.Command:
    """The command of that name, imported now."""
    place = "runs" if name in _RUNS else "questions" if name in _QUESTIONS else "searches"
    found = getattr(import_module(f"checker.cli.declared.{place}"), name)
    assert isinstance(found, click.Command)
    return found


class Commands(click.Group):
    """The commands of the table, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return sorted(TABLE)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them; None if there is none of that name."""
        return command(cmd_name) if cmd_name in TABLE else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command as click does; for a misspelt one, suggest the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message} {near(args[0], TABLE)}".rstrip(), ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help, from the table."""
        listed = {name: click.Command(name, help=help) for name, help in TABLE.items()}
        click.Group(commands=listed).format_commands(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The names of commands that begin with a text, from the table, and the options of the program itself."""
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=help) for name, help in TABLE.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION)
@click.pass_context
def commands(context: click.Context) -> None:
    """Checks models of message-passing protocols, exhaustively."""
    context.default_map = dict.fromkeys(TABLE, import_module("checker.cli.settings").defaults())
