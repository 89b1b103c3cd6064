"""The compiled engine with a work directory: each finished level is committed, and a stopped search resumes from the
last one.

A search without interruption reports the same as the engine without a directory.  A resumed search reports the contents
of the directory: the same counts and paths; if a limit ends it, the counts of whole levels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from checker.backends.native.kernel import NativeKernel
from checker.engines.committed import HEADER, ended, explored_from, header, require_same, work_directory_errors
from checker.engines.explored import Explored, unexplored
from checker.engines.growing import with_room
from checker.engines.native import compiled, explored, searched
from checker.engines.request import Request
from checker.search.checkpoint import Checkpoint
from checker.search.deadline import OutOfTime
from checker.search.workdir import WorkDirectory


def explore(request: Request) -> Explored:
    """Explore natively and keep the levels in the work directory of the request, or resume the search in it."""

    def attempt(kernel: NativeKernel, work: WorkDirectory) -> Explored:
        taken_up = bool(work.levels)
        if ended(work, kernel):
            return explored_from(request, kernel, work, None)
        result = searched(request, kernel, Checkpoint(work, kernel.words))
        return explored_from(request, kernel, work, result.bound) if taken_up else explored(request, result)

    return in_directory(request, attempt)


def in_directory(request: Request, attempt: Callable[[NativeKernel, WorkDirectory], Explored]) -> Explored:
    """The result of attempt(kernel, directory); where a network is too small, it is called again with a kernel with
    more room and the directory emptied for its states.
    """
    try:
        with work_directory_errors():
            first, work = opened(request)
            with work:
                stored = dict(work.header["networks"])

                def again(room: Mapping[str, int]) -> Explored:
                    kernel = first
                    if room != stored:
                        kernel = compiled(request, room, quick=True)
                        work.reset(header(request, room, kernel))
                    return attempt(kernel, work)

                return with_room(again, stored)
    except OutOfTime as late:
        return unexplored(request.definition, late)


def opened(request: Request) -> tuple[NativeKernel, WorkDirectory]:
    """The kernel and the work directory of a new or a stored search.  OutOfTime."""
    directory = request.placement.workdir
    assert directory is not None
    if not request.placement.resume:
        kernel = compiled(request, {}, quick=True)
        return kernel, WorkDirectory.create(directory, header(request, {}, kernel))
    work = WorkDirectory.open(directory, HEADER)
    try:
        kernel = kernel_of(request, work)
    except BaseException:
        work.close()
        raise
    return kernel, work


def kernel_of(request: Request, work: WorkDirectory) -> NativeKernel:
    """The kernel of a stored search.  OutOfTime, UsageError if the model has changed."""
    kernel = compiled(request, work.header["networks"], quick=True)
    require_same(work, kernel)
    return kernel
