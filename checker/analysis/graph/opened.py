"""Opening the tables of a work directory.  Tables are made first if they are missing or damaged, or if the search has
been continued since.

No model is executed where tables exist: they were confirmed when they were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from checker.analysis.graph.columns import titles
from checker.analysis.graph.kept import LOCK, Kept, new_folder, publish, remove_left_over, require_writer, stored_graph
from checker.analysis.graph.made import Stored
from checker.analysis.graph.rows import OWN
from checker.engines.checkpointed import kernel_of
from checker.engines.committed import HEADER, stored_search, validated_stored, work_directory_errors
from checker.engines.placement import Placement
from checker.engines.request import Request
from checker.language.define import define
from checker.search.folder_errors import folder_errors
from checker.search.folders import Folder
from checker.search.workdir import WorkDirectory

Write = Callable[[Stored, Folder], None]


@contextmanager
def tables(where: Path | str, write: Write) -> Iterator[Kept]:
    """The tables of a stored search, under a lock that prevents their removal; `write` makes them.  Raises UsageError
    if the work directory cannot be used.
    """
    with work_directory_errors():
        work = WorkDirectory.read(where, HEADER)
        with folder_errors(work.folder):
            held = work.folder.shared(LOCK)
    try:
        with work_directory_errors(), folder_errors(work.folder):
            graph = stored_graph(work)
            if graph is None:
                graph = _made(where, work, write)
                held.release()
                remove_left_over(work)
                held = work.folder.shared(LOCK)
        yield graph
    finally:
        held.release()


def _made(where: Path | str, work: WorkDirectory, write: Write) -> Kept:
    require_writer()
    stored = stored_search(where)
    definition = define(stored.entry.cls, stored.constants, stored.only)
    placement = Placement(where, resume=True)
    kernel = kernel_of(Request(definition, stored.entry.reference, stored.only, placement=placement), work)
    validated_stored(definition, (kernel, kernel.optimised()), work)
    graph = Kept(new_folder(work), tuple(titles([v.name for v in kernel.model.variables], OWN)))
    try:
        write(Stored(definition, kernel, work), graph.folder)
        publish(work, graph)
    except BaseException:
        graph.folder.remove_all()
        raise
    return graph
