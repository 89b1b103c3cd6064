"""The folders of models that a repository declares: `models` of `[tool.checker]` in its pyproject.toml.

Files in and below these folders import what lies beside the file of the settings, as from packages, also without an
`__init__.py`.  The nearest pyproject.toml with such a table counts, up to the root of the repository; outside a
repository that of the working directory.  Nothing here is refused: `checker.cli.settings` names what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

SETTINGS = "pyproject.toml"


_copies: dict[Path, Path] = {}
"""Folders that hold another version of a repository, and the root of the repository."""


@contextmanager
def copy_of(root: Path, tree: Path) -> Iterator[None]:
    """A folder (resolved) holds another version of a repository, whose settings apply to it."""
    _copies[tree] = root
    try:
        yield
    finally:
        del _copies[tree]


def packages_of(path: Path) -> frozenset[Path]:
    """The folders above a model file (resolved) that count as packages: from a declared folder to its own, and those
    between the settings and the declared folder."""
    for tree, root in _copies.items():
        if path.is_relative_to(tree):
            return frozenset(tree / f.relative_to(root) for f in packages_of(root / path.relative_to(tree)))
    place, declared = _nearest(path.parent)
    if not any(path.is_relative_to(folder) for folder in declared):
        return frozenset()
    return frozenset(folder for folder in path.parents if folder.is_relative_to(place) and folder != place)


def folders_here() -> tuple[Path, ...]:
    """The folders that the settings of the working directory declare."""
    return _nearest(Path.cwd())[1]


def _nearest(folder: Path) -> tuple[Path, tuple[Path, ...]]:
    """The folder of the settings that count for a folder, and the folders that they declare; none without settings."""
    for place in _places(folder):
        file = place / SETTINGS
        if file.is_file() and (declared := _declared(file, file.stat().st_mtime_ns)) is not None:
            return place, declared
    return folder, ()


def _places(folder: Path) -> tuple[Path, ...]:
    """The folders whose file may count."""
    places = (folder, *folder.parents)
    root = next((number for number, place in enumerate(places) if (place / ".git").exists()), None)
    here = Path.cwd()
    return places[: root + 1] if root is not None else (here,) if folder.is_relative_to(here) else ()


@lru_cache(maxsize=64)
def _declared(file: Path, changed: int) -> tuple[Path, ...] | None:
    """The folders that a file declares; None if it has no settings.  changed: when it was written."""
    text = file.read_text(encoding="utf-8", errors="replace")
    if "checker" not in text:
        return None
    import tomllib  # few repositories have such a table

    try:
        table: Any = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError:
        return None
    table = table.get("checker") if isinstance(table, dict) else None
    if not isinstance(table, dict):
        return None
    items = table.get("models", ())
    named = [file.parent / item.partition(":")[0] for item in items if isinstance(item, str)]
    folders = [path if path.is_dir() else path.parent for path in named if path.exists()]
    return tuple(folder.resolve() for folder in folders if folder.resolve() != file.parent)
