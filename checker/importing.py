"""Importing model files: under which name, and where the names that they import are searched.

A model file imports modules from its folder and, if the folder is a package, is called `models` or is declared
(`checker.project`), from beside the package: `from properties.agreement import Agreement`, whatever the working
directory is.  These places come after
Python's own path, so that no neighbour replaces a library.  Only `models` and `properties` are searched there first: in
a clone, the checker's own folders of these names are on the path too.  The name of a package means the package to the
files in it, even if one of them has the same name (`paxos/paxos.py`).  A file is refused if a name of its own folders
means a library.

The text of a file is executed, never the bytecode that Python keeps beside it: Python uses bytecode if the time, in
whole seconds, and the size of the file are unchanged, so after the change of a digit within a second the bytecode would
be stale.

A file is executed once, under whatever names its neighbours import it.  Several projects may be read in one process:
the `properties` of the earlier project are renamed when the later one is read.  Where it stops: reading another file of
the earlier project executes its neighbours once more.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import linecache
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType

from checker.language.errors import UsageError
from checker.language.places import statements, tree
from checker.project import packages_of

SHIPPED = "checker.models"
OWN = Path(__file__).resolve().parent
FOLDER = "models"
"""The folder, below the working directory, of models known by name; a folder of this name counts as a package."""
INSTALLED = {"site-packages", "dist-packages"}
"""The folders in which an environment has its packages."""
FIRST = ("models", "properties")
"""Names that mean the folders of the model files, before Python's path is searched."""


class _Beside(MetaPathFinder):
    """Finds the names of FIRST in the places of the model files, the last one first; and the packages that contain
    these files, after Python's own path.
    """

    def __init__(self) -> None:
        self.places: list[str] = []
        # by the name of a package: the folder of one of its files, and the folder above the package
        self.packages: dict[str, tuple[Path, Path]] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module, for the names of FIRST that a place has; None otherwise."""
        if fullname in self.packages and fullname not in FIRST:
            inner, above = self.packages[fullname]
            others = [p for p in sys.path if p not in _added and Path(p).resolve() != inner]
            return PathFinder.find_spec(fullname, [*others, str(above)])
        specs = (PathFinder.find_spec(fullname, [place]) for place in self.places if fullname in FIRST)
        return next((spec for spec in specs if spec is not None), None)


class _FromText(SourceFileLoader):
    """Reads a module from its text; bytecode is neither read nor written."""

    def get_code(self, fullname: str) -> CodeType:
        """The compiled text."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _reading_text(directory: str) -> FileFinder:
    """The finder of a directory below the places of model files, except for libraries and this package."""
    path = Path(directory)
    inside = any(path.is_relative_to(place) for place in _beside.places)
    if not inside or path.is_relative_to(OWN) or in_packages(path):
        raise ImportError(f"{directory} is no folder of models")
    return FileFinder(directory, (ExtensionFileLoader, EXTENSION_SUFFIXES), (_FromText, SOURCE_SUFFIXES))


_beside = _Beside()
_added: list[str] = []  # places added to Python's path, the last one first
_brought: set[str] = set()  # names of modules that were imported while a model file was read


@contextmanager
def bringing() -> Iterator[None]:
    """Record modules that are imported in this context as modules of a model file; other modules belong to the program
    itself.
    """
    before = set(sys.modules)
    try:
        yield
    finally:
        _brought.update(sys.modules.keys() - before)


def look_beside(path: Path) -> None:
    """Let a model file (resolved) import from its places, before those of other model files."""
    if _beside not in sys.meta_path:
        sys.meta_path.insert(0, _beside)
    if is_shipped(path):
        return
    places = [str(place) for place in places_of(path)]
    if places[-1] not in _beside.places:
        _read_texts_in(Path(places[-1]))
    _beside.places[:] = dict.fromkeys((places[-1], *_beside.places))
    if (package := _package(places_of(path))) is not None:
        _beside.packages[package] = (path.parent, Path(places[-1]))
    new = [place for place in places if place not in sys.path or place in _added]
    _added[:] = dict.fromkeys((*new, *_added))
    sys.path[:] = [place for place in sys.path if place not in _added] + [p for p in _added if os.path.isdir(p)]
    _set_aside(places_of(path))


def _read_texts_in(folder: Path) -> None:
    """From now on modules below a place of model files are read from their texts."""
    if _reading_text not in sys.path_hooks:
        sys.path_hooks.insert(0, _reading_text)
    for known in [entry for entry in sys.path_importer_cache if Path(entry).is_relative_to(folder)]:
        del sys.path_importer_cache[known]


