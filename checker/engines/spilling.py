"""The compiled engine with a limit of memory: further states go to disk, and the search continues
(`search.out_of_core`).

Until memory is full this is the engine without a limit: only the levels for a work directory are written. Then the
finished levels are committed, to the work directory or to a file without a name, and the search continues from the last
of them; the unfinished level is expanded again. The report is that of a resumed search.

Leads-to properties are decided from the levels on disk (`stored_runs`).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from attrs import evolve, frozen

from checker.backends.native.kernel import NativeKernel
from checker.bound import Bound
from checker.engines import checkpointed
from checker.engines.committed import ended, explored_from, header
from checker.engines.explored import Explored, unexplored
from checker.engines.growing import require_room, with_room
from checker.engines.native import compiled, explored, searched
from checker.engines.placement import Spill
from checker.engines.request import Request
from checker.engines.whole_process import within_process
from checker.language.errors import UsageError
from checker.replay.symmetry import require_symmetric_steps
from checker.search.checkpoint import Checkpoint, Deferred
from checker.search.deadline import OutOfTime
from checker.search.disk import Disk, DiskFull, DiskLimit, SpillError, temporary_directory
from checker.search.folders import LocalFolder
from checker.search.memory import available_memory
from checker.search.out_of_core import go_on, piece_rows
from checker.search.result import SearchResult
from checker.search.unnamed import UnnamedFolder
from checker.search.workdir import WorkDirectory
from checker.stored.errors import StoredFileError

LEAST_MEMORY = 16 << 20
"""The least memory of a search; its buffers need a part of it."""


@frozen
class Ended:
    """A search on disk that has ended.  memory: bytes that it may use."""

    work: WorkDirectory
    bound: Bound | None
    disk: Disk
    memory: int


InMemory = Callable[[SearchResult], Explored]
Stored = Callable[[WorkDirectory, Bound | None], Explored]
Beyond = Callable[[Ended], Explored]


def explore(request: Request) -> Explored:
    """Explore natively, and beyond memory on disk.  Raises UsageError if the disk cannot be used."""
    spill = request.placement.spill
    assert spill is not None
    spilling = Spilling(within_memory(request), spill)
    if request.placement.workdir is None:
        return with_room(spilling.explore)
    return checkpointed.in_directory(request, checkpointed.of_all_states(request, spilling.explore_in))


def within_memory(request: Request) -> Request:
    """The request with a limit of memory that a search can respect."""
    given = request.limits.max_memory
    if given is not None and request.limits.whole_process:
        return request
    memory = int(0.9 * available_memory()) if given is None else max(given, LEAST_MEMORY)
    return evolve(request, limits=evolve(request.limits, max_memory=memory, whole_process=False))


def _beside(work: WorkDirectory) -> Path:
    """The directory for sorted runs of a search with a work directory: inside it, if it is a local directory."""
    return work.folder.scratch if isinstance(work.folder, LocalFolder) else temporary_directory()


class Spilling:
    """One request, whose states go to disk when there are many.  Raises UsageError if the directory that was named for
    them, or TMPDIR, cannot be used: memory may be full only after hours.
    """

    def __init__(self, request: Request, spill: Spill) -> None:
        self.request, self.spill = request, spill
        if spill.directory is not None:
            with self._errors(None):
                self._disk(spill.directory).file(words=1).close()
        elif request.placement.workdir is None:
            with self._errors(None):
                temporary_directory()

    def explore(self, room: Mapping[str, int]) -> Explored:
        """Explore without a work directory.  Raises TooSmall."""
        request = self.request
        try:
            kernel = compiled(request, room, quick=True)
        except OutOfTime as late:
            return unexplored(request.definition, late)

        symmetric = partial(require_symmetric_steps, request.definition, kernel)
        return self.search(kernel, room, symmetric, partial(explored, request), partial(_report, request, kernel))

    def search(
        self,
        kernel: NativeKernel,
        room: Mapping[str, int],
        symmetric: Callable[[SearchResult], None],
        in_memory: InMemory,
        beyond: Beyond,
    ) -> Explored:
        """Search with a kernel.  symmetric: raises an error if the states found in memory are not; in_memory: makes the
        report of a search in memory; beyond: of one on disk.  Raises TooSmall.
        """
        request = self.request = evolve(self.request, limits=within_process(self.request.limits))
        deferred = Deferred()
        result: SearchResult | None = searched(request, kernel, deferred)
        assert result is not None
        symmetric(result)
        if result.bound is not Bound.MEMORY:
            return in_memory(result)
        with self._errors(None):
            disk = self._disk(self.spill.directory or temporary_directory())
            folder = UnnamedFolder.on(disk, kernel.words)
            with WorkDirectory.create(folder, header(request, room, kernel)) as work:
                try:
                    deferred.commit_to(work, kernel.words, piece_rows(kernel.words))
                except DiskLimit:
                    return in_memory(evolve(result, bound=Bound.DISK))
                del result
                return self._go_on(kernel, work, disk, beyond)

    def explore_in(self, kernel: NativeKernel, work: WorkDirectory) -> Explored:
        """Explore in a work directory, or resume the search in it.  Raises TooSmall."""
        return self.search_in(
            kernel,
            work,
            lambda _: None,
            lambda result: explored(self.request, result),
            lambda work, bound: explored_from(self.request, kernel, work, bound),
            lambda ended: _report(self.request, kernel, ended),
        )

    def search_in(
        self,
        kernel: NativeKernel,
        work: WorkDirectory,
        symmetric: Callable[[SearchResult], None],
        in_memory: InMemory,
        stored: Stored,
        beyond: Beyond,
    ) -> Explored:
        """Search in a work directory, or resume the search in it.  symmetric, beyond: as of `search`; in_memory: makes
        the report of a search that began here and is in memory; stored: of one that began earlier.  Raises TooSmall.
        """
        request, taken_up = self.request, bool(work.levels)
        if ended(work):
            return stored(work, None)
        request = self.request = evolve(request, limits=within_process(request.limits))
        result: SearchResult | None = searched(request, kernel, Checkpoint(work, kernel.words))
        assert result is not None
        symmetric(result)
        if result.bound is not Bound.MEMORY:
            return stored(work, result.bound) if taken_up else in_memory(result)
        del result
        with self._errors(request.placement.workdir):
            return self._go_on(kernel, work, self.disk_of(work), beyond)

    def disk_of(self, work: WorkDirectory) -> Disk:
        """The directory on disk for a search with a work directory.  Raises UsageError if it cannot be used."""
        return self._disk(_beside(work))

    def _go_on(self, kernel: NativeKernel, work: WorkDirectory, disk: Disk, beyond: Beyond) -> Explored:
        """The rest of a search, and the report of all of it."""
        gc.collect()  # what was in memory is in no use
        request, limits = self.request, self.request.limits
        better = kernel.optimised()
        assert limits.max_memory is not None
        with request.phases("search"):
            outcome = go_on(
                better,
                work,
                disk,
                limits.max_memory,
                threads=request.threads,
                limits=limits,
                stop_at_first=request.stop_at_first,
                progress=request.progress,
            )
        require_room(better, outcome.small)
        where, peak = disk.directory, disk.peak
        request.placement.say(f"memory was full: other states were put in {where}, {peak / 1e6:,.1f} MB at the most")
        return evolve(beyond(Ended(work, outcome.bound, disk, limits.max_memory)), peak_disk=peak)

    def _disk(self, default: Path) -> Disk:
        """The directory on disk.  Raises UsageError if it cannot be used."""
        directory = self.spill.directory or default
        if not directory.is_dir():
            raise UsageError(f"--spill {directory}: there is no such directory", remedy="Make it, or name another.")
        return Disk(directory, self.spill.most)

    @contextmanager
    def _errors(self, workdir: object) -> Iterator[None]:
        """Turn errors of a disk into usage errors, because the user can remedy them."""
        try:
            yield
        except SpillError as error:
            better = "a disk with more room" if isinstance(error, DiskFull) else "another disk"
            how = self.request.placement.resumed(workdir)
            resumed = f"; finished levels are kept: {how}" if workdir is not None else ""
            raise UsageError(str(error), remedy=f"Name a directory on {better}: --spill DIR{resumed}.") from None
        except StoredFileError as error:
            raise UsageError(str(error)) from None


def _report(request: Request, kernel: NativeKernel, ended: Ended) -> Explored:
    return explored_from(request, kernel, ended.work, ended.bound, disk=ended.disk)
