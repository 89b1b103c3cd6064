"""The work directory of a search: every finished level in immutable files, named by a manifest that the driver commits.

docs/spark.md lists the files. A level exists if and only if its manifest does. The files are authoritative, and
everything in memory is a cache of them. Writers choose names that no other attempt uses, so a dead, repeated or
duplicate attempt leaves files that no manifest names, but never changes a level: the driver commits by publishing one
manifest, after all files that it names. A manifest of level n has, besides the states of that level, the counts of
expanding level n - 1; a level that was expanded but not committed is expanded again. Words are little-endian.

Everything read back is checked. JSON files are sealed (`checker.stored.sealed`) and have a schema; a manifest names its
level and its search, so neither another level's manifest nor that of another search is accepted. Files of states have
the size and the checksum in their manifest. A mismatch is a WorkDirectoryError that names the file, with one exception:
a damaged last manifest was never committed completely, as on HDFS after a crash, and its level is expanded again.

`folders` determines where the files are, and who may drive the search in them.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from attrs import asdict, define, field

from checker.frozen import frozen
from checker.search.block_files import REMEDY, Block
from checker.search.folder_errors import WorkDirectoryError, folder_errors
from checker.search.folders import Claim, Folder, folder_at
from checker.stored.errors import Damaged, StoredFileError
from checker.stored.sealed import seal_json, unseal_json
from checker.stored.shape import Reader, WrongShape, array, matching, number, parts, record, table, text, whole
from checker.wording import listed

FORMAT = 3
"""1: without checksums; 2: states shared out among shards by another hash; both up to November 2026."""

_HEADER = "search.json"
_PARTS = ("levels", "data", "exchange")
_BESIDE = re.compile(r"graph\.json|spark\.log|graph-[0-9a-f]{8}")
"""What others write, replace and remove beside the files of a search: tables for questions, and the output of Spark."""
MOST_NAMED = 4
"""So many folders with searches a message names."""


@frozen
class Level:
    """A committed level.

    files      the distinct states first reached after `number` steps, by shard (of `shards`).
    quiescent  the quiescent states of the level before.
    counters   what the expansion of the level before counted, (2A + 3,) as in `checker.contract`.
    found      finding -> least number of steps after which it shows, over all levels so far.
    """

    number: int
    shards: int
    files: tuple[Block, ...]
    quiescent: tuple[Block, ...]
    counters: tuple[int, ...]
    found: Mapping[int, int]
    seconds: float = 0.0

    @property
    def rows(self) -> int:
        """Distinct states of the level."""
        return sum(block.rows for block in self.files)


@define
class WorkDirectory:
    """An open work directory. Use `create` or `open`; as a context manager, leaving it releases the directory.

    All errors of the file system become WorkDirectoryError.
    """

    folder: Folder
    header: dict[str, Any]
    levels: list[Level]
    identity: str
    _claim: Claim | None = field(default=None, repr=False)

    @classmethod
    def create(cls, where: Path | str | Folder, header: Mapping[str, Any]) -> Self:
        """Start a search in a directory that has no levels of one."""
        folder, identity = folder_at(where), uuid.uuid4().hex
        with folder_errors(folder):
            if _HEADER in folder.names():
                folder.unused()
            _require_unused(folder)
            _make_parts(folder)
            claim = folder.claim()
            try:
                _require_unused(folder)  # another process may have been quicker, and have ended since
                folder.publish(_HEADER, _sealed_header(identity, header))
            except BaseException:
                claim.release()
                raise
        return cls(folder, dict(header), [], identity, claim)

    @classmethod
    def read(cls, where: Path | str | Folder, header: Reader[dict[str, Any]] = table(lambda value: value)) -> Self:
        """The committed levels, for readers: a reader excludes nobody, and nobody excludes a reader."""
        folder = folder_at(where)
        with folder_errors(folder):
            _require_search(folder)
            found = _unsealed(folder, _HEADER, "search", "", parts({"identity": _IDENTITY, "about": header}))
            levels = _levels(folder, found["identity"])
        return cls(folder, found["about"], levels, found["identity"])

    @classmethod
    def open(cls, where: Path | str | Folder, header: Reader[dict[str, Any]] = table(lambda value: value)) -> Self:
        """Open a search to continue it."""
        folder = folder_at(where)
        with folder_errors(folder):
            _require_search(folder)
            claim = folder.claim()
            try:
                work = cls.read(folder, header)
                _make_parts(folder)
                for name in _levels_of(folder)[len(work.levels) :]:  # a last manifest that was never whole
                    (folder / "levels").remove(name)
                _discard(folder / "exchange")
            except BaseException:
                claim.release()
                raise
        work._claim = claim
        return work

    @staticmethod
    def holds_search(where: Path | str | Folder) -> bool:
        """Whether there is a search in a directory, which need not exist."""
        folder = folder_at(where)
        with folder_errors(folder):
            try:
                return _HEADER in folder.names()
            except FileNotFoundError:
                return False

    @classmethod
    def below(cls, where: Path | str | Folder) -> list[Folder]:
        """The folders of a directory that hold searches of their own."""
        folder = folder_at(where)
        with folder_errors(folder):
            return [folder / name for name in folder.folders() if cls.holds_search(folder / name)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the directory, and remove exchanged candidates, which are of no further use."""
        if self._claim is not None:
            with suppress(OSError, WorkDirectoryError):  # another driver has taken over, or the disk is gone
                self._claim.check()
                _discard(self.folder / "exchange")
            self._claim.release()
            self._claim = None

    @property
    def data(self) -> Folder:
        """Where files of states are."""
        return self.folder / "data"

    def reset(self, header: Mapping[str, Any]) -> None:
        """Forget all levels and begin with another header (the packed states have changed)."""
        with folder_errors(self.folder):
            self._check()
            for part in _PARTS:
                _discard(self.folder / part)
            self.header, self.levels, self.identity = dict(header), [], uuid.uuid4().hex
            self.folder.publish(_HEADER, _sealed_header(self.identity, header))

    def commit(self, level: Level) -> None:
        """Make a level part of the search, once its files are complete."""
        assert level.number == len(self.levels)
        content = {"search": self.identity, "level": asdict(level)}
        with folder_errors(self.folder):
            self._check()
            (self.folder / "levels").publish(
                _manifest(level.number), seal_json("level", FORMAT, str(level.number), content)
            )
        self.levels.append(level)

    def _check(self) -> None:
        if self._claim is not None:
            self._claim.check()


