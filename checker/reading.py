"""Read a model file; if it cannot be read, report the place, the error, and what was probably meant."""

from __future__ import annotations

import ast
import difflib
import inspect
import linecache
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from attrs import evolve

from checker import language
from checker.importing import bringing, check_meanings, import_as, look_beside, module_name, no_packages
from checker.language.errors import UsageError, shown
from checker.language.places import bindings, is_own
from checker.language.room import bounded
from checker.language.spoken import reading
from checker.wording import Advice, question

MODEL_FILES = "A model is a file of Python; `checker list` shows the models known by name."


def load(file: Path) -> ModuleType:
    """The module of a model file, executed once.  Raises UsageError if it cannot be read."""
    path = _readable(file)
    look_beside(path)
    try:
        with bounded({}), bringing(), reading():
            name = module_name(path)
            if getattr(sys.modules.get(name), "__file__", None) == str(path):
                return sys.modules[name]
            check_meanings(path)
            return import_as(name, path)
    except UsageError as error:
        raise _located(error, path, error.message, error.remedy) from None
    except SyntaxError as error:
        where = Path(error.filename) if error.filename else path
        raise UsageError(
            f"not valid Python: {error.msg}", str(where), error.lineno, fragment=(error.text or "").strip()
        ) from None
    except NameError as error:
        found = _located(error, path, f"reading the model failed: {type(error).__name__}: {error}")
        remedy = _unknown_name(error.name, found.fragment, path, found.line, _names_there(error, path, found.line))
        raise evolve(found, remedy=remedy) from None
    except AttributeError as error:
        message = f"reading the model failed: {type(error).__name__}: {error}"
        raise _located(error, path, message, _unknown_attribute(error)) from None
    except BaseException as error:
        # Ctrl-C, or an error of the checker itself
        if isinstance(error, KeyboardInterrupt) or is_own(type(error).__module__):
            raise
        message = f"reading the model failed: {type(error).__name__}: {error}"
        raise _located(error, path, message, _not_found(error, path) or _called_wrongly(error)) from None


def _not_found(error: BaseException, path: Path) -> str | None:
    """The advice for an import that fails in a model file."""
    if isinstance(error, ModuleNotFoundError):
        return _in_no_package(error.name or "", path)
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    relative = isinstance(error, ImportError) and "attempted relative import" in str(error) and Path(last) == path
    folder = next(folder for folder in path.parents if not (folder / "__init__.py").exists())
    if relative and (folder == path.parent) == ("no known parent" in str(error)):
        return f"A relative import needs a package: put an empty __init__.py into {shown(str(folder))}."
    return _not_imported(error)


def _in_no_package(name: str, path: Path) -> str | None:
    """The advice to make a module importable that is above the folder of the file; None without such a module."""
    if (folders := no_packages(path, name)) is None:
        return None
    where, them = shown(str(folders[-1].parent)), " and ".join(str(shown(str(folder))) for folder in folders)
    place = "the working directory" if where == "." else where
    return f"{name} lies in {place}, which only files of packages see: put an empty __init__.py into {them}."


def _not_imported(error: BaseException) -> str | None:
    """The advice for an unknown name of the language, if importing it failed."""
    named = re.match(r"cannot import name '(\w+)' from 'checker.language'", str(error))
    if named is None or not isinstance(error, ImportError):
        return None
    if named[1] == "Enum":
        return "That is Python's own: from enum import Enum."
    return suggestion(named[1], list(language.__all__))


def _called_wrongly(error: BaseException) -> str | None:
    """The signature of a function of the language, if a call of it failed because of its arguments."""
    named = re.match(r"(\w+)(?:\.__init__)?\(\) (?:got|takes|missing)", str(error))
    if named is None or named[1] not in language.__all__ or not isinstance(error, TypeError):
        return None
    takes = [n for n in inspect.signature(getattr(language, named[1])).parameters if not n.startswith("_")]
    unknown = re.search(r"argument '(\w+)'", str(error))
    near = difflib.get_close_matches(unknown[1], takes, 1) if unknown else []
    known, asked = f"{named[1]} takes {', '.join(takes)}.", question(near)
    return Advice(f"{known} {asked}".strip(), asked.meant)


def _unknown_attribute(error: AttributeError) -> str | None:
    """The advice for an unknown attribute of a class or a module: `Isis.Proces`."""
    owner = getattr(error.obj, "__name__", None)
    known = [name for name in dir(error.obj) if not name.startswith("_")] if owner else []
    near = difflib.get_close_matches(error.name or "", known, 1)
    return question([f"{owner}.{near[0]}"]) if near else None


