"""Options that several commands have, and the refusal of options without effect.  Every command reads this module, so
it imports nothing that searches.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial, wraps
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

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
    "reduce": _engines(lambda e: e.reduced_by is not None),
    **dict.fromkeys(("master", "partitions", "handover", "worker_memory"), SPARK),
    **dict.fromkeys(("max_depth", "max_states", "max_seconds", "max_memory"), EVERY),
}
"""The engines that use an option; options that are not in the table do not depend on the engine."""


def honoured(command: F) -> F:
    """Refuse options of the command line that have no effect with the engine of the command."""

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
    """Import a module and all its imports without garbage collection: the objects live as long as the process, and
    repeated collections take a tenth of the time.
    """
    if module in sys.modules or not gc.isenabled():
        return import_module(module)
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.freeze()
        gc.enable()


def command(declared: F) -> click.Command:
    """A command with the options and the help of a function, which may refuse options.  The function of the same name
    in the module of that name does the work; it is imported when the command is called, because help does not need it.
    """

    @wraps(declared)
    def called(**options: Any) -> Any:
        declared(**options)
        return getattr(_imported(f"checker.cli.{declared.__name__}"), declared.__name__)(**options)

    return click.command()(called)


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, shown in this order."""

    def decorated(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def _json(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        writable(value)
    return written_on_error(context, option, value)


def written_on_error(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Register a file for results: `checker.cli.program` writes an error that ends the command into it, too."""
    if value is not None and context.obj is not None:
        context.obj[max(option.opts, key=len).removeprefix("--")] = value
    return value


def option(names: str, help: str, **how: Any) -> Decorator:
    """An option in click's form, with its default shown.  names: on the command line; after a space the name of its
    parameter if that differs; after = the placeholder of its value.
    """
    named, _, metavar = names.partition("=")
    return click.option(*named.split(), metavar=metavar or None, help=help, **{"show_default": "default" in how, **how})


flag = partial(option, is_flag=True)
constants_option = partial(
    option, "-D constants=NAME=VALUE", help="Set a constant: 3, true, fifo or 2,1,0.", type=CONSTANT, multiple=True
)
properties_option = partial(
    option,
    "--property properties=NAME",
    help="Check only this property (several: repeat, or separate by commas).",
    multiple=True,
)
out_option, markdown_option = partial(option, "--out=DIR"), partial(option, "--markdown=FILE")
json_option = option("--json json_file=FILE", "Write the result as JSON; - is standard output.", callback=_json)
trust_option = flag(  # for commands that execute a model because a stored file names it
    "--trust",
    "Execute the model file that the stored file names, wherever it is.",
    expose_value=False,
    callback=lambda _context, _option, value: trust() if value else None,
)


def processors(quota: str = "/sys/fs/cgroup/cpu.max") -> int:
    """How many processors this process may use: those of its affinity, or the share that its control group allows."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with open(quota, encoding="ascii") as file:
            time, period = map(int, file.read().split())
    except (OSError, ValueError):  # no such control group, or "max"
        return bound
    return max(1, min(bound, -(-time // period)))


def jobs_option(help: str, instead: str | None = None) -> Decorator:
    """--jobs N; instead: the default, if that is not the number of processors."""
    kind = click.IntRange(1, MOST_THREADS)
    default = min(processors(), MOST_THREADS) if instead is None else None
    return click.option("--jobs", type=kind, default=default, show_default=instead or "processors", help=help)


spill_options = together(  # for states that are more than memory
    option(
        "--spill=DIR", "Where states beyond --max-memory go. [default: the work directory, else TMPDIR or /var/tmp]"
    ),
    option("--max-disk=SIZE", "Stop when states on disk take this much; 0: stop at --max-memory.", type=DISK),
)


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # before click 8.2 it has no parameter


class Engines(_Choice):
    """The engines that a command offers; another engine is refused with the reason."""

    def convert(self, value: str, parameter: click.Parameter | None, context: click.Context | None) -> str:
        if value in ENGINES and value not in self.choices and context is not None:
            elsewhere = "in one process" if ENGINES[value].distributed else "with compiled code"
            what = f"`checker {context.command.name}` searches {elsewhere}, and has no --engine {value}"
            offered = " or ".join(f"--engine {name}" for name in self.choices)
            threads = any(p.name == "threads" for p in context.command.params)
            raise UsageError(what, remedy=f"Choose {offered}{'; --threads N uses more processors' * threads}.")
        return super().convert(value, parameter, context)


def search_options(
    engines: Iterable[str] = ("native", "interpreter"),
    constants: bool = True,
    threads: bool = True,
    seconds: float | None = None,
    spills: bool = False,
) -> Decorator:
    """The options of a search, and its limits.  seconds: the default time limit; spills: states beyond memory may go to
    disk.
    """
    several = option(
        "--threads",
        "Threads of the search; results do not depend on it.",
        type=click.IntRange(1, MOST_THREADS),
        default=1,
    )
    return together(
        *[constants_option()] * constants,
        *[several] * threads,
        click.option("--engine", type=Engines(tuple(engines)), default="native", show_default=True),
        limit_options(seconds, spills),
        *[spill_options] * spills,
        honoured,
    )


def limit_options(seconds: float | None = None, spills: bool = False) -> Decorator:
    """The limits of a search.  seconds: the default time limit; spills: as for `search_options`."""
    beyond = "Memory of the process: further states go to disk (other engines than native: stop)"
    memory = beyond if spills else "Stop when the process has this much memory"
    return together(
        option("--max-depth", "Do not go further than this many steps.", type=Number(0)),
        option("--max-states", "Stop at this many distinct states.", type=Number(1)),
        option(
            "--max-seconds", "Stop after this time.", type=SECONDS, default=seconds, show_default=seconds is not None
        ),
        option("--max-memory=SIZE", f"{memory}: 500M, 4G.", type=MEMORY),
    )


asking = together(  # options that ask more of a search than its verdict
    flag(
        "--coverage",
        "Also show when the antecedent of each property was first true, and what each part of a guard blocked.",
    ),
    flag("--strict", "Exit code 3 if a property holds only vacuously; implies --coverage."),
    flag("--profile", "Show what makes the state space large, and which constant to lower first."),
)

build_options = together(  # files for a build server
    option(
        "--junit=FILE",
        "Write the verdicts as JUnit XML: a suite is a model with its constants, a case a property.",
        callback=written_on_error,
    ),
    option("--sarif=FILE", "Write failures as SARIF, at the lines of the source.", callback=written_on_error),
    option("--code-quality=FILE", "Write failures as a code quality report of GitLab.", callback=written_on_error),
    markdown_option("Write a summary as Markdown, for a build's page.", callback=written_on_error),
    option("--lines=FILE", "Write failures as lines FILE:LINE: error: TEXT, for editors.", callback=written_on_error),
)


def _gone(name: str, kind: click.ParamType | None, why: str) -> Decorator:
    """An option of earlier versions, which is refused with the reason."""

    def refuse(context: click.Context, parameter: click.Parameter, _: object) -> None:
        if context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
            raise UsageError(f"there is no {name} any more: {why}", remedy="Leave it out.")

    return click.option(name, type=kind, is_flag=kind is None, hidden=True, expose_value=False, callback=refuse)


spark_options = together(  # what the engine spark needs to know
    option("--master", "Spark: local[2], spark://host:7077, yarn or k8s://...", default="local[*]"),
    option(
        "--partitions",
        "Spark: cut the states by hash into this many. Default: as many as tasks run at once.",
        type=click.IntRange(1, 1 << 16),
    ),
    option(
        "--handover=N",
        "Spark: from the first level of this many states on; 0: from the start. [default: 100000]",
        type=Number(0),
    ),
    option(
        "--worker-memory=SIZE",
        "Spark: states and tables of a worker beyond this go to its local disk. Default: its share of 70% of the "
        "memory that is free on its machine.",
        type=MEMORY,
    ),
    _gone("--exchange", click.STRING, "candidates always go through files of the work directory"),
    _gone("--encrypt", None, "workers have no connections of their own any more"),
)


def said(json_file: str | None) -> Callable[[object], None]:
    """Where a command without a search reports its progress: standard error, if that is a terminal and no JSON is
    requested.
    """
    shown = json_file is None and sys.stderr.isatty()
    return lambda text: click.echo(f"  {text}", err=True) if shown else None
