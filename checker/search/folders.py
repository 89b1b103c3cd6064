"""Folders that hold the files of a search: on a file system that all machines see, or in a store that pyarrow opens.

A search needs few operations of a place: write a file once, read it as a whole, list, remove, and publish a small file
so that readers find all of it or nothing. A file system publishes by renaming. An object store (s3, gs, abfs) shows an
object only when it is complete. HDFS shows a file while it is written: its readers must recognise an incomplete one.

There is one driver at a time: by a lock of the file system, or by name (docs/spark.md). If two commit a level at the
same moment, either manifest is correct: both name the same set of states.

Where it stops: file systems that do not rename atomically or show a new file late to other machines.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import socket
import stat
import tempfile
import uuid
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol, Self
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from checker.extras import install
from checker.frozen import frozen
from checker.search.folder_errors import WorkDirectoryError
from checker.stored.whole import write_whole

_LOCK = "driver.lock"


class Claim(Protocol):
    """The claim of this process to drive the search in a folder."""

    def check(self) -> None:
        """Raise WorkDirectoryError if another process has taken it over."""

    def release(self) -> None:
        """Release the claim."""


class Folder(Protocol):
    """A folder of a search; `str` is how a user would name it. It can be pickled. Methods raise OSError or
    WorkDirectoryError."""

    @property
    def scratch(self) -> Path:
        """A directory for temporary data that no other machine needs."""

    @property
    def url(self) -> str:
        """The folder's name in Spark, as Hadoop's `Path` takes it: nothing is encoded."""

    def __truediv__(self, name: str) -> Self:
        """A folder in this one."""

    def make(self) -> None:
        """Create it if there is none."""

    def names(self) -> list[str]:
        """Names of its files, none if it does not exist."""

    def folders(self) -> list[str]:
        """Names of its folders, none if it does not exist."""

    def read(self, name: str) -> bytes:
        """A small file."""

    def words(self, name: str) -> NDArray[np.uint64]:
        """A file as little-endian words, mapped into memory. Raises ValueError if it does not consist of words."""

    def checksum(self, name: str) -> tuple[int, int]:
        """Size and CRC-32 of a file."""

    def create(self, name: str) -> Any:
        """A file to be written, under a name that is not in use."""

    def finish(self, file: Any, durable: bool) -> None:
        """Close a file that was created; `durable`: it survives a loss of power."""

    def publish(self, name: str, data: bytes) -> None:
        """Write a small file, or replace it, so that readers find all of it or the former file."""

    def remove(self, name: str) -> None:
        """Delete a file if it is there."""

    def remove_all(self) -> None:
        """Delete the folder with everything in it, as far as that is possible."""

    def claim(self) -> Claim:
        """Become the driver of the search in it. Raises WorkDirectoryError if another process is."""

    def unused(self) -> None:
        """Raise WorkDirectoryError if a driver is known to be at work in it."""

    def shared(self, name: str) -> Claim:
        """Hold a shared lock of that name."""

    def alone(self, name: str) -> Claim | None:
        """Hold an exclusive lock of that name; None if others hold it."""


def folder_at(where: Path | str | Folder) -> Folder:
    """The folder at a path or a URL."""
    if not isinstance(where, str | Path):
        return where
    if not str(where).strip():
        raise WorkDirectoryError("the name of the work directory is empty; `.` is the directory you are in")
    if re.match("file:", str(where), re.IGNORECASE):
        return LocalFolder(_path_of(str(where)))
    if re.match(r"[A-Za-z][\w+.-]*://", str(where)) is None:
        return LocalFolder(Path(os.path.abspath(where)))
    try:
        named = bool(urlsplit(str(where)).netloc)
    except ValueError:
        named = False
    if not named:
        raise WorkDirectoryError(f"work directory {where}: the URL names no store; for example s3://bucket/search")
    return StoreFolder(str(where).rstrip("/"))


def _path_of(url: str) -> Path:
    """The path that a file URL names: file:///path, file:/path or file://localhost/path. Raises WorkDirectoryError."""
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost") or parts.query or parts.fragment or not parts.path.startswith("/"):
        what = "a file URL has three slashes and a whole path, as in file:///data/search; a path alone will do"
        raise WorkDirectoryError(f"work directory {url}: {what}")
    return Path(os.path.abspath(unquote(parts.path)))


