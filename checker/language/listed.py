"""The property classes that a model lists: the allowed entries of `properties = [...]`, and that each defines its
predicate.
"""

from __future__ import annotations

import difflib
import inspect
from typing import Any

from checker.language.declaring import name_of
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import at, located, of_attribute, of_class
from checker.language.properties import LeadsTo, Property

PROPERTY_MARKS = ("invariant", "step", "quiescence", "reachable")


def property_classes(cls: type[Model]) -> list[type[Property]]:
    """The reusable properties the class lists."""
    with located(lambda: of_attribute(cls, "properties")):
        if not isinstance(cls.properties, list | tuple):
            raise UsageError(
                f"{cls.__name__}.properties is {name_of(cls.properties)}, not a list",
                remedy="Write properties = [...].",
            )
        for entry in cls.properties:
            if not (isinstance(entry, type) and issubclass(entry, Property) and entry.kind):
                what = f"{cls.__name__}.properties holds {name_of(entry)}, which is not a property class"
                raise UsageError(what, remedy=_listing(cls, entry))
    for entry in cls.properties:
        _check_states(entry)
    return list(cls.properties)


def _listing(cls: type, entry: Any) -> str:
    """The advice for an entry of `properties` that is not a property class."""
    name = entry if isinstance(entry, str) else getattr(entry, "__name__", "")
    mark = getattr(getattr(cls, name, None), "__checker__", None) if name else None
    if mark is not None and mark.kind in PROPERTY_MARKS:
        return f"{name} is written in the class and checked without being listed: drop it from the list."
    if inspect.isfunction(getattr(cls, name, None) if name else None):
        return (
            f"A method becomes a property by its decorator: @invariant, @step_invariant, @quiescent or @reachable "
            f"before {name}."
        )
    return "List classes derived from Invariant, StepInvariant, Quiescence, Reachable or LeadsTo, without quotes."


def _check_states(cls: type[Property]) -> None:
    """Raise UsageError if a property class does not define its predicate."""
    needed = "then" if issubclass(cls, LeadsTo) else "holds"
    if getattr(cls, needed) is getattr(LeadsTo if needed == "then" else Property, needed):
        near = difflib.get_close_matches(needed, [n for n in vars(cls) if not n.startswith("_") and n != "when"], 1)
        what = f"{cls.__name__} has no method {needed}, so it states nothing"
        usual = f"def {needed}(self) -> bool: return ..."
        if needed == "then" and "holds" in vars(cls):
            usual = (
                "A LeadsTo has when and then instead of holds: whenever `when` is true, `then` is true at that "
                "moment or later."
            )
        raise at(of_class(cls), what, f"Did you mean {needed} where it says {near[0]}?" if near else usual)
