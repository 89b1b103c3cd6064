"""Finding models: from what a person types to a model class, and the list of all models there are.

A reference is a name (`isis`), a name and a class (`isis:DeliverAnyFinal`), a file (`path/to/protocol.py`) or a file
and a class.  A name is the name of a file: first in ./models of the working directory, then in the installed packages
`models` and `benchmarks.models`.  The main class of a file is the first model class it defines whose name does not
begin with an underscore.  Reading a model file executes it, as `import` does.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import linecache
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from attrs import evolve, frozen

from checker import language
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import bindings
from checker.language.room import bounded
from checker.wording import first_paragraph

PACKAGES = ("models", "benchmarks.models")
SKIPPED = ("__init__", "conftest")


@frozen
class Entry:
    """A model class and how to ask for it.

    reference is what the command line takes; main: it is its file's main class; edit_of: the model class it was edited
    from.
    """

    reference: str
    cls: type[Model]
    file: Path
    main: bool = True
    edit_of: str | None = None

    @property
    def summary(self) -> str:
        """One line about the model: the first of its file for the main class, else of its class."""
        texts = [getattr(sys.modules.get(self.cls.__module__), "__doc__", None), vars(self.cls).get("__doc__")]
        for text in texts if self.main else texts[1:]:
            if text and text.strip():
                return first_paragraph(text)
        return ""


@frozen
class Catalogue:
    """All models found, and the files that could not be read."""

    entries: tuple[Entry, ...]
    problems: tuple[UsageError, ...]


def find(reference: str) -> Entry:
    """The model a reference names.  UsageError if there is none, with the nearest names there are."""
    name, class_name = _split(reference)
    file = _file_of(name)
    entries = in_file(file, name)
    if not class_name:
        return entries[0]
    for entry in entries:
        if entry.cls.__name__ == class_name:
            return entry
    others = [e.cls.__name__ for e in entries]
    raise UsageError(f"there is no model class {class_name}", str(file), remedy=_suggest(class_name, others))


def file_named(reference: str) -> Path:
    """The file that holds the model of a reference; nothing is read.  UsageError for a name that no file has."""
    return _file_of(_split(reference)[0])


def is_read(path: Path) -> bool:
    """Whether the file (resolved) has been executed in this process."""
    return getattr(sys.modules.get(_module_name(path)), "__file__", None) == str(path)


def unrelated(reference: str) -> list[Entry]:
    """The models of the file that a reference without a class leaves out: those that edit nothing in it."""
    name, class_name = _split(reference)
    return [] if class_name else [entry for entry in in_file(_file_of(name), name)[1:] if entry.edit_of is None]


def family(reference: str) -> list[Entry]:
    """What a reference without a class stands for where several models are wanted: the main class with its edits; of a
    folder those of all its files; else the one model."""
    name, class_name = _split(reference)
    if not class_name and Path(name).is_dir() and ("/" in name or name not in _files()):
        files = _models_in(Path(name))
        if not files:
            raise UsageError(
                f"{name} holds no models", remedy="Name a model, a file of models, or the folder where such files are."
            )
        return [entry for file in files for entry in in_file(file)]
    return [find(reference)] if class_name else in_file(_file_of(name), name)


def in_file(file: Path, name: str | None = None) -> list[Entry]:
    """The model classes a file defines, its main class first.  UsageError if it cannot be read or defines none."""
    name = name or _name_of(file)
    module = _load(file)
    classes = [c for c in vars(module).values() if _is_model_of(c, module)]
    if not classes:
        raise UsageError(
            "the file defines no model",
            str(file),
            remedy="A model is a class derived from Model, Distributed or Multicast.",
        )
    entries = []
    for cls in dict.fromkeys(classes):
        reference = name if cls is classes[0] else f"{name}:{cls.__name__}"
        entries.append(Entry(reference, cls, file, cls is classes[0], _edited(cls, classes)))
    return entries


def catalogue() -> Catalogue:
    """Every model of the working directory and of the installed packages."""
    entries: list[Entry] = []
    problems: list[UsageError] = []
    for name, file in _files().items():
        try:
            entries += in_file(file, name)
        except UsageError as error:
            problems.append(error)
    return Catalogue(tuple(entries), tuple(problems))


def _edited(cls: type[Model], classes: list[type[Model]]) -> str | None:
    """The model class that this one edits: the nearest base that is itself a model to be checked."""
    for base in cls.__mro__[1:]:
        if base in classes or (isinstance(base, type) and issubclass(base, Model) and is_checkable(base)):
            return base.__name__
    return None


def _is_model_of(item: object, module: ModuleType) -> bool:
    return (
        isinstance(item, type) and issubclass(item, Model) and item.__module__ == module.__name__ and is_checkable(item)
    )


def is_checkable(cls: type) -> bool:
    """Bases are not models to be checked: those of the language, and those whose name begins with an underscore."""
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
    if name not in files and Path(name).is_dir():
        raise _folder(Path(name))
    if name not in files:
        raise UsageError(
            f"there is no model {name}",
            remedy=_suggest(name, list(files))
            + (" `checker list` shows all; a file is given by its path: ./my_protocol.py"),
        )
    return files[name]


def _folder(path: Path) -> UsageError:
    names = sorted(str(file) for file in path.glob("*.py") if not file.name.startswith("_"))
    return UsageError(
        f"{path} is a folder",
        remedy=f"Name a file in it{f', {names[0]}' if names else ''}; `checker verify {path}` holds all models in it "
        f"to "
        f"what they expect.",
    )


def _files() -> dict[str, Path]:
    """Model files by name; the first place that has a name wins."""
    files: dict[str, Path] = {}
    for directory in _directories():
        for file in _models_in(directory):
            files.setdefault(file.stem, file)
    return files


def _models_in(directory: Path) -> list[Path]:
    """The files of a folder that may hold models."""
    return [
        file for file in sorted(directory.glob("*.py")) if file.stem not in SKIPPED and not file.stem.startswith("_")
    ]


def _directories() -> Iterator[Path]:
    if Path("models").is_dir():
        yield Path("models")
    for package in PACKAGES:
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            continue
        for location in (spec.submodule_search_locations or ()) if spec else ():
            yield Path(location)


def _name_of(file: Path) -> str:
    """A file's reference: its name where that finds it, else its path."""
    found = _files().get(file.stem)
    return file.stem if found is not None and found.resolve() == file.resolve() else str(file)


