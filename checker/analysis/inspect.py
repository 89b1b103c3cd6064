"""What is in a work directory, whether it is complete, and what is left over in it.

Every file that the search names is read and compared with its checksum; no model is executed.  Files that no manifest
and no list of tables names are left over: states of levels that were not committed, exchanged candidates, files that
were being written when a process died, tables of a search that has since been continued.  They are removed only while
no search runs and no tables are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from checker.analysis.graph.kept import STEM, looked_at
from checker.analysis.graph.left import left_over, remove_left_over
from checker.analysis.graph.lists import damage_of_types, folder_of, listed_in, search_of
from checker.engines.committed import HEADER, ended, findings_of, is_reduced, sought_of, work_directory_errors
from checker.language.errors import UsageError
from checker.results.inspected import Inspected
from checker.search.block_files import Block, read_block
from checker.search.folder_errors import WorkDirectoryError, folder_errors
from checker.search.folders import Folder, LocalFolder
from checker.search.workdir import WorkDirectory
from checker.stored.errors import StoredFileError

_WRITTEN = re.compile(r".+\.json\.[0-9a-f]{8}")  # beside its place, by `checker.stored.whole`


def inspect(where: Path | str, clean: bool = False) -> Inspected:
    """Look at a work directory, and at the searches in its folders; `clean`: remove what is left over.  Raises
    UsageError if it holds no search, or if a running search may need the files.
    """
    with work_directory_errors():
        found = _inspected(where, clean)
        return evolve(found, below=tuple(_inspected(folder, clean) for folder in WorkDirectory.below(where)))


def _inspected(where: Path | str | Folder, clean: bool) -> Inspected:
    work = WorkDirectory.read(where, HEADER)
    with folder_errors(work.folder):
        damaged = [*_damaged(work)]
        tables, wrong = looked_at(work)
        columns, others = _columns(work) if tables is None else (False, [])
        rest = [*_unnamed(work), *left_over(work, tables)]
        if clean and rest:
            _remove(where, work, rest)
        expanded, sought = work.levels[1:], sought_of(work.header)
        return Inspected(
            directory=str(work.folder),
            model=work.header["model"],
            constants=work.header["constants"],
            command="check" if sought is None else sought.command,
            levels=sum(1 for level in work.levels if level.rows),
            states=sum(level.rows for level in work.levels),
            transitions=sum(level.counters[-3] for level in expanded),
            quiescent=sum(level.counters[-2] for level in expanded),
            found=findings_of(work),
            complete=bool(work.levels) and work.levels[-1].rows == 0,
            ended=ended(work),
            reduced=is_reduced(work.header),
            tables=columns or tables is not None,
            damaged=(*damaged, *([wrong] if wrong else []), *others),
            left_over=tuple(rest),
            removed=clean and bool(rest),
        )


def _columns(work: WorkDirectory) -> tuple[bool, list[str]]:
    """Whether there are columns that questions have read, and what of them is damaged."""
    if not isinstance(work.folder, LocalFolder):
        return False, []
    folder, search = folder_of(work), search_of(work)
    listed, wrong = listed_in(folder, search), damage_of_types(folder, search)
    return bool(listed.files), [*listed.wrong, *([wrong] if wrong else [])]


def _damaged(work: WorkDirectory) -> Iterator[str]:
    """Damage of files that the search names."""
    manifests = (work.folder / "levels").names()
    if len([name for name in manifests if name.endswith(".json")]) > len(work.levels):
        yield f"{work.folder}/levels: the last manifest is damaged; its level is searched again"
    for block in _blocks(work):
        try:
            read_block(work.data, block, work.header["words"])
        except WorkDirectoryError as error:
            yield str(error)


def _blocks(work: WorkDirectory) -> Iterator[Block]:
    return (block for level in work.levels for block in (*level.files, *level.quiescent))


def _unnamed(work: WorkDirectory) -> Iterator[str]:
    """Paths in the work directory that no manifest names; those of tables separately."""
    named = {block.name for block in _blocks(work)}
    yield from (f"data/{name}" for name in work.data.names() if name not in named)
    yield from (f"exchange/{name}" for name in (work.folder / "exchange").names())
    for folder, prefix in ((work.folder, ""), (work.folder / "levels", "levels/")):
        yield from (f"{prefix}{name}" for name in folder.names() if _WRITTEN.fullmatch(name))


def _remove(where: Path | str | Folder, work: WorkDirectory, rest: list[str]) -> None:
    """Remove unnamed files, under the lock of the search's driver."""
    try:
        owned = WorkDirectory.open(where, HEADER)  # which empties exchange
    except StoredFileError as error:
        raise UsageError(f"nothing is removed: {error}") from None
    with owned:
        for path in set(rest) & set(_unnamed(owned)):  # what a search has committed meanwhile stays
            folder, _, name = path.rpartition("/")
            _below(owned.folder, folder).remove(name)
        if any(path.startswith(STEM) for path in rest) and not remove_left_over(owned):
            raise UsageError("tables that are left over are kept: somebody reads or makes tables there")


def _below(folder: Folder, name: str) -> Folder:
    return folder / name if name else folder
