"""Commands that set models side by side: an edit and its base, a rule in two models, one model over many constants."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import click

from checker.analysis.sweep.choices import choices_of
from checker.cli.arguments import CONSTANT, SECONDS, SECONDS_OR_NONE, Number, constants_of_options, names_of_options
from checker.cli.options import MOST_THREADS, json_option, limits, read, said, search_options
from checker.engines.registry import ENGINES, declared

SEARCH_SECONDS = 120.0  # of a comparison, on each side: enough for some ten million states


@click.command()
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="[EDIT]", required=False)
@click.option("--against", metavar="REVISION", help="Compare the one model with its file at this git revision.")
@partial(search_options, seconds=SEARCH_SECONDS)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Print every run, not only the one that tells most, and all differences of source.",
)
@click.option(
    "--rules",
    "rule_seconds",
    type=SECONDS_OR_NONE,
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for z3 on each rule; 0: none.",
)
@click.option(
    "--steps",
    "step_seconds",
    type=SECONDS_OR_NONE,
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for comparing steps one by one; 0: none.",
)
@click.option(
    "--events",
    "event_seconds",
    type=SECONDS_OR_NONE,
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for comparing all sequences of events; 0: none.",
)
@click.option(
    "--runs",
    "most_runs",
    type=Number(0),
    default=100,
    show_default=True,
    metavar="N",
    help="Kinds of outcome that came, and that went, shown with a run.",
)
@click.option(
    "--delays",
    "delay_seconds",
    type=SECONDS_OR_NONE,
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for delays over all runs, on each side; 0: shortest runs only.",
)
@click.option("--markdown", metavar="FILE", help="Write the comparison as Markdown.")
@click.option("--out", metavar="DIR", help="Write the page of the comparison, and reports of every run in it.")
@json_option
def compare(
    base: str,
    edit: str | None,
    against: str | None,
    markdown: str | None,
    out: str | None,
    everything: bool,
    **options: Any,
) -> int:
    """Compare a protocol with an edited one: source, verdicts, outcomes, and the first step that was not allowed
    before.

    With one MODEL:Class, that class is compared with the model it edits.  Exit code 1 if the edit breaks a property
    that the base satisfies.
    """
    from checker.cli.compare import run_compare
    from checker.cli.output import Output
    from checker.cli.reports import report_directory

    read([base] if edit is None else [base, edit], limits(options))
    return run_compare(
        base,
        edit,
        against,
        constants_of_options(options["constants"]),
        output=Output(options["json_file"]),
        directory=report_directory(out),
        markdown=markdown,
        everything=everything,
        engine=options["engine"],
        threads=options["threads"],
        limits=limits(options),
        rule_seconds=options["rule_seconds"],
        step_seconds=options["step_seconds"],
        delay_seconds=options["delay_seconds"],
        event_seconds=options["event_seconds"],
        most_runs=options["most_runs"],
    )


@click.command()
@click.argument("name", metavar="MODEL")
@click.option(
    "-D",
    "varied",
    multiple=True,
    metavar="NAME=VALUES",
    help="Values of a constant: crashes=0..2, workload='1,1,0|2,1,0', workload=0..2,1,0, workload='1..4 over 2..3'.",
)
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="NAME",
    help="Check only this property (several: repeat, or separate by commas).",
)
@click.option("--all", "everything", is_flag=True, help="Search each configuration to its end, also after a violation.")
@click.option(
    "--strict",
    is_flag=True,
    help="Do not count a property as holding where it was never put to the test; exit code 3 if that is all that is "
    "wrong.",
)
@click.option("--implied", is_flag=True, help="Do not search what follows from larger or smaller budgets of faults.")
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_THREADS),
    default=os.cpu_count() or 1,
    show_default="processors",
    help="Configurations searched at the same time.",
)
@partial(search_options, engines=tuple(ENGINES), constants=False, threads=False)
@click.option("--master", default="local[*]", show_default=True, help="Spark: each configuration is a task there.")
@click.option("--brief", is_flag=True, help="Do not print the table, only what became of each property.")
@click.option("--markdown", metavar="FILE", help="Write the table as Markdown.")
@json_option
def sweep(name: str, varied: tuple[str, ...], jobs: int, brief: bool, markdown: str | None, **options: Any) -> int:
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
    from checker.analysis.sweep.sweep import sweep as run_sweep
    from checker.analysis.workers import interrupted_once
    from checker.cli.output import Output
    from checker.cli.progress import announcements
    from checker.report.sweep import data, lines, markdown_text
    from checker.report.written import writable, write_file

    if markdown is not None:
        writable(markdown, "--markdown")
    output = Output(options["json_file"])
    read([name], limits(options))
    elsewhere = None
    if declared(options["engine"]).distributed:
        from checker.analysis.sweep.on_spark import on_spark

        elsewhere = on_spark(options["master"])
    with interrupted_once():
        with announcements(enabled=options["json_file"] is None) as announce:
            found = run_sweep(
                name,
                choices_of(varied),
                only=names_of_options(options["properties"]),
                engine=options["engine"],
                limits=limits(options),
                stop_at_first=not options["everything"],
                strict=options["strict"],
                implied=options["implied"],
                jobs=jobs,
                announce=announce,
                search=elsewhere,
            )
        output.print((line,) for line in lines(found, brief))
        if markdown is not None:
            write_file(markdown, markdown_text(found), "--markdown")
            output.line(f"  wrote {markdown}")
        output.write(lambda: data(found))
        return found.exit_code


@click.command()
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="EDIT")
@click.option(
    "-D",
    "constants",
    type=CONSTANT,
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a constant: 3, true, fifo or 2,1,0.",
)
@click.option(
    "--each",
    multiple=True,
    metavar="NAME=VALUES",
    help="Try several: phi=1..4, workload=1x3..8 (as many ones), channels=fifo|unordered.",
)
@click.option(
    "--rule", "rules", multiple=True, metavar="NAME", help="Only this rule (several: repeat, or separate by commas)."
)
@click.option("--assuming", metavar="PREDICATE", help="Only states that satisfy this, as in `checker find`.")
@click.option("--seconds", type=SECONDS, default=20.0, show_default=True, help="Time for each rule.")
@json_option
def rules(base: str, edit: str, json_file: str | None, **options: Any) -> int:
    """Compare the rules of two models by z3 over all states of their types, for a family of constants.  Nothing is
    explored.

    Exit code 0: every rule is the same in every state; 1: some rule differs, with a state that shows it; 4: not
    decided.
    """
    from checker.analysis.compare.comparison import Side
    from checker.analysis.compare.family import compare_family
    from checker.catalogue import find
    from checker.cli.output import Output
    from checker.report.compare.family_table import family_data, family_lines, label

    sides = (Side(find(base).cls, base), Side(find(edit).cls, edit))
    output, each, say = Output(json_file), choices_of(options["each"], "--each"), said(json_file)
    family = compare_family(
        *sides,
        constants_of_options(options["constants"]),
        each,
        assuming=options["assuming"],
        only=names_of_options(options["rules"]),
        seconds=options["seconds"],
        progress=lambda varied: say(label(varied)),
    )
    output.print((line,) for line in family_lines(family))
    output.write(lambda: family_data(family))
    return family.exit_code


COMMANDS = (compare, sweep, rules)