def _checksum(file: Any) -> tuple[int, int]:
    size = crc = 0
    while data := file.read(1 << 20):
        size, crc = size + len(data), zlib.crc32(data, crc)
    return size, crc


# ---- a file system


@frozen
class LocalFolder:
    """A directory that is visible to this machine."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    @property
    def scratch(self) -> Path:
        return self.path

    @property
    def url(self) -> str:
        return f"file://{self.path}"

    def __truediv__(self, name: str) -> LocalFolder:
        return LocalFolder(self.path / name)

    def make(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except FileNotFoundError as error:  # its parents are made too: the file system makes no directories there
            raise WorkDirectoryError(f"work directory {self}: it cannot be made here") from error
        except FileExistsError as error:  # a file, or a link to nothing
            link = Path(error.filename)
            if not link.is_symlink():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), error.filename) from error
            what = f"{link} is a link to {os.readlink(link)}, which does not exist"
            raise WorkDirectoryError(f"work directory {self}: {what}; make that directory or name another") from error

    def names(self) -> list[str]:
        return sorted(file.name for file in self.path.iterdir() if file.is_file()) if self.path.exists() else []

    def folders(self) -> list[str]:
        return sorted(file.name for file in self.path.iterdir() if file.is_dir()) if self.path.exists() else []

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def words(self, name: str) -> NDArray[np.uint64]:
        path = self.path / name
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise OSError(errno.EINVAL, "it is no file", str(path))
        return np.memmap(path, dtype="<u8", mode="r")

    def checksum(self, name: str) -> tuple[int, int]:
        with open(self.path / name, "rb") as file:
            return _checksum(file)

    def create(self, name: str) -> Any:
        return open(self.path / name, "xb")

    def finish(self, file: Any, durable: bool) -> None:
        file.flush()
        if durable:
            os.fsync(file.fileno())
        file.close()

    def publish(self, name: str, data: bytes) -> None:
        write_whole(self.path / name, data)

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)

    def remove_all(self) -> None:
        if self.path.is_symlink():  # what it leads to is not of this folder
            self.path.unlink()
        else:
            shutil.rmtree(self.path, ignore_errors=True)

    def claim(self) -> Claim:
        claim = self.alone(_LOCK)
        if claim is None:
            raise WorkDirectoryError(f"{self} is in use by another search; wait for its end or name another directory")
        return claim

    def unused(self) -> None:
        self.claim().release()

    def shared(self, name: str) -> Claim:
        try:
            handle = os.open(self.path / name, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError:  # what this user cannot write it cannot remove from others either
            return _Locked(None)
        fcntl.flock(handle, fcntl.LOCK_SH)
        return _Locked(handle)

    def alone(self, name: str) -> Claim | None:
        handle = os.open(self.path / name, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        return _Locked(handle)


@frozen
class _Locked:
    """A lock that the system drops when the process ends, however it ends."""

    handle: int | None

    def check(self) -> None:
        pass

    def release(self) -> None:
        if self.handle is not None:
            os.close(self.handle)


# ---- a store


@frozen
class StoreFolder:
    """A folder in a store: the URL of the store's root, as the user gave it, and the path from there."""

    root: str
    below: str = ""

    def __str__(self) -> str:
        parts = urlsplit(self.root)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}{self.below}"  # no keys, no options

    @property
    def scratch(self) -> Path:
        return Path(tempfile.gettempdir())

    @property
    def url(self) -> str:
        return re.sub(r"^s3://", "s3a://", str(self))

    def __truediv__(self, name: str) -> StoreFolder:
        return StoreFolder(self.root, f"{self.below}/{name}")

    @property
    def _system(self) -> Any:
        return _opened(self.root)[0]

    def _path(self, name: str = "") -> str:
        return f"{_opened(self.root)[1]}{self.below}{'/' if name else ''}{name}"

    def make(self) -> None:
        self._system.create_dir(self._path(), recursive=True)

    def names(self) -> list[str]:
        return self._entries("File")

    def folders(self) -> list[str]:
        return self._entries("Directory")

    def _entries(self, kind: str) -> list[str]:
        system = self._system
        from pyarrow.fs import FileSelector

        every = system.get_file_info(FileSelector(self._path(), allow_not_found=True))
        return sorted(info.base_name for info in every if info.type.name == kind)

    def read(self, name: str) -> bytes:
        with self._system.open_input_stream(self._path(name)) as file:
            return bytes(file.read())

    def words(self, name: str) -> NDArray[np.uint64]:
        with tempfile.TemporaryFile(dir=self.scratch) as copy:
            with self._system.open_input_stream(self._path(name)) as file:
                shutil.copyfileobj(file, copy, 1 << 20)
            copy.flush()
            return np.memmap(copy, dtype="<u8", mode="r")

    def checksum(self, name: str) -> tuple[int, int]:
        with self._system.open_input_stream(self._path(name)) as file:
            return _checksum(file)

    def create(self, name: str) -> Any:
        return self._system.open_output_stream(self._path(name))

    def finish(self, file: Any, durable: bool) -> None:
        file.close()

    def publish(self, name: str, data: bytes) -> None:
        with self._system.open_output_stream(self._path(name)) as file:
            file.write(data)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            self._system.delete_file(self._path(name))

    def remove_all(self) -> None:
        with suppress(OSError):
            self._system.delete_dir(self._path())

    def claim(self) -> Claim:
        token = f"{uuid.uuid4().hex} {socket.gethostname()} {os.getpid()}".encode()
        self.publish(_LOCK, token)
        return _Taken(self, token)

    def unused(self) -> None:
        pass  # a store has no locks, so that nobody knows

    def shared(self, name: str) -> Claim:
        return _Locked(None)  # a store has no locks

    def alone(self, name: str) -> Claim | None:
        return _Locked(None)