def _names_there(error: NameError, path: Path, line: int | None) -> dict[str, str]:
    """The names of the executed class body and of its bases, by the text that reads each of them there."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if Path(frame.f_code.co_filename) == path]
    if not frames or frames[-1].f_code.co_name == "<module>":
        return {}
    frame, found = frames[-1], dict[str, str]()
    for base in _bases_around(line or 0, path):
        owner = frame.f_globals.get(base)
        found |= {f"{base}.{name}": name for name in (dir(owner) if isinstance(owner, type) else ())}
    found |= {name: name for name in frame.f_locals}
    return {written: name for written, name in found.items() if not name.startswith("_")}


def _classes(path: Path) -> list[ast.ClassDef]:
    return [n for n in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(n, ast.ClassDef)]


def _bases_around(line: int, path: Path) -> list[str]:
    """The text of the bases of the class around a line."""
    classes = _classes(path)
    around = next((c for c in classes if c.lineno <= line <= (c.end_lineno or 0)), None)
    return [] if around is None else [ast.unparse(base) for base in around.bases]


def _unknown_name(
    name: str | None, line: str, path: Path, number: int | None, there: dict[str, str] | None = None
) -> str | None:
    """The advice for a name that has no meaning where the file uses it.  there: names of the class, by the text
    that reads each of them.
    """
    if name is None:
        return None
    if name == "self":
        return "In the class body types and constants are written without self."
    owner = _base_with(name, number or 0, path)
    if name in language.__all__ and (owner is None or owner in language.__all__):
        return f"Import it: from checker.language import {name}"
    there = there or {}
    if line.startswith("@on("):
        near = [
            _written(found, there) for found in difflib.get_close_matches(name, sorted(set(there.values())), 1, 0.8)
        ]
        return question(near) if near else f"A variant is written with its union: @on(net, Wire.{name})."
    if owner is not None:
        return f"Write {owner}.{name}: a class body does not see the names of its base class."
    known = {*language.__all__, *_top_level(path), *there.values()}
    if files := _properties_with(name):
        return f"Import it: {' or '.join(f'from {file} import {name}' for file in files)}"
    near = [_written(found, there) for found in difflib.get_close_matches(name, sorted(known), 2)]
    if near:
        return question(near).then("Names are defined above their use.")
    return "Define it above its use, or import it."


def _properties_with(name: str) -> list[str]:
    """The shipped modules that define a property of this name."""
    folder = Path(__file__).parent / "properties"
    defines = re.compile(rf"^class {re.escape(name)}\(", re.MULTILINE)
    files = (file for file in sorted(folder.glob("*.py")) if defines.search(file.read_text(encoding="utf-8")))
    return [f"checker.properties.{file.stem}" for file in files]


def _written(name: str, there: dict[str, str]) -> str:
    """The text of a name in the class body: with the base that has it, unless the body has it too."""
    written = [full for full, short in there.items() if short == name]
    return name if name in written or not written else written[0]


def _base_with(name: str, line: int, path: Path) -> str | None:
    """The base, of the file or of the language, that has the name and from which the class around a line is derived."""
    known = {c.name: c for c in _classes(path)}
    pending = _bases_around(line, path)
    while pending:
        base = pending.pop(0)
        if base in known:
            if name in (n for n, _ in bindings(known[base].body)):
                return base
            pending += [ast.unparse(b) for b in known[base].bases]
        elif base in language.__all__:
            cls = getattr(language, base)
            if isinstance(cls, type) and not callable(getattr(cls, name, str)):
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
            raise is_a_folder(file)
        if not path.exists():
            near = difflib.get_close_matches(file.name, [other.name for other in file.parent.glob("*.py")], 1)
            remedy = f"Did you mean {file.with_name(near[0])}? " if near else ""
            raise UsageError(f"there is no file {file}", remedy=remedy + MODEL_FILES)
        if path.suffix != ".py":
            raise UsageError("the file's name does not end in .py", str(file), remedy=MODEL_FILES)
        if not path.is_file():
            raise UsageError("this is no regular file", str(file), remedy=MODEL_FILES)
        path.read_text(encoding="utf-8")
        return path
    except UnicodeDecodeError:
        raise UsageError("the file is not text in UTF-8", str(file)) from None
    except OSError as error:
        raise UsageError(f"the file cannot be read: {error.strerror}", str(file)) from None


def is_read(path: Path) -> bool:
    """Whether the file (resolved) has been executed in this process."""
    return any(getattr(module, "__file__", None) == str(path) for module in list(sys.modules.values()))


def is_a_folder(path: Path) -> UsageError:
    """The error for a folder that is given instead of a file."""
    names = sorted(str(file) for file in path.glob("*.py") if not file.name.startswith("_"))
    one = f"Name a file in it{f', {names[0]}' if names else ''}"
    return UsageError(
        f"{path} is a folder", remedy=f"{one}; `checker verify {path}` holds all models in it to what they expect."
    )


def suggestion(name: str, known: list[str]) -> str:
    """The nearest existing name, as a question; without one all existing names."""
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    near = near or [k for k in known if name.lower() in k.lower()][:3]
    return question(near) or f"There are: {', '.join(sorted(known)) or 'none'}."


def _located(error: BaseException, path: Path, message: str, remedy: str | None = None) -> UsageError:
    """The error, with the last line of the model file that led to it unless it already has a place."""
    if isinstance(error, UsageError) and error.file is not None:
        return error
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).resolve() == path]
    line = lines[-1] if lines else None
    return UsageError(message, str(path), line, remedy, linecache.getline(str(path), line).strip() if line else "")
