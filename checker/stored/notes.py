"""Notes of one run for the next: small JSON data that save time and affect no result.

A note is kept beside the machine code, under a name that contains everything that determines it, and sealed under that
name.  A note that is damaged, of another user or of another form counts as absent.  A cache that cannot be read or
written is no error.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from checker.stored.errors import StoredFileError
from checker.stored.machine_code import directory
from checker.stored.owned import own_directory, read_own
from checker.stored.sealed import seal_json, unseal_json
from checker.stored.shape import Reader
from checker.stored.whole import write_whole

FORMAT = 1
_KIND = "note"
T = TypeVar("T")


def _path(name: str) -> Path | None:
    place = directory()
    return None if place is None else place / f"{name}.json"


def noted(name: str, reader: Reader[T]) -> T | None:
    """The note of that name; None if there is none, or if it was written for something else."""
    path = _path(name)
    try:
        if path is None or not own_directory(path.parent):
            return None
        data = read_own(path)
        return None if data is None else reader(unseal_json(_KIND, FORMAT, name, data, str(path)))
    except (OSError, StoredFileError, ValueError):
        return None


def note(name: str, data: Any) -> None:
    """Keep JSON data for later runs."""
    path = _path(name)
    try:
        if path is not None and own_directory(path.parent, make=True):
            write_whole(path, seal_json(_KIND, FORMAT, name, data), durable=False, mode=0o600)
    except OSError:
        return
