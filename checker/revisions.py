"""Which loaded modules are of a git revision, and not of a file of today.

A run of a model of a revision is stored with the commit and the names that were replaced in its files
(`checker.analysis.renamed`), so that the same model can be read again.  Where it stops: a class counts as of a revision
if it, or the nearest class above it that is registered here, was read from one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import field

from checker.frozen import frozen


@frozen
class Origin:
    """root: of the repository; file: in the revision, relative to the root; commit: all digits; renamed: the new name
    of each former name.
    """

    root: Path
    file: str
    commit: str
    renamed: Mapping[str, str] = field(factory=dict)

    def reference(self, cls: type) -> str:
        """The file as seen from the working directory, if it is below it, and the class."""
        place = self.root / self.file
        here = os.path.realpath(".")
        return f"{place.relative_to(here) if place.is_relative_to(here) else place}:{cls.__name__}"


_origins: dict[str, Origin] = {}


def register(modules: Iterable[str], origin: Origin) -> None:
    """These modules are of a revision."""
    _origins.update(dict.fromkeys(modules, origin))


def forget(modules: Iterable[str]) -> None:
    """These modules are not loaded any more."""
    for name in modules:
        _origins.pop(name, None)


def origin_of(cls: type) -> Origin | None:
    """Where a class comes from, if it is of a revision."""
    return next((_origins[c.__module__] for c in cls.__mro__ if c.__module__ in _origins), None)


def read_already(origin: Origin, name: str) -> type | None:
    """The class of this name that was read from there and is still loaded."""
    modules = (sys.modules.get(module) for module, known in _origins.items() if known == origin)
    named = (getattr(module, name, None) for module in modules)
    return next((c for c in named if isinstance(c, type) and origin_of(c) == origin), None)
