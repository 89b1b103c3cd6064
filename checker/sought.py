"""Where models are sought: the files below a folder that somebody names, and what is left out on the way.

Reading a model file executes it.  Of a folder that is named each file is read.  Of the folders below it a file is read
if its text may define a model: a class in it has a base.  Tests, files whose name begins with an underscore, hidden
folders, virtual environments and installed packages are left out, as where nothing is named.
"""

from __future__ import annotations

import ast
import builtins
import os
from fnmatch import fnmatchcase
from pathlib import Path

from checker.frozen import frozen

SKIPPED = ("__init__", "conftest")
TESTS = ("test_*.py", "*_test.py")
INSTALLED = {"site-packages", "dist-packages", "node_modules", "__pycache__"}
PATTERN = "*?["
"""Signs of a pattern for files."""


def may_hold_models(file: Path) -> bool:
    """Whether a file with that name is examined in a named folder."""
    return file.suffix == ".py" and file.stem not in SKIPPED and not file.stem.startswith("_")


def is_test(file: Path) -> bool:
    return any(fnmatchcase(file.name, pattern) for pattern in TESTS)


def is_left_out(folder: Path) -> bool:
    """Whether no models are sought in a folder that is not named: it is hidden, installed, or an environment."""
    return folder.name.startswith(".") or folder.name in INSTALLED or (folder / "pyvenv.cfg").exists()


def files_in(folder: Path) -> list[Path]:
    """The files of a named folder, and of those below it, that may hold models."""
    found: list[Path] = []
    for place, below, names in os.walk(folder):
        here = Path(place)
        below[:] = sorted(name for name in below if not is_left_out(here / name))
        files = [file for name in names if may_hold_models(file := here / name)]
        found += files if here == folder else [f for f in files if not is_test(f) and _may_define_a_model(f)]
    return sorted(found, key=lambda file: (len(file.parts), file))


def _may_define_a_model(file: Path) -> bool:
    """Whether a class in a file has a base that is not built in; a syntax error is told by reading the file."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
        return "class " in text and any(_is_derived(node) for node in ast.walk(ast.parse(text)))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return True


def _is_derived(node: ast.AST) -> bool:
    bases = node.bases if isinstance(node, ast.ClassDef) else []
    return any(not (isinstance(base, ast.Name) and hasattr(builtins, base.id)) for base in bases)


@frozen
class Named:
    """What a command verifies: files, folders, patterns and names of models, each with a class or without; without any,
    what is below the working directory.  folder: the working directory, resolved; models: the folder for names.
    """

    names: tuple[str, ...]
    folder: Path
    models: str

    def has(self, path: Path, cls: str) -> bool:
        """Whether it includes a class of a file, also of one that is not there.  path: resolved."""
        if not self.names:
            return not is_test(path) and _is_below(path, self.folder)
        return any(self._includes(name, path, cls) for name in self.names)

    def may_have(self, path: Path) -> bool:
        """Whether it includes a file, or a class of it."""
        return any(self._includes(name, path, name.rpartition(":")[2]) for name in self.names)

    def _includes(self, reference: str, path: Path, cls: str) -> bool:
        name, _, only = reference.rpartition(":") if ":" in reference else (reference, "", "")
        if only and only != cls:
            return False
        places = [name] if "/" in name or name.endswith(".py") else [name, f"{self.models}/{name}.py"]
        return any(_is_in(path, self.folder / place) for place in places)


def _is_in(path: Path, place: Path) -> bool:
    """Whether a file is what is named, is sought in that folder, or fits that pattern."""
    if any(sign in str(place) for sign in PATTERN) and not place.exists():
        return may_hold_models(path) and _fits(path.parts, Path(os.path.normpath(place)).parts)
    place = place.resolve()
    return path == place or _is_below(path, place) and (path.parent == place or not is_test(path))


def _is_below(path: Path, folder: Path) -> bool:
    """Whether a file is sought in a folder or in those below it."""
    between = path.parents[: len(path.parents) - len(folder.parents) - 1] if path.is_relative_to(folder) else None
    return between is not None and may_hold_models(path) and not any(map(is_left_out, between))


def _fits(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether a path fits a pattern, in which ** is for any number of folders."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_fits(parts[number:], pattern[1:]) for number in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])
