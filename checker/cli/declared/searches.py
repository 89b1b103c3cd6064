"""The options of the commands that search: checks, outcomes, sweeps, expectations and others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from checker.cli.arguments import SECONDS, Number
from checker.cli.options import (
    KEEPING,
    MOST_THREADS,
    Engines,
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
    trust_option,
    written_on_error,
)
from checker.engines.registry import ENGINES

again_option = option(
    "--workdir=DIR",
    "Keep finished levels there (a directory or a URL); the same command resumes. Spark's executors must see it.",
)


@command
@click.argument("names", nargs=-1, required=True, metavar="MODEL...")
@search_options(ENGINES, spills=True)
@spark_options
@option(
    "--workdir=DIR",
    "Keep finished levels there (a directory or a URL); `checker resume DIR` resumes. Spark's executors must see it.",
)
@flag("--keep-graph", "Also keep states and edges there as Parquet, for `checker query DIR`.")
@properties_option()
@flag("--all everything", "Continue after the first violation: each property gets its own shortest trace.")
@flag("--reduce", "Leave out steps that do not change the verdicts: fewer states, the same answers.")
@flag("--group", "Reorder commuting steps of a trace, so that those of each process are adjacent.")
@asking
@out_option("Write reports of each violation: text, diagram, ITF.")
@build_options
@json_option
@click.option("--watched", type=click.Path(path_type=Path), hidden=True, help="The folder of `checker watch`.")
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
    """Resume a stopped search from its last finished level, on any engine.

    WORKDIR is the directory of --workdir. The model must not have changed since.
    """


@command
@click.argument("name", metavar="MODEL")
@search_options(ENGINES, spills=True)
@spark_options
@again_option
@flag("--reduce", "Leave out steps that do not change the outcomes: fewer states, the same list.")
@json_option
def outcomes(**options: Any) -> None:
    """List the outcomes of a protocol: the values of its outcome variables in quiescent states."""


@command
@click.argument("name", metavar="MODEL")
@click.argument("predicate")
@search_options(ENGINES, spills=True)
@spark_options
@again_option
@flag("--at-end", "Only quiescent states: no action but faults is enabled.")
@flag("--reduce", "Leave out steps that do not change whether such a state exists.")
@out_option("Write reports of the run.")
@json_option
def find(**options: Any) -> None:
    """Find a shortest run to a state that satisfies PREDICATE, for example 'any(len(delivered[p]) == 2 for p in
    Process)'.

    Exit code 0: found; 1: no reachable state satisfies it; 4: the search was stopped before that was decided.
    """


@command
@click.argument("name", metavar="MODEL")
@search_options(KEEPING, spills=True)
@spark_options
@again_option
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
@option("--seed", "The walks depend only on the seed.", type=Number(0), default=0)
@option("--max-seconds", "Stop after this time.", type=SECONDS)
@out_option("Write reports of the violation: text, diagram, ITF.")
@json_option
def simulate(**options: Any) -> None:
    """Make random walks through MODEL and check every state and step, where there are too many states to explore.

    Exit code 1: a violation was found; 4: no violation was found, which decides nothing.
    """


@command
@click.argument("name", metavar="MODEL")
@option(
    "-D varied=NAME=VALUES",
    "Values of a constant: crashes=0..2, workload='1,1,0|2,1,0', workload=0..2,1,0, workload='1..4 over 2..3'.",
    multiple=True,
)
@properties_option()
@flag("--all everything", "Continue the search of each configuration after a violation.")
@flag("--strict", "Count a property that holds only vacuously separately; exit code 3 if nothing worse is found.")
@flag("--implied", "Do not search for verdicts that follow from larger or smaller budgets of faults.")
@flag(
    "--reduce",
    "Leave out steps that do not change the verdicts, where that is possible. With --all, --strict "
    "or --implied: search in full, then decide open properties in this way.",
)
@jobs_option("Configurations searched at the same time.")
@search_options(ENGINES, constants=False, threads=False)
@option("--master", "Spark: each configuration is a task there.", default="local[*]")
@flag("--brief", "Print only the conclusion about each property, without the table.")
@markdown_option("Write the table as Markdown.")
@json_option
def sweep(**options: Any) -> None:
    """Check a model with every combination of the values given for its constants, and show where each property first
    fails.

    workload='1..4 over 2..3' is every distribution of one to four messages over two and three processes. 'alike' after
    it leaves out distributions that differ only in the names of processes; 'alike but p1' and 'alike if silent' leave
    out fewer. The checker does not examine whether the model treats processes alike.

    Limits apply to each configuration. Contradictory combinations are skipped. The exit code is that of the worst
    result. Ctrl-C ends the sweep with the finished configurations; the exit code is then 4, or 130 if none is finished.

    With --implied, a property that holds with more faults is not checked with fewer, and one that is violated with
    fewer is not checked with more, unless the model reads the budget: every run with fewer faults allowed is a run with
    more. Likewise for FIFO and unordered channels. Implied verdicts are counted separately; whether they are vacuous is
    not known.
    """


@command
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@flag("--shipped with_shipped", "Also verify the models that the checker ships.")
@flag("--thorough", "Include the expectations marked thorough.")
@jobs_option("Expectations checked at the same time; results do not depend on it.", "processors / threads")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True)
@click.option("--engine", type=Engines(["native", "interpreter"]), default="native", show_default=True)
@honoured
@limit_options()
@out_option("Write reports of each violation that is not expected.")
@flag("--all everything", "With --out: reports of all runs, also of expected violations.")
@option(
    "--since=REVISION",
    "Only models that changed, or whose bases or properties did, since this branch left a git revision.",
)
@flag(
    "--reduce",
    "Leave out steps that do not change verdicts; expectations of counts or violations are searched in full.",
)
@flag("--allow-removed", "With --since: no exit code 3 for an expectation that the change removes.")
@flag("--strict", "Exit code 3 if an expected verdict holds only vacuously; each finding is named.")
@option(
    "--comment=FILE",
    "With --since: write what the change does, as Markdown for one comment of less than 10,000 characters.",
    callback=written_on_error,
)
@option("--link=URL", "With --comment: where the full report is.", callback=written_on_error)
@build_options
@json_option
def verify(**options: Any) -> None:
    """Check every model and edit that states an expected verdict.  A name stands for a model with all its edits, a
    folder or a quoted pattern for all models in it.  Without a name: `models` of [tool.checker] in pyproject.toml, else
    the files in and below this folder that hold models, without files that git ignores.

    Limits apply to the search of each expectation.  An expectation that a limit leaves undecided is not met: exit code
    4, or 1 if another expectation is contradicted.  Ctrl-C ends the command with the finished expectations; the exit
    code is then 4 or worse, or 130 if none is finished.
    """


@command
@click.argument("name", metavar="MODEL")
@properties_option()
@flag("--all everything", "Continue after the first violation.")
@flag("--lines", "Print lines FILE:LINE: error: TEXT alone, for an editor.")
@search_options()
def watch(**options: Any) -> None:
    """Check a model again whenever its file, or one beside it or beside its properties, is saved; print what changed in
    the verdict.

    Ends by Ctrl-C.
    """