@frozen
class _Taken:
    """A claim by name: it is valid until another process writes its own."""

    folder: StoreFolder
    token: bytes

    def check(self) -> None:
        if self.folder.read(_LOCK) != self.token:
            raise WorkDirectoryError(f"{self.folder} has been taken over by another search, which goes on with it")

    def release(self) -> None:
        pass


@cache
def _opened(root: str) -> tuple[Any, str]:
    """The pyarrow file system of a URL and the path in it, once in a process."""
    shown, scheme = str(StoreFolder(root)), urlsplit(root).scheme
    try:
        from pyarrow.fs import FileSystem
    except ImportError:
        why = f"URLs need pyarrow: {install('spark')}"
        raise WorkDirectoryError(f"work directory {shown}: {why}") from None
    try:
        system, path = FileSystem.from_uri(re.sub(r"^s3a://", "s3://", root))
    except (OSError, ValueError, NotImplementedError) as error:
        why = str(error).splitlines()[0]
        if scheme in ("hdfs", "viewfs"):
            home = "set JAVA_HOME, HADOOP_HOME (or ARROW_LIBHDFS_DIR) and CLASSPATH=$(hadoop classpath --glob)"
            why = f"it needs Hadoop's libhdfs: {home}"
        elif "Unrecognized filesystem" in str(error):
            why = f"{scheme}:// is no store that can be opened; file, s3 or s3a, gs, abfs and hdfs are"
        raise WorkDirectoryError(f"work directory {shown}: {why}") from error
    return system, path.rstrip("/")
