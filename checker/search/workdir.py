"""The work directory of a search: every finished level in immutable files, named by a manifest the driver commits.

    search.json            what is searched: format, model, source, constants; written first, read by whoever resumes
    levels/00012.json      the manifest of level 12; a level exists exactly if its manifest does
    data/                  files named by manifests: states of a level and shard, states without successors
    exchange/              candidates on their way between shards; may be deleted when no search runs

Files are the truth and everything in memory is a cache of them. Writers choose names no other attempt uses, so a dead,
repeated or duplicate attempt leaves rubbish but never changes a level: the driver commits by publishing one manifest, after
all files that it names, and only one driver may hold the directory. A manifest of level n tells, besides the states of that level, what
expanding level n - 1 counted; a level expanded but not committed is expanded again. Words are little-endian.

Where the files are, and what is asked of such a place: `folders`.
"""

from __future__ import annotations

import json
import uuid
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from attrs import asdict, define, field, frozen
from numpy.typing import NDArray

from checker.search.folders import Claim, Folder, WorkDirectoryError, folder_at, folder_errors
from checker.search.source import States

FORMAT = 1
_HEADER = "search.json"


@frozen
class Block:
    """A file of states: its name in data/, the shard that owns them, rows and CRC-32."""

    shard: int
    name: str
    rows: int
    crc: int


@frozen
class Level:
    """A committed level.

    files      the distinct states first reached after `number` steps, by shard (of `shards`).
    quiescent  the states of the level before that have no successors.
    counters   what the expansion of the level before counted, (2A + 3,) as in search.source.
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
    """An open work directory. Use `create` or `open`; as a context manager, leaving it lets others in.

    All errors of the file system become WorkDirectoryError.
    """

    folder: Folder
    header: dict[str, Any]
    levels: list[Level]
    _claim: Claim | None = field(default=None, repr=False)

    @classmethod
    def create(cls, where: Path | str | Folder, header: Mapping[str, Any]) -> Self:
        """Start a search in a new or empty directory."""
        folder = folder_at(where)
        with folder_errors(folder):
            for part in ("levels", "data", "exchange"):
                (folder / part).make()
            if _HEADER in folder.names():
                raise WorkDirectoryError(f"{folder} already holds a search; resume it or name another directory")
            claim = folder.claim()
            folder.publish(_HEADER, _json({"format": FORMAT, **header}))
        return cls(folder, {"format": FORMAT, **header}, [], claim)

    @classmethod
    def open(cls, where: Path | str | Folder) -> Self:
        """Open a search to continue or to read it."""
        folder = folder_at(where)
        with folder_errors(folder):
            if _HEADER not in folder.names():
                raise WorkDirectoryError(f"{folder} holds no search: it has no {_HEADER}")
            claim = folder.claim()
            header = _parsed(folder, _HEADER)
            if header.get("format") != FORMAT:
                raise WorkDirectoryError(f"{folder} has format {header.get('format')}; this version reads {FORMAT}")
            levels = _levels(folder)
        return cls(folder, header, levels, claim)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others open the directory."""
        if self._claim is not None:
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
            for part in ("levels", "data", "exchange"):
                inner = self.folder / part
                for name in reversed(inner.names()):  # the last manifest first: what is left is a search that stopped earlier
                    inner.remove(name)
            self.header, self.levels = {"format": FORMAT, **header}, []
            self.folder.publish(_HEADER, _json(self.header))

    def commit(self, level: Level) -> None:
        """Make a level part of the search, once its files are complete."""
        assert level.number == len(self.levels)
        with folder_errors(self.folder):
            self._check()
            (self.folder / "levels").publish(_manifest(level.number), _json(asdict(level)))
        self.levels.append(level)

    def _check(self) -> None:
        if self._claim is not None:
            self._claim.check()


def _manifest(number: int) -> str:
    return f"{number:05}.json"


def _json(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, indent=1).encode()


def _parsed(folder: Folder, name: str) -> Any:
    try:
        return json.loads(folder.read(name))
    except ValueError:
        raise WorkDirectoryError(f"{folder}/{name} is damaged: it is not whole") from None


def _levels(folder: Folder) -> list[Level]:
    """The committed levels. A last manifest cut short was never committed."""
    names = set((folder / "levels").names())
    levels: list[Level] = []
    while (name := _manifest(len(levels))) in names:
        try:
            levels.append(read_level(folder, len(levels)))
        except WorkDirectoryError:
            if _manifest(len(levels) + 1) in names:
                raise
            (folder / "levels").remove(name)
            break
    return levels


def read_level(folder: Folder, number: int) -> Level:
    """The manifest of a committed level."""
    with folder_errors(folder):
        data = _parsed(folder / "levels", _manifest(number))
    files, quiescent = (tuple(Block(**block) for block in data[name]) for name in ("files", "quiescent"))
    found = {int(number): steps for number, steps in data["found"].items()}
    return Level(data["number"], data["shards"], files, quiescent, tuple(data["counters"]), found, data["seconds"])


def _bytes(states: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(states, dtype="<u8").view(np.uint8).reshape(-1).data


@define
class BlockWriter:
    """A file of states being written, under a name no one else uses. Raises WorkDirectoryError."""

    directory: Folder
    stem: str
    shard: int
    rows: int = 0
    _crc: int = 0
    _name: str = ""
    _file: Any = field(default=None, repr=False)

    def write(self, states: States) -> None:
        """Append states; what cannot be written whole is deleted, to leave room for what is tried next."""
        with folder_errors(self.directory):
            try:
                if self._file is None:
                    self._name = f"{self.stem}-{self.shard:03}-{uuid.uuid4().hex[:12]}"
                    self._file = self.directory.create(self._name)
                memory = _bytes(states)
                self._crc = zlib.crc32(memory, self._crc)
                self.rows += len(states)
                self._file.write(memory)
            except OSError:
                self.discard()
                raise

    def close(self, durable: bool = True) -> tuple[Block, ...]:
        """The finished file, or nothing if no state was written; `durable`: it survives a loss of power."""
        if self._file is None:
            return ()
        with folder_errors(self.directory):
            try:
                self.directory.finish(self._file, durable)
            except OSError:
                self.discard()
                raise
        return (Block(self.shard, self._name, self.rows, self._crc),)

    def discard(self) -> None:
        """Delete what was written."""
        if self._file is not None:
            try:
                self._file.close()
            except OSError:
                pass  # flushing the rest meets the same full disk
            self.directory.remove(self._name)


def write_blocks(directory: Folder, stem: str, shard: int, states: States) -> tuple[Block, ...]:
    """One file with these states; none for no states."""
    writer = BlockWriter(directory, stem, shard)
    if len(states):
        writer.write(states)
    return writer.close()


def read_block(directory: Folder, block: Block, words: int, verify: bool = True) -> States:
    """The states of a file, (rows, words), mapped into memory. WorkDirectoryError if they are not what was written."""
    if block.rows == 0:
        return np.zeros((0, words), dtype=np.uint64)
    try:
        with folder_errors(directory):
            states = directory.words(block.name)
    except ValueError:  # no whole number of words
        states = np.zeros(0, dtype=np.uint64)
    if states.size != block.rows * words or verify and zlib.crc32(_bytes(states)) != block.crc:
        raise WorkDirectoryError(f"{directory}/{block.name} is damaged: it does not hold what its manifest says")
    return states.reshape(block.rows, words)


__all__ = ["Block", "BlockWriter", "Level", "WorkDirectory", "WorkDirectoryError", "read_block", "read_level", "write_blocks"]
