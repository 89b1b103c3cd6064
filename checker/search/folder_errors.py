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
        raise WorkDirectoryError(f"work directory {folder}: {_advice(error)}") from error


def _advice(error: OSError) -> str:
    name = Path(str(error.filename)).name if error.filename else ""
    if isinstance(error, FileNotFoundError):
        missing = f"{name or error} is not there on {socket.gethostname()}"
        return f"{missing}: it was removed, or this machine sees another directory than the driver"
    advice = {
        errno.ENOSPC: "the disk is full; make room and resume",
        errno.EDQUOT: "the quota is used up; make room and resume",
        errno.EACCES: "this user may not read it, or not write it; check its permissions",
        errno.EROFS: "it is on a read-only file system",
        errno.ENOTDIR: "a part of it is a file, not a directory",
    }.get(error.errno or 0, error.strerror or str(error))
    return f"{name}: {advice}" if name else advice
