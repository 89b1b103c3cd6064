"""The properties that each side of a comparison is checked with.

A property that only one side lists is checked on the other side too, if it fits.  Where the two sides define a property
of one name differently, each side is checked with its own under that name, and with that of the other side: `former
NAME` on the edit, `changed NAME` on the base.  Otherwise an edit that weakens a property could hide a violation.  A
property that is a method of the model calls the rules of the side that is checked with it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from attrs import frozen

from checker.analysis.compare.same_enumerations import copied, enumerations, with_enumerations
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import redefined
from checker.frontend.lower import lower
from checker.language.declared import declarations
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model, mark_of
from checker.language.properties import Property

FORMER, CHANGED = "former ", "changed "
Foreign = type[Property] | tuple[str, Callable[..., Any]]  # a class, or a method under its name


@frozen
class Watched:
    """Base and edit with the properties of both; alone: for a property that does not fit the other side, its side and
    the reason; twofold: the names of the properties that the sides define differently.
    """

    base: type[Model]
    edit: type[Model]
    alone: Mapping[str, str]
    twofold: frozenset[str]

    def of_edit(self, name: str) -> str:
        """The name that the edit's search has for a property of the base's search."""
        return f"{FORMER}{name}" if name in self.twofold else name.removeprefix(CHANGED)


def watched(before: Side, after: Side, definitions: tuple[Definition, Definition]) -> Watched:
    """Both sides with the properties of both."""
    twofold = frozenset(redefined(*definitions))
    base, of_base = _extended(before, _foreign(after.cls, before.cls, twofold, CHANGED))
    edit, of_edit = _extended(after, _foreign(before.cls, after.cls, twofold, FORMER))
    alone = {n: f"only {after.label} has it; asked of {before.label}: {why}" for n, why in of_base.items()}
    alone |= {n: f"only {before.label} has it; asked of {after.label}: {why}" for n, why in of_edit.items()}
    return Watched(base, edit, alone, twofold)


def _foreign(cls: type[Model], other: type[Model], twofold: Collection[str], prefix: str) -> Iterable[Foreign]:
    """The properties of a model for the class of the other side, with its enumerations: all its classes, and the
    methods that differ; under another name, if they do."""
    known = enumerations(other)
    for found in cls.properties:
        name = found.__name__
        methods = {n: with_enumerations(f, known) for n, f in declarations(found) if inspect.isfunction(f)}
        own = {n: f for n, f in methods.items() if f is not getattr(found, n)}
        again = name in twofold
        yield type(f"{prefix}{name}" if again else name, (found,), told_of(found) | own) if again or own else found
    listed = {found.__name__ for found in cls.properties}
    for name, value in declarations(cls):
        if name in twofold and name not in listed:
            yield f"{prefix}{name}", with_enumerations(decorated(cls, name, value), known)


def decorated(cls: type[Model], name: str, method: Any) -> Any:
    """A method that is a property, for a class that does not inherit its decorator: an overriding method need not
    repeat it."""
    if hasattr(method, "__checker__"):
        return method
    copy = copied(method, {})
    copy.__checker__ = mark_of(cls, name)  # type: ignore[attr-defined]
    return copy


def _extended(side: Side, foreign: Iterable[Foreign]) -> tuple[type[Model], dict[str, str]]:
    """The class with properties of the other side that fit it (a property names variables and events), and why the
    others do not fit.
    """
    classes, methods, unfit = list(side.cls.properties), dict[str, Any](), dict[str, str]()
    for one in foreign:
        name = one[0] if isinstance(one, tuple) else one.__name__
        if name in {found.__name__ for found in classes}:
            continue
        more = ([], {name: one[1]}) if isinstance(one, tuple) else ([one], {})
        why = misfit(deriving(side.cls, [*classes, *more[0]], {**methods, **more[1]}), side.constants)
        if why:
            unfit[name] = why
        else:
            classes, methods = [*classes, *more[0]], {**methods, **more[1]}
    own = classes == list(side.cls.properties) and not methods
    return (side.cls if own else deriving(side.cls, classes, methods)), unfit


def deriving(cls: type[Model], properties: list[Any], methods: Mapping[str, Any]) -> type[Model]:
    return type(cls.__name__, (cls,), {"properties": properties, **methods, **told_of(cls)})


def told_of(cls: type) -> dict[str, Any]:
    """Where a class is defined, for messages."""
    return {name: getattr(cls, name) for name in ("__doc__", "__module__", "__qualname__")}


def misfit(cls: type[Model], constants: Mapping[str, Any]) -> str:
    """Why the model with these properties cannot be read and lowered; "" if it can."""
    try:
        lower(define(cls, constants))
    except UsageError as error:
        return error.message
    return ""
