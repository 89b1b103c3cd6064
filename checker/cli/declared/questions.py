"""The options of the commands that compare, prove or list models, and of the gallery."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from checker.cli.arguments import SECONDS, SECONDS_OR_NONE, Number
from checker.cli.options import (
    command,
    constants_option,
    flag,
    jobs_option,
    json_option,
    markdown_option,
    option,
    out_option,
    properties_option,
    search_options,
    trust_option,
)

SEARCH_SECONDS = 120.0  # on each side: enough for some ten million states
_seconds = partial(option, type=SECONDS_OR_NONE)


@command
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="[EDIT]", required=False)
@option(
    "--against=REVISION|MODEL",
    "Compare with this git revision of the file (with EDIT: of the file of BASE), or with another model.",
)
@option(
    "-D varied=NAME=VALUES",
    "Instead of the configurations that the models state: these values of a constant, several as in a sweep: "
    "workload='1..2 over 2..3'.",
    multiple=True,
)
@flag("--here", "Compare with the default constants only.")
@_seconds(
    "--within=SECONDS",
    "Time for all configurations but the first.  [default: 30, and no more than 2 once a property is broken]",
)
@search_options(constants=False, seconds=SEARCH_SECONDS)
@flag(
    "--reduce/--no-reduce",
    "Reduce every search for verdicts and outcomes, where that is possible, or none.  [default: those of more than 6 "
    "million states]",
    default=None,
    show_default=False,
)
@flag(
    "--all everything", "Print the whole report after the first screen: source, rules, outcomes, costs, and every run."
)
@_seconds(
    "--rules rule_seconds=SECONDS",
    "Time for z3 on each rule; 0: none, and everything is explored.  [default: 10, or 3 once a property is broken]",
)
@_seconds(
    "--steps step_seconds=SECONDS",
    "Time for comparing steps one by one; 0: none.  [default: 5, or 1 once a property is broken]",
)
@_seconds(
    "--events event_seconds=SECONDS",
    "Time for comparing all sequences of events; 0: none.  [default: 10, or 2 once a property is broken]",
)
@option(
    "--runs most_runs=N", "Kinds of new and of gone outcomes that are shown with a run.", type=Number(0), default=100
)
@_seconds(
    "--delays delay_seconds=SECONDS",
    "Time for delays over all runs, on each side; 0: shortest runs only.  [default: 10, or 2 once a property is "
    "broken]",
)
@markdown_option("Write the comparison as Markdown.")
@out_option("Write the page of the comparison, and reports of every run in it.")
@json_option
def compare(**options: Any) -> None:
    """Compare a protocol with an edited one: source, verdicts, outcomes, events, and the first step that was not
    allowed before.

    With one MODEL:Class, that class is compared with the model that it edits, in any file. The comparison covers the
    default constants and all constants that the two state in `expect`, the smallest first, as far as time allows. It
    shows the first configuration in which a property breaks, else the first in which something differs. Exit code 1 if
    the edit breaks a property that the base satisfies.
    """


@command
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="EDIT")
@constants_option()
@option(
    "--each=NAME=VALUES",
    "Several values of a constant: phi=1..4, workload=1x3..8 (that many ones), channels=fifo|unordered.",
    multiple=True,
)
@option("--rule rules=NAME", "Only this rule (several: repeat, or separate by commas).", multiple=True)
@option("--assuming=PREDICATE", "Only states that satisfy this, as in `checker find`.")
@option("--seconds", "Time for each rule.", type=SECONDS, default=20.0)
@option(
    "--reached=STATES",
    "Search as many states of the base, in each combination, for one in which a rule differs; 0: none.",
    type=Number(0),
    default=0,
)
@json_option
def rules(**options: Any) -> None:
    """Compare the rules of two models by z3 over all states of their types, for a family of constants.  Nothing is
    explored without --reached.

    Exit code 0: every rule is the same in every state; 1: some rule differs, with a state that shows it; 4: not
    decided.
    """


@command
@click.argument("name", metavar="MODEL")
@constants_option()
@properties_option(help="Prove this one (several: together). Default: every invariant.")
@option("--assuming=NAME", "Assume this property.", multiple=True)
@option("--depth", "Largest k of the induction, or longest run.", type=Number(0), default=3)
@flag("--bounded", "Only look for violations in runs of up to --depth steps; no induction.")
@option(
    "--network", "The largest number of messages in flight on each network.", type=click.IntRange(1, 1024), default=4
)
@option("--timeout=SECONDS", "Give up after this time.", type=SECONDS)
@_seconds("--vacuity=SECONDS", "Time for the search for vacuity; 0: none.", default=5.0)
@out_option("Write reports of the violation, or of the counterexample to induction.")
@json_option
def prove(**options: Any) -> None:
    """Prove invariants of a model by k-induction, for runs of every length, with z3.

    Exit code 0: proved; 1: violated, with the run; 4: not decided, with a counterexample to induction if there is one.
    """


@command
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@flag("--shipped with_shipped", "Also show the models that the checker ships.")
@json_option
def list(**options: Any) -> None:
    """Show the models: edits, constants with defaults, properties.

    Without a name: those that [tool.checker] in pyproject.toml names, else those of this folder and all shipped ones.
    """


@command
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("counterexamples"),
    show_default=True,
)
@flag(
    "--check compare_only",
    "Write nothing; exit code 1 if the gallery and the models disagree. Of a picture only the diagram that it "
    "shows is compared.",
)
@jobs_option("Searches at the same time.")
@flag(
    "--thorough",
    "Search again for what only expectations marked thorough show; else such runs are executed again, not "
    "searched for.",
)
@json_option
def gallery(**options: Any) -> None:
    """Write the run and the diagram of every violation that models expect, and a page for each model; or compare them
    with the existing files.

    Runs without an expectation are removed.
    """


def _named(_context: click.Context, _option: Any, given: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """NAME=PREDICATE as pairs."""
    pairs = [(name.strip(), predicate) for name, _, predicate in (text.partition("=") for text in given)]
    for (name, predicate), text in zip(pairs, given):
        if not name.isidentifier() or not predicate.strip():
            raise click.BadParameter(f"{text!r} is not NAME=PREDICATE, for example 'done=len(delivered[p1]) == 2'")
    return tuple(pairs)


@command
@click.argument("workdir", metavar="WORKDIR")
@click.argument("sql", metavar="[SQL]", required=False)
@option(
    "--against=DIR",
    "Another search, an edit's: the tables of both are there as base_... and edit_..., and the states that one of them "
    "alone reaches as only_base and only_edit.",
)
@option(
    "--predicate predicates=NAME=PREDICATE",
    "A further column of states: the truth of a predicate in the names of the model. Can be repeated.",
    multiple=True,
    callback=_named,
)
@option(
    "--master", "The Spark that answers; without it this process does, and local[*] where DIR is the URL of a store."
)
@option("--limit", "Show at most this many rows.", type=click.IntRange(1, 1000000), default=100)
@trust_option
@json_option
def query(**options: Any) -> None:
    """Query the explored graph in SQL: tables states, edges, steps, outcomes, levels and actions.

    For example: checker query DIR "SELECT level, count(*) FROM states WHERE quiescent GROUP BY level". Without SQL it
    is a shell.
    """


@command
@click.argument("workdir", metavar="WORKDIR")
@flag("--clean", "Remove what is left over, unless a search is running there.")
@json_option
def inspect(**options: Any) -> None:
    """Report what a work directory contains, whether it is complete, and what is left over in it.

    Every file of the search is compared with its checksum; no model is executed. Exit code 2 if a file is damaged.
    """
