"""`frozen` of attrs, made in half the time.

attrs writes the text of `__init__`, `__eq__`, `__hash__` and `__repr__` of each class and compiles it when the module
is imported, and Python does not cache the result: for the three hundred classes of a check that was a fifth of the
whole run. Here `__init__` is attrs' own, and the other three are closures over `operator.attrgetter`, which need no
compiler and run in C.  They have the results of attrs' methods, with two exceptions: a value is equal to itself without
a comparison of its fields (no field contains NaN), and `__repr__` does not guard against a value inside itself, which
an immutable value cannot have.

Where it stops: a class whose fields are compared by a key (`eq=function`) or shown by a function (`repr=function`) uses
attrs' own decorator.  So do exceptions, which are compared by identity.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:  # the decorator that type checkers know
    from attrs import frozen as frozen
else:

    def frozen(cls: type | None = None, /, **options: Any) -> Any:
        """A class with slots whose instances do not change: `attrs.frozen`."""
        return (lambda cls: _frozen(cls, options)) if cls is None else _frozen(cls, options)


def _frozen(cls: type, options: dict[str, Any]) -> type:
    if issubclass(cls, BaseException):
        return attrs.frozen(cls, **options)
    written = set(vars(cls))  # methods that the class body defines are kept
    compared, shown = options.get("eq", True), options.get("repr", True)
    made = attrs.frozen(cls, **{**options, "eq": False, "repr": False})
    if compared and "__eq__" not in written:
        _add_comparison(made, hashed="__hash__" not in written)
    if shown and "__repr__" not in written:
        _add_repr(made)
    return made


def _add_comparison(cls: Any, hashed: bool) -> None:
    names = [a.name for a in attrs.fields(cls) if a.eq]
    read = attrgetter(*names) if names else type

    def __eq__(self: Any, other: Any) -> Any:
        return read(self) == read(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash((cls, read(self)))

    cls.__eq__ = __eq__
    if hashed:
        cls.__hash__ = __hash__


def _add_repr(cls: Any) -> None:
    names = [a.name for a in attrs.fields(cls) if a.repr]
    read = attrgetter(*names) if names else lambda _: ()
    name = cls.__qualname__.rpartition(">.")[2]
    pattern = f"{name}({', '.join(f'{n}=%r' for n in names)})"
    if len(names) == 1:
        cls.__repr__ = lambda self: pattern % (read(self),)
    else:
        cls.__repr__ = lambda self: pattern % read(self)
