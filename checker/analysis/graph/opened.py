"""Opening the tables of a work directory.  Tables are made first if they are missing or damaged, or if the search has
been continued since.

No model is executed where tables exist: they were confirmed when they were made.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path

import attrs

from checker.analysis.graph.columns import titles
from checker.analysis.graph.demanded import Demanded
from checker.analysis.graph.kept import LOCK, Kept, is_list, new_folder, publish, require_writer, stored_graph
from checker.analysis.graph.left import folders_left, remove_left_over
from checker.analysis.graph.lists import Listed, folder_of, listed_in, search_of
from checker.analysis.graph.made import Stored
from checker.analysis.graph.rows import OWN
from checker.engines.checkpointed import kernel_of
from checker.engines.committed import HEADER, stored_search, validated_stored, work_directory_errors
from checker.engines.placement import Placement
from checker.engines.request import Request
from checker.language.define import define
from checker.search.folder_errors import folder_errors
from checker.search.folders import Claim, Folder
from checker.search.workdir import WorkDirectory

log = logging.getLogger(__name__)
Write = Callable[[Stored, Folder], None]


@contextmanager
def tables(where: Path | str, write: Write) -> Iterator[Kept]:
    """The complete tables of a stored search, under a lock that prevents their removal; `write` makes them.  Raises
    UsageError if the work directory cannot be used.
    """
    with _shared(where) as (work, held):
        with work_directory_errors(), folder_errors(work.folder):
            graph = stored_graph(work)
            if graph is None:
                graph = _made(where, work, write)
                held.again()
        yield graph


@contextmanager
def as_asked(where: Path | str) -> Iterator[Kept | Demanded]:
    """The tables of a stored search, under the same lock: complete ones if they are there, and otherwise those that are
    made when a question reads them.  Raises UsageError if the work directory cannot be used.
    """
    with _shared(where) as (work, held):
        with work_directory_errors(), folder_errors(work.folder):
            graph, listed = _there(work)
            for damage in listed.wrong:
                log.warning("warning: %s; what is read of it is made again", damage)
            if listed.useless or folders_left(work, graph) or graph is None and is_list(work):
                held.again()
                graph, listed = _there(work)
        if graph is not None:
            yield graph
        else:
            search = cache(partial(_search, where, work))
            yield Demanded(folder_of(work), search_of(work), _counts(work), search, list(listed.files))


def _there(work: WorkDirectory) -> tuple[Kept | None, Listed]:
    """Complete tables, or whole files of columns."""
    graph = stored_graph(work)
    return graph, Listed() if graph is not None else listed_in(folder_of(work), search_of(work))


def _counts(work: WorkDirectory) -> dict[str, int]:
    """The numbers of states and of transitions."""
    edges = sum(level.counters[-3] for level in work.levels[1:])
    return {"states": sum(level.rows for level in work.levels), "edges": edges}


@attrs.define
class _Held:
    """The shared lock of the tables of a search."""

    work: WorkDirectory
    claim: Claim

    def again(self) -> None:
        """Take it again, after what is left over has been removed, if nobody else has it and files can be removed."""
        self.claim.release()
        with suppress(OSError):
            remove_left_over(self.work)
        self.claim = self.work.folder.shared(LOCK)


@contextmanager
def _shared(where: Path | str) -> Iterator[tuple[WorkDirectory, _Held]]:
    with work_directory_errors():
        work = WorkDirectory.read(where, HEADER)
        with folder_errors(work.folder):
            held = _Held(work, work.folder.shared(LOCK))
    try:
        yield work, held
    finally:
        held.claim.release()


def _made(where: Path | str, work: WorkDirectory, write: Write) -> Kept:
    require_writer()
    stored = _search(where, work)
    graph = Kept(new_folder(work), tuple(titles([v.name for v in stored.kernel.model.variables], OWN)))
    try:
        write(stored, graph.folder)
        publish(work, graph)
    except BaseException:
        graph.folder.remove_all()
        raise
    return graph


def _search(where: Path | str, work: WorkDirectory) -> Stored:
    """A stored search, confirmed by the interpreter."""
    stored = stored_search(where)
    definition = define(stored.entry.cls, stored.constants, stored.only)
    placement = Placement(where, resume=True)
    kernel = kernel_of(Request(definition, stored.entry.reference, stored.only, placement=placement), work)
    validated_stored(definition, (kernel, kernel.optimised()), work)
    return Stored(definition, kernel, work)
