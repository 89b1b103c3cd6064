"""The command line: arguments to calls, nothing else.

Everything heavy is imported by the command that needs it, so that a small model is checked in less than a second.  Exit codes: 0 holds, 1 violated, 2 the model
or the command is wrong as written, 3 vacuous, 4 inconclusive, 70 internal error.  Of several models the worst result wins.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from checker.commands.arguments import (
    CONSTANT,
    MEMORY,
    choices_of_options,
    constants_of_options,
    names_of_options,
)
from checker.exits import INTERNAL, USAGE, worst
from checker.language.errors import UsageError

if TYPE_CHECKING:
    from checker.engines.placement import Placement
    from checker.search.limits import Limits

F = Callable[..., Any]
_target: list[str] = []  # where --json goes, for errors too


def main() -> None:
    """Run the command line and end the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line; returns the exit code.  Errors are reported on standard error, never as a traceback."""
    _target.clear()
    try:
        return int(commands.main(arguments, prog_name="checker", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return 130
    except UsageError as error:
        return _wrong(error)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # the reader has left; nothing more to say
        return 0
    except Exception as error:
        if os.environ.get("CHECKER_DEBUG") == "1":
            raise
        click.echo(f"internal error: {type(error).__name__}: {error}\n  This is a fault of the checker. CHECKER_DEBUG=1 shows where.", err=True)
        return INTERNAL


def _wrong(error: UsageError) -> int:
    click.echo(f"error: {error}", err=True)
    if _target:
        from checker.commands.json_output import error_data, write

        write(_target[0], error_data(error))
    return USAGE


def _json_option(command: F) -> F:
    def remember(_context: Any, _option: Any, value: str | None) -> str | None:
        if value:
            from checker.commands.json_output import writable

            writable(value)
            _target.append(value)
        return value

    return click.option("--json", "json_file", metavar="FILE", callback=remember, help="Write the result as JSON; - is standard output.")(command)


def _search_options(command: F, engines: tuple[str, ...] = ("native", "interpreter"), constants: bool = True, threads: bool = True) -> F:
    options = [
        click.option("--engine", type=click.Choice(engines), default="native", show_default=True),
        click.option("--max-depth", type=click.IntRange(0), help="Do not go further than this many steps."),
        click.option("--max-states", type=click.IntRange(1), help="Stop at this many distinct states."),
        click.option("--max-seconds", type=click.FloatRange(0, min_open=True), help="Stop after this time."),
        click.option("--max-memory", type=MEMORY, metavar="SIZE", help="Stop at this much memory: 500M, 4G."),
    ]
    if threads:
        options.insert(0, click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of the search; results do not depend on it."))
    if constants:
        options.insert(0, click.option("-D", "constants", type=CONSTANT, multiple=True, metavar="NAME=VALUE", help="Set a constant: 3, true, fifo or 2,1,0."))
    for option in reversed(options):
        command = option(command)
    return command


def _build_options(command: F) -> F:
    """Files for a build server."""
    options = [
        click.option("--junit", metavar="FILE", help="Write the verdicts as JUnit XML: a suite is a model with its constants, a case a property."),
        click.option("--sarif", metavar="FILE", help="Write what is wrong as SARIF, at the lines of the source."),
        click.option("--markdown", metavar="FILE", help="Write a summary as Markdown, for a build's page or a pull request."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _spark_options(command: F) -> F:
    """What the engine spark needs to know."""
    options = [
        click.option("--master", default="local[*]", show_default=True, help="Spark: local[2], spark://host:7077, yarn or k8s://..."),
        click.option("--partitions", type=click.IntRange(1), help="Spark: cut the states by hash into this many. Default: as many as tasks run at once."),
        click.option("--exchange", type=click.Choice(["auto", "barrier", "shuffle"]), default="auto", show_default=True, help="Spark: between workers, or by files."),
        click.option("--handover", type=click.IntRange(0), metavar="N", help="Spark: from the first level of so many states on; 0: from the start. [default: 100000]"),
        click.option("--worker-memory", type=MEMORY, metavar="SIZE", help="Spark: states and tables of a worker beyond this go to the work directory."),
        click.option("--encrypt", is_flag=True, help="Spark: workers encrypt what they send each other; they do anyhow where Spark's own connections are encrypted."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _placement(options: dict[str, Any], workdir: str | None, resume: bool = False) -> Placement:
    from checker.engines.placement import HANDOVER, Placement

    handover = HANDOVER if options["handover"] is None else options["handover"]
    return Placement(workdir, resume, options["master"], options["partitions"] or 0, options["exchange"], handover, options["worker_memory"], options["encrypt"])


def _limits(options: dict[str, Any]) -> Limits:
    from checker.search.limits import Limits

    return Limits(**{name: options[name] for name in ("max_depth", "max_states", "max_seconds", "max_memory")})


def _said(json_file: str | None) -> Callable[[object], None]:
    """Where a command without a search says what it is at: standard error, if that is a terminal and no JSON is asked for."""
    shown = json_file is None and sys.stderr.isatty()
    return lambda text: click.echo(f"  {text}", err=True) if shown else None


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="checker")
def commands() -> None:
    """Checks models of message-passing protocols, exhaustively."""


@commands.command()
@click.argument("names", nargs=-1, required=True, metavar="MODEL...")
@partial(_search_options, engines=("native", "spark", "interpreter"))
@_spark_options
@click.option("--workdir", metavar="DIR", help="Keep finished levels there (a directory or a URL); `checker resume DIR` goes on. Spark's executors must see it.")
@click.option("--keep-graph", is_flag=True, help="Also keep states and edges there as Parquet, for `checker query DIR`.")
@click.option("--property", "properties", multiple=True, metavar="NAME", help="Check only this property (several: repeat, or separate by commas).")
@click.option("--all", "everything", is_flag=True, help="Do not stop at the first violation: each property gets its own shortest trace.")
@click.option("--coverage", is_flag=True, help="Also show when the condition of each property was first true, and what each part of a guard blocked.")
@click.option("--strict", is_flag=True, help="Exit code 3 if a property holds for want of anything to judge; implies --coverage.")
@click.option("--profile", is_flag=True, help="Show what makes the state space large, and which constant to lower first.")
@click.option("--out", metavar="DIR", help="Write reports of each violation: text, diagram, ITF.")
@_build_options
@_json_option
def check(names: tuple[str, ...], **options: Any) -> int:
    """Explore every reachable state of the models and report each property.

    MODEL is a name (see `checker list`), NAME:Class for an edit, or path/to/file.py[:Class].
    """
    from checker.catalogue import find
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory
    from checker.commands.suites import BuildFiles, suite_of_check
    from checker.coverage.command import refuse_elsewhere

    directory, build, suites = ReportDirectory(options["out"]), BuildFiles(options["junit"], options["sarif"], options["markdown"]), []
    entries = [find(name) for name in names]
    if options["workdir"] is not None and (len(entries) > 1 or options["engine"] == "interpreter"):
        raise UsageError("--workdir keeps one search of the native engine or of Spark")
    if options["keep_graph"] and options["workdir"] is None:
        raise UsageError("--keep-graph needs a place to keep it", remedy="Add --workdir DIR.")
    refuse_elsewhere(options["engine"], options["workdir"], {name: options[name] for name in ("strict", "coverage", "profile")})
    constants = constants_of_options(options["constants"])
    only = names_of_options(options["properties"])
    if len(entries) > 1:  # no long search before a mistake in a later model is reported
        from checker.language.define import define

        for entry in entries:
            define(entry.cls, constants, only)
    output = Output(options["json_file"])
    for entry in entries:
        from checker.check import examine
        from checker.coverage.command import with_coverage, with_profile

        with output.progress(entry.reference) as progress:
            examined = examine(
                entry.cls, entry.reference, constants, only=only, engine=options["engine"], threads=options["threads"],
                limits=_limits(options), stop_at_first=not options["everything"], progress=progress,
                placement=_placement(options, options["workdir"]),
            )  # fmt: skip
            if options["strict"] or options["coverage"]:
                examined = evolve(examined, report=with_coverage(examined, options["strict"]))
            report = with_profile(examined, constants, options["profile"])
        if options["keep_graph"]:
            from checker.engines.graph_tables import tables

            tables(options["workdir"], options["master"])
        output.checked(report, directory.write(report))
        suites += [suite_of_check(report, entry.cls)] if build.wanted else []
    build.write(suites)
    return output.finish(worst(output.codes))


@commands.command()
@click.argument("workdir", metavar="WORKDIR")
@click.argument("sql", metavar="SQL")
@click.option("--master", default="local[*]", show_default=True, help="The Spark that answers.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Show at most so many rows.")
@_json_option
def query(workdir: str, sql: str, master: str, limit: int, json_file: str | None) -> int:
    """Ask about the explored graph in Spark SQL: tables states, edges, levels and actions.

    For example: checker query DIR "SELECT level, count(*) FROM states WHERE quiescent GROUP BY level"
    """
    from checker.commands.query import print_answer
    from checker.commands.query import query as run_query

    print_answer(run_query(workdir, sql, master, limit), json_file)
    return 0


@commands.command()
@click.argument("workdir", metavar="WORKDIR")
@partial(_search_options, engines=("native", "spark"), constants=False)
@_spark_options
@click.option("--out", metavar="DIR", help="Write reports of each violation: text, diagram, ITF.")
@_json_option
def resume(workdir: str, **options: Any) -> int:
    """Go on with a search that was stopped, from its last finished level, on any engine.

    WORKDIR is what --workdir named. The model must not have changed since.
    """
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory
    from checker.engines.committed import stored_search

    directory, output, stored = ReportDirectory(options["out"]), Output(options["json_file"]), stored_search(workdir)
    from checker.check import check as run_check

    with output.progress(stored.entry.reference) as progress:
        report = run_check(
            stored.entry.cls, stored.entry.reference, stored.constants, only=stored.only, engine=options["engine"], threads=options["threads"],
            limits=_limits(options), stop_at_first=stored.stop_at_first, progress=progress, placement=_placement(options, workdir, resume=True),
        )  # fmt: skip
    output.checked(report, directory.write(report))
    return output.finish(worst(output.codes))


@commands.command("list")
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@_json_option
def list_models(names: tuple[str, ...], json_file: str | None) -> int:
    """Show the models: edits, constants with defaults, properties."""
    from checker.commands.listing import listing
    from checker.commands.output import Output

    return Output(json_file).listed(*listing(names), detailed=bool(names))


@commands.command()
@click.argument("name", metavar="MODEL")
@_search_options
@_json_option
def outcomes(name: str, **options: Any) -> int:
    """List what the protocol can end with: the values of its outcome variables in quiescent states."""
    from checker.catalogue import find
    from checker.check import outcomes as run_outcomes
    from checker.commands.output import Output

    entry = find(name)
    output = Output(options["json_file"])
    with output.progress(entry.reference) as progress:
        found = run_outcomes(
            entry.cls, constants_of_options(options["constants"]), engine=options["engine"], threads=options["threads"],
            limits=_limits(options), progress=progress,
        )  # fmt: skip
    return output.outcomes(entry.reference, found)


@commands.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@click.option("--out", metavar="DIR", help="Make the reports of the traces again, there.")
@_json_option
def show(traces: tuple[str, ...], out: str | None, json_file: str | None) -> int:
    """Print stored traces."""
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory, stored

    directory, output = ReportDirectory(out), Output(json_file)
    for number, (file, trace) in enumerate([(file, stored(file)) for file in traces]):
        if number:
            output.line()
        output.shown(trace, file, directory.write_trace(trace))
    return output.finish(worst(output.codes))


@commands.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE.json...")
@_json_option
def replay(traces: tuple[str, ...], json_file: str | None) -> int:
    """Execute stored traces again: is each still a behaviour of its model, and does it still show what it showed?  Of several the worst result is the exit code."""
    from checker.commands.output import Output
    from checker.commands.reports import stored
    from checker.commands.stored_trace import replay as run_replay

    output = Output(json_file)
    for trace in [stored(file) for file in traces]:
        output.replayed(trace, run_replay(trace))
    return output.finish(worst(output.codes))


@commands.command()
@click.argument("trace", metavar="TRACE.json")
@click.argument("words", nargs=-1, metavar="[-- VALUE...]")
@click.option("--step", type=click.IntRange(0), help="The state after this step; 0 is the start.  [default: the last]")
@click.option("--action", metavar="NAME", help="Only this action, every instance of it.")
@click.option("--condition", metavar="PREDICATE", help="Also why this is true or false there, as in `checker find`: 'deliverable(p2, m1.1)'.")
@click.option("--out", metavar="DIR", help="Make the reports of the trace again, there; the page answers the question at each step.")
@_json_option
def explain(trace: str, words: tuple[str, ...], out: str | None, json_file: str | None, **options: Any) -> int:
    """Why not?  For a state of a stored trace: each action that is not enabled, with the part of its guard that blocks it and the values.

    VALUES choose instances: checker explain trace.itf.json --step 7 --action deliver -- p2 m1.1
    """
    from checker.commands.explain_report import answer, answer_data, answer_lines, background
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory, stored

    directory, output, run = ReportDirectory(out), Output(json_file), stored(trace)
    found = answer(run, words=words, **options)
    for text, style in answer_lines(found):
        output.line(text, style)
    files = directory.write_trace(run, background(run, options["action"], words)) if out else []
    for path in files:
        output.line(f"  wrote {path}")
        if path.suffix == ".html":
            output.line(f"  this step: {path}#step={found.step}")
    output.write(answer_data(found) | {"files": [str(path) for path in files]})
    return 0


@commands.command()
@click.argument("name", metavar="MODEL", required=False)
@click.option("-D", "constants", type=CONSTANT, multiple=True, metavar="NAME=VALUE", help="Set a constant: 3, true, fifo or 2,1,0.")
@click.option("--trace", metavar="TRACE.json", help="Walk through this stored trace, and leave it anywhere; model and constants are its own.")
def step(name: str | None, constants: tuple[tuple[str, Any], ...], trace: str | None) -> int:
    """Execute a model by hand: choose among the enabled actions, see what changes, undo, ask why, save the run as a trace.

    Commands come from standard input; `help` lists them.
    """
    from checker.backends.interpreter.interpreter import Interpreter
    from checker.catalogue import find
    from checker.commands.output import Output
    from checker.commands.reports import stored
    from checker.commands.stepping import Session, converse
    from checker.language.define import define

    if (name is None) == (trace is None) or (trace and constants):
        raise UsageError("step takes a model (with -D) or --trace", remedy="checker step MODEL, or checker step --trace trace.itf.json")
    if trace:
        session = Session.of_trace(stored(trace))
    else:
        entry = find(str(name))
        session = Session(Interpreter(define(entry.cls, constants_of_options(constants))), entry.reference)
    converse(session, Output().line)
    return 0


@commands.command()
@click.argument("name", metavar="MODEL")
@click.option("--property", "properties", multiple=True, metavar="NAME", help="Check only this property (several: repeat, or separate by commas).")
@click.option("--all", "everything", is_flag=True, help="Do not stop at the first violation.")
@_search_options
def watch(name: str, properties: tuple[str, ...], everything: bool, **options: Any) -> int:
    """Check a model again whenever its file, or one beside it or beside its properties, is saved; print what changed in the verdict.

    Ends by Ctrl-C.
    """
    from checker.commands.output import Output
    from checker.commands.verify import written
    from checker.commands.watch import watch as run_watch

    passed = [word for constant, value in options.pop("constants") for word in ("-D", f"{constant}={written(value)}")]
    passed += [word for text in properties for word in ("--property", text)] + ["--all"] * everything
    passed += [word for option, value in options.items() if value is not None for word in (f"--{option.replace('_', '-')}", str(value))]
    run_watch(name, passed, Output().line)
    return 0


@commands.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--thorough", is_flag=True, help="Include the expectations marked thorough.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option("--engine", type=click.Choice(["native", "interpreter"]), default="native", show_default=True)
@click.option("--out", metavar="DIR", help="Write reports of each violation, expected ones too.")
@click.option("--since", metavar="REVISION", help="Only what has changed since this branch left a git revision: models, their bases and properties.")
@click.option("--strict", is_flag=True, help="Exit code 3 if something holds as expected, but for want of anything to judge: each finding is named.")
@_build_options
@_json_option
def verify(
    names: tuple[str, ...], thorough: bool, threads: int, engine: str, out: str | None, since: str | None, strict: bool, json_file: str | None, **options: Any
) -> int:
    """Check every model and edit that states an expected verdict.  A name stands for a model with all its edits."""
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory
    from checker.commands.suites import BuildFiles, suite_of_expectation
    from checker.commands.verify import select, verify_one
    from checker.coverage.command import refuse_elsewhere

    refuse_elsewhere(engine, None, {"strict": strict})
    directory, output, build, suites = ReportDirectory(out), Output(json_file), BuildFiles(**options), []
    cases, without = select(names, thorough)
    if since is not None:
        from checker.commands.since import touched

        change = touched(cases, since)
        cases = list(change.cases)
        for text in change.texts(since):
            output.line(text, "dim")
    for case in cases:
        with output.progress(case.label) as progress:
            result = verify_one(case, engine=engine, threads=threads, progress=progress, strict=strict)
        output.verified(result, directory.write(result.report) if result.report else {})
        suites += [suite_of_expectation(result)] if build.wanted else []
    build.write(suites)
    return output.finish_verify(without)


@commands.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), default=Path("counterexamples"), show_default=True)
@click.option("--check", "compare_only", is_flag=True, help="Write nothing; exit code 1 if the gallery and the models disagree. Pictures are not compared.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="processors", help="Searches at the same time.")
@click.option("--thorough", is_flag=True, help="Search again for what only expectations marked thorough show; else such runs are executed again, not searched for.")
@_json_option
def gallery(names: tuple[str, ...], out: Path, compare_only: bool, jobs: int, thorough: bool, json_file: str | None) -> int:
    """Write the run, the diagram and a page for every violation that models expect, or compare them with what is there.

    Folders that no expectation asks for any more are removed.
    """
    from checker.commands.gallery import compare_gallery, write_gallery
    from checker.commands.output import Output

    return Output(json_file).gallery(str(out), (compare_gallery if compare_only else write_gallery)(out, names, jobs, thorough), compare_only)


@commands.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--large", is_flag=True, help="Include the runs that take minutes or gigabytes.")
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True, help="Also run the native search with this many threads.")
@click.option("--engine", type=click.Choice(["native", "spark"]), default="native", show_default=True, help="spark: the search on Spark beside one native thread.")
@click.option("--master", default="local[2]", show_default=True, help="With --engine spark: where.")
@click.option("--partitions", type=click.IntRange(1), help="With --engine spark: shards. Default: as many as tasks run at once.")
@click.option("--worker-memory", type=MEMORY, metavar="SIZE", help="With --engine spark: states and tables of a worker beyond this go to disk.")
@click.option("--smt", is_flag=True, help="Instead: bounded model checking by z3 beside the search, to the same depths.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True, metavar="SECONDS", help="With --smt: time for each side of each row.")
@click.option("--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Write results.md and results.json (smt.md, spark.md) there.")
@_json_option
def bench(
    names: tuple[str, ...], large: bool, threads: int, engine: str, master: str, partitions: int | None, worker_memory: int | None, smt: bool, timeout: float,
    out: Path | None, json_file: str | None,
) -> int:  # fmt: skip
    """Measure throughput on models with known counts, beside the interpreter and, if installed, SPIN."""
    from checker.commands.bench import run_bench
    from checker.commands.output import Output

    if engine == "spark" and smt:
        raise UsageError("--smt and --engine spark are two tables", remedy="Ask for one of them.")
    if engine == "spark":
        from checker.commands.bench_spark import Place, print_spark_bench, run_spark_bench

        place = Place(master, partitions or 0, worker_memory)
        return print_spark_bench(run_spark_bench(names, place, large=large, say=lambda line: click.echo(line, err=True)), Output(json_file), out)
    if smt:
        from checker.commands.bench_smt import print_smt_bench, run_smt_bench

        return print_smt_bench(run_smt_bench(names, timeout=timeout, say=lambda line: click.echo(line, err=True)), Output(json_file), out)
    return Output(json_file).benched(run_bench(names, large=large, threads=threads, say=lambda line: click.echo(line, err=True)), out)


@commands.command()
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="[EDIT]", required=False)
@click.option("--against", metavar="REVISION", help="Compare the one model with its file at this git revision.")
@_search_options
@click.option("--all", "everything", is_flag=True, help="Print the run of every new violation and outcome, not only the shortest.")
@click.option("--rules", "rule_seconds", type=click.FloatRange(0), default=10.0, show_default=True, metavar="SECONDS", help="Time for z3 on each rule; 0: none.")
@click.option("--steps", "step_seconds", type=click.FloatRange(0), default=5.0, show_default=True, metavar="SECONDS", help="Time for comparing steps one by one; 0: none.")
@click.option("--markdown", metavar="FILE", help="Write the comparison as Markdown.")
@click.option("--out", metavar="DIR", help="Write reports of each new violation, and of a run to each kind of outcome that came or went.")
@_json_option
def compare(base: str, edit: str | None, against: str | None, markdown: str | None, out: str | None, everything: bool, **options: Any) -> int:
    """Compare a protocol with an edited one: source, verdicts, outcomes, and the first step that was not allowed before.

    With one MODEL:Class, that class is compared with the model it edits.  Exit code 1 if the edit breaks a property that the base satisfies.
    """
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory
    from checker.compare.command import run_compare

    return run_compare(
        base, edit, against, constants_of_options(options["constants"]), output=Output(options["json_file"]), directory=ReportDirectory(out),
        markdown=markdown, everything=everything, engine=options["engine"], threads=options["threads"], limits=_limits(options),
        rule_seconds=options["rule_seconds"], step_seconds=options["step_seconds"],
    )  # fmt: skip


@commands.command()
@click.argument("name", metavar="MODEL")
@click.option("-D", "varied", multiple=True, metavar="NAME=VALUES", help="Values of a constant: crashes=0..2, workload='1,1,0|2,1,0', workload=0..2,1,0.")
@click.option("--property", "properties", multiple=True, metavar="NAME", help="Check only this property (several: repeat, or separate by commas).")
@click.option("--all", "everything", is_flag=True, help="Search each configuration to its end, also after a violation.")
@click.option("--strict", is_flag=True, help="Do not count a property as holding where it was never put to the test; exit code 3 if that is all that is wrong.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="processors", help="Configurations searched at the same time.")
@partial(_search_options, engines=("native", "spark", "interpreter"), constants=False, threads=False)
@click.option("--master", default="local[*]", show_default=True, help="Spark: each configuration is a task there.")
@click.option("--markdown", metavar="FILE", help="Write the table as Markdown.")
@_json_option
def sweep(name: str, varied: tuple[str, ...], jobs: int, markdown: str | None, **options: Any) -> int:
    """Check a model with every combination of the values given for its constants, and show where each property first fails.

    Limits hold for each configuration. Combinations that contradict each other are skipped. Of the results the worst is the exit code.
    """
    from checker.commands.output import Output
    from checker.commands.sweep import sweep as run_sweep
    from checker.commands.sweep_table import announcements, print_sweep, writable
    from checker.coverage.command import refuse_elsewhere

    if markdown:
        writable(markdown)
    refuse_elsewhere(options["engine"], None, {"strict": options["strict"]})
    output = Output(options["json_file"])
    elsewhere = None
    if options["engine"] == "spark":
        from checker.commands.sweep_spark import on_spark

        elsewhere = on_spark(options["master"])
    with announcements(enabled=options["json_file"] is None) as announce:
        found = run_sweep(
            name, choices_of_options(varied), only=names_of_options(options["properties"]), engine=options["engine"], limits=_limits(options),
            stop_at_first=not options["everything"], strict=options["strict"], jobs=jobs, announce=announce, search=elsewhere,
        )  # fmt: skip
    return print_sweep(found, output, markdown)


@commands.command()
@click.argument("name", metavar="MODEL")
@click.option("-D", "constants", type=CONSTANT, multiple=True, metavar="NAME=VALUE", help="Set a constant: 3, true, fifo or 2,1,0.")
@click.option("--property", "properties", multiple=True, metavar="NAME", help="Prove this one (several: together). Default: every invariant.")
@click.option("--assuming", multiple=True, metavar="NAME", help="Take this property for granted.")
@click.option("--depth", type=click.IntRange(0), default=3, show_default=True, help="Largest k of the induction, or longest run.")
@click.option("--bounded", is_flag=True, help="Only look for violations in runs of up to --depth steps; no induction.")
@click.option("--network", type=click.IntRange(1), default=4, show_default=True, help="Messages in flight that are provided for, on each network.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Give up after this time.")
@click.option("--vacuity", type=click.FloatRange(0), default=5.0, show_default=True, metavar="SECONDS", help="Time to look for what makes the statement hollow; 0: none.")
@click.option("--out", metavar="DIR", help="Write reports of the violation, or of the counterexample to induction.")
@_json_option
def prove(name: str, json_file: str | None, out: str | None, **options: Any) -> int:
    """Prove invariants of a model by k-induction, for runs of every length, with z3.

    Exit code 0: proved; 1: violated, with the run; 4: not decided, with a counterexample to induction if there is one.
    """
    from checker.catalogue import find
    from checker.commands.output import Output
    from checker.commands.proof_report import proved
    from checker.commands.prove import prove as run_prove
    from checker.commands.reports import ReportDirectory

    entry, directory, output = find(name), ReportDirectory(out), Output(json_file)
    proof = run_prove(
        entry.cls, entry.reference, constants_of_options(options["constants"]), properties=names_of_options(options["properties"]),
        using=names_of_options(options["assuming"]) or (), depth=options["depth"], induction=not options["bounded"], network=options["network"],
        timeout=options["timeout"], vacuity=options["vacuity"], progress=_said(json_file),
    )  # fmt: skip
    return proved(proof, output, directory.write_trace(proof.trace) if proof.trace else [])


@commands.command()
@click.argument("name", metavar="MODEL")
@click.argument("predicate")
@_search_options
@click.option("--at-end", is_flag=True, help="Only states in which nothing but faults is enabled.")
@click.option("--out", metavar="DIR", help="Write reports of the run.")
@_json_option
def find(name: str, predicate: str, at_end: bool, out: str | None, **options: Any) -> int:
    """Find a shortest run to a state that satisfies PREDICATE, for example 'any(len(delivered[p]) == 2 for p in Process)'.

    Exit code 0: found; 1: no reachable state satisfies it; 4: the search was stopped before that was decided.
    """
    from checker.catalogue import find as find_model
    from checker.commands.find_state import find_state, print_search
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory

    entry, directory, output = find_model(name), ReportDirectory(out), Output(options["json_file"])
    with output.progress(entry.reference) as progress:
        found = find_state(
            entry.cls, entry.reference, predicate, constants_of_options(options["constants"]), at_end=at_end, engine=options["engine"],
            threads=options["threads"], limits=_limits(options), progress=progress,
        )  # fmt: skip
    return print_search(found, output, directory.write_trace(found.trace) if found.trace else [])


@commands.command()
@click.argument("name", metavar="MODEL")
@click.option("-D", "constants", type=CONSTANT, multiple=True, metavar="NAME=VALUE", help="Set a constant.")
@click.option("--property", "properties", multiple=True, metavar="NAME", help="Check this property (may be repeated). Default: all.")
@click.option("--runs", type=click.IntRange(1), default=10_000, show_default=True, help="Walks to make.")
@click.option("--steps", type=click.IntRange(1), default=1_000, show_default=True, help="Steps after which a walk ends.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed makes other walks.")
@click.option("--max-seconds", type=click.FloatRange(0, min_open=True), help="Stop after this time.")
@click.option("--out", metavar="DIR", help="Write reports of the violation: text, diagram, ITF.")
@_json_option
def simulate(name: str, out: str | None, **options: Any) -> int:
    """Walk through MODEL at random and check what is met, where there are too many states to explore.

    Exit code 1: a violation was found; 4: none was, which decides nothing.
    """
    from checker.catalogue import find as find_model
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory
    from checker.commands.simulate import print_simulation, simulation

    entry, directory, output = find_model(name), ReportDirectory(out), Output(options["json_file"])
    found = simulation(
        entry.cls, entry.reference, constants_of_options(options["constants"]), only=names_of_options(options["properties"]), runs=options["runs"],
        depth=options["steps"], seed=options["seed"], max_seconds=options["max_seconds"],
    )  # fmt: skip
    return print_simulation(found, output, directory.write_trace(found.walks.trace) if found.walks.trace else [])


@commands.command()
@click.argument("name", metavar="MODEL")
@partial(_search_options, engines=("native",))
@click.option("--markdown", metavar="FILE", help="Write the table as Markdown.")
@click.option("--out", metavar="DIR", help="Write reports of a run with the greatest delay.")
@_json_option
def latency(name: str, markdown: str | None, out: str | None, **options: Any) -> int:
    """Measure delays and messages over all runs: from a multicast to its deliveries, least and most.

    A delay is the number of messages on the longest chain from the multicast to the delivery, each sent after the one before had arrived; in a
    model with time, the time. Exit code 4: the search was stopped, so there may be other values.
    """
    from checker.catalogue import find
    from checker.commands.output import Output
    from checker.commands.reports import ReportDirectory
    from checker.commands.sweep_table import writable
    from checker.latency.report import print_survey
    from checker.latency.survey import survey

    if markdown:
        writable(markdown)
    entry, directory, output = find(name), ReportDirectory(out), Output(options["json_file"])
    with output.progress(entry.reference) as progress:
        found = survey(
            entry.cls, entry.reference, constants_of_options(options["constants"]), threads=options["threads"], limits=_limits(options), progress=progress
        )
    code = print_survey(found, output, markdown)
    for file in directory.write_trace(found.slowest()) if out and found.slowest is not None else []:
        output.line(f"  wrote {file}")
    return code


@commands.command()
@click.argument("base", metavar="BASE")
@click.argument("edit", metavar="EDIT")
@click.option("-D", "constants", type=CONSTANT, multiple=True, metavar="NAME=VALUE", help="Set a constant: 3, true, fifo or 2,1,0.")
@click.option("--each", multiple=True, metavar="NAME=VALUES", help="Try several: phi=1..4, workload=1x3..8 (as many ones), channels=fifo|unordered.")
@click.option("--rule", "rules", multiple=True, metavar="NAME", help="Only this rule (several: repeat, or separate by commas).")
@click.option("--assuming", metavar="PREDICATE", help="Only states that satisfy this, as in `checker find`.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=20.0, show_default=True, help="Time for each rule.")
@_json_option
def rules(base: str, edit: str, json_file: str | None, **options: Any) -> int:
    """Compare the rules of two models by z3 over all states of their types, for a family of constants.  Nothing is explored.

    Exit code 0: every rule is the same in every state; 1: some rule differs, with a state that shows it; 4: not decided.
    """
    from checker.catalogue import find
    from checker.commands.output import Output
    from checker.compare.comparison import Side
    from checker.compare.family import compare_family
    from checker.compare.family_table import family_data, family_lines, label

    sides = (Side(find(base).cls, base), Side(find(edit).cls, edit))
    output, each, say = Output(json_file), choices_of_options(options["each"], "--each"), _said(json_file)
    family = compare_family(
        *sides, constants_of_options(options["constants"]), each, assuming=options["assuming"], only=names_of_options(options["rules"]),
        seconds=options["seconds"], progress=lambda varied: say(label(varied)),
    )  # fmt: skip
    if json_file != "-":
        for text, style in family_lines(family):
            output.line(text, style)
    output.write(family_data(family))
    return family.exit_code


if __name__ == "__main__":
    main()
