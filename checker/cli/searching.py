"""What the options of a command mean for a search: its models, its limits, its place, its progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from checker.catalogue import Entry, find
from checker.cli.settings import FILE
from checker.engines.explored import Phases
from checker.engines.placement import HANDOVER, Placement, Spill
from checker.engines.registry import ENGINES
from checker.language.errors import UsageError
from checker.search.deadline import READING, within
from checker.search.limits import Limits
from checker.search.progress import TerminalProgress
from checker.wording import size_of


def limits(options: dict[str, Any]) -> Limits:
    """The limits among the options, for each of several searches: seconds count from the beginning of each."""
    given = {name: options[name] for name in ("max_depth", "max_states", "max_seconds", "max_memory")}
    told = tuple((name, value, _as_given(name, value)) for name, value in given.items() if value is not None)
    return Limits(**given, whole_process=options.get("engine", "native") == "native", given=told)


def _as_given(name: str, value: float) -> str:
    """A limit with its value, as the command line or the settings of the repository have it."""
    context = click.get_current_context(silent=True)
    source = None if context is None else context.get_parameter_source(name)
    option, number = name.replace("_", "-"), size_of(int(value)) if name == "max_memory" else f"{value:.10g}"
    if source is ParameterSource.DEFAULT_MAP:
        return f"{option} = {number} in {FILE}"
    return f"--{option} {number}" + (", the default" if source is ParameterSource.DEFAULT else "")


def placement(options: dict[str, Any], workdir: str | None, resume: bool = False) -> Placement:
    """Where a search runs and keeps its levels, from the options of Spark."""
    handover = HANDOVER if options["handover"] is None else options["handover"]
    return Placement(
        workdir,
        resume,
        options["master"],
        options["partitions"] or 0,
        handover,
        options["worker_memory"],
        spill=_spill(options),
    )


def _spill(options: dict[str, Any]) -> Spill | None:
    """Where states beyond memory are stored, from the options; None: a search ends when memory is full."""
    memory, directory, most = options["max_memory"], options["spill"], options["max_disk"]
    if directory is not None and most == 0:
        raise UsageError("--spill puts states on disk, and --max-disk 0 keeps all in memory", remedy="Leave out one.")
    if most is not None and memory is None and directory is None:
        raise UsageError("--max-disk has no effect without --max-memory or --spill", remedy="Leave it out.")
    if most == 0 or ENGINES[options["engine"]].spilled_by is None or (memory is None and directory is None):
        return None
    return Spill.at(directory, most)


def read(references: Sequence[str], limits: Limits, phases: Sequence[Phases] = ()) -> list[Entry]:
    """The models that a command names, read within its time limit, because reading a model file executes it.  phases:
    record the time of each.  Raises UsageError, OutOfTime.
    """
    with within(limits.begun(), "reading the model file", READING):
        return [_found(*given) for given in zip(references, phases or [Phases() for _ in references])]


def _found(reference: str, phases: Phases) -> Entry:
    with phases("read"):
        return find(reference)


def so_far(what: str, done: int, all: int, running: Sequence[Any]) -> str:
    """How many searches are finished, and which are running."""
    return f"{done} of {all} {what}" + "".join(f"; {each.label}" for each in running)


def progress(json_file: str | None, ticking: bool = False, seldom: float | None = None) -> TerminalProgress:
    """The progress of a search, on standard error, unless JSON is requested."""
    return TerminalProgress(ticking=ticking, seldom=seldom) if json_file is None else TerminalProgress(enabled=False)
