"""Writing a file completely or not at all: a new file beside it, then a rename.

A reader finds the former file or the new one, never a part of it; so does a process after a crash, if the write is
`durable`.  Where it stops: file systems that do not rename atomically.
"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes, durable: bool = True, mode: int = 0o666) -> None:
    """Write a file, or replace an existing one.  durable: it survives a loss of power.  Raises OSError; no new file is
    left behind then.
    """
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    if durable:
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def write_where_named(path: Path, text: str) -> None:
    """Write a file whose place a user has named: a link stays, and a device or a pipe is written to, not replaced.
    Raises OSError.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
    else:
        write_whole(path, text.encode(), durable=False)
