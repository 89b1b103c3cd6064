"""The options of `checker sweep`."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.options import (
    call,
    jobs_option,
    json_option,
    markdown_option,
    properties_option,
    reduce_option,
    search_options,
)
from checker.engines.registry import ENGINES


@click.command()
@click.argument("name", metavar="MODEL")
@click.option(
    "-D",
    "varied",
    multiple=True,
    metavar="NAME=VALUES",
    help="Values of a constant: crashes=0..2, workload='1,1,0|2,1,0', workload=0..2,1,0, workload='1..4 over 2..3'.",
)
@properties_option()
@click.option("--all", "everything", is_flag=True, help="Search each configuration to its end, also after a violation.")
@click.option(
    "--strict",
    is_flag=True,
    help="Do not count a property as holding where it was never put to the test; exit code 3 if that is all that is "
    "wrong.",
)
@click.option("--implied", is_flag=True, help="Do not search what follows from larger or smaller budgets of faults.")
@reduce_option("Leave out steps that do not change the verdicts; what cannot be reduced is searched in full.")
@jobs_option("Configurations searched at the same time.")
@search_options(ENGINES, constants=False, threads=False)
@click.option("--master", default="local[*]", show_default=True, help="Spark: each configuration is a task there.")
@click.option("--brief", is_flag=True, help="Do not print the table, only what became of each property.")
@markdown_option("Write the table as Markdown.")
@json_option
def sweep(**options: Any) -> int:
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
    channels. What holds so is counted apart; whether it was put to the test is not known.
    """
    return call("checker.cli.sweep:sweep", options)
