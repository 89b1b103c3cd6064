"""The compiled engine with a work directory: each finished level is committed, and a stopped search resumes from the
last one.

A search without interruption reports the same as the engine without a directory.  A resumed search reports the contents
of the directory: the same counts and paths; if a limit ends it, the counts of whole levels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from attrs import evolve, frozen

from checker.backends.native.kernel import NativeKernel
from checker.engines.committed import HEADER, ended, explored_from, header, require_same, work_directory_errors
from checker.engines.explored import Explored, unexplored
from checker.engines.growing import with_room
from checker.engines.native import compiled, explored, searched
from checker.engines.placement import Placement
from checker.engines.request import Request
from checker.language.errors import UsageError, too_little_memory
from checker.search.checkpoint import Checkpoint
from checker.search.deadline import OutOfTime
from checker.search.folder_errors import FullWorkDirectoryError
from checker.search.folders import folder_at
from checker.search.workdir import WorkDirectory


def explore(request: Request) -> Explored:
    """Explore natively and keep the levels in the work directory of the request, or resume the search in it."""

    def attempt(kernel: NativeKernel, work: WorkDirectory) -> Explored:
        taken_up = bool(work.levels)
        if ended(work):
            return explored_from(request, kernel, work, None)
        result = searched(request, kernel, Checkpoint(work, kernel.words))
        return explored_from(request, kernel, work, result.bound) if taken_up else explored(request, result)

    return in_directory(request, of_all_states(request, attempt))


@frozen
class Prepared:
    """A search before it begins.  kernel: the code whose states the directory stores; search: makes or resumes the
    search in a directory.
    """

    kernel: NativeKernel
    search: Callable[[WorkDirectory], Explored]


Prepare = Callable[[Mapping[str, int]], Prepared]
"""Prepares a search for this room of networks."""


def of_all_states(request: Request, attempt: Callable[[NativeKernel, WorkDirectory], Explored]) -> Prepare:
    """Prepares attempt(kernel, directory), with the kernel of a request."""

    def prepare(room: Mapping[str, int]) -> Prepared:
        kernel = compiled(request, room, quick=True)
        return Prepared(kernel, partial(attempt, kernel))

    return prepare


def in_directory(request: Request, prepare: Prepare) -> Explored:
    """The result of a search in its work directory; where a network is too small, the search is prepared again with
    more room, and the directory emptied for its states.
    """
    try:
        with work_directory_errors():
            first, work = opened(request, prepare)
            with work:
                stored = dict(work.header["networks"])

                def again(room: Mapping[str, int]) -> Explored:
                    prepared = first
                    if room != stored:
                        prepared = prepare(room)
                        work.reset(header(request, room, prepared.kernel))
                    return prepared.search(work)

                try:
                    return with_room(again, stored)
                except MemoryError:
                    if not work.levels or request.placement.temporary:
                        raise
                    raise too_little_memory(request.placement.resumed(work.folder)) from None
                except FullWorkDirectoryError as error:
                    raise _no_room(error, request.placement, work) from None
    except OutOfTime as late:
        return unexplored(request.definition, late)


def _no_room(error: FullWorkDirectoryError, placement: Placement, work: WorkDirectory) -> UsageError:
    """The disk is full: committed levels can be resumed, unless the directory goes with this command."""
    if placement.temporary:
        remedy = "Make room there, or set TMPDIR to a directory with room. With --workdir the search could be resumed."
    else:
        remedy = f"Make room there, and go on: {placement.resumed(work.folder)}"
    return UsageError(str(error), remedy=remedy)


def opened(request: Request, prepare: Prepare) -> tuple[Prepared, WorkDirectory]:
    """A new or a stored search, and its work directory.  OutOfTime, UsageError if the model has changed."""
    directory = request.placement.workdir
    assert directory is not None
    if not request.placement.resume:
        prepared = prepare({})
        return prepared, WorkDirectory.create(directory, header(request, {}, prepared.kernel))
    work = WorkDirectory.open(directory, HEADER)
    try:
        prepared = prepare(work.header["networks"])
        require_same(work, prepared.kernel)
    except BaseException:
        work.close()
        raise
    return prepared, work


def place_below(placement: Placement, name: str) -> Placement:
    """The place of another search: a directory of its own in the work directory, where it is resumed."""
    assert placement.workdir is not None
    with work_directory_errors():
        own = folder_at(placement.workdir) / name
        return evolve(placement, workdir=own, resume=WorkDirectory.holds_search(own))


def kernel_of(request: Request, work: WorkDirectory) -> NativeKernel:
    """The kernel of a stored search.  OutOfTime, UsageError if the model has changed."""
    kernel = compiled(request, work.header["networks"], quick=True)
    require_same(work, kernel)
    return kernel
