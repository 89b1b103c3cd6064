"""Commands that search a model: check, resume, outcomes, watch, and query, which asks about what a search has kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve
from click.core import ParameterSource

from checker.cli.arguments import constants_of_options, names_of_options
from checker.cli.options import (
    build_options,
    json_option,
    limits,
    placement,
    read,
    search_options,
    spark_options,
    trust_option,
)
from checker.engines.registry import ENGINES
from checker.language.errors import UsageError
from checker.results.exit_codes import HOLDS

if TYPE_CHECKING:
    from checker.analysis.check import Examined
    from checker.cli.output import Output
    from checker.report.data import Files
    from checker.results.checked import Report


ADVICE_SECONDS = 6.0
"""How long a profile that nobody asked for may take, where a limit ended the search."""


def asking(command: Any) -> Any:
    """Options that ask more of a search than its verdict."""
    options = [
        click.option(
            "--coverage",
            is_flag=True,
            help="Also show when the condition of each property was first true, and what each part of a guard blocked.",
        ),
        click.option(
            "--strict",
            is_flag=True,
            help="Exit code 3 if a property holds for want of anything to judge; implies --coverage.",
        ),
        click.option(
            "--profile", is_flag=True, help="Show what makes the state space large, and which constant to lower first."
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def answered(examined: Examined, given: Mapping[str, Any], options: dict[str, Any], progress: Any) -> Report:
    """The report with what these options ask for, and a profile where a limit ended the search."""
    from checker.analysis.coverage import LIMITS, with_coverage, with_profile
    from checker.analysis.vacuity.states import with_first_states, with_states
    from checker.search.deadline import OutOfTime, within
    from checker.search.limits import NO_LIMITS, Limits

    coverage = options["strict"] or options["coverage"]
    asked = coverage or options["profile"]
    more = with_states if asked else with_first_states if examined.report.bound in LIMITS else None
    try:
        with within(NO_LIMITS if asked else Limits(max_seconds=ADVICE_SECONDS).begun(), "making a profile"):
            if more is not None:
                examined = more(examined)
            if coverage:
                progress.say("coverage: conditions of properties, parts of guards")
                examined = evolve(examined, report=with_coverage(examined, options["strict"]))
            return with_profile(examined, given, options["profile"], progress.say)
    except OutOfTime:
        return examined.report


def _tell(report: Report, files: Files, output: Output) -> None:
    """Print a check, and keep its data."""
    from checker.cli.reports import ends
    from checker.report.checked import check_lines
    from checker.report.data import report_data

    output.gather(report.exit_code, lambda: report_data(report, files))
    if not output.quiet:
        output.print(check_lines(report, files, ends(report)))


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="MODEL...")
@partial(search_options, engines=tuple(ENGINES))
@spark_options
@click.option(
    "--workdir",
    metavar="DIR",
    help="Keep finished levels there (a directory or a URL); `checker resume DIR` goes on. Spark's executors must see "
    "it.",
)
@click.option(
    "--keep-graph", is_flag=True, help="Also keep states and edges there as Parquet, for `checker query DIR`."
)
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="NAME",
    help="Check only this property (several: repeat, or separate by commas).",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Do not stop at the first violation: each property gets its own shortest trace.",
)
@asking
@click.option("--out", metavar="DIR", help="Write reports of each violation: text, diagram, ITF.")
@build_options
@json_option
def check(names: tuple[str, ...], **options: Any) -> int:
    """Explore every reachable state of the models and report each property.

    MODEL is a name (see `checker list`), NAME:Class for an edit, or path/to/file.py[:Class].
    """
    from checker.catalogue import unrelated
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.report.suites import BuildFiles, suite_of_check

    directory, build, suites = (
        report_directory(options["out"]),
        BuildFiles(options["junit"], options["sarif"], options["markdown"]),
        [],
    )
    alone = limits(options).begun() if len(names) == 1 else limits(options)
    silent, entries = build.printed(options["json_file"]), read(names, alone)
    if options["workdir"] is not None and len(entries) > 1:
        raise UsageError(
            "--workdir keeps one search, and several models are named",
            remedy="Check one of them, or give each a work directory of its own.",
        )
    if options["keep_graph"] and options["workdir"] is None:
        raise UsageError("--keep-graph needs a place to keep it", remedy="Add --workdir DIR.")
    constants = constants_of_options(options["constants"])
    only = names_of_options(options["properties"])
    if len(entries) > 1:  # no long search before a mistake in a later model is reported
        from checker.language.define import define

        for entry in entries:
            define(entry.cls, constants, only)
    output = Output(options["json_file"], silent)
    for name, entry in zip(names, entries):
        from checker.analysis.check import examine

        if others := unrelated(name):
            output.line(
                f"{entry.reference} also has {', '.join(e.cls.__name__ for e in others)}: checker check "
                f"{others[0].reference}",
                "yellow",
            )
        with output.progress(entry.reference) as progress:
            examined = examine(
                entry.cls,
                entry.reference,
                constants,
                only=only,
                engine=options["engine"],
                threads=options["threads"],
                limits=alone,
                stop_at_first=not options["everything"],
                progress=progress,
                placement=placement(options, options["workdir"]),
            )
            report = answered(examined, constants, options, progress)
        if options["keep_graph"]:
            from checker.analysis.graph_tables import tables

            tables(options["workdir"], options["master"])
        files = directory.write(report)
        _tell(report, files, output)
        suites += [suite_of_check(report, entry.cls, files)] if build.wanted else []
    build.write(suites)
    return output.finish()


@click.command()
@click.argument("workdir", metavar="WORKDIR")
@click.argument("sql", metavar="SQL")
@click.option("--master", default="local[*]", show_default=True, help="The Spark that answers.")
@click.option(
    "--limit", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Show at most so many rows."
)
@trust_option
@json_option
def query(workdir: str, sql: str, master: str, limit: int, json_file: str | None) -> int:
    """Ask about the explored graph in Spark SQL: tables states, edges, levels and actions.

    For example: checker query DIR "SELECT level, count(*) FROM states WHERE quiescent GROUP BY level"
    """
    from checker.analysis.query import query as run_query
    from checker.cli.output import Output
    from checker.report.data import write
    from checker.report.found import table_data, table_lines

    found = run_query(workdir, sql, master, limit)
    if json_file is not None:
        write(json_file, table_data(found))
    else:
        Output().print(table_lines(found))
    return HOLDS


@click.command()
@click.argument("workdir", metavar="WORKDIR")
@partial(search_options, engines=tuple(e.name for e in ENGINES.values() if e.workdir), constants=False)
@spark_options
@asking
@click.option("--out", metavar="DIR", help="Write reports of each violation: text, diagram, ITF.")
@trust_option
@json_option
def resume(workdir: str, **options: Any) -> int:
    """Go on with a search that was stopped, from its last finished level, on any engine.

    WORKDIR is what --workdir named. The model must not have changed since.
    """
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.engines.committed import stored_search

    directory, output, stored = report_directory(options["out"]), Output(options["json_file"]), stored_search(workdir)
    from checker.analysis.check import examine

    with output.progress(stored.entry.reference) as progress:
        examined = examine(
            stored.entry.cls,
            stored.entry.reference,
            stored.constants,
            only=stored.only,
            engine=options["engine"],
            threads=options["threads"],
            limits=limits(options),
            stop_at_first=stored.stop_at_first,
            progress=progress,
            placement=placement(options, workdir, resume=True),
        )
        report = answered(examined, stored.constants, options, progress)
    _tell(report, directory.write(report), output)
    return output.finish()


@click.command()
@click.argument("name", metavar="MODEL")
@search_options
@json_option
def outcomes(name: str, **options: Any) -> int:
    """List what the protocol can end with: the values of its outcome variables in quiescent states."""
    from checker.analysis.check import confirmed_outcomes
    from checker.cli.output import Output
    from checker.report.found import outcome_data, outcome_lines

    given = limits(options).begun()
    (entry,) = read([name], given)
    output = Output(options["json_file"])
    with output.progress(entry.reference) as progress:
        found, validation = confirmed_outcomes(
            entry.cls,
            constants_of_options(options["constants"]),
            engine=options["engine"],
            threads=options["threads"],
            limits=given,
            progress=progress,
        )
    output.print(outcome_lines(entry.reference, found, validation))
    output.write(lambda: outcome_data(entry.reference, found, validation))
    return HOLDS


@click.command()
@click.argument("name", metavar="MODEL")
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="NAME",
    help="Check only this property (several: repeat, or separate by commas).",
)
@click.option("--all", "everything", is_flag=True, help="Do not stop at the first violation.")
@search_options
def watch(name: str, properties: tuple[str, ...], everything: bool, **options: Any) -> int:
    """Check a model again whenever its file, or one beside it or beside its properties, is saved; print what changed in
    the verdict.

    Ends by Ctrl-C.
    """
    from checker.cli.output import Output
    from checker.cli.watch import watch as run_watch
    from checker.language.constants import written

    passed = [word for constant, value in options.pop("constants") for word in ("-D", f"{constant}={written(value)}")]
    passed += [word for text in properties for word in ("--property", text)] + ["--all"] * everything
    given = [
        option
        for option in options
        if click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE
    ]
    passed += [word for option in given for word in (f"--{option.replace('_', '-')}", str(options[option]))]
    run_watch(name, passed, Output().line)
    return 0


COMMANDS = (check, query, resume, outcomes, watch)
