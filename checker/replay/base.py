"""The model with which an edited model is compared, and the constants of both."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from checker.catalogue import Entry, in_file, is_checkable
from checker.importing import SHIPPED
from checker.language.define import constants_of, define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.expectation import Expectation, expectations
from checker.language.model import Model
from checker.trace.former import VERSION
from checker.wording import first_paragraph

CHANGING = ("edit", "reading", "repair")
"""The kinds of a class that changes the protocol above it."""

DECLARED = re.compile(r"(EDIT|READING|REPAIR|CLAIM|VARIANT|ATTEMPT)\b|The (?:\w+ )?(edit|reading|repair)\b")
"""How a docstring declares what its class is: EDIT, READING of, REPAIR:, CLAIM (Section 4):, "The reading in which"."""


def base_of(cls: type[Model]) -> type[Model] | None:
    """The protocol that a class edits: its nearest ancestor that is a model to be checked, in any file; else None.

    A class that has no action and no handler is no protocol, but what models share.  A shipped file is a protocol with
    a source of its own, so a class that it derives from another shipped file is no edit.
    """
    above = (a for a in cls.__mro__[1:] if issubclass(a, Model) and is_checkable(a) and _acts(a))
    shipped = cls.__module__.startswith(f"{SHIPPED}.")
    return next((a for a in above if not shipped or a.__module__ == cls.__module__), None)


def _acts(cls: type[Model]) -> bool:
    """Whether a class has an action or a handler that the language does not give to every model."""
    own = (c for c in cls.__mro__ if not c.__module__.startswith("checker.language"))
    marks = (getattr(value, "__checker__", None) for c in own for value in vars(c).values())
    return any(mark is not None and mark.kind in ("action", "receive") for mark in marks)


def former_of(cls: type[Model]) -> type[Model] | None:
    """The protocol with whose steps a run is compared to find the CAUSE: the base; for a shipped class without a base

    * that adds a class of its own file to a model of another file: the class of its file that adds the same
      to the base of that model,
    * that its docstring declares to be an edit, a reading or a repair of a model of another file: that model.

    None for any other shipped class made from another file: it is a protocol with a source of its own.
    """
    base = base_of(cls)
    if base is not None or not cls.__module__.startswith(f"{SHIPPED}."):
        return base
    if len(cls.__bases__) > 1:
        return max(_beside(cls), key=lambda c: len(c.__mro__), default=None)
    above = (a for a in cls.__mro__[1:] if issubclass(a, Model) and is_checkable(a))
    return next(above, None) if declared_kind(cls) in CHANGING else None


def _beside(cls: type[Model]) -> list[type[Model]]:
    """The models in the file of the class that derive from the first base of the class, and whose ancestors are all
    ancestors of the class.
    """
    module = sys.modules.get(cls.__module__)  # none where a program made the class
    found = () if module is None else vars(module).values()
    models = (c for c in found if isinstance(c, type) and issubclass(c, Model) and c.__module__ == cls.__module__)
    mine = set(cls.__mro__[1:])
    fitting = (c for c in models if c is not cls and is_checkable(c) and set(c.__mro__[1:]) <= mine)
    return [c for c in fitting if cls.__bases__[0] in c.__mro__]


def declared_kind(cls: type[Model]) -> str:
    """What the docstring of a class declares that it is: "edit", "reading", "claim"...; "" if it declares nothing."""
    declared = DECLARED.match(first_paragraph(vars(cls).get("__doc__")))
    return "" if declared is None else (declared[1] or declared[2]).lower()


def kind_of(cls: type[Model]) -> str:
    """What a class is, as its docstring declares it: "edit", "reading", "repair", "claim"...

    A docstring that begins with "Also" adds to what the base is, and one that is that of the base says the same, as of
    a class that a command makes to look for a state.  Of the others a class without a base is a "protocol",
    and so is a shipped class, which has a source of its own; another class is an "edit" of its base.
    """
    if declared := declared_kind(cls):
        return declared
    described, base = first_paragraph(vars(cls).get("__doc__")), base_of(cls)
    same = base is not None and described and described == first_paragraph(vars(base).get("__doc__"))
    if base is not None and (same or re.match(r"Also\b", described)):
        return kind_of(base)
    return "protocol" if base is None or cls.__module__.startswith(f"{SHIPPED}.") else "edit"


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
    """For a shipped class that edits no model of its file, the reference of a model to compare it with: the model of
    another file from which it derives; if it also derives from a class of its own file, the model of its file with the
    most of its ancestors.
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
    """The given constants that the base declares too."""
    declared = constants_of(base)
    return {name: value for name, value in constants.items() if name in declared}


def compared_with(edit: type[Model], base: type[Model], kept: bool = False) -> str:
    """The name of the class with whose protocol a run is compared, if the edit is none (`kind_of`: a reading, a repair,
    a protocol with a source of its own), and has another name; "" if it is the protocol before the edit, VERSION if it
    is an edit's own former version.  kept: the edit is not what broke the property (`keeps`), so that "before the edit"
    would speak of another edit than the reader has made.
    """
    version = edit.__name__ == base.__name__  # of another revision
    kept = kept and base in edit.__mro__  # a former version of the base is "before" another edit
    above = base_of(edit)
    its_own = not kept and kind_of(edit) == "edit"
    beside = above is not None and issubclass(base, above) and not issubclass(edit, base)  # `checker.replay.nearest`
    farther = above is not None and base is not above and issubclass(above, base)
    if version:
        return VERSION if above is not None else ""
    return "" if its_own and not (beside or farther) else base.__name__


def stated_to_hold(cls: type[Model], property: str) -> list[Expectation]:
    """The expectations of a class that a property holds; none if it states anywhere that the property is violated."""
    has = any(p.__name__ == property for p in cls.properties) or hasattr(cls, property)
    if not has or any(property in e.violated for e in expectations(cls)):
        return []
    return said_to_hold(cls, property)


def said_to_hold(cls: type[Model], property: str) -> list[Expectation]:
    """The expectations of a class that a property holds, whatever others state."""
    return [e for e in expectations(cls) if property not in e.violated and (e.only is None or property in e.only)]


def keeps(edit: Definition, property: str) -> bool:
    """Whether a class expects that one of its properties holds with these constants."""
    stated = (one for one in expectations(edit.model) if isinstance(one, Expectation) and property not in one.violated)
    return any(_is_checked(edit, one, property) for one in stated)


def _is_checked(edit: Definition, stated: Expectation, property: str) -> bool:
    """Whether an expectation has the constants of a definition, and speaks of the property."""
    try:
        definition = define(edit.model, stated.at, stated.only)
    except UsageError:
        return False
    return definition.constants == edit.constants and property in {p.name for p in definition.properties}