def _make_parts(folder: Folder) -> None:
    """Create the folders that are missing: a copy may not have those that were empty."""
    for part in _PARTS:
        (folder / part).make()


def _require_unused(folder: Folder) -> None:
    """Raise WorkDirectoryError if a folder holds a search, or files that a search there would take for its own: levels
    would be those of the new search, and files that no manifest names are removed.
    """
    if _HEADER in folder.names():
        raise WorkDirectoryError(f"{folder} already holds a search; resume it or name another directory")
    if _levels_of(folder):
        what = f"{folder} holds levels of a search without its {_HEADER}"
        raise WorkDirectoryError(f"{what}; restore this file from a copy, or name another directory")
    if beside := [name for name in (*folder.names(), *folder.folders()) if _BESIDE.fullmatch(name)]:
        what = f"{folder} holds {listed(beside, MOST_NAMED)} of something else"
        raise WorkDirectoryError(f"{what}, which a search and questions about it replace; name another directory")
    for part in _PARTS:
        if files := (folder / part).names():
            what = f"{folder / part} holds files of something else ({listed(files, MOST_NAMED)})"
            raise WorkDirectoryError(f"{what}, and a search removes such files; name another directory")


def _require_search(folder: Folder) -> None:
    if _HEADER not in folder.names():
        below = WorkDirectory.below(folder)
        named = ", ".join(map(str, below[:MOST_NAMED])) + (", ..." if len(below) > MOST_NAMED else "")
        elsewhere = f"; searches are in {named}" if below else ""
        raise WorkDirectoryError(f"{folder} holds no search: it has no file {_HEADER}{elsewhere}")


