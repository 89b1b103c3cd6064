"""A method of one revision of a model, for the class of another revision: with the enumerations that are defined there.

Two revisions of a file are two modules, and an `Enum` is a class of its own in each.  `self.status in {Status.done}`
would compare members of two of them, which are never equal.  So an enumeration that a method reads from its module is
the one of this name where the other class is defined.  Other types are read through `self`, which has those of its
class.

Where it stops: if the other enumeration lacks a member, the method does not fit, and the front end says so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from enum import Enum
from types import FunctionType
from typing import Any

from checker.analysis.vacuity.uncalled import names
from checker.language.model import Model
from checker.language.places import is_own

Function = Callable[..., Any]


def enumerations(cls: type[Model]) -> dict[str, Any]:
    """The enumerations by their names, in the modules of a model, its bases and its properties."""
    found: dict[str, Any] = {}
    for one in (*cls.properties, *reversed(cls.__mro__)):
        for function in filter(inspect.isfunction, vars(one).values()):
            if not is_own(function.__module__):
                found |= {name: value for name, value in function.__globals__.items() if _is_enumeration(value)}
    return found


def with_enumerations(function: Function, known: Mapping[str, Any]) -> Function:
    """The method with these enumerations in place of those that it has under their names; itself if it reads none."""
    if not isinstance(function, FunctionType):
        return function
    own = function.__globals__
    read = [name for name in names(function.__code__) if _is_enumeration(own.get(name))]
    other = {name: known[name] for name in read if known.get(name, own[name]) is not own[name]}
    if not other:
        return function
    return copied(function, other)


def copied(function: FunctionType, names: Mapping[str, Any]) -> FunctionType:
    """The function as another object, with its marks; names: what it reads from its module in place of its own."""
    code, own = function.__code__, {**function.__globals__, **names} if names else function.__globals__
    copy = FunctionType(code, own, function.__name__, function.__defaults__, function.__closure__)
    for name in ("__module__", "__qualname__", "__doc__", "__annotations__", "__kwdefaults__"):
        setattr(copy, name, getattr(function, name))
    vars(copy).update(vars(function))
    return copy


def _is_enumeration(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Enum) and value is not Enum