def _set_aside(places: list[Path]) -> None:
    """Rename loaded modules of other model files whose names mean something else in these places, to names that nothing
    imports.
    """
    modules = list(sys.modules.items())
    names = {module.partition(".")[0] for module, _ in modules}
    there = set[str]().union(*(_names_in(place, names) for place in places))
    means = {name: mine for name in there if (mine := _first_meant(places, name)) is not None}
    loaded: dict[str, dict[str, Path]] = {}
    for module, value in modules:
        if (name := module.partition(".")[0]) in means and (file := getattr(value, "__file__", None)):
            loaded.setdefault(name, {})[module] = resolved(file)
    for name, files in loaded.items():
        mine = means[name]
        foreign = {m: file for m, file in files.items() if not file.is_relative_to(mine)}
        if foreign and all(m in _brought and _is_beside(name, file) for m, file in foreign.items()):
            folder = next(iter(foreign.values())).parent
            for old in [n for n in sys.modules if n.partition(".")[0] == name]:
                rename(old, f"{folder}: {old}")  # names that a third project cannot use


@cache
def in_packages(path: Path) -> bool:
    """Whether a path lies in a folder of installed packages."""
    return not INSTALLED.isdisjoint(path.parts)


@cache
def resolved(file: str) -> Path:
    """Where the file or folder of a loaded module is; computed once, because it does not change when other model files
    are read.
    """
    return Path(file).resolve()


def _names_in(place: Path, loaded: set[str]) -> set[str]:
    """The loaded top-level names that may mean something in a place."""
    try:
        return loaded & {entry.removesuffix(".py") for entry in os.listdir(place)}
    except OSError:  # a folder that cannot be listed may contain any of the names
        return loaded


def _is_beside(name: str, file: Path) -> bool:
    """Whether a file is the meaning of this name for a model file that was read."""
    others = [Path(place) for place in (*_added, *_beside.places)]
    return any(file.is_relative_to(other / name) or file == other / f"{name}.py" for other in others)


def rename(old: str, new: str) -> ModuleType:
    """Rename a loaded module, also in the `__module__` of its classes."""
    for name, part in list(sys.modules.items()):
        # the path of a folder without __init__.py is computed from the package above it, by its name, at each access
        if (name == old or name.startswith(f"{old}.")) and hasattr(part, "__path__"):
            part.__path__ = list(part.__path__)
    module = sys.modules[new] = sys.modules.pop(old)
    if module.__name__ != old:  # the module has several names, and keeps its own
        return module
    module.__name__ = new
    for item in vars(module).values():
        if isinstance(item, type) and item.__module__ == old:
            item.__module__ = new
    return module


def shipped_folder() -> Path:
    """The folder of the shipped models."""
    return Path(importlib.import_module(SHIPPED).__path__[0])


def loaded_below(directory: Path) -> list[str]:
    """The names of the loaded modules that lie below a directory (resolved), packages without a file among them."""
    top = os.path.join(directory, "")

    def lies_below(module: ModuleType) -> bool:
        files = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
        return any(f is not None and f"{resolved(os.fspath(f))}{os.sep}".startswith(top) for f in files)

    return [name for name, module in list(sys.modules.items()) if lies_below(module)]


def places_of(path: Path) -> list[Path]:
    """The places in which the imports of a model file are searched, besides Python's own path: its folder, and the
    folder above its package.
    """
    above, declared = path.parent, packages_of(path)
    while (above / "__init__.py").exists() or above in declared or (above == path.parent and above.name == FOLDER):
        if above == above.parent:
            break
        above = above.parent
    return list(dict.fromkeys((path.parent, above)))


def _package(places: Sequence[Path]) -> str | None:
    """The name of the package of a model file's places; None if it is in none."""
    inner, above = places[0], places[-1]
    return inner.relative_to(above).parts[0] if inner != above else None


def no_packages(path: Path, name: str) -> list[Path] | None:
    """The folders that need an `__init__.py` so that a model file (resolved) can import a name from the nearest folder
    above its own that has this name, up to the root of the repository; None if no folder has it.
    """
    folders: list[Path] = []
    for folder in path.parents:
        if folders and _meant(folder, name) is not None:
            return folders
        if (folder / ".git").exists():
            return None
        folders += [] if (folder / "__init__.py").exists() else [folder]
    return None


