"""The two models that a command line of `checker compare` means, and the other classes of their files."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from checker.analysis.compare.classes import Chosen, chosen
from checker.analysis.compare.revision import at_revision
from checker.analysis.compare.side import Side
from checker.catalogue import Entry, entry_of, find, in_file, models_of, name_of
from checker.cli.first_class import first_class
from checker.importing import is_shipped, shipped_folder
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.replay.base import base_of, likely_base
from checker.sought import may_hold_models
from checker.wording import listed


@frozen
class Sides:
    """Base and edit, warnings about the former version of the base, and a line for the classes of the files that are
    not compared.
    """

    before: Side
    after: Side
    warnings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@contextmanager
def sides(first: str, second: str | None, against: str | None) -> Iterator[Sides]:
    """The two sides: two models; a model and a revision of its file, or of the file of its base; or an edit and its
    base.  Of a file without a class the class that is changed.
    """
    entry = find(first)
    edit = entry if second is None else find(second)
    other = None if against is None or second is not None else _model(against)
    if other is not None:
        yield _of_two(str(against), other, first, entry, "{edit} --against {base}")
    elif against is not None and second is not None:
        with at_revision(entry, against) as former:
            base = Side(former.entry.cls, f"{first} at {against}", renamed=former.renamed, version=True)
            yield Sides(base, Side(edit.cls, second), former.warnings, _beside(second, edit))
    elif against is not None:
        with at_revision(entry, against) as former:
            found = _versions(first, former.entry, first, entry)
            reference = _reference(first, entry, found.after)
            base = Side(found.before, f"{reference} at {against}", renamed=former.renamed, version=True)
            command = f"{{edit}} --against {shlex.quote(against)}"
            yield Sides(base, Side(found.after, reference), former.warnings, _others(found, first, first, command))
    elif second is not None:
        if edit.cls is entry.cls:
            what = f"{first} and {second} are the same class, which cannot differ from itself"
            raise UsageError(what, remedy="Name another class, or give --against REVISION.")
        yield _of_two(first, entry, second, edit, "{base} {edit}")
    else:
        above = base_of(entry.cls)
        if above is None:
            likely = likely_base(entry) or _copied_from(entry)
            example = f", for example `{shlex.join(['checker', 'compare', likely, first])}`," if likely else ","
            raise UsageError(f"{first} edits no model", remedy=f"Name two models{example} or give --against REVISION.")
        yield Sides(Side(above, _label(entry, first, above)), Side(entry.cls, first), others=_beside(first, entry))


def _of_two(base: str, one: Entry, edit: str, other: Entry, command: str) -> Sides:
    """Two models.  If they are the main classes of two versions of one file, and no class is named, the class that is
    changed.
    """
    if ":" in base or ":" in edit or one.cls.__name__ != other.cls.__name__:
        return Sides(Side(one.cls, base), Side(other.cls, edit), others=_beside(edit, other))
    found = _versions(base, one, edit, other)
    before, after = _reference(base, one, found.before), _reference(edit, other, found.after)
    return Sides(Side(found.before, before), Side(found.after, after), others=_others(found, base, edit, command))


def _versions(base: str, one: Entry, edit: str, other: Entry) -> Chosen:
    """The classes to compare of two versions of a file, where no class is named; else the named ones."""
    if ":" in base or ":" in edit:
        return Chosen(one.cls, other.cls)
    return chosen(_classes(one), _classes(other))


def _others(found: Chosen, base: str, edit: str, command: str) -> tuple[str, ...]:
    """A line for the classes that are changed too, and one for the new ones, each with the command that compares the
    first of them.
    """
    lines = []
    if found.changed:
        names = [after.__name__ for _, after in found.changed]
        sides = command.format(base=f"{base}:{found.changed[0][0].__name__}", edit=f"{edit}:{names[0]}")
        lines.append(f"not compared, but changed too: {listed(names)}; checker compare {sides}")
    if found.new:
        names = [cls.__name__ for cls in found.new]
        lines.append(f"not compared, since it is new: {listed(names)}; checker compare {edit}:{names[0]}")
    if lines and ":" not in edit:
        lines[0] = f"{edit}: class {found.after.__name__} is compared; {lines[0]}"
    return tuple(lines)


def _beside(reference: str, entry: Entry) -> tuple[str, ...]:
    """A line for the other edits in the file of an edit that a reference without a class leaves out."""
    named = ":" in reference or is_shipped(entry.file.resolve())
    names = [] if named else [c.__name__ for c in _classes(entry) if c is not entry.cls and base_of(c) is not None]
    if not names:
        return ()
    said = f"{first_class(reference, entry)} is compared"
    return (f"{said}; not compared, in the same file: {listed(names)}; checker compare {reference}:{names[0]}",)


def _classes(entry: Entry) -> list[type[Model]]:
    return models_of(sys.modules[entry.cls.__module__])


def _reference(reference: str, main: Entry, cls: type[Model]) -> str:
    """The reference of a class, made from that of the main class of its file."""
    return reference if cls.__name__ == main.cls.__name__ else f"{reference}:{cls.__name__}"


def _copied_from(entry: Entry) -> str | None:
    """The shipped model with a class of this name, of which the file may be a copy; the files are not executed."""
    defines = re.compile(rf"^class {entry.cls.__name__}\(", re.MULTILINE)
    files = () if is_shipped(entry.file.resolve()) else sorted(shipped_folder().glob("*.py"))
    found = (file for file in files if may_hold_models(file) and defines.search(file.read_text(encoding="utf-8")))
    return next((name_of(file) for file in found), None)


def _model(text: str) -> Entry | None:
    """The model that --against names, if the value has the form of a file or of a class in one; otherwise it is a
    revision.
    """
    name, _, cls = text.rpartition(":") if ":" in text else (text, "", "")
    return find(text) if name.endswith(".py") or cls.isidentifier() else None


def _label(entry: Entry, reference: str, base: type) -> str:
    """The reference of an edit's base: of the same form as that of the edit, if it is in the same file."""
    beside = in_file(entry.file, reference.rsplit(":", 1)[0]) if base.__module__ == entry.cls.__module__ else []
    found = next((e.reference for e in beside if e.cls is base), None) or entry_of(base).reference
    return found.removeprefix(f"{Path.cwd()}/")
