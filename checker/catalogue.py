"""Finding models: from a reference that a user types to a model class, and the list of all models.

A reference is a name (`isis`), a name and a class (`isis:DeliverAnyFinal`), a file (`path/to/protocol.py`) or a file
and a class.  A name is the name of a file in ./models of the working directory, or of a shipped model.  A name of both,
or of a folder too, is refused; each is then called by its path or as `checker.models.isis`.  The main class of a file
is the first model class in it whose name does not begin with an underscore.  Reading a model file executes it, as
`import` does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from glob import glob
from pathlib import Path
from types import ModuleType

from checker.frozen import frozen
from checker.importing import FOLDER, SHIPPED, is_shipped, shipped_folder
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import file_of
from checker.project import folders_here
from checker.reading import is_a_folder, load, suggestion
from checker.sought import PATTERN, files_in, may_hold_models
from checker.wording import first_paragraph, question

NO_MODEL = "A model is a class derived from Model, Distributed or Multicast."


class NoModel(UsageError):
    """A file that can be read but defines no model; other models may import it."""


@frozen
class Entry:
    """A model class and its reference.

    reference: as on the command line; main: it is its file's main class; edit_of: the model class that it edits.
    """

    reference: str
    cls: type[Model]
    file: Path
    main: bool = True
    edit_of: str | None = None

    @property
    def summary(self) -> str:
        """One line about the model: from its file for the main class, else from its class."""
        texts = [getattr(sys.modules.get(self.cls.__module__), "__doc__", None), vars(self.cls).get("__doc__")]
        for text in texts if self.main else texts[1:]:
            if text and text.strip():
                return first_paragraph(text)
        return ""


@frozen
class Catalogue:
    """The models, and the files that could not be read, by their references; passed: files of a named folder or pattern
    that define no model.
    """

    entries: tuple[Entry, ...]
    unread: tuple[tuple[str, UsageError], ...] = ()
    passed: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[UsageError, ...]:
        """Why files could not be read."""
        return tuple(error for _, error in self.unread)


def find(reference: str) -> Entry:
    """The model of a reference.  Raises UsageError with the nearest names if there is none."""
    name, class_name = _split(reference)
    file = _file_of(name)
    entries = in_file(file, name)
    if not class_name:
        return entries[0]
    for entry in entries:
        if entry.cls.__name__ == class_name:
            return entry
    others = [e.cls.__name__ for e in entries]
    raise UsageError(f"there is no model class {class_name}", str(file), remedy=suggestion(class_name, others))


def entry_of(cls: type[Model]) -> Entry:
    """The entry of a class; a class without a file is called by its name."""
    file, module = Path(file_of(cls) or ""), sys.modules.get(cls.__module__)
    if not file.is_file() or module is None:
        return Entry(cls.__name__, cls, file)
    return _entry(name_of(file), cls, file, models_of(module))


def file_named(reference: str) -> Path:
    """The file that contains the model of a reference; it is not read.  Raises UsageError for an unknown name."""
    return _file_of(_split(reference)[0])


def left_out(reference: str) -> list[Entry]:
    """The models of the file that a reference without a class leaves out: all, or of a shipped protocol those that edit
    no other model of the file.
    """
    name, class_name = _split(reference)
    file = _file_of(name)
    others = [] if class_name else in_file(file, name)[1:]
    return [entry for entry in others if entry.edit_of is None or not is_shipped(file.resolve())]


def family(reference: str) -> list[Entry]:
    """The models of a reference without a class where several models are wanted: the main class with its edits; for a
    folder those of all its files; otherwise the one model.  Raises UsageError if one of the files cannot be read.
    """
    found = readable(reference)
    for error in found.problems:
        raise error
    return list(found.entries)


def readable(reference: str) -> Catalogue:
    """The family of a reference; for a folder or a pattern, of the files that can be read."""
    name, class_name = _split(reference)
    if any(sign in name for sign in PATTERN) and not Path(name).exists():
        matching = [Path(file) for file in sorted(glob(name, recursive=True)) if file.endswith(".py")]
        if not (files := [file for file in matching if may_hold_models(file)]):
            raise UsageError(f"no model file matches {name}", remedy="A pattern is for files: 'protocols/*.py'.")
        return of_files(files)
    if not class_name and Path(name).is_dir() and ("/" in name or not _is_of_a_model(name)):
        files = files_in(Path(name))
        if not files:
            remedy = "Name a model, a file of models, or the folder where such files are."
            raise UsageError(f"{name} holds no models", remedy=remedy)
        return of_files(files)
    return Catalogue(tuple([find(reference)] if class_name else in_file(_file_of(name), name)))


def of_files(files: Iterable[Path]) -> Catalogue:
    """The models of files that were found without being named: files that define none are passed over."""
    return _read((name_of(file), file) for file in files)


def shipped() -> Catalogue:
    """The models that the checker ships."""
    return of_files(_models_in(shipped_folder()))


def in_file(file: Path, name: str | None = None) -> list[Entry]:
    """The model classes a file defines, its main class first.  Raises UsageError if it cannot be read or defines
    none."""
    name = name or name_of(file)
    classes = models_of(load(file))
    if not classes:
        raise NoModel("the file defines no model", str(file), remedy=f"{NO_MODEL} In a folder it is passed over.")
    return [_entry(name, cls, file, classes) for cls in dict.fromkeys(classes)]


def catalogue() -> Catalogue:
    """Every model of the working directory and every shipped one."""
    return _read(_files().items())


def _read(files: Iterable[tuple[str, Path]]) -> Catalogue:
    entries: list[Entry] = []
    unread: list[tuple[str, UsageError]] = []
    passed: list[str] = []
    for name, file in files:
        try:
            entries += in_file(file, name)
        except NoModel:
            passed.append(name)
        except UsageError as error:
            unread.append((name, error))
    return Catalogue(tuple(entries), tuple(unread), tuple(passed))


def _edited(cls: type[Model], classes: list[type[Model]]) -> str | None:
    """The model class that this one edits: the nearest base that is itself a model to be checked."""
    above = (b for b in cls.__mro__[1:] if b in classes or issubclass(b, Model) and is_checkable(b))
    return next((base.__name__ for base in above), None)


def _entry(name: str, cls: type[Model], file: Path, classes: list[type[Model]]) -> Entry:
    """The entry of a class in a file that is called by a name.  classes: all models of the file, its main one first."""
    main = cls in classes[:1]
    return Entry(name if main else f"{name}:{cls.__name__}", cls, file, main, _edited(cls, classes))


def models_of(module: ModuleType) -> list[type[Model]]:
    """The models that a module defines, its main class first."""
    classes = [c for c in vars(module).values() if isinstance(c, type) and issubclass(c, Model)]
    return [c for c in classes if c.__module__ == module.__name__ and is_checkable(c)]


def is_checkable(cls: type) -> bool:
    """Whether a class is a model to be checked: not a base of the language, and not a class whose name begins with an
    underscore.
    """
    return not cls.__name__.startswith("_") and not cls.__module__.startswith("checker.language")


# From references to files


def _split(reference: str) -> tuple[str, str]:
    name, _, class_name = reference.rpartition(":") if ":" in reference else (reference, "", "")
    if not name or "\0" in reference or (":" in reference and not class_name):
        raise UsageError(
            f"{reference!r} is not a model", remedy="Write NAME, NAME:Class, path/to/file.py or path/to/file.py:Class."
        )
    return name, class_name


def _file_of(name: str) -> Path:
    if name.endswith(".py") or "/" in name:
        return Path(name)
    files = _files()
    if name not in files and Path(name).is_dir() and not _meant_by(name):
        raise is_a_folder(Path(name))
    file = shipped_folder() / f"{name.removeprefix(SHIPPED + '.')}.py"
    if name.startswith(f"{SHIPPED}.") and file.exists():
        return file
    if name not in files and (meant := _meant_by(name)):
        raise UsageError(
            f"{name} is ambiguous: {' and '.join(what for what, _ in meant)}",
            remedy=f"Write {' or '.join(written for _, written in meant)}; or give yours a name of its own.",
        )
    if name not in files:
        places = dict.fromkeys(folder / f"{name}.py" for folder in (Path.cwd(), *folders_here()))
        own = [os.path.relpath(file) for file in places if file.is_file()]
        advice = question(own) if own else suggestion(name, list(files))
        remedy = " `checker list` shows all; a file is given by its path: ./my_protocol.py"
        raise UsageError(f"there is no model {name}", remedy=advice + remedy)
    return files[name]


def _files() -> dict[str, Path]:
    """Model files by the shortest reference that identifies each."""
    own = {file.stem: file for file in _models_in(Path(FOLDER))}
    shipped = {file.stem: file for file in _models_in(shipped_folder())}
    both = own.keys() & shipped.keys()
    twice = {name for name in both if own[name].resolve() != shipped[name].resolve()}  # names of two different files
    twice |= _folders(own.keys() | shipped.keys()) | {n for n, f in shipped.items() if _beside(n, f) is not None}
    files = {str(file) if name in twice else name: file for name, file in own.items()}
    return files | {f"{SHIPPED}.{n}" if n in twice else n: f for n, f in shipped.items() if n in twice or n not in own}


def _folders(names: Iterable[str]) -> set[str]:
    """Those of the names that are folders of the working directory with Python files in or below them."""
    try:
        here = {entry.name for entry in os.scandir() if entry.is_dir()}
    except OSError:
        return set()
    return {name for name in here.intersection(names) if any(Path(name).rglob("*.py"))}


def _beside(name: str, shipped: Path) -> Path | None:
    """The file of the working directory that has the name of a shipped model, and is another one."""
    file = Path(f"{name}.py")
    return file if may_hold_models(file) and file.is_file() and not file.samefile(shipped) else None


def _is_of_a_model(name: str) -> bool:
    """Whether a plain name is the name of a model; it may have other meanings too."""
    return name in _files() or bool(_meant_by(name))


def _meant_by(name: str) -> list[tuple[str, str]]:
    """The meanings of a model's name if it has several: each in words, with an unambiguous reference."""
    files = _files()
    own, shipped = str(Path(FOLDER) / f"{name}.py"), f"{SHIPPED}.{name}"
    found = [(own, own)] if own in files else []
    if shipped in files:
        beside = _beside(name, files[shipped])
        found += [(str(beside), str(beside))] * (beside is not None) + [("the shipped model", shipped)]
    folder = [(f"the folder {name}", f"./{name}")] if found and _folders([name]) else []
    return [*folder, *found] if name not in files else []


def _models_in(directory: Path) -> list[Path]:
    """The files of a folder that may hold models."""
    return [file for file in sorted(directory.glob("*.py")) if may_hold_models(file)]


def name_of(file: Path) -> str:
    """A file's reference: the name of a shipped model, else the path, which stays the same if a model of that name is
    shipped later.
    """
    path = file.resolve()
    shipped = _files().items() if is_shipped(path) else ()
    return next((name for name, f in shipped if f.stem == file.stem and f.resolve() == path), str(file))