def _suggest(name: str, known: list[str]) -> str:
    near = (
        difflib.get_close_matches(name, known, n=3, cutoff=0.5) or [k for k in known if name.lower() in k.lower()][:3]
    )
    return f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(sorted(known)) or 'none'}."


# Reading files


def _load(file: Path) -> ModuleType:
    path = _readable(file)
    name = _module_name(path)
    if name in sys.modules and getattr(sys.modules[name], "__file__", None) == str(path):
        return sys.modules[name]
    try:
        with bounded({}):
            return (
                importlib.import_module(name)
                if name.startswith(tuple(f"{p}." for p in PACKAGES))
                else _execute(name, path)
            )
    except UsageError as error:
        raise _located(error, path, error.message, error.remedy) from None
    except SyntaxError as error:
        where = Path(error.filename) if error.filename else path
        raise UsageError(
            f"not valid Python: {error.msg}", str(where), error.lineno, fragment=(error.text or "").strip()
        ) from None
    except NameError as error:
        found = _located(error, path, f"reading the model failed: {type(error).__name__}: {error}")
        raise evolve(found, remedy=_unknown_name(error.name, found.fragment, path, found.line)) from None
    except BaseException as error:
        # Ctrl-C, or the time is over
        if isinstance(error, KeyboardInterrupt) or type(error).__module__.startswith("checker."):
            raise
        raise _located(
            error,
            path,
            f"reading the model failed: {type(error).__name__}: {error}",
            _not_imported(error) or _called_wrongly(error),
        ) from None


def _not_imported(error: BaseException) -> str | None:
    """What is meant by a name that the language does not have, if that is what could not be imported."""
    named = (
        re.match(r"cannot import name '(\w+)' from 'checker.language'", str(error))
        if isinstance(error, ImportError)
        else None
    )
    if named is None:
        return None
    return (
        "That is Python's own: from enum import Enum."
        if named[1] == "Enum"
        else _suggest(named[1], list(language.__all__))
    )


