"""The complete tables that a work directory keeps: which there are, and whether they are whole.

Tables are Parquet files in a folder of their own, `graph-...`.  Tables exist once `graph.json` names their folder and
files, with the checksum of each file, the search, and the number of its levels.  Tables can be made again from the
search. Damaged tables are therefore made again, and so are tables of a search that has since been continued.

Readers and writers of tables hold a shared lock.  Old tables are removed only under the exclusive lock, and stay if
that lock is not free (`checker.analysis.graph.left`).  No table is removed while it is read, and no reader waits for
another.  Tables that are made as far as questions read them are elsewhere (`checker.analysis.graph.demanded`).
"""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from checker.extras import install, missing
from checker.language.errors import UsageError
from checker.search.folders import Folder
from checker.search.workdir import WorkDirectory
from checker.stored.errors import StoredFileError
from checker.stored.sealed import seal_json, unseal_json
from checker.stored.shape import Reader, WrongShape, array, matching, parts, table, text, whole

TABLES = ("states", "edges", "steps", "outcomes", "levels", "actions")
MARK, LOCK, STEM = "graph.json", "graph.lock", "graph-"
NAME = re.compile(STEM + "[0-9a-f]{8}")
"""Of a folder with tables: whatever has another name is of somebody else."""
FORMAT = 2
"""1: all but numbers and truth values as text, no steps and no outcomes; up to November 2026."""
log = logging.getLogger(__name__)


def _sum(data: Any) -> tuple[int, int]:
    """Size and CRC-32 of a file."""
    if not isinstance(data, list) or len(data) != 2:
        raise WrongShape("size and checksum of a file", data)
    size, crc = array(whole(0))(data)
    return size, crc


@frozen
class Kept:
    """Complete tables: their folder, and the columns of states that are variables."""

    folder: Folder
    variables: tuple[str, ...]


_STORED: Reader[dict[str, Any]] = parts(
    {
        "search": text,
        "levels": whole(0),
        "folder": matching(NAME.pattern, "the name of a folder"),
        "variables": array(text),
        "files": parts({part: table(_sum) for part in TABLES}),
    }
)


def require_writer() -> None:
    """Raise UsageError if tables cannot be written here."""
    if missing("pyarrow"):
        what = "tables of a search are Parquet files, and the package pyarrow to write them is missing"
        raise UsageError(what, remedy=install("query"))


def new_folder(work: WorkDirectory) -> Folder:
    """A folder for tables that are about to be made."""
    graph = work.folder / f"{STEM}{uuid.uuid4().hex[:8]}"
    for part in TABLES:
        (graph / part).make()
    return graph


def publish(work: WorkDirectory, graph: Kept) -> None:
    """Publish these tables as those of the search."""
    work.folder.publish(MARK, mark(work, graph.folder, graph.variables))


def mark(work: WorkDirectory, graph: Folder, variables: Sequence[str]) -> bytes:
    """The content of the file that marks tables as complete."""
    files = {part: {name: (graph / part).checksum(name) for name in (graph / part).names()} for part in TABLES}
    name = str(graph).rpartition("/")[2]
    held = {"search": work.identity, "levels": len(work.levels), "folder": name}
    held |= {"variables": list(variables), "files": files}
    return seal_json("graph", FORMAT, "", held)


def stored_graph(work: WorkDirectory) -> Kept | None:
    """The tables of this search, if they are complete; damage is reported."""
    graph, wrong = looked_at(work)
    if wrong:
        log.warning("warning: %s; the tables are made again", wrong)
    return graph


def looked_at(work: WorkDirectory) -> tuple[Kept | None, str]:
    """The tables of this search, if they are complete; otherwise their damage."""
    if MARK not in work.folder.names():
        return None, ""
    try:
        found = _STORED(unseal_json("graph", FORMAT, "", work.folder.read(MARK), MARK))
    except (StoredFileError, ValueError) as error:
        return None, f"{work.folder}: {error}"
    if (found["search"], found["levels"]) != (work.identity, len(work.levels)):
        return None, ""
    graph = work.folder / found["folder"]
    wrong = next((name for part in TABLES for name in _differing(graph / part, found["files"][part])), None)
    return (Kept(graph, found["variables"]), "") if wrong is None else (None, f"{wrong} is damaged")


def _differing(folder: Folder, files: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """Files of a table that are missing, superfluous, or have another content than was written."""
    there = folder.names()
    yield from (f"{folder}/{name}" for name in sorted(set(there) ^ set(files)))
    yield from (f"{folder}/{name}" for name in there if name in files and folder.checksum(name) != files[name])


def is_list(work: WorkDirectory) -> bool:
    """Whether the file that would mark tables as complete is one of the checker, damaged or not."""
    return MARK in work.folder.names() and work.folder.read(MARK).startswith(b'{"checker": "graph"')
