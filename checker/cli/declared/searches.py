"""The options of the commands that search: a check and what stands around one."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import SECONDS, Number
from checker.cli.options import (
    KEEPING,
    MOST_THREADS,
    asking,
    build_options,
    command,
    constants_option,
    flag,
    honoured,
    jobs_option,
    json_option,
    limit_options,
    markdown_option,
    option,
    out_option,
    properties_option,
    search_options,
    spark_options,
    told_of_errors,
    trust_option,
)
from checker.engines.registry import ENGINES

again_option = option(
    "--workdir=DIR",
    "Keep finished levels there (a directory or a URL); the same command goes on. Spark's executors must see it.",
)


@command
@click.argument("names", nargs=-1, required=True, metavar="MODEL...")
@search_options(ENGINES, spills=True)
@spark_options
@option(
    "--workdir=DIR",
    "Keep finished levels there (a directory or a URL); `checker resume DIR` goes on. Spark's executors must see it.",
)
@flag("--keep-graph", "Also keep states and edges there as Parquet, for `checker query DIR`.")
@properties_option()
@flag("--all everything", "Do not stop at the first violation: each property gets its own shortest trace.")
@flag("--reduce", "Leave out steps that do not change the verdicts: fewer states, the same answers.")
@flag("--group", "Reorder steps of a trace that commute, so that those of each process stand together.")
@asking
@out_option("Write reports of each violation: text, diagram, ITF.")
@build_options
@json_option
def check(**options: Any) -> None:
    """Explore every reachable state of the models and report each property.

    MODEL is a name (see `checker list`), NAME:Class for an edit, or path/to/file.py[:Class].
    """


@command
@click.argument("workdir", metavar="WORKDIR")
@search_options(KEEPING, constants=False, spills=True)
@spark_options
@asking
@out_option("Write reports of each violation: text, diagram, ITF.")
@trust_option
@json_option
def resume(**options: Any) -> None:
    """Go on with a search that was stopped, from its last finished level, on any engine.

    WORKDIR is what --workdir named. The model must not have changed since.
    """


@command
@click.argument("name", metavar="MODEL")
@search_options(ENGINES, spills=True)
@spark_options
@again_option
@flag("--reduce", "Leave out steps that do not change the outcomes: fewer states, the same list.")
@json_option
def outcomes(**options: Any) -> None:
    """List what the protocol can end with: the values of its outcome variables in quiescent states."""


@command
@click.argument("name", metavar="MODEL")
@click.argument("predicate")
@search_options(ENGINES, spills=True)
@spark_options
@again_option
@flag("--at-end", "Only states in which nothing but faults is enabled.")
@flag("--reduce", "Leave out steps that do not change whether there is such a state.")
@out_option("Write reports of the run.")
@json_option
def find(**options: Any) -> None:
    """Find a shortest run to a state that satisfies PREDICATE, for example 'any(len(delivered[p]) == 2 for p in
    Process)'.

    Exit code 0: found; 1: no reachable state satisfies it; 4: the search was stopped before that was decided.
    """


@command
@click.argument("name", metavar="MODEL")
@search_options(("native",))
@markdown_option("Write the table as Markdown.")
@option("--until=EVENT", "Measure up to this event of a process and a message.", default="deliver")
@out_option("Write reports of a run with the greatest delay.")
@json_option
def latency(**options: Any) -> None:
    """Measure delays and messages over all runs: from a multicast to its deliveries, least and most.

    A delay is the number of messages on the longest chain from the multicast to the delivery, each sent after the one
    before had arrived; in a model with time, the time. Exit code 4: the search was stopped, so there may be other
    values.
    """


@command
@click.argument("name", metavar="MODEL")
@constants_option(help="Set a constant.")
@properties_option(help="Check this property (may be repeated). Default: all.")
@option("--runs", "Walks to make.", type=Number(1), default=10000)
@option("--steps", "Steps after which a walk ends.", type=Number(1), default=1000)
@option("--seed", "Another seed makes other walks.", type=Number(0), default=0)
@option("--max-seconds", "Stop after this time.", type=SECONDS)
@out_option("Write reports of the violation: text, diagram, ITF.")
@json_option
def simulate(**options: Any) -> None:
    """Walk through MODEL at random and check what is met, where there are too many states to explore.

    Exit code 1: a violation was found; 4: none was, which decides nothing.
    """


@command
@click.argument("name", metavar="MODEL")
@option(
    "-D varied=NAME=VALUES",
    "Values of a constant: crashes=0..2, workload='1,1,0|2,1,0', workload=0..2,1,0, workload='1..4 over 2..3'.",
    multiple=True,
)
@properties_option()
@flag("--all everything", "Search each configuration to its end, also after a violation.")
@flag(
    "--strict",
    "Do not count a property as holding where it holds only vacuously; exit code 3 if that is all that is wrong.",
)
@flag("--implied", "Do not search what follows from larger or smaller budgets of faults.")
@flag(
    "--reduce",
    "Leave out steps that do not change the verdicts; what cannot be reduced is searched in full. With --all, --strict "
    "or --implied: search in full, then decide so what is left open.",
)
@jobs_option("Configurations searched at the same time.")
@search_options(ENGINES, constants=False, threads=False)
@option("--master", "Spark: each configuration is a task there.", default="local[*]")
@flag("--brief", "Do not print the table, only what became of each property.")
@markdown_option("Write the table as Markdown.")
@json_option
def sweep(**options: Any) -> None:
    """Check a model with every combination of the values given for its constants, and show where each property first
    fails.

    workload='1..4 over 2..3' is every distribution of one to four messages over two and three processes; 'alike' behind
    it leaves out those that differ only in the names of processes, 'alike but p1' or 'alike if silent' fewer: whether
    the model treats processes alike is for you to know.

    Limits hold for each configuration. Combinations that contradict each other are skipped. Of the results the worst is
    the exit code. Ctrl-C ends the sweep with the configurations that are done; the exit code is then 4, or 130 if none
    is.

    With --implied, what holds with more faults allowed is not searched with fewer, nor what is violated with fewer with
    more, unless the model reads the budget: every run with fewer is one with more. Likewise for FIFO and unordered
    channels. What holds so is counted apart; whether it is vacuous is not known.
    """


@command
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@flag("--shipped with_shipped", "Verify the models that the checker ships, with those that are named.")
@flag("--thorough", "Include the expectations marked thorough.")
@jobs_option("Expectations checked at the same time; results do not depend on it.", "processors / threads")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True)
@click.option("--engine", type=click.Choice(["native", "interpreter"]), default="native", show_default=True)
@honoured
@limit_options()
@out_option("Write reports of each violation that is not expected.")
@flag("--all everything", "With --out: reports of all runs that are found, also those that are expected.")
@option(
    "--since=REVISION",
    "Only what has changed since this branch left a git revision: models, their bases and properties.",
)
@flag("--reduce", "Leave out steps that do not change verdicts; what states counts or a violation is searched in full.")
@flag("--strict", "Exit code 3 if something holds as expected, but only vacuously: each finding is named.")
@option(
    "--comment=FILE",
    "With --since: write what the change does, as Markdown for one comment of less than 10,000 characters.",
    callback=told_of_errors,
)
@option("--link=URL", "With --comment: where the full report is.", callback=told_of_errors)
@build_options
@json_option
def verify(**options: Any) -> None:
    """Check every model and edit that states an expected verdict.  A name stands for a model with all its edits, a
    folder or a pattern in quotes for all models in it.  Without a name: `models` of [tool.checker] in pyproject.toml,
    else the files in and below this folder that hold models, as far as git follows or would follow them.

    Limits hold for the search of each expectation.  What a limit leaves undecided is not met: exit code 4, or 1 if
    another expectation is contradicted.  Ctrl-C ends it with the expectations that are done; the exit code is then 4
    or worse, or 130 if none is.
    """


@command
@click.argument("name", metavar="MODEL")
@properties_option()
@flag("--all everything", "Do not stop at the first violation.")
@flag("--lines", "Print lines FILE:LINE: error: TEXT alone, for an editor.")
@search_options()
def watch(**options: Any) -> None:
    """Check a model again whenever its file, or one beside it or beside its properties, is saved; print what changed in
    the verdict.

    Ends by Ctrl-C.
    """
