"""The work directory of a search: every finished level in immutable files, named by a manifest the driver commits.

    search.json            what is searched: format, model, source, constants; written first, read by whoever resumes
    levels/00012.json      the manifest of level 12; a level exists exactly if its manifest does
    data/                  files named by manifests: states of a level and shard, states without successors
    exchange/              candidates on their way between shards; may be deleted when no search runs

Files are the truth and everything in memory is a cache of them. Writers choose names no other attempt uses, so a dead,
repeated or duplicate attempt leaves rubbish but never changes a level: the driver commits by renaming one manifest into
place, and only one driver may hold the directory. A manifest of level n tells, besides the states of that level, what
expanding level n - 1 counted; a level expanded but not committed is expanded again. Words are little-endian.

Stops being true: on file systems that do not rename atomically or show a new file late to other machines.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import uuid
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from attrs import asdict, define, field, frozen
from numpy.typing import NDArray

from checker.search.source import States

FORMAT = 1
_HEADER = "search.json"


class WorkDirectoryError(Exception):
    """The work directory cannot be used: not writable, full, damaged, in use, or of another search."""


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

    path: Path
    header: dict[str, Any]
    levels: list[Level]
    _lock: Any = field(default=None, repr=False)

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any]) -> Self:
        """Start a search in a new or empty directory."""
        with _errors(path):
            for part in ("levels", "data", "exchange"):
                (path / part).mkdir(parents=True, exist_ok=True)
            if (path / _HEADER).exists():
                raise WorkDirectoryError(f"{path} already holds a search; resume it or name another directory")
            lock = _locked(path)
            _replace(path / _HEADER, {"format": FORMAT, **header})
        return cls(path, {"format": FORMAT, **header}, [], lock)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a search to continue or to read it."""
        with _errors(path):
            if not (path / _HEADER).exists():
                raise WorkDirectoryError(f"{path} holds no search: it has no {_HEADER}")
            lock = _locked(path)
            header = json.loads((path / _HEADER).read_text(encoding="utf-8"))
            if header.get("format") != FORMAT:
                raise WorkDirectoryError(f"{path} has format {header.get('format')}; this version reads {FORMAT}")
            count = sum(1 for _ in path.glob("levels/*.json"))
            levels = [read_level(path, number) for number in range(count)]
        return cls(path, header, levels, lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others open the directory."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @property
    def data(self) -> Path:
        """Where files of states are."""
        return self.path / "data"

    def reset(self, header: Mapping[str, Any]) -> None:
        """Forget all levels and begin with another header (the packed states have changed)."""
        with _errors(self.path):
            for manifest in sorted(self.path.glob("levels/*.json"), reverse=True):
                manifest.unlink()  # the last first: what is left is a search that stopped earlier
            for part in ("data", "exchange"):
                for file in (self.path / part).iterdir():
                    file.unlink()
            self.header, self.levels = {"format": FORMAT, **header}, []
            _replace(self.path / _HEADER, self.header)

    def update(self, header: Mapping[str, Any]) -> None:
        """Change entries of the header."""
        self.header = {**self.header, **header}
        with _errors(self.path):
            _replace(self.path / _HEADER, self.header)

    def commit(self, level: Level) -> None:
        """Make a level part of the search, once its files are complete."""
        assert level.number == len(self.levels)
        with _errors(self.path):
            _replace(self.path / "levels" / f"{level.number:05}.json", asdict(level))
        self.levels.append(level)


def read_level(path: Path, number: int) -> Level:
    """The manifest of a committed level."""
    with _errors(path):
        data = json.loads((path / "levels" / f"{number:05}.json").read_text(encoding="utf-8"))
    files, quiescent = (tuple(Block(**block) for block in data[name]) for name in ("files", "quiescent"))
    found = {int(number): steps for number, steps in data["found"].items()}
    return Level(data["number"], data["shards"], files, quiescent, tuple(data["counters"]), found, data["seconds"])


def _bytes(states: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(states, dtype="<u8").view(np.uint8).reshape(-1).data


@define
class BlockWriter:
    """A file of states being written, under a name no one else uses. Raises WorkDirectoryError."""

    directory: Path
    stem: str
    shard: int
    rows: int = 0
    _crc: int = 0
    _name: str = ""
    _file: Any = field(default=None, repr=False)

    def write(self, states: States) -> None:
        """Append states; what cannot be written whole is deleted, to leave room for what is tried next."""
        with _errors(self.directory):
            try:
                if self._file is None:
                    self._name = f"{self.stem}-{self.shard:03}-{uuid.uuid4().hex[:12]}"
                    self._file = open(self.directory / self._name, "xb")
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
        with _errors(self.directory):
            try:
                self._file.flush()
                if durable:
                    os.fsync(self._file.fileno())
                self._file.close()
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
            (self.directory / self._name).unlink(missing_ok=True)


def write_blocks(directory: Path, stem: str, shard: int, states: States) -> tuple[Block, ...]:
    """One file with these states; none for no states."""
    writer = BlockWriter(directory, stem, shard)
    if len(states):
        writer.write(states)
    return writer.close()


def read_block(directory: Path, block: Block, words: int, verify: bool = True) -> States:
    """The states of a file, (rows, words), mapped into memory. WorkDirectoryError if they are not what was written."""
    path = directory / block.name
    if block.rows == 0:
        return np.zeros((0, words), dtype=np.uint64)
    with _errors(directory):
        states: NDArray[np.uint64] = np.memmap(path, dtype="<u8", mode="r")
    if states.size != block.rows * words or verify and zlib.crc32(_bytes(states)) != block.crc:
        raise WorkDirectoryError(f"{path} is damaged: it does not hold what its manifest says")
    return states.reshape(block.rows, words)


class _errors:
    """Turns errors of the file system into WorkDirectoryError with what to do."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, _: object) -> None:
        if isinstance(error, OSError):
            advice = {
                errno.ENOSPC: "the disk is full; make room and resume",
                errno.EDQUOT: "the quota is used up; make room and resume",
                errno.EACCES: "it cannot be written; check its permissions",
                errno.EROFS: "it is on a read-only file system",
                errno.ENOTDIR: "a part of it is a file, not a directory",
            }.get(error.errno or 0, str(error))
            raise WorkDirectoryError(f"work directory {self.path}: {advice}") from error


def _locked(path: Path) -> int:
    handle = os.open(path / "driver.lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise WorkDirectoryError(f"{path} is in use by another search") from None
    return handle


def _replace(path: Path, data: Mapping[str, Any]) -> None:
    """Write whole or not at all, and be sure of it before going on."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
