"""`python -m benchmarks`: tables of throughput, of z3 beside the search, of Spark beside one thread, of models with
many actions, of reduced searches beside full ones, and of searches beyond memory."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from benchmarks.large_model import print_large_bench, run_large_bench
from benchmarks.on_spark import Place, print_spark_bench, run_spark_bench
from benchmarks.reductions import print_reduction_bench, run_reduction_bench
from benchmarks.scale import RUNS, print_scale_bench, run_scale_bench
from benchmarks.smt import print_smt_bench, run_smt_bench
from benchmarks.throughput import print_bench, run_bench
from checker.cli.arguments import MEMORY, SECONDS
from checker.cli.options import MOST_THREADS, json_option
from checker.cli.output import Output
from checker.language.errors import UsageError

names_argument = click.argument("names", nargs=-1, metavar="[MODEL]...")
large_option = click.option("--large", is_flag=True, help="Include the runs that take minutes or gigabytes.")
out_option = click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the table there, as Markdown and as JSON.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def commands() -> None:
    """Measures the checker on models with known counts."""


@commands.command()
@names_argument
@large_option
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=2,
    show_default=True,
    help="Also run the native search with this many threads.",
)
@out_option
@json_option
def throughput(names: tuple[str, ...], large: bool, threads: int, out: Path | None, json_file: str | None) -> int:
    """Transitions a second, beside the interpreter and, if installed, SPIN."""
    return print_bench(run_bench(names, large=large, threads=threads, say=_say), Output(json_file), out)


@commands.command()
@out_option
@json_option
def large_model(out: Path | None, json_file: str | None) -> int:
    """What each phase of a check costs for an action, in models of 100 to 2,000 actions."""
    return print_large_bench(run_large_bench(say=_say), Output(json_file), out)


@commands.command()
@names_argument
@click.option(
    "--timeout", type=SECONDS, default=30.0, show_default=True, metavar="SECONDS", help="For each side of each row."
)
@out_option
@json_option
def smt(names: tuple[str, ...], timeout: float, out: Path | None, json_file: str | None) -> int:
    """Bounded model checking by z3 beside the search, to the same depths."""
    return print_smt_bench(run_smt_bench(names, timeout=timeout, say=_say), Output(json_file), out)


@commands.command()
@names_argument
@large_option
@click.option("--master", default="local[2]", show_default=True, help="Where.")
@click.option("--partitions", type=click.IntRange(1, 1 << 16), help="Shards. Default: as many as tasks run at once.")
@click.option(
    "--worker-memory", type=MEMORY, metavar="SIZE", help="States and tables of a worker beyond this go to disk."
)
@out_option
@json_option
def spark(
    names: tuple[str, ...],
    large: bool,
    master: str,
    partitions: int | None,
    worker_memory: int | None,
    out: Path | None,
    json_file: str | None,
) -> int:
    """The search on Spark beside one native thread."""
    place = Place(master, partitions or 0, worker_memory)
    return print_spark_bench(run_spark_bench(names, place, large=large, say=_say), Output(json_file), out)


@commands.command()
@names_argument
@out_option
@json_option
def reductions(names: tuple[str, ...], out: Path | None, json_file: str | None) -> int:
    """Full and reduced searches side by side, and the aims set for reduction."""
    return print_reduction_bench(run_reduction_bench(names, say=_say), Output(json_file), out)


@commands.command()
@click.option("--managers", type=click.Choice([str(r.managers) for r in RUNS]), multiple=True)
@click.option(
    "--spill",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where states beyond memory go.",
)
@click.option("--in-memory", is_flag=True, help="Search each without a limit of memory, too (10 managers: 2 GB).")
@out_option
@json_option
def scale(
    managers: tuple[str, ...], spill: Path | None, in_memory: bool, out: Path | None, json_file: str | None
) -> int:
    """Searches of up to two billion states on a local disk: half an hour or more."""
    runs = [run for run in RUNS if not managers or str(run.managers) in managers]
    bench = run_scale_bench(runs, spill, in_memory=in_memory, say=_say)
    return print_scale_bench(bench, Output(json_file), out)


def _say(line: str) -> None:
    click.echo(line, err=True)


def run(arguments: list[str]) -> int:
    """Run a table; returns the exit code, that of the command line."""
    try:
        return int(commands.main(arguments, prog_name="python -m benchmarks", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        return UsageError.exit_code
    except UsageError as error:
        click.echo(f"error: {error}", err=True)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
