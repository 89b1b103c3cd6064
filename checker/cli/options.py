"""Options that several commands have, and the refusal of those without effect.  Every command reads this module, so it
imports nothing that searches."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import Any

import click
from click.core import ParameterSource

from checker.cli.arguments import CONSTANT, DISK, MEMORY, SECONDS, Number
from checker.engines.registry import ENGINES, Declared
from checker.language.errors import UsageError
from checker.report.written import writable
from checker.trust import trust

MOST_THREADS = 1024
F = Callable[..., Any]
Decorator = Callable[[F], F]


def _engines(able: Callable[[Declared], bool] = lambda _: True) -> tuple[str, ...]:
    return tuple(engine.name for engine in ENGINES.values() if able(engine))


EVERY, KEEPING, SPARK = _engines(), _engines(lambda e: e.workdir), _engines(lambda e: e.distributed)
HONOURED: dict[str, tuple[str, ...]] = {
    "threads": _engines(lambda e: e.threads),
    "jobs": _engines(lambda e: not e.distributed),
    "workdir": KEEPING,
    "keep_graph": KEEPING,
    "trust": EVERY,
    **dict.fromkeys(("spill", "max_disk"), _engines(lambda e: e.spilled_by is not None)),
    "reduce": _engines(lambda e: e.keeps_states),
    **dict.fromkeys(("master", "partitions", "handover", "worker_memory"), SPARK),
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


def _imported(module: str) -> ModuleType:
    """A module, with all that it imports.  What is made then stays for as long as the process: to look for garbage in
    it, again and again while it grows, takes a tenth of the time."""
    if module in sys.modules or not gc.isenabled():
        return import_module(module)
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.freeze()
        gc.enable()


def call(place: str, options: dict[str, Any]) -> int:
    """Do what the options of a command say, by a function of a module that is imported now: help needs none."""
    module, _, function = place.partition(":")
    code: int = getattr(_imported(module), function)(**options)
    return code


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, shown in this order."""

    def decorated(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def _json(context: click.Context, _option: Any, value: str | None) -> str | None:
    if value is not None:
        writable(value)
        if context.obj is not None:  # the list of `checker.cli.program`: errors go there, too
            context.obj.append(value)
    return value


json_option = click.option(
    "--json", "json_file", metavar="FILE", callback=_json, help="Write the result as JSON; - is standard output."
)

trust_option = click.option(  # for commands that execute a model because a stored file names it
    "--trust",
    is_flag=True,
    expose_value=False,
    callback=lambda _context, _option, value: trust() if value else None,
    help="Execute the model file that is named there, wherever it is.",
)


def constants_option(help: str = "Set a constant: 3, true, fifo or 2,1,0.") -> Decorator:
    """-D NAME=VALUE."""
    return click.option("-D", "constants", type=CONSTANT, multiple=True, metavar="NAME=VALUE", help=help)


def properties_option(help: str = "Check only this property (several: repeat, or separate by commas).") -> Decorator:
    """--property NAME."""
    return click.option("--property", "properties", multiple=True, metavar="NAME", help=help)


def out_option(help: str) -> Decorator:
    """--out DIR."""
    return click.option("--out", metavar="DIR", help=help)


def group_option(help: str) -> Decorator:
    """--group."""
    return click.option("--group", is_flag=True, help=help)


def markdown_option(help: str) -> Decorator:
    """--markdown FILE."""
    return click.option("--markdown", metavar="FILE", help=help)


def processors(quota: str = "/sys/fs/cgroup/cpu.max") -> int:
    """How many processors this process may use: those it is bound to, or as many as its control group's share of their
    time is worth."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with open(quota, encoding="ascii") as file:
            time, period = map(int, file.read().split())
    except (OSError, ValueError):  # no such control group, or "max"
        return bound
    return max(1, min(bound, -(-time // period)))


def jobs_option(help: str, instead: str | None = None) -> Decorator:
    """--jobs N; instead: what it is where nothing is said, if that is not the number of processors."""
    kind = click.IntRange(1, MOST_THREADS)
    default = min(processors(), MOST_THREADS) if instead is None else None
    return click.option("--jobs", type=kind, default=default, show_default=instead or "processors", help=help)


spill_options = together(  # for states that are more than memory
    click.option(
        "--spill",
        metavar="DIR",
        help="Where states beyond --max-memory go. [default: the work directory, else TMPDIR or /var/tmp]",
    ),
    click.option(
        "--max-disk",
        type=DISK,
        metavar="SIZE",
        help="Stop when states beyond memory take this much; 0: stop at --max-memory.",
    ),
)


def search_options(
    engines: Iterable[str] = ("native", "interpreter"),
    constants: bool = True,
    threads: bool = True,
    seconds: float | None = None,
    spills: bool = False,
) -> Decorator:
    """What a search needs to know, and its limits; seconds: how long it may take where nothing is said; spills: states
    that are more than memory may go to disk."""
    several = click.option(
        "--threads",
        type=click.IntRange(1, MOST_THREADS),
        default=1,
        show_default=True,
        help="Threads of the search; results do not depend on it.",
    )
    return together(
        *[constants_option()] * constants,
        *[several] * threads,
        click.option("--engine", type=click.Choice(tuple(engines)), default="native", show_default=True),
        limit_options(seconds, spills),
        *[spill_options] * spills,
        honoured,
    )


def limit_options(seconds: float | None = None, spills: bool = False) -> Decorator:
    """The limits of a search; seconds: how long it may take where nothing is said; spills: as for `search_options`."""
    beyond = "States beyond this much memory go to disk (with other engines than native: stop)"
    return together(
        click.option("--max-depth", type=Number(0), help="Do not go further than this many steps."),
        click.option("--max-states", type=Number(1), help="Stop at this many distinct states."),
        click.option(
            "--max-seconds",
            type=SECONDS,
            default=seconds,
            show_default=seconds is not None,
            help="Stop after this time.",
        ),
        click.option(
            "--max-memory",
            type=MEMORY,
            metavar="SIZE",
            help=f"{beyond if spills else 'Stop at this much memory'}: 500M, 4G.",
        ),
    )


def reduce_option(help: str) -> Decorator:
    """--reduce."""
    return click.option("--reduce", is_flag=True, help=help)


asking = together(  # options that ask more of a search than its verdict
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
)

build_options = together(  # files for a build server
    click.option(
        "--junit",
        metavar="FILE",
        help="Write the verdicts as JUnit XML: a suite is a model with its constants, a case a property.",
    ),
    click.option("--sarif", metavar="FILE", help="Write what is wrong as SARIF, at the lines of the source."),
    markdown_option("Write a summary as Markdown, for a build's page."),
    click.option("--lines", metavar="FILE", help="Write what is wrong as lines FILE:LINE: error: TEXT, for editors."),
)


def _gone(name: str, kind: click.ParamType | None, why: str) -> Decorator:
    """An option of earlier versions, which is refused with the reason."""

    def refuse(context: click.Context, parameter: click.Parameter, _: object) -> None:
        if context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
            raise UsageError(f"there is no {name} any more: {why}", remedy="Leave it out.")

    return click.option(name, type=kind, is_flag=kind is None, hidden=True, expose_value=False, callback=refuse)


spark_options = together(  # what the engine spark needs to know
    click.option(
        "--master", default="local[*]", show_default=True, help="Spark: local[2], spark://host:7077, yarn or k8s://..."
    ),
    click.option(
        "--partitions",
        type=click.IntRange(1, 1 << 16),
        help="Spark: cut the states by hash into this many. Default: as many as tasks run at once.",
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
        help="Spark: states and tables of a worker beyond this go to its local disk. Default: its share of 70% of "
        "the memory that is free on its machine.",
    ),
    _gone("--exchange", click.STRING, "candidates always go through files of the work directory"),
    _gone("--encrypt", None, "workers have no connections of their own any more"),
)


def said(json_file: str | None) -> Callable[[object], None]:
    """Where a command without a search says what it is at: standard error, if that is a terminal and no JSON is asked
    for."""
    shown = json_file is None and sys.stderr.isatty()
    return lambda text: click.echo(f"  {text}", err=True) if shown else None