def is_shipped(path: Path) -> bool:
    """Whether a file (resolved) is a shipped model."""
    return path.parent == resolved(str(shipped_folder()))


def module_name(path: Path) -> str:
    """The name under which a file is imported: its name in its package if that means the file, so that no class exists
    twice.
    """
    if is_shipped(path):
        return f"{SHIPPED}.{path.stem}"
    packaged = [name for name in _names_beside(path)[-1:] if "." in name]
    if packaged and _means(packaged[0], path):
        return packaged[0]
    return f"model_{path.stem}_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"


def _names_beside(path: Path) -> list[str]:
    """The names under which the neighbours of a model file (resolved) may import it; the last is its name in its
    package.
    """
    if "." in path.stem:
        return []
    return [".".join(path.relative_to(place).with_suffix("").parts) for place in places_of(path)]


def _means(name: str, path: Path) -> bool:
    """Whether importing a name reads this file (resolved)."""
    try:
        spec = importlib.util.find_spec(name)
    except (ModuleNotFoundError, ValueError):
        return False
    return spec is not None and spec.origin is not None and Path(spec.origin).resolve() == path


def import_as(name: str, path: Path) -> ModuleType:
    """Import a model file (resolved) under a name, once: neighbours that import it under another name share the module,
    in whatever order they are read.  Otherwise the class that an edit imports would differ from the class it is
    compared with. Where it stops: a file and a neighbour that import each other are read twice.
    """
    others = [other for other in _names_beside(path) if other != name]
    for other in others:
        module = sys.modules.get(other)
        if module is not None and _means(other, path):
            sys.modules[name] = module
            return module
    module = importlib.import_module(name) if "." in name else _execute(name, path)
    for other in others:
        if other not in sys.modules and _means(other, path):
            sys.modules[other] = module
    return module


def _execute(name: str, path: Path) -> ModuleType:
    """Import a file that is in no package; it may import its neighbours."""
    spec = importlib.util.spec_from_file_location(name, path, loader=_FromText(name, str(path)))
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
    """Raise UsageError if the file imports a name of its own folders that means something else in this process."""
    for line, name in _imported_names(path):
        mine = _first_meant(places_of(path), name)
        theirs = _found_as(name) if mine is not None else None
        if mine is not None and theirs is not None and theirs != mine:
            raise UsageError(
                f"{name} means two things here: {mine}, and {theirs}, which Python finds first",
                str(path),
                line,
                remedy=f"Give the {'folder' if mine.is_dir() else 'file'} a name of its own, or use the two apart.",
                fragment=linecache.getline(str(path), line).strip(),
            )


def _first_meant(places: Sequence[Path], name: str) -> Path | None:
    """The meaning of a name in the first place that has it; the name of the package of the places means the package."""
    if name == _package(places):
        places = places[-1:]
    return next((file for place in places if (file := _meant(place, name)) is not None), None)


def _meant(place: Path, name: str) -> Path | None:
    """The folder with Python files, or the file, that a name means in a place."""
    if name in sys.stdlib_module_names or name == "checker":
        return None
    folder, file = (place / name).resolve(), (place / f"{name}.py").resolve()
    return folder if folder.is_dir() and any(folder.glob("*.py")) else file if file.is_file() else None


def _found_as(name: str) -> Path | None:
    """The file or folder that importing a name reads; None if it cannot be determined."""
    try:
        spec = getattr(sys.modules[name], "__spec__", None) if name in sys.modules else importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    places = [Path(place).resolve() for place in spec.submodule_search_locations or ()]
    return places[0] if places else Path(spec.origin).resolve() if spec.origin else None


def _imported_names(path: Path) -> Iterator[tuple[int, str]]:
    """Top-level names that the file imports from, with the line; none for a file that is not Python."""
    linecache.checkcache(str(path))
    module = tree(str(path))
    for node in () if module is None else statements(module):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.partition(".")[0]


def command_of(module: str) -> list[str]:
    """The beginning of a command that runs a module of the checker in a process of its own.

    The working directory is not in the path of that process, as `python -m` would put it there: a model file may have
    the name of a library (`token.py`, `queue.py`).  The folder of this package comes last.
    """
    root = str(Path(__file__).resolve().parents[1])
    run = f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return [sys.executable, "-P", "-c", f"import runpy, sys; sys.path.append({root!r}); {run}"]
