"""The class nearest to an edit that keeps the property: one that has a part of the edit's changes of the base.

An edit may change several things of its base, for instance how long a step is and what it does in it.  Another class of
the same file that derives from the same base may have a part of these changes, and no other change.  If it states that
the property holds, and nowhere that it is violated, a step of the edit that it does not allow is due to the rest of the
changes.  The class with the largest part is the nearest one.

Where it stops: what a class states is believed, also where it states it with other constants than those of the run.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import Any

from checker.catalogue import models_of
from checker.language.model import Model
from checker.replay.base import base_of, stated_to_hold

JUDGING = ("expect", "properties", "picture")
"""What a class says of its runs, which changes no step."""


def nearest(edit: type[Model], property: str) -> type[Model] | None:
    """The nearest class beside the base that keeps a property; None if there is none."""
    base, module = base_of(edit), sys.modules.get(edit.__module__)  # none where a program made the class
    if base is None or module is None:
        return None
    mine, before, found = members(edit), members(base), dict[type[Model], int]()
    changed = different(mine, before)
    beside = (c for c in models_of(module) if c is not base and issubclass(c, base) and stated_to_hold(c, property))
    for other in beside:
        parts = members(other)
        theirs = different(parts, before)
        if theirs and theirs < changed and all(parts.get(name) is mine.get(name) for name in theirs):
            found[other] = len(theirs)
    return max(found, key=lambda cls: found[cls], default=None)


def above_of(edit: type[Model], name: str) -> type[Model] | None:
    """The protocol with this name above an edit; None if it has none."""
    return next((c for c in edit.__mro__[1:] if issubclass(c, Model) and c.__name__ == name), None) if name else None


def beside_of(edit: type[Model], name: str) -> type[Model] | None:
    """The class with this name above an edit, or in its file; None if there is none."""
    if (above := above_of(edit, name)) is not None:
        return above
    module = sys.modules.get(edit.__module__)
    return next((c for c in models_of(module) if c.__name__ == name), None) if name and module is not None else None


def members(cls: type[Model]) -> dict[str, Any]:
    """The members of a class, inherited ones too, by their names."""
    names = (name for name in dir(cls) if not name.startswith("__") and name not in JUDGING)
    return {name: inspect.getattr_static(cls, name, None) for name in names}


def different(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) is not other.get(name)}
