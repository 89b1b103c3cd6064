"""Options that several commands have, and what is made of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from checker.cli.arguments import CONSTANT, MEMORY, SECONDS, Number
from checker.engines.registry import ENGINES, Declared
from checker.language.errors import UsageError

if TYPE_CHECKING:
    from checker.catalogue import Entry
    from checker.engines.placement import Placement
    from checker.search.limits import Limits

MOST_THREADS = 1024
F = Callable[..., Any]
targets: list[str] = []  # where --json goes, for errors too


def _engines(able: Callable[[Declared], bool] = lambda _: True) -> tuple[str, ...]:
    return tuple(engine.name for engine in ENGINES.values() if able(engine))


EVERY, KEEPING, SPARK = _engines(), _engines(lambda e: e.workdir), _engines(lambda e: e.distributed)
HONOURED: dict[str, tuple[str, ...]] = {
    "threads": _engines(lambda e: e.threads),
    "jobs": _engines(lambda e: not e.distributed),
    "workdir": KEEPING,
    "keep_graph": KEEPING,
    "trust": EVERY,
    **dict.fromkeys(("master", "partitions", "exchange", "handover", "worker_memory", "encrypt"), SPARK),
    **dict.fromkeys(("max_depth", "max_states", "max_seconds", "max_memory"), EVERY),
}
"""The engines that honour an option; options that are not here have to do with no engine."""


def honoured(command: F) -> F:
    """Refuse what is given on the command line and has no effect with the engine of the command."""

    @wraps(command)
    def checked(*arguments: Any, **options: Any) -> Any:
        context = click.get_current_context()
        engine = options["engine"]
        for parameter in context.command.params:
            name = str(parameter.name)
            engines = HONOURED.get(name, EVERY)
            if name == "master" and options.get("keep_graph"):
                continue  # the tables are made there, whatever has searched
            if engine not in engines and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                option = max(parameter.opts, key=len)
                offered = [e for e in engines if e in _choices(context)]
                remedy = f"Leave it out{f', or choose --engine {offered[0]}' if offered else ''}."
                raise UsageError(f"{option} has no effect with --engine {engine}", remedy=remedy)
        return command(*arguments, **options)

    return checked


def _choices(context: click.Context) -> tuple[str, ...]:
    """The engines that a command offers."""
    kind = next(p.type for p in context.command.params if p.name == "engine")
    return tuple(kind.choices) if isinstance(kind, click.Choice) else ()


def json_option(command: F) -> F:
    """--json FILE."""

    def remember(_context: Any, _option: Any, value: str | None) -> str | None:
        if value is not None:
            from checker.report.written import writable

            writable(value)
            targets.append(value)
        return value

    return click.option(
        "--json", "json_file", metavar="FILE", callback=remember, help="Write the result as JSON; - is standard output."
    )(command)


def trust_option(command: F) -> F:
    """--trust, for commands that execute a model because a stored file names it."""

    def remember(_context: Any, _option: Any, value: bool) -> None:
        if value:
            from checker.trust import trust

            trust()

    return click.option(
        "--trust",
        is_flag=True,
        expose_value=False,
        callback=remember,
        help="Execute the model file that is named there, wherever it is.",
    )(command)


def search_options(
    command: F,
    engines: tuple[str, ...] = ("native", "interpreter"),
    constants: bool = True,
    threads: bool = True,
    seconds: float | None = None,
) -> F:
    """What a search needs to know, and its limits; seconds: how long it may take where nothing is said."""
    options: list[Callable[[F], F]] = [
        click.option("--engine", type=click.Choice(engines), default="native", show_default=True),
        partial(limit_options, seconds=seconds),
    ]
    if threads:
        options.insert(
            0,
            click.option(
                "--threads",
                type=click.IntRange(1, MOST_THREADS),
                default=1,
                show_default=True,
                help="Threads of the search; results do not depend on it.",
            ),
        )
    if constants:
        options.insert(
            0,
            click.option(
                "-D",
                "constants",
                type=CONSTANT,
                multiple=True,
                metavar="NAME=VALUE",
                help="Set a constant: 3, true, fifo or 2,1,0.",
            ),
        )
    command = honoured(command)
    for option in reversed(options):
        command = option(command)
    return command


def limit_options(command: F, seconds: float | None = None) -> F:
    """The limits of a search; seconds: how long it may take where nothing is said."""
    options = [
        click.option("--max-depth", type=Number(0), help="Do not go further than this many steps."),
        click.option("--max-states", type=Number(1), help="Stop at this many distinct states."),
        click.option(
            "--max-seconds",
            type=SECONDS,
            default=seconds,
            show_default=seconds is not None,
            help="Stop after this time.",
        ),
        click.option("--max-memory", type=MEMORY, metavar="SIZE", help="Stop at this much memory: 500M, 4G."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def build_options(command: F) -> F:
    """Files for a build server."""
    options = [
        click.option(
            "--junit",
            metavar="FILE",
            help="Write the verdicts as JUnit XML: a suite is a model with its constants, a case a property.",
        ),
        click.option("--sarif", metavar="FILE", help="Write what is wrong as SARIF, at the lines of the source."),
        click.option(
            "--markdown", metavar="FILE", help="Write a summary as Markdown, for a build's page or a pull request."
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def spark_options(command: F) -> F:
    """What the engine spark needs to know."""
    options = [
        click.option(
            "--master",
            default="local[*]",
            show_default=True,
            help="Spark: local[2], spark://host:7077, yarn or k8s://...",
        ),
        click.option(
            "--partitions",
            type=click.IntRange(1, 1 << 16),
            help="Spark: cut the states by hash into this many. Default: as many as tasks run at once.",
        ),
        click.option(
            "--exchange",
            type=click.Choice(["auto", "barrier", "shuffle"]),
            default="auto",
            show_default=True,
            help="Spark: between workers, or by files.",
        ),
        click.option(
            "--handover",
            type=Number(0),
            metavar="N",
            help="Spark: from the first level of so many states on; 0: from the start. [default: 100000]",
        ),
        click.option(
            "--worker-memory",
            type=MEMORY,
            metavar="SIZE",
            help="Spark: states and tables of a worker beyond this go to the work directory.",
        ),
        click.option(
            "--encrypt",
            is_flag=True,
            help="Spark: workers encrypt what they send each other; they do anyhow where Spark's own connections are "
            "encrypted.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def placement(options: dict[str, Any], workdir: str | None, resume: bool = False) -> Placement:
    """Where a search runs and keeps its levels, from the options of Spark."""
    from checker.engines.placement import HANDOVER, Placement

    handover = HANDOVER if options["handover"] is None else options["handover"]
    return Placement(
        workdir,
        resume,
        options["master"],
        options["partitions"] or 0,
        options["exchange"],
        handover,
        options["worker_memory"],
        options["encrypt"],
    )


def limits(options: dict[str, Any]) -> Limits:
    """The limits among the options, for each of several searches: seconds count from the beginning of each."""
    from checker.search.limits import Limits

    return Limits(**{name: options[name] for name in ("max_depth", "max_states", "max_seconds", "max_memory")})


def read(references: Sequence[str], limits: Limits) -> list[Entry]:
    """The models that a command names, within the time of its limits: reading a model file executes it.  UsageError,
    OutOfTime."""
    from checker.catalogue import find
    from checker.search.deadline import READING, within

    with within(limits.begun(), "reading the model file", READING):
        return [find(reference) for reference in references]


def said(json_file: str | None) -> Callable[[object], None]:
    """Where a command without a search says what it is at: standard error, if that is a terminal and no JSON is asked
    for."""
    shown = json_file is None and sys.stderr.isatty()
    return lambda text: click.echo(f"  {text}", err=True) if shown else None
