"""Whose files are trusted: those of the user who runs, that no other user may write.

A cache is read without being asked for, and machine code from it is executed.  So nobody else may have written it: the
directory and the file belong to this user (the effective one), and neither group nor others may write to them.  Files
are looked at once they are open: what is read is what was looked at.

Where the directory is another's, there is no cache, and one warning says so.  root is another user, too: a directory
that `sudo` made is not trusted by the user it was made for, nor the other way round.
"""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

log = logging.getLogger(__name__)
_warned: set[tuple[Path, str]] = set()


def own_directory(path: Path, make: bool = False) -> bool:
    """Whether a directory is this user's alone; with `make` it is created if there is none.  OSError if it cannot be
    looked at."""
    if make:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
    reason = _foreign(os.stat(path))
    if reason and (path, reason) not in _warned:
        _warned.add((path, reason))
        log.warning("warning: the cache %s is not used: it %s", path, reason)
    return reason is None


def read_own(path: Path) -> bytes | None:
    """The content of a file that is this user's alone; None for any other file.  OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe in its place keeps nobody waiting
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or _foreign(status) is not None:
            return None
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def _foreign(status: os.stat_result) -> str | None:
    """Why a file is not this user's alone; None if it is."""
    if status.st_uid != os.geteuid():
        return f"belongs to another user (number {status.st_uid}; this program runs as {os.geteuid()})"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"may be written by other users (mode {stat.S_IMODE(status.st_mode):o})"
    return None
