"""What the last save of a watched model changed, and the CAUSE of a violation in it.

Each check of a watched model keeps the files that the model depends on, as they were.  The next check compares today's
files with these: it names the parts that differ, and follows the run of a violation in the former version of the model,
as `checker.analysis.former_cause` does it for a revision of git.  No repository is needed.

Where it stops: files outside of the folder that holds the model's package are not kept, and count as unchanged; after
SECONDS no further violation is followed; a former version that cannot be read marks nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import ModuleType

from attrs import define, evolve

from checker.analysis.compare.revision import dropped, imported_from
from checker.analysis.depended import files_of
from checker.analysis.former_cause import marked_against
from checker.analysis.imported import Imports
from checker.analysis.since import Change
from checker.catalogue import Entry
from checker.importing import places_of
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.project import copy_of
from checker.results.checked import PropertyReport, Report
from checker.results.parts import EXPECTED, Part

LAST = "the last save"
SECONDS = 10.0


def keep(entry: Entry, kept: Path) -> None:
    """Write the files that a model depends on into a folder, with the folders that make them a package."""
    root = _root(entry)
    for file in {entry.file.resolve(), *files_of(entry.cls, Imports(root))}:
        packages = (folder / "__init__.py" for folder in file.parents if folder.is_relative_to(root))
        for each in (file, *(package for package in packages if package.is_file())):
            place = kept / each.relative_to(root)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(each.read_bytes())


def parts_since(entry: Entry, kept: Path) -> tuple[Part, ...]:
    """The parts of a model's source that differ from the kept files; what it expects is no part of the model."""
    root, kept = _root(entry), kept.resolve()
    names = {file.relative_to(root).as_posix() for file in {entry.file.resolve(), *files_of(entry.cls, Imports(root))}}
    differ = frozenset(n for n in names if not _same(root / n, kept / n))
    change = _Saved(root, "", differ, frozenset(), frozenset(names), kept=kept)
    return tuple(part for part in change.parts(entry.cls) if part.kind != EXPECTED)


def with_cause_since(report: Report, entry: Entry, kept: Path) -> Report:
    """The report with the CAUSE of each violation in what differs from the kept files, as far as it is known."""
    until = time.monotonic() + SECONDS
    try:
        with _former(entry, kept.resolve()) as former:
            properties = tuple(_marked(p, former, until) for p in report.properties)
    except UsageError:  # it is of no use that the former version cannot be read
        return report
    return evolve(report, properties=properties)


def _marked(found: PropertyReport, former: type[Model], until: float) -> PropertyReport:
    violated = found.trace is not None and found.verdict.refuted
    return marked_against(found, former, alone=True) if violated and time.monotonic() < until else found


@define(slots=False)
class _Saved(Change):
    """The difference between kept files and those of today."""

    kept: Path = Path()

    @cached_property
    def moved(self) -> dict[str, str]:
        return {}

    def former(self, file: Path) -> str | None:
        place = self.kept / self._name(file)
        return place.read_text(encoding="utf-8") if place.is_file() else None


@contextmanager
def _former(entry: Entry, kept: Path) -> Iterator[type[Model]]:
    """The model as the kept files define it."""
    root, modules = _root(entry), dict[str, ModuleType]()
    inside = entry.file.resolve().relative_to(root).as_posix()
    try:
        with copy_of(root, kept):
            found, _ = imported_from(entry, root, kept, inside, LAST, modules)
        yield found.cls
    finally:
        dropped(modules)


def _root(entry: Entry) -> Path:
    """The folder from which the model's own imports are resolved."""
    return places_of(entry.file.resolve())[-1]


def _same(file: Path, kept: Path) -> bool:
    return kept.is_file() and kept.read_bytes() == file.read_bytes()
