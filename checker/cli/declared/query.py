"""The options of `checker query`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import call, json_option, trust_option


def _named(_context: click.Context, _option: Any, given: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """NAME=PREDICATE as pairs."""
    pairs = [(name.strip(), predicate) for name, _, predicate in (text.partition("=") for text in given)]
    for (name, predicate), text in zip(pairs, given):
        if not name.isidentifier() or not predicate.strip():
            raise click.BadParameter(f"{text!r} is not NAME=PREDICATE, for example 'done=len(delivered[p1]) == 2'")
    return tuple(pairs)


@click.command()
@click.argument("workdir", metavar="WORKDIR")
@click.argument("sql", metavar="[SQL]", required=False)
@click.option(
    "--against",
    metavar="DIR",
    help="Another search, an edit's: the tables of both are there as base_... and edit_..., and the states that one of "
    "them alone reaches as only_base and only_edit.",
)
@click.option(
    "--predicate",
    "predicates",
    multiple=True,
    metavar="NAME=PREDICATE",
    callback=_named,
    help="A further column of states: whether a predicate in the words of the model is true there. Can be repeated.",
)
@click.option(
    "--master",
    help="The Spark that answers; without it this process does, and local[*] where DIR is the URL of a store.",
)
@click.option(
    "--limit", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Show at most so many rows."
)
@trust_option
@json_option
def query(**options: Any) -> int:
    """Ask in SQL about the explored graph: tables states, edges, steps, outcomes, levels and actions.

    For example: checker query DIR "SELECT level, count(*) FROM states WHERE quiescent GROUP BY level". Without SQL it
    answers one question after the other.
    """
    return call("checker.cli.query:query", options)
