"""What is left over of tables in a work directory: folders that are not, or no longer, of the search, and in a folder
of columns the files that are of no use.

Everything is removed under the exclusive lock, which nobody gets while tables are read or made.
"""

from __future__ import annotations

from checker.analysis.graph.kept import LOCK, MARK, NAME, Kept, is_list, looked_at
from checker.analysis.graph.lists import folder_of, listed_in, search_of
from checker.search.folders import LocalFolder
from checker.search.workdir import WorkDirectory


def left_over(work: WorkDirectory, graph: Kept | None) -> list[str]:
    """Names in the work directory; graph: the complete tables of the search, if there are any (`looked_at`, which reads
    every file).  Where they are, columns are left over.
    """
    found = folders_left(work, graph)
    if graph is None and isinstance(work.folder, LocalFolder):
        folder = folder_of(work)
        found += [f"{folder.path.name}/{name}" for name in listed_in(folder, search_of(work)).useless]
    return found


def folders_left(work: WorkDirectory, graph: Kept | None) -> list[str]:
    """Folders of tables that are not those of the search."""
    ours = [name for name in work.folder.folders() if NAME.fullmatch(name)]
    if graph is not None:
        kept = str(graph.folder)
    else:
        kept = str(folder_of(work)) if isinstance(work.folder, LocalFolder) else ""
    return [name for name in ours if f"{work.folder}/{name}" != kept]


def remove_left_over(work: WorkDirectory) -> bool:
    """Remove unneeded tables, unless tables are being read or made; return whether they were removed."""
    claim = work.folder.alone(LOCK)
    if claim is None:
        return False
    try:
        graph, _ = looked_at(work)
        for path in left_over(work, graph):
            folder, _, name = path.rpartition("/")
            if folder:
                (work.folder / folder).remove(name)
            else:
                (work.folder / name).remove_all()
        if graph is None and is_list(work):
            work.folder.remove(MARK)
    finally:
        claim.release()
    return True
