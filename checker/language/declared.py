"""The declarations of a class other than types and methods: constants with their values, and the outcome variables.
Names and kinds are checked before anything uses them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from checker.language.constants import ARITHMETIC, BUDGETS, Constant, Deferred, Known, fixed, written
from checker.language.errors import UsageError, has, meant, near
from checker.language.model import Model
from checker.language.places import at, located, of_attribute, of_function
from checker.language.properties import Property
from checker.language.room import short


def declarations(cls: type) -> Iterator[tuple[str, Any]]:
    """Attributes by name, base class first, each at its first place with its last value."""
    names: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base in (object, Model, Property):
            continue
        names |= {n: v for n, v in vars(base).items() if not n.startswith("__")}
    yield from names.items()


def require_an_effect(cls: type[Model], name: str) -> None:
    """Raise UsageError for a constant that a class declares and does not have: the order of channels, where every
    network has its own.
    """
    if isinstance(getattr(cls, name, None), Constant):
        remedy = "Leave it out. A network whose order this constant gives is Network[P, T]."
        raise UsageError(f"{name} has no effect: every network of {cls.__name__} is a Fifo", remedy=remedy)


def fix_constants(
    cls: type[Model], declared: Mapping[str, Constant], derived: Mapping[str, Deferred], given: dict[str, Any]
) -> dict[str, Any]:
    """The value of each constant: the one given, else its default.  Raises UsageError for an unknown name, or a value
    of another kind.
    """
    for name in given:
        if name not in declared:
            require_an_effect(cls, name)
            remedy = near(name, declared).then(has(declared))
            raise UsageError(f"{cls.__name__} has no constant {name}", remedy=remedy)
    _check_given(cls, declared, given)
    values: dict[str, Any] = {}
    given = _completed(cls, declared, given)
    for name, constant in declared.items():
        with located(lambda: of_attribute(cls, name)):  # noqa: B023
            # a list of one that was given without a comma is in values
            default = fixed(constant.default, Known({**given, **values}, derived))
        value = given.get(name, default)
        if isinstance(default, tuple) and not isinstance(value, tuple):
            value = (value,)
        if type(value) is not type(default) and default is not None:
            raise _wrong(cls, name, default, repr(value))
        choices = next((c.choices for c in _versions(cls, name) if c.choices), ())
        if choices and value not in choices:
            error = UsageError(
                f"constant {name} of {cls.__name__} cannot be {short(repr(value))}",
                remedy=f"Choose one of: {', '.join(map(str, choices))}.",
            )
            with located(lambda: None if name in given else of_attribute(cls, name)):  # noqa: B023
                raise error
        values[name] = value
    return values


def _completed(cls: type[Model], declared: Mapping[str, Constant], given: dict[str, Any]) -> dict[str, Any]:
    """The given constants, with those that follow from them.  Raises UsageError if the model's `complete` fails."""
    function = cls.complete.__func__  # type: ignore[attr-defined]
    try:
        more = cls.complete(given)
    except ARITHMETIC as error:
        what = f"complete goes wrong: {type(error).__name__}: {error}"
        raise at(of_function(function), what, "Check the constants it is given.") from None
    for name in more:
        if name not in declared:
            what = f"complete gives {name}, which is no constant of {cls.__name__}"
            raise at(of_function(function), what, "It returns a dict of constants by name.")
    return given | {n: v for n, v in more.items() if n not in given}


def _versions(cls: type, name: str) -> Iterator[Constant]:
    """The constant as the class and its bases declare it: an edit with another default keeps the allowed values."""
    yield from (c for base in cls.__mro__ if isinstance(c := vars(base).get(name), Constant))


def _check_given(cls: type[Model], declared: Mapping[str, Constant], given: dict[str, Any]) -> None:
    """Raise UsageError for values of the wrong type, before anything is computed from them."""
    for name, value in given.items():
        default = declared[name].default
        if isinstance(default, Deferred):
            continue
        if isinstance(default, tuple):
            given[name] = value = value if isinstance(value, tuple) else (value,)
            wrong = bool(default) and not all(_like(v, default[0]) for v in value)
        else:
            wrong = default is not None and type(value) is not type(default)
        if wrong:
            raise _wrong(cls, name, default, written(value))


def _wrong(cls: type[Model], name: str, default: Any, given: str) -> UsageError:
    what = f"constant {name} of {cls.__name__} is {_kind(default)}, not {short(given)}"
    remedy = f"For example -D {name}={written(default)}"
    if name in BUDGETS:
        remedy += (
            f". As many {name} as there are messages are all that can happen; for faults without a number the model "
            "has an action of its own, @action(fault=True): docs/language.md, section 6"
        )
    return UsageError(what, remedy=remedy)


def _like(value: Any, default: Any) -> bool:
    """Whether a value is of the kind of a default: a tuple of the same length place by place, of another length item by
    item like the first."""
    if not isinstance(default, tuple) or not isinstance(value, tuple):
        return type(value) is type(default)
    if len(value) == len(default):
        return all(map(_like, value, default))
    return not default or all(_like(v, default[0]) for v in value)


def _kind(value: Any) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return "a list of lists such as (0,1),(1,2)"
    kinds = {bool: "true or false", int: "a whole number", str: "a word", tuple: "a list such as 2,1,0"}
    return kinds.get(type(value), type(value).__name__)


def check_outcome(cls: type[Model], variables: Collection[str]) -> None:
    """Raise UsageError if the outcome is no tuple of names of variables."""
    if not isinstance(cls.outcome, list | tuple):
        remedy = 'outcome = ("variable", ...); one name is written ("variable",).'
        raise UsageError(f"{cls.__name__}.outcome is {cls.outcome!r}, not a tuple of names", remedy=remedy)
    for name in cls.outcome:
        if name not in variables:
            what = f"{cls.__name__}.outcome names {name!r}, which is no variable of the model"
            raise UsageError(what, remedy=meant(str(name), variables))
