"""The compiled engine with a work directory: each finished level is committed, and a stopped search goes on from the
last.

A search that runs in one go reports what the engine without a directory reports.  One that was taken up reports what
the directory says: the same counts and paths; where a limit ends it, the counts of whole levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from checker.backends.native.kernel import NativeKernel
from checker.engines.committed import HEADER, ended, explored_from, header, require_same, work_directory_errors
from checker.engines.explored import Explored, Phases, unexplored
from checker.engines.native import LARGEST_NETWORK, compiled, explored
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.deadline import OutOfTime
from checker.search.folders import Folder
from checker.search.limits import NO_LIMITS, Limits
from checker.search.result import SearchResult
from checker.search.source import Source
from checker.search.workdir import WorkDirectory


def explore_checkpointed(
    definition: Definition,
    reference: str,
    only: Sequence[str] | None,
    directory: Path | str | Folder,
    threads: int,
    limits: Limits,
    stop_at_first: bool,
    progress: Any,
    phases: Phases,
    resume: bool = False,
) -> Explored:
    """Explore natively and keep the levels in `directory`; with `resume`, go on with the search it holds."""
    limits = limits.begun()
    try:
        with work_directory_errors():
            return _explore(
                definition, reference, only, directory, threads, limits, stop_at_first, progress, phases, resume
            )
    except OutOfTime as late:
        return unexplored(definition, late)


def _explore(
    definition: Definition,
    reference: str,
    only: Sequence[str] | None,
    directory: Path | str | Folder,
    threads: int,
    limits: Limits,
    stop_at_first: bool,
    progress: Any,
    phases: Phases,
    resume: bool,
) -> Explored:
    kernel, work = opened(definition, reference, only, directory, stop_at_first, phases, resume, limits)
    with work:
        taken_up = bool(work.levels)
        while True:
            result = None
            if not ended(work, kernel):
                checkpoint = Checkpoint(work, kernel.words)
                with phases("search"):
                    result = search(
                        cast(Source, kernel),
                        threads=threads,
                        limits=limits,
                        stop_at_first=stop_at_first,
                        progress=progress,
                        checkpoint=checkpoint,
                    )
            larger = enlarged(definition, reference, only, stop_at_first, kernel, work, result, phases, limits)
            if larger is None:
                break
            kernel, taken_up = larger, False
        if taken_up or result is None:
            return explored_from(definition, kernel, work, None if result is None else result.bound, phases)
        return explored(definition, kernel, result, phases)


def opened(
    definition: Definition,
    reference: str,
    only: Sequence[str] | None,
    directory: Path | str | Folder,
    stop_at_first: bool,
    phases: Phases,
    resume: bool,
    limits: Limits = NO_LIMITS,
) -> tuple[NativeKernel, WorkDirectory]:
    """The kernel and the work directory of a new or a stored search.  OutOfTime."""
    if resume:
        work = WorkDirectory.open(directory, HEADER)
        try:
            kernel = compiled(definition, dict(work.header["networks"]), phases, limits=limits)
            require_same(work, kernel)
        except BaseException:
            work.close()
            raise
        return kernel, work
    kernel = compiled(definition, {}, phases, limits=limits)
    return kernel, WorkDirectory.create(directory, header(definition, reference, only, stop_at_first, {}, kernel))


def enlarged(
    definition: Definition,
    reference: str,
    only: Sequence[str] | None,
    stop_at_first: bool,
    kernel: NativeKernel,
    work: WorkDirectory,
    result: SearchResult | None,
    phases: Phases,
    limits: Limits = NO_LIMITS,
) -> NativeKernel | None:
    """If a network was too small: a kernel with more room for it, and the directory emptied."""
    small = [v.finding.name for v in result.violations if v.finding.kind == "grow"] if result is not None else []
    return (
        None
        if not small
        else with_room(definition, reference, only, stop_at_first, kernel, work, small, phases, limits)
    )


def with_room(
    definition: Definition,
    reference: str,
    only: Sequence[str] | None,
    stop_at_first: bool,
    kernel: NativeKernel,
    work: WorkDirectory,
    small: Sequence[str],
    phases: Phases,
    limits: Limits = NO_LIMITS,
) -> NativeKernel:
    """A kernel with twice the room for these networks, and the directory emptied for its states."""
    capacities: dict[str, int] = dict(work.header["networks"])
    for name in small:
        capacities[name] = 2 * capacities.get(name, kernel.capacity(name))
        if capacities[name] > LARGEST_NETWORK:
            raise UsageError(
                f"more than {LARGEST_NETWORK} messages are in flight on {name}",
                remedy="Does the model send without bound? Add a constraint or a budget.",
            )
    larger = compiled(definition, capacities, phases, limits=limits)
    work.reset(header(definition, reference, only, stop_at_first, capacities, larger))
    return larger
