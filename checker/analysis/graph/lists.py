"""The sealed lists in a folder of tables that are made as questions read them: the types of all columns, and of each
making the files that it wrote.

A making writes one file for a table, with some of its columns or all.  Its list names the file with its checksum; a
list counts only if all its files are whole, so that tables which are made together stay together.  A list is sealed as
one of its search with the number of its levels; a list of another search, or of the same search when it had fewer
levels, counts as damaged.  Two processes that make the same column write two files and two lists, and either will do.
A file without a list, of a making that was stopped, counts for nothing.
"""

from __future__ import annotations

import base64
import hashlib
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import asdict, frozen

from checker.analysis.graph.kept import STEM, TABLES
from checker.extras import missing
from checker.search.folders import LocalFolder
from checker.search.workdir import WorkDirectory
from checker.stored.errors import StoredFileError
from checker.stored.sealed import seal_json, unseal_json
from checker.stored.shape import array, matching, parts, record, text, whole

TYPES, LIST = "types.json", "made-"
FORMAT = 1
_TYPES = parts({"variables": array(text), "schemas": parts({part: text for part in TABLES})})


@frozen
class File:
    """A file of a making: its table, its name, size and CRC-32, and the columns in it."""

    part: str
    name: str
    size: int
    crc: int
    columns: tuple[str, ...]


_FILE = record(
    File,
    {
        "part": matching("|".join(TABLES), "the name of a table"),
        "name": matching(r"[0-9a-f]{16}\.parquet", "the name of a file of columns"),
        "size": whole(0),
        "crc": whole(0, (1 << 32) - 1),
        "columns": array(text),
    },
)
_MADE = parts({"files": array(_FILE)})


@frozen
class Types:
    """The columns of all tables with their types (Arrow schemas), and the columns of states that are variables."""

    schemas: Mapping[str, Any]
    variables: tuple[str, ...]


def folder_of(work: WorkDirectory) -> LocalFolder:
    """The folder of columns of this search, as far as the search has come."""
    name = hashlib.sha256(f"{FORMAT} {search_of(work)}".encode()).hexdigest()[:8]
    folder = work.folder / f"{STEM}{name}"
    assert isinstance(folder, LocalFolder)
    return folder


def search_of(work: WorkDirectory) -> str:
    """What a list is sealed as: this search with this number of levels."""
    return f"{work.identity} {len(work.levels)}"


def publish_types(folder: LocalFolder, search: str, types: Types) -> None:
    """Publish the types of all columns."""
    schemas = {part: base64.b64encode(types.schemas[part].serialize()).decode() for part in TABLES}
    data = {"variables": list(types.variables), "schemas": schemas}
    folder.publish(TYPES, seal_json("types", FORMAT, search, data))


def types_in(folder: LocalFolder, search: str) -> tuple[Types | None, str]:
    """The types of all columns, None if there is no list of them; and the damage of the list."""
    import pyarrow as pa

    if TYPES not in folder.names():
        return None, ""
    try:
        found = _types_data(folder, search)
        schemas = {part: pa.ipc.read_schema(pa.py_buffer(found.schemas[part])) for part in TABLES}
    except (StoredFileError, ValueError, pa.ArrowException) as error:
        return None, str(error)
    return Types(schemas, found.variables), ""


def damage_of_types(folder: LocalFolder, search: str) -> str:
    """What is wrong with the list of the types, "" if nothing is.  Without pyarrow, which is no part of a plain
    installation, its checksum is compared, and the schemas in it are not read."""
    if not missing("pyarrow"):
        return types_in(folder, search)[1]
    if TYPES not in folder.names():
        return ""
    try:
        _types_data(folder, search)
    except (StoredFileError, ValueError) as error:
        return str(error)
    return ""


def _types_data(folder: LocalFolder, search: str) -> Types:
    """The types of all columns, each schema as bytes.  Raises StoredFileError and ValueError."""
    found = _TYPES(_unsealed(folder, "types", search, TYPES))
    data = {part: base64.b64decode(found["schemas"][part], validate=True) for part in TABLES}
    return Types(data, found["variables"])


def new_name() -> str:
    """The name of a file that is about to be written."""
    return f"{uuid.uuid4().hex[:16]}.parquet"


def publish_files(folder: LocalFolder, search: str, written: Mapping[tuple[str, str], Sequence[str]]) -> list[File]:
    """Publish the files of a making, given by table and name with the columns in them."""
    files = [
        File(part, name, *(folder / part).checksum(name), tuple(columns)) for (part, name), columns in written.items()
    ]
    data = {"files": [{**asdict(file), "columns": list(file.columns)} for file in files]}
    folder.publish(f"{LIST}{uuid.uuid4().hex[:8]}.json", seal_json("columns", FORMAT, search, data))
    return files


@frozen
class Listed:
    """The files of whole makings, damages, and the files that are of no use, by their paths in the folder."""

    files: tuple[File, ...] = ()
    wrong: tuple[str, ...] = ()
    useless: tuple[str, ...] = ()


def listed_in(folder: LocalFolder, search: str) -> Listed:
    """What lists name; every file is read."""
    files, wrong, useless = list[File](), list[str](), list[str]()
    for name in folder.names():
        if name.startswith(LIST):
            try:
                made: tuple[File, ...] = _MADE(_unsealed(folder, "columns", search, name))["files"]
                damage = next(
                    (str(folder / f.part / f.name) + " is damaged" for f in made if not _whole(folder, f)), ""
                )
            except (StoredFileError, ValueError) as error:
                made, damage = (), str(error)
            files += () if damage else made
            wrong += [damage] if damage else []
            useless += [name] if damage else []
    used = {(file.part, file.name) for file in files}
    there = ((part, name) for part in TABLES for name in (folder / part).names())
    useless += [f"{part}/{name}" for part, name in there if (part, name) not in used]
    return Listed(tuple(files), tuple(wrong), tuple(useless))


def _whole(folder: LocalFolder, file: File) -> bool:
    own = folder / file.part
    return file.name in own.names() and own.checksum(file.name) == (file.size, file.crc)


def _unsealed(folder: LocalFolder, kind: str, search: str, name: str) -> Any:
    return unseal_json(kind, FORMAT, search, folder.read(name), f"{folder}/{name}")
