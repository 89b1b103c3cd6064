"""What the options of a command mean for a search: its models, its limits, its place, its progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from checker.catalogue import Entry, find
from checker.engines.placement import HANDOVER, Placement
from checker.search.deadline import READING, within
from checker.search.limits import Limits
from checker.search.progress import TerminalProgress


def limits(options: dict[str, Any]) -> Limits:
    """The limits among the options, for each of several searches: seconds count from the beginning of each."""
    return Limits(**{name: options[name] for name in ("max_depth", "max_states", "max_seconds", "max_memory")})


def placement(options: dict[str, Any], workdir: str | None, resume: bool = False) -> Placement:
    """Where a search runs and keeps its levels, from the options of Spark."""
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


def read(references: Sequence[str], limits: Limits) -> list[Entry]:
    """The models that a command names, within the time of its limits: reading a model file executes it.  UsageError,
    OutOfTime."""
    with within(limits.begun(), "reading the model file", READING):
        return [find(reference) for reference in references]


def progress(json_file: str | None) -> TerminalProgress:
    """How far a search is, on standard error, unless JSON is asked for."""
    return TerminalProgress() if json_file is None else TerminalProgress(enabled=False)
