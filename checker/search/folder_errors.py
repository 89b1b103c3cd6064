"""Errors of the folder of a search: what the file system says, as one message with what to do."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checker.stored.errors import StoredFileError


class WorkDirectoryError(StoredFileError):
    """The work directory cannot be used: not writable, full, damaged, in use, or of another search."""


class FullWorkDirectoryError(WorkDirectoryError):
    """There is no room for a file.  Who knows what is lost, and what goes on afterwards, adds what to do."""


_FULL = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "the quota is used up"}


@contextmanager
def folder_errors(folder: object) -> Iterator[None]:
    """Errors of the file system as WorkDirectoryError with what to do.  Files are mapped into memory: MemoryError if
    there is too little for that.
    """
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOMEM:
            raise MemoryError(f"{folder}: {error}") from error
        kind = FullWorkDirectoryError if error.errno in _FULL else WorkDirectoryError
        raise kind(f"work directory {folder}: {_advice(error)}") from error


def _advice(error: OSError) -> str:
    name = Path(str(error.filename)).name if error.filename else ""
    if isinstance(error, FileNotFoundError):
        missing = f"{name or error} is not there on {socket.gethostname()}"
        return f"{missing}: it was removed, or this machine sees another directory than the driver"
    advice = {
        **_FULL,
        errno.EACCES: "this user may not read it, or not write it; check its permissions",
        errno.EROFS: "it is on a read-only file system",
        errno.ENOTDIR: "a part of it is a file, not a directory",
    }.get(error.errno or 0, error.strerror or str(error))
    return f"{name}: {advice}" if name else advice
