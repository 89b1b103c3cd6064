"""A model as it was at a git revision: its file, and everything of the same repository that it imports, bases and
properties included.

The Python files of the revision are written to a directory of their own and imported from there, while the modules of
today are removed from `sys.modules`.  Afterwards both are loaded, those of the revision under other names.  The checker
itself is today's: a warning names the parts of the language that the model uses and that have changed since.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType

from attrs import frozen

from checker.analysis.depended import files_of
from checker.analysis.git import git, require_commit
from checker.analysis.imported import Imports
from checker.analysis.moved import former_places, move_text
from checker.analysis.renamed import Renaming, renaming
from checker.catalogue import Entry, in_file
from checker.importing import loaded_below, places_of, rename
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import is_own
from checker.project import copy_of
from checker.revisions import Origin, forget, register
from checker.wording import short_revision

OURS = "checker"  # never taken from a revision, but for the models and properties it ships
SHIPPED = ("checker.models", "checker.properties")
LONGEST_HEAD = 200  # bytes of the line that git writes before an object
TWO_FILES = "Two files can be compared without git: `checker compare OLD.py NEW.py`."
SHOWN_ALL_THE_SAME = "Fetch the branch that has it. `checker show` prints the run without its model."
_git = partial(git, needed="A comparison with a revision needs it; two files can be compared without.")


class NoSuchClass(UsageError):
    """The file of the revision has no class of that name."""


@frozen
class Former:
    """The entry of a model at a revision, and warnings about parts that could not be taken from there; renamed: the
    names that have been replaced since (`checker.analysis.renamed`), for the entry has the names of today, and the file
    if it has moved (`checker.analysis.moved`); beside: the model classes of its file at the revision.
    """

    entry: Entry
    warnings: tuple[str, ...]
    renamed: tuple[str, ...] = ()
    beside: tuple[type[Model], ...] = ()


@frozen
class Wanted:
    """A model of a revision: the file of today, which need not exist; the reference of the file; the name of the class;
    main: if there is no such class, the main class of the file is meant.
    """

    file: Path
    reference: str
    name: str
    main: bool = False


@contextmanager
def restored(origin: Origin, name: str) -> Iterator[type[Model]]:
    """The class of this name as it was read from a revision, with the names that were replaced then; its source exists
    while the context is open.

    Raises UsageError if the repository does not have the revision, or if it cannot be read with the checker of today.
    """
    root, commit, inside = origin.root, origin.commit, origin.file
    short = short_revision(commit)
    gone = f"{root.name} does not have the revision {short} any more, of which {inside} was read"
    _git(
        root, "cat-file", "-e", f"{commit}^{{commit}}", problem=gone, remedy=lambda: _shallow(root, SHOWN_ALL_THE_SAME)
    )
    absent = f"{inside} does not exist at {short}"
    _git(root, "cat-file", "-e", f"{commit}:{inside}", problem=absent, remedy=SHOWN_ALL_THE_SAME)
    with tempfile.TemporaryDirectory(prefix="checker-") as directory:
        tree = Path(directory).resolve()
        _extract(root, commit, tree)
        replaced = Renaming(dict(origin.renamed))
        for file in sorted(tree.rglob("*.py")) if replaced else ():
            if not file.is_symlink():
                file.write_text(replaced.source(_text(file)), encoding="utf-8")
        modules: dict[str, ModuleType] = {}
        wanted = Wanted(root / inside, str(root / inside), name)
        try:
            with copy_of(root, tree):
                found, _ = _imported(wanted, root, tree, inside, short, modules)
            register(modules, origin)
            yield found.cls
        finally:
            dropped(modules)


@contextmanager
def at_revision(entry: Entry, revision: str) -> Iterator[Former]:
    """The same model class of the same file at a revision; its source exists while the context is open.

    Raises UsageError if git, the revision, the file in it or the class in it is missing, or if the file cannot be read
    with the checker of today.
    """
    file = entry.file.resolve()
    outside = f"{entry.file} is not in a git repository"
    root = Path(_git(file.parent, "rev-parse", "--show-toplevel", problem=outside).strip()).resolve()
    require_commit(root)
    wanted, missing = (
        f"{revision}^{{commit}}",
        f"there is no revision {short_revision(revision) or '(empty)'} in {root.name}",
    )
    told = _git(root, "rev-parse", "--verify", "--quiet", wanted, problem=missing, remedy=lambda: _shallow(root))
    now, moved = file.relative_to(root).as_posix(), former_places(root, revision)
    inside, remedy = moved.get(now, now), "Name a revision that has it, or two models."
    absent = f"{inside} does not exist at {short_revision(revision)}"
    _git(root, "cat-file", "-e", f"{revision}:{inside}", problem=absent, remedy=remedy)
    with tempfile.TemporaryDirectory(prefix="checker-") as directory:
        tree = Path(directory).resolve()
        _extract(root, revision, tree)
        replaced = _with_new_names(entry, root, tree, moved)
        renamed = (*replaced.texts(), *([f"file {move_text(inside, now)}"] if inside != now else []))
        modules: dict[str, ModuleType] = {}
        try:
            with copy_of(root, tree):
                found, beside = imported_from(entry, root, tree, inside, revision, modules)
            register(modules, Origin(root, inside, told.strip(), replaced.names))
            yield Former(found, tuple(_changed(root, revision, entry)), renamed, beside)
        finally:
            dropped(modules)


def dropped(modules: Iterable[str]) -> None:
    """Forget modules of a revision."""
    forget(modules)
    for name in modules:
        sys.modules.pop(name, None)


def _extract(root: Path, revision: str, tree: Path) -> None:
    """Write all Python files of the revision, also those that attributes (`export-ignore`) exclude from an archive.

    Links are written last, so that no file is written through a link; links that lead out of the tree are left out.
    """
    links: list[tuple[Path, str]] = []
    try:
        for link, name, content in _python_files(root, revision):
            place = tree / os.fsdecode(name)
            if not place.resolve().is_relative_to(tree):
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            if link:
                links.append((place, os.fsdecode(content)))
            else:
                place.write_bytes(content)
        for place, target in links:
            if (place.parent / target).resolve().is_relative_to(tree):
                place.symlink_to(target)
    except OSError as error:
        raise UsageError(f"the files of {revision} cannot be written: {error}", remedy=TWO_FILES) from None


def _with_new_names(entry: Entry, root: Path, tree: Path, moved: Mapping[str, str]) -> Renaming:
    """Write the names of today into the files of the revision, where the change replaced names.  moved: the former
    places of files."""
    names = {file: file.relative_to(root).as_posix() for file in sorted(files_of(entry.cls, Imports(root)))}
    places = {file: tree / moved.get(name, name) for file, name in names.items()}
    files = [file for file, place in places.items() if place.is_file()]
    texts = [(_text(places[file]), _text(file)) for file in files]
    replaced = renaming(texts)
    if not replaced:
        return replaced
    known, others = {places[file] for file in files}, dict[Path, str]()
    for file in sorted(tree.rglob("*.py")):
        text = _text(file)
        if not file.is_symlink() and any(name in text for name in replaced.names):
            others[file] = text
            if file not in known and replaced.clashes(text):
                return Renaming()  # both names mean something there
    for file, text in others.items():
        file.write_text(replaced.source(text), encoding="utf-8")
    return replaced


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def _python_files(root: Path, revision: str) -> Iterator[tuple[bool, bytes, bytes]]:
    """For each Python file whether it is a link, its path and its content."""
    listed = _bytes(root, revision, b"", "ls-tree", "-r", "-z", "--full-tree", f"{revision}^{{commit}}")
    entries = [entry.partition(b"\t") for entry in listed.split(b"\0") if entry.endswith(b".py")]
    files = [(*about.split(), name) for about, _, name in entries]
    wanted = [(mode == b"120000", name, sha) for mode, kind, sha, name in files if kind == b"blob"]
    contents = _bytes(root, revision, b"".join(sha + b"\n" for _, _, sha in wanted), "cat-file", "--batch")
    place = 0
    for link, name, _ in wanted:
        head, _, _ = contents[place : place + LONGEST_HEAD].partition(b"\n")
        *_, size = head.split()
        if not size.isdigit():  # "missing", in a clone without all objects
            raise UsageError(f"{os.fsdecode(name)} of {revision} is not in this clone", remedy=TWO_FILES)
        place += len(head) + 1
        yield link, name, contents[place : place + int(size)]
        place += int(size) + 1


def _bytes(root: Path, revision: str, given: bytes, *arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(root), *arguments], input=given, capture_output=True, check=False)
    if done.returncode != 0:
        why = done.stderr.decode(errors="replace").strip()
        raise UsageError(f"the files of {revision} cannot be read: {why}", remedy=TWO_FILES)
    return done.stdout


def imported_from(
    entry: Entry, root: Path, tree: Path, inside: str, revision: str, modules: dict[str, ModuleType]
) -> tuple[Entry, tuple[type[Model], ...]]:
    """The model of the revision, and all of its file; `modules` maps the new names of its modules to them."""
    reference = entry.reference.rpartition(":")[0] or entry.reference
    wanted = Wanted(entry.file.resolve(), reference, entry.cls.__name__, entry.main)
    return _imported(wanted, root, tree, inside, revision, modules)


def _imported(
    wanted: Wanted, root: Path, tree: Path, inside: str, revision: str, modules: dict[str, ModuleType]
) -> tuple[Entry, tuple[type[Model], ...]]:
    path = list(sys.path)
    shipped = _shipped(root, tree)
    ours = [  # all of them first: where a folder without __init__.py lies is asked of the package above it
        name
        for name in loaded_below(root)
        if name.partition(".")[0] != OURS or ".".join(name.split(".")[:2]) in shipped
    ]
    aside = {name: sys.modules.pop(name) for name in ours}
    sys.modules.update(shipped)
    own = reversed([*places_of(wanted.file), *places_of(root / inside)])
    places = dict.fromkeys(p for p in (*own, *map(Path, filter(None, path))) if p.resolve().is_relative_to(root))
    sys.path[:0] = [str(tree / p.resolve().relative_to(root)) for p in places]
    importlib.invalidate_caches()
    try:
        entries = in_file(tree / inside, wanted.reference)
        same = (e for e in entries if e.cls.__name__ == wanted.name)
        found = next(same, entries[0] if wanted.main else None)
        if found is None:
            raise NoSuchClass(f"{inside} has no model class {wanted.name} at {short_revision(revision)}")
        return found, tuple(e.cls for e in entries)
    except UsageError as error:
        if error.file is not None and str(tree) in error.file:
            what = f"{inside} at {short_revision(revision)}: {error.message}"
            raise UsageError(what, None, None, error.remedy, error.fragment) from None
        raise
    finally:
        for name in loaded_below(tree):
            modules[f"{name} at {revision}"] = rename(name, f"{name} at {revision}")
        sys.modules.update(modules)
        sys.modules.update(aside)
        sys.path[:] = path
        importlib.invalidate_caches()


def _shipped(root: Path, tree: Path) -> dict[str, ModuleType]:
    """Packages of the revision that replace the shipped ones, where the revision has their folders."""
    found = {}
    for name in SHIPPED:
        folder = Path(importlib.import_module(name).__path__[0]).resolve()
        if folder.is_relative_to(root) and (then := tree / folder.relative_to(root)).is_dir():
            found[name] = ModuleType(name)
            found[name].__path__ = [str(then)]
    return found


def _changed(root: Path, revision: str, entry: Entry) -> Iterator[str]:
    """Parts of the language that the model uses and that have changed since the revision."""
    modules = (sys.modules.get(base.__module__) for base in entry.cls.__mro__ if is_own(base.__module__))
    used = {Path(str(getattr(module, "__file__", ""))).resolve() for module in modules}
    changed = _git(root, "diff", "--name-only", revision, "--", "*.py", problem="git diff failed").splitlines()
    for name in changed:
        if (root / name).resolve() in used:
            yield f"{name} has changed since {revision} too: both sides use it as it is today"


def _shallow(root: Path, otherwise: str = "`git log --oneline` shows those there are.") -> str:
    """What to do about a revision that is missing."""
    shallow = _git(root, "rev-parse", "--is-shallow-repository", problem="git rev-parse failed").strip() == "true"
    if shallow:
        return "This clone holds a part of the history only: `git fetch --unshallow` brings the rest."
    return otherwise