def _discard(folder: Folder) -> None:
    """Remove the files of a folder, the last first: if some manifests are left, they are a search that stopped
    earlier."""
    for name in reversed(folder.names()):
        folder.remove(name)


def _sealed_header(identity: str, header: Mapping[str, Any]) -> bytes:
    return seal_json("search", FORMAT, "", {"identity": identity, "about": dict(header)})


def _manifest(number: int) -> str:
    return f"{number:05}.json"


# ---- what is read back

_IDENTITY = matching(r"[0-9a-f]{32}", "the identity of a search")
_STEPS = table(whole(0), key=lambda name: int(matching(r"[0-9]{1,9}", "a number")(name)))
_BLOCK = record(
    Block,
    {
        "shard": whole(0),
        "name": matching(r"\w[\w.-]*", "the name of a file"),
        "rows": whole(0),
        "crc": whole(0, (1 << 32) - 1),
    },
)
_LEVEL = record(
    Level,
    {
        "number": whole(0),
        "shards": whole(1),
        "files": array(_BLOCK),
        "quiescent": array(_BLOCK),
        "counters": array(whole(0)),
        "found": _STEPS,
        "seconds": number,
    },
)
_COMMITTED = parts({"search": text, "level": _LEVEL})


def _unsealed(folder: Folder, name: str, kind: str, sealed_as: str, reader: Callable[[Any], Any]) -> Any:
    """A sealed JSON file. Damaged, or WorkDirectoryError; both name the file."""
    where = f"{folder}/{name}"
    try:
        return reader(unseal_json(kind, FORMAT, sealed_as, folder.read(name), where))
    except Damaged as error:
        raise DamagedWorkDirectoryError(f"{error}; {REMEDY}") from None
    except StoredFileError as error:
        raise WorkDirectoryError(f"{error}; search again in another work directory") from None
    except WrongShape as error:
        raise WorkDirectoryError(f"{where}: {error}; {REMEDY}") from None
    except ValueError as error:
        raise DamagedWorkDirectoryError(f"{where} is damaged: {error}; {REMEDY}") from None


class DamagedWorkDirectoryError(WorkDirectoryError):
    """A JSON file of a work directory differs from what was written. The name ends as that of its base: a driver
    recognises errors of tasks by their names.
    """


def _levels_of(folder: Folder) -> list[str]:
    return sorted(name for name in (folder / "levels").names() if name.endswith(".json"))


def _levels(folder: Folder, identity: str) -> list[Level]:
    """The committed levels. A last manifest that is damaged was never committed."""
    inner, names = folder / "levels", _levels_of(folder)
    levels: list[Level] = []
    for place, name in enumerate(names):
        if name != _manifest(place):
            raise WorkDirectoryError(f"{inner}/{_manifest(place)} is missing, and {name} is there; {REMEDY}")
        try:
            levels.append(read_level(folder, place, identity))
        except DamagedWorkDirectoryError:
            if name != names[-1]:
                raise
    return levels


def read_level(folder: Folder, number: int, identity: str | None = None) -> Level:
    """The manifest of a committed level; with `identity`, of that search."""
    inner, name = folder / "levels", _manifest(number)
    with folder_errors(folder):
        found = _unsealed(inner, name, "level", str(number), _COMMITTED)
    level: Level = found["level"]
    if level.number != number or identity not in (None, found["search"]):
        raise WorkDirectoryError(f"{inner}/{name} belongs to another search or level than {_HEADER}; {REMEDY}")
    return level
