"""Directories of this process alone, below a temporary directory that all users of a machine share.

Source: CWE-377 and CWE-379 (temporary files in a directory with insecure permissions). A name that another user can
guess can be made by that user first, with a program or a symbolic link in it. So every directory here has a random name
(`tempfile.mkdtemp`), and is used only if it is a directory, no symbolic link, belongs to the user of this process and
is open to nobody else. The place it is made in must not allow other users to rename it: it belongs to the user or to
root, and if others may write there, it has the sticky bit.

Where it stops: who is root, or the same user, can change everything. Access control lists are not read.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from pathlib import Path


class NotPrivate(OSError):
    """A directory that another user may have made, or may change; with what to do about it."""

    def __init__(self, path: Path | str, why: str, remedy: str) -> None:
        super().__init__(f"{path} is not used: {why}. {remedy}")
        self.strerror = str(self)


def private_directory(prefix: str = "checker-", kept: bool = False) -> Path:
    """A new directory that only the user of this process can enter; removed when this process ends, unless it is to be
    kept.  NotPrivate, OSError."""
    require_safe_place(Path(tempfile.gettempdir()))
    path = Path(tempfile.mkdtemp(prefix=prefix))
    require_private(path)
    if not kept:
        atexit.register(_remove, path, os.getpid())
    return path


def _remove(path: Path, process: int) -> None:
    """Remove the directory in the process that made it, not in its forks."""
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)


def require_private(path: Path) -> None:
    """NotPrivate unless this is a directory of the user of this process that nobody else can read or change."""
    found = os.lstat(path)
    remedy = f"Remove it, or set TMPDIR to a directory of your own: TMPDIR={Path.home()}/tmp"
    if stat.S_ISLNK(found.st_mode):
        raise NotPrivate(path, "it is a symbolic link", remedy)
    if not stat.S_ISDIR(found.st_mode):
        raise NotPrivate(path, "it is no directory", remedy)
    if found.st_uid != os.geteuid():
        raise NotPrivate(path, f"it belongs to the user {found.st_uid}, not to {os.geteuid()}", remedy)
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise NotPrivate(path, f"other users may enter it (mode {stat.S_IMODE(found.st_mode):04o})", remedy)


def require_safe_place(path: Path) -> None:
    """NotPrivate if users other than root could rename what this process makes in a directory."""
    found = os.stat(path)
    remedy = f"Set TMPDIR to a directory of your own: TMPDIR={Path.home()}/tmp"
    if found.st_uid not in (os.geteuid(), 0):
        raise NotPrivate(path, f"it belongs to the user {found.st_uid}, who can rename what is made in it", remedy)
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not found.st_mode & stat.S_ISVTX:
        raise NotPrivate(
            path, f"other users can rename what is made in it (mode {stat.S_IMODE(found.st_mode):04o})", remedy
        )


__all__ = ["NotPrivate", "private_directory", "require_private", "require_safe_place"]