def _called_wrongly(error: BaseException) -> str | None:
    """How something of the language is called, if that is what Python has refused."""
    named = (
        re.match(r"(\w+)(?:\.__init__)?\(\) (?:got|takes|missing)", str(error))
        if isinstance(error, TypeError)
        else None
    )
    if named is None or named[1] not in language.__all__:
        return None
    takes = [n for n in inspect.signature(getattr(language, named[1])).parameters if not n.startswith("_")]
    unknown = re.search(r"argument '(\w+)'", str(error))
    near = difflib.get_close_matches(unknown[1], takes, 1) if unknown else []
    return f"{named[1]} takes {', '.join(takes)}." + (f" Did you mean {near[0]}?" if near else "")


def _unknown_name(name: str | None, line: str, path: Path, number: int | None) -> str | None:
    """What to do about a name that has no meaning where the file uses it."""
    if name is None:
        return None
    if name == "self":
        return "In the class body types and constants are written without self."
    if name in language.__all__:
        return f"Import it: from checker.language import {name}"
    if line.startswith("@on("):
        return f"A variant is written with its union: @on(net, Wire.{name})."
    owner = _base_with(name, number or 0, path)
    if owner is not None:
        return f"Write {owner}.{name}: a class body does not see the names of its base class."
    near = difflib.get_close_matches(name, sorted({*language.__all__, *_top_level(path)}), 2)
    return (
        (f"Did you mean {' or '.join(near)}? Names are defined above their use.")
        if near
        else "Define it above its use, or import it."
    )


def _base_with(name: str, line: int, path: Path) -> str | None:
    """The class, of the file or of the language, that has the name and that the class around a line is derived from."""
    classes = [n for n in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(n, ast.ClassDef)]
    known = {c.name: c for c in classes}
    around = next((c for c in classes if c.lineno <= line <= (c.end_lineno or 0)), None)
    pending = [] if around is None else [ast.unparse(b) for b in around.bases]
    while pending:
        base = pending.pop(0)
        if base in known:
            if name in (n for n, _ in bindings(known[base].body)):
                return base
            pending += [ast.unparse(b) for b in known[base].bases]
        elif (
            base in language.__all__
            and isinstance(cls := getattr(language, base), type)
            and not callable(getattr(cls, name, str))
        ):
            return base
    return None


def _top_level(path: Path) -> Iterator[str]:
    """The names that a file defines or imports outside its classes."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.ImportFrom(names=names):
                yield from (n.asname or n.name for n in names)


def _readable(file: Path) -> Path:
    try:
        path = file.resolve()
        if path.is_dir():
            raise _folder(file)
        if not path.exists():
            near = difflib.get_close_matches(file.name, [other.name for other in file.parent.glob("*.py")], 1)
            remedy = f"Did you mean {file.with_name(near[0])}? " if near else ""
            raise UsageError(
                f"there is no file {file}",
                remedy=remedy + ("A model is a file of Python; `checker list` shows the models known by name."),
            )
        if path.suffix != ".py":
            raise UsageError(
                "the file's name does not end in .py",
                str(file),
                remedy="A model is a file of Python; `checker list` shows the models known by name.",
            )
        if not path.is_file():
            raise UsageError(
                "this is no regular file",
                str(file),
                remedy="A model is a file of Python; `checker list` shows the models known by name.",
            )
        path.read_text(encoding="utf-8")
        return path
    except UnicodeDecodeError:
        raise UsageError("the file is not text in UTF-8", str(file)) from None
    except OSError as error:
        raise UsageError(f"the file cannot be read: {error.strerror}", str(file)) from None


def _module_name(path: Path) -> str:
    """The name a file is imported under: that of the package it stands in, if installed, so that no class exists
    twice."""
    for package in PACKAGES:
        try:
            spec = importlib.util.find_spec(f"{package}.{path.stem}")
        except (ModuleNotFoundError, ValueError):
            continue
        if spec is not None and spec.origin is not None and Path(spec.origin).resolve() == path:
            return f"{package}.{path.stem}"
    return f"model_{path.stem}_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"


def _execute(name: str, path: Path) -> ModuleType:
    """Import a file that stands in no installed package; it may import its neighbours."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _located(error: BaseException, path: Path, message: str, remedy: str | None = None) -> UsageError:
    """The error, with the last line of the model file that led to it unless it already has a place."""
    if isinstance(error, UsageError) and error.file is not None:
        return error
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).resolve() == path]
    line = lines[-1] if lines else None
    return UsageError(message, str(path), line, remedy, linecache.getline(str(path), line).strip() if line else "")
