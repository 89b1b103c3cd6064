"""Which files are trusted: the one place that checks owners and modes.

There are three questions.  A cache is read without a request, and machine code from it is executed: the directory and
the file must belong to this user (the effective one), and neither group nor others may write to them (`own_directory`,
`read_own`).  Files are checked after they are opened, so the checked file is the one that is read.  Where the directory
belongs to another user, there is no cache, and one warning says so.  root is another user, too: a directory that `sudo`
made is not trusted by the user for whom it was made, nor the other way round.

A directory below the temporary one, which all users share, must be this process's alone (`private_directory`).  Source:
CWE-377 and CWE-379 (temporary files in a directory with insecure permissions).  Another user can create a directory
with a predictable name first, with a program or a symbolic link in it.  Each directory therefore has a random name
(`tempfile.mkdtemp`), and is used only if it is a directory, not a symbolic link, belongs to the user of this process
and is closed to all others. The place in which it is made must not allow other users to rename it: it belongs to the
user or to root, and if others may write there, it has the sticky bit.

A model file of the project may be shared with a group, but not with all (`kept_from_strangers`).

Where it stops: root, and the same user, can change everything. Access control lists are not read.
"""

from __future__ import annotations

import atexit
import errno
import logging
import os
import shutil
import stat
import tempfile
from pathlib import Path

log = logging.getLogger(__name__)
_warned: set[tuple[Path, str]] = set()


def _mine(status: os.stat_result, or_root: bool = False) -> bool:
    return status.st_uid == os.geteuid() or or_root and status.st_uid == 0


# ---- caches


def own_directory(path: Path, make: bool = False) -> bool:
    """Whether a directory is this user's alone; with `make` it is created if there is none.  Raises OSError if it
    cannot be examined.
    """
    if make:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
    reason = _foreign(os.stat(path))
    if reason:
        warn_once(path, f"is not used: it {reason}")
    return reason is None


def warn_once(path: Path, text: str) -> None:
    """Warn that something is wrong with a cache."""
    if (path, text) not in _warned:
        _warned.add((path, text))
        log.warning("warning: the cache %s %s", path, text)


def read_own(path: Path) -> bytes | None:
    """The content of a file that is this user's alone; None for any other file.  Raises OSError."""
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
    if not _mine(status):
        return f"belongs to another user (number {status.st_uid}; this program runs as {os.geteuid()})"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"may be written by other users (mode {stat.S_IMODE(status.st_mode):o})"
    return None


# ---- what is shared with a project


def kept_from_strangers(path: Path) -> bool:
    """Whether no user outside its group can change a file, as far as owner and mode show: others may not write to it,
    and it belongs to this user or to root.  If this user is root, the owner may be anyone.
    """
    try:
        found = path.stat()
    except OSError:
        return False
    return not found.st_mode & stat.S_IWOTH and (os.geteuid() == 0 or _mine(found, or_root=True))


# ---- below a temporary directory


class NotPrivate(OSError):
    """A directory that another user may have made, or may change; with a remedy."""

    def __init__(self, path: Path | str, why: str, remedy: str) -> None:
        super().__init__(errno.EPERM, f"{path} is not used: {why}. {remedy}")

    def __str__(self) -> str:
        return str(self.strerror)


def temporary_place() -> Path:
    """Where temporary files are made.  Raises NotPrivate if TMPDIR names a place in which this user cannot write:
    Python would take another one without a word.
    """
    named = os.environ.get("TMPDIR")
    if named and not (os.path.isdir(named) and os.access(named, os.W_OK | os.X_OK)):
        remedy = f"Make this directory, or set TMPDIR to one of your own: TMPDIR={Path.home()}/tmp"
        raise NotPrivate(f"TMPDIR={named}", "it is no directory in which this user can write", remedy)
    return Path(tempfile.gettempdir())


def private_directory(prefix: str = "checker-", kept: bool = False) -> Path:
    """A new directory that only the user of this process can enter; removed when this process ends, unless it is to be
    kept. Raises NotPrivate, OSError.
    """
    require_safe_place(temporary_place())
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
    """Raise NotPrivate unless this is a directory of the user of this process that nobody else can read or change."""
    found = os.lstat(path)
    remedy = f"Remove it, or set TMPDIR to a directory of your own: TMPDIR={Path.home()}/tmp"
    if not stat.S_ISDIR(found.st_mode):
        what = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "no directory"
        raise NotPrivate(path, f"it is {what}", remedy)
    if not _mine(found):
        raise NotPrivate(path, f"it belongs to the user {found.st_uid}, not to {os.geteuid()}", remedy)
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise NotPrivate(path, f"other users may enter it (mode {stat.S_IMODE(found.st_mode):04o})", remedy)


def require_safe_place(path: Path) -> None:
    """Raise NotPrivate if users other than root could rename what this process makes in a directory."""
    found = os.stat(path)
    remedy = f"Set TMPDIR to a directory of your own: TMPDIR={Path.home()}/tmp"
    if not _mine(found, or_root=True):
        raise NotPrivate(path, f"it belongs to the user {found.st_uid}, who can rename what is made in it", remedy)
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not found.st_mode & stat.S_ISVTX:
        why = f"other users can rename what is made in it (mode {stat.S_IMODE(found.st_mode):04o})"
        raise NotPrivate(path, why, remedy)
