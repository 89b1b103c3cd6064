"""The model with which an edited model is compared, and the constants of both."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from checker.catalogue import Entry, in_file, is_checkable
from checker.importing import SHIPPED
from checker.language.define import constants_of
from checker.language.model import Model

CHANGES = ("EDIT:", "READING:", "REPAIR:")
"""The first words of the docstring of a class that describes a change of the protocol above it."""


def base_of(cls: type[Model]) -> type[Model] | None:
    """The protocol that a class edits: its nearest ancestor that is a model to be checked, in any file; else None.

    A shipped file is a protocol with a source of its own, so a class that it derives from another shipped file is no
    edit.
    """
    above = (a for a in cls.__mro__[1:] if issubclass(a, Model) and is_checkable(a))
    shipped = cls.__module__.startswith(f"{SHIPPED}.")
    return next((a for a in above if not shipped or a.__module__ == cls.__module__), None)


def former_of(cls: type[Model]) -> type[Model] | None:
    """The protocol whose steps a violation is held against, to find its CAUSE: the base; of a shipped class without one

    * that adds something of its own file to a model of another: the class beside it that adds the same to what that one
      edits,
    * whose docstring calls it an EDIT, a READING or a REPAIR of a model of another file: that model.

    None for any other shipped class made from another file: it is a protocol with a source of its own.
    """
    base = base_of(cls)
    if base is not None or not cls.__module__.startswith(f"{SHIPPED}."):
        return base
    if len(cls.__bases__) > 1:
        return max(_beside(cls), key=lambda c: len(c.__mro__), default=None)
    said = vars(cls).get("__doc__") or ""
    above = (a for a in cls.__mro__[1:] if issubclass(a, Model) and is_checkable(a))
    return next(above, None) if said.strip().startswith(CHANGES) else None


def _beside(cls: type[Model]) -> list[type[Model]]:
    """The models of the same file whose ancestors are all ancestors of the class, and its first base."""
    found = vars(sys.modules[cls.__module__]).values()
    models = (c for c in found if isinstance(c, type) and issubclass(c, Model) and c.__module__ == cls.__module__)
    mine = set(cls.__mro__[1:])
    fitting = (c for c in models if c is not cls and is_checkable(c) and set(c.__mro__[1:]) <= mine)
    return [c for c in fitting if cls.__bases__[0] in c.__mro__]


def related(one: type[Model], other: type[Model]) -> bool:
    """Whether one edits the other, both edit the same model, or both are versions of one class (a revision, a copy), or
    edits of versions of one.
    """
    both = (base for base in one.__mro__ if base in other.__mro__ and issubclass(base, Model))
    shared = [base for base in both if not base.__module__.startswith("checker.language")]
    beside = any(is_checkable(base) or base.__module__ in (one.__module__, other.__module__) for base in shared)
    names = [{b.__name__ for b in cls.__mro__ if issubclass(b, Model) and is_checkable(b)} for cls in (one, other)]
    return beside or not names[0].isdisjoint(names[1])


def likely_base(entry: Entry) -> str | None:
    """Of a shipped class that edits no model of its file, the reference of one to compare it with: the model of another
    file that it is made from, or where it adds something of its own file to such a model, the class beside it that adds
    the same to what that one edits.
    """
    mine = entry.cls.__mro__[1:]
    if len(entry.cls.__bases__) > 1:
        name = entry.reference.rpartition(":")[0] or entry.reference
        beside = [
            e for e in in_file(entry.file, name) if e.cls is not entry.cls and set(e.cls.__mro__[1:]) <= set(mine)
        ]
        return max(beside, key=lambda e: len(e.cls.__mro__)).reference if beside else None
    cls = mine[0]
    file = inspect.getsourcefile(cls) if issubclass(cls, Model) and is_checkable(cls) else None
    entries = in_file(Path(file)) if file is not None else []
    return next((e.reference for e in entries if e.cls.__name__ == cls.__name__), None)


def shared_constants(base: type[Model], constants: Mapping[str, Any]) -> dict[str, Any]:
    """The constants that the base declares too."""
    declared = constants_of(base)
    return {name: value for name, value in constants.items() if name in declared}
