"""Importing model files: under which name, and where the names that they import are looked for.

A model file imports what lies in its folder, and, if that is a package or is called `models`, what lies beside the
package: `from properties.agreement import Agreement`, wherever the process was started.  Those places come behind
Python's own, so that no neighbour takes the place of a library.  Only `models` and `properties` are looked for there
first: run from a clone, the checker's own folders of these names are in the path too.  Where a name of the file's own
folders already means something else, the file is refused.

Where it stops: two projects in one process, each with a folder `properties`, can be told apart, but not both be read.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import linecache
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from checker.language.errors import UsageError

SHIPPED = "checker.models"
FOLDER = "models"
"""Where models known by name are, below the working directory; a folder of this name is taken for a package."""
FIRST = ("models", "properties")
"""Names that mean the folders of the model files read, before what Python's path has."""


class _Beside(MetaPathFinder):
    """Finds the names of FIRST in the places of the model files read, the last one first."""

    def __init__(self) -> None:
        self.places: list[str] = []

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None for every other name, and where no place has it."""
        return PathFinder.find_spec(fullname, self.places) if fullname in FIRST and self.places else None


_beside = _Beside()


def look_beside(path: Path) -> None:
    """From now on a model file (resolved) can import what it may."""
    if _beside not in sys.meta_path:
        sys.meta_path.insert(0, _beside)
    if not is_shipped(path):
        places = [str(place) for place in places_of(path)]
        sys.path += [place for place in places if place not in sys.path]
        _beside.places[:] = dict.fromkeys((places[-1], *_beside.places))


def shipped_folder() -> Path:
    """Where the models are that the checker brings along."""
    return Path(importlib.import_module(SHIPPED).__path__[0])


def places_of(path: Path) -> list[Path]:
    """Where the imports of a model file are looked for besides Python's own places: its folder, and the folder above
    its package."""
    above = path.parent
    while (above / "__init__.py").exists() or (above == path.parent and above.name == FOLDER):
        if above == above.parent:
            break
        above = above.parent
    return list(dict.fromkeys((path.parent, above)))


def is_shipped(path: Path) -> bool:
    """Whether a file (resolved) is one of the models that the checker brings along."""
    return path.parent == shipped_folder().resolve()


def module_name(path: Path) -> str:
    """The name a file is imported under: that in its package where this means the file, so that no class exists
    twice."""
    if is_shipped(path):
        return f"{SHIPPED}.{path.stem}"
    above = places_of(path)[-1]
    if above != path.parent:
        name = ".".join(path.relative_to(above).with_suffix("").parts)
        try:
            spec = importlib.util.find_spec(name)
        except (ModuleNotFoundError, ValueError):
            spec = None
        if spec is not None and spec.origin is not None and Path(spec.origin).resolve() == path:
            return name
    return f"model_{path.stem}_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"


def execute(name: str, path: Path) -> ModuleType:
    """Import a file that stands in no package; it may import its neighbours."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def check_meanings(path: Path) -> None:
    """UsageError if the file imports a name of its own folders that means something else in this process."""
    for line, name in _imported_names(path):
        mine = next((file for place in places_of(path) if (file := _meant(place, name)) is not None), None)
        theirs = _found_as(name) if mine is not None else None
        if mine is not None and theirs is not None and theirs != mine:
            raise UsageError(
                f"{name} means two things here: {mine}, and {theirs}, which Python finds first",
                str(path),
                line,
                remedy=f"Give the {'folder' if mine.is_dir() else 'file'} a name of its own, or use the two apart.",
                fragment=linecache.getline(str(path), line).strip(),
            )


def _meant(place: Path, name: str) -> Path | None:
    """The folder with Python files, or the file, that a name would be in a place."""
    if name in sys.stdlib_module_names or name == "checker":
        return None
    folder, file = (place / name).resolve(), (place / f"{name}.py").resolve()
    return folder if folder.is_dir() and any(folder.glob("*.py")) else file if file.is_file() else None


def _found_as(name: str) -> Path | None:
    """The file or folder that importing a name reads; None if there is none to be told."""
    module = sys.modules.get(name)
    try:
        spec = importlib.util.find_spec(name) if module is None else getattr(module, "__spec__", None)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    places = [Path(place).resolve() for place in spec.submodule_search_locations or ()]
    return places[0] if places else Path(spec.origin).resolve() if spec.origin else None


def _imported_names(path: Path) -> Iterator[tuple[int, str]]:
    """Top-level names that the file imports from, with the line; none of a file that is no Python."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.partition(".")[0]
