"""A model as it was at a git revision: its file, and whatever of the same repository it imports, bases and properties
included.

The Python files of the revision are written to a directory of their own and imported from there, while the modules of
today stand aside; then both are there, those of the revision under other names.  The checker itself is today's: a
warning names parts of the language that the model uses and that have changed since.
"""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType

from attrs import frozen

from checker.analysis.git import git
from checker.catalogue import Entry, in_file
from checker.importing import places_of, rename
from checker.language.errors import UsageError
from checker.language.places import is_own

OURS = "checker"  # never taken from a revision, but for the models and properties it ships
SHIPPED = ("checker.models", "checker.properties")
_git = partial(git, needed="A comparison with a revision needs it; two files can be compared without.")


@frozen
class Former:
    """The entry of a model at a revision, and warnings about what could not be taken from there."""

    entry: Entry
    warnings: tuple[str, ...]


@contextmanager
def at_revision(entry: Entry, revision: str) -> Iterator[Former]:
    """The same model class of the same file at a revision; its source exists while the context is open.

    UsageError if git, the revision, the file in it or the class in it is missing, or if the file cannot be read with
    the checker of today.
    """
    file = entry.file.resolve()
    outside = f"{entry.file} is not in a git repository"
    root = Path(_git(file.parent, "rev-parse", "--show-toplevel", problem=outside).strip()).resolve()
    wanted, missing = f"{revision}^{{commit}}", f"there is no revision {revision or '(empty)'} in {root.name}"
    _git(root, "rev-parse", "--verify", "--quiet", wanted, problem=missing, remedy=lambda: _shallow(root))
    inside, remedy = file.relative_to(root).as_posix(), "Name a revision that has it, or two models."
    absent = f"{inside} does not exist at {revision}"
    _git(root, "cat-file", "-e", f"{revision}:{inside}", problem=absent, remedy=remedy)
    with tempfile.TemporaryDirectory(prefix="checker-") as directory:
        tree = Path(directory).resolve()
        _extract(root, revision, tree)
        modules: dict[str, ModuleType] = {}
        try:
            found = _imported(entry, root, tree, inside, revision, modules)
            yield Former(found, tuple(_changed(root, revision, entry)))
        finally:
            for name in modules:
                sys.modules.pop(name, None)


def _extract(root: Path, revision: str, tree: Path) -> None:
    """Write the Python files of the revision."""
    archive = subprocess.run(
        ["git", "-C", str(root), "archive", revision, "--", "*.py"], capture_output=True, check=False
    )
    if archive.returncode != 0:
        raise UsageError(f"the files of {revision} cannot be read: {archive.stderr.decode(errors='replace').strip()}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
        packed.extractall(tree)


def _imported(
    entry: Entry, root: Path, tree: Path, inside: str, revision: str, modules: dict[str, ModuleType]
) -> Entry:
    """The model of the revision; its modules are kept under the names they get in `modules`."""
    path = list(sys.path)
    shipped = _shipped(root, tree)
    aside = {
        name: sys.modules.pop(name)
        for name in list(sys.modules)
        if _below(sys.modules[name], root)
        and (name.partition(".")[0] != OURS or ".".join(name.split(".")[:2]) in shipped)
    }
    sys.modules.update(shipped)
    own = reversed(places_of(entry.file.resolve()))
    places = dict.fromkeys(p for p in (*own, *map(Path, filter(None, path))) if p.resolve().is_relative_to(root))
    sys.path[:0] = [str(tree / p.resolve().relative_to(root)) for p in places]
    importlib.invalidate_caches()
    try:
        entries = in_file(tree / inside, entry.reference.rpartition(":")[0] or entry.reference)
        if entry.main:
            return entries[0]
        found = next((e for e in entries if e.cls.__name__ == entry.cls.__name__), None)
        if found is None:
            raise UsageError(f"{inside} has no model class {entry.cls.__name__} at {revision}")
        return found
    except UsageError as error:
        if error.file is not None and str(tree) in error.file:
            raise UsageError(
                f"{inside} at {revision}: {error.message}", None, None, error.remedy, error.fragment
            ) from None
        raise
    finally:
        for name in [n for n in sys.modules if _below(sys.modules[n], tree)]:
            modules[f"{name} at {revision}"] = rename(name, f"{name} at {revision}")
        sys.modules.update(modules)
        sys.modules.update(aside)
        sys.path[:] = path
        importlib.invalidate_caches()


def _shipped(root: Path, tree: Path) -> dict[str, ModuleType]:
    """Packages that take the place of those shipped, where the revision has their folders."""
    found = {}
    for name in SHIPPED:
        folder = Path(importlib.import_module(name).__path__[0]).resolve()
        if folder.is_relative_to(root) and (then := tree / folder.relative_to(root)).is_dir():
            found[name] = ModuleType(name)
            found[name].__path__ = [str(then)]
    return found


def _below(module: ModuleType, directory: Path) -> bool:
    """Whether a module, or a package without a file, lies below a directory."""
    files = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(f is not None and Path(f).resolve().is_relative_to(directory) for f in files)


def _changed(root: Path, revision: str, entry: Entry) -> Iterator[str]:
    """Parts of the language that the model uses and that have changed since the revision."""
    used = {
        Path(str(getattr(sys.modules.get(base.__module__), "__file__", ""))).resolve()
        for base in entry.cls.__mro__
        if is_own(base.__module__)
    }
    changed = _git(root, "diff", "--name-only", revision, "--", "*.py", problem="git diff failed").splitlines()
    for name in changed:
        if (root / name).resolve() in used:
            yield f"{name} has changed since {revision} too: both sides use it as it is today"


def _shallow(root: Path) -> str:
    """What to do about a revision that is missing."""
    shallow = _git(root, "rev-parse", "--is-shallow-repository", problem="git rev-parse failed").strip() == "true"
    if shallow:
        return "This clone holds a part of the history only: `git fetch --unshallow` brings the rest."
    return "`git log --oneline` shows those there are."
