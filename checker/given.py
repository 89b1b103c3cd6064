"""What is given to the public functions, refused where it is wrong as written.

Each function raises UsageError, where the command of the public function's name ends with exit code 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from checker.catalogue import Entry, entry_of, find
from checker.language.errors import UsageError
from checker.language.model import Model

Reference = type[Model] | str | Path


def model_entry(given: Reference) -> Entry:
    """The model that an argument names."""
    if isinstance(given, type) and issubclass(given, Model):
        return entry_of(given)
    if isinstance(given, str | Path):
        return find(str(given) if isinstance(given, str) else str(given.absolute()))
    raise UsageError(
        f"{given!r} is no model", remedy="Give a model class, a name such as 'isis', or the path of a file."
    )


def constants_of(constants: Mapping[str, Any] | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The constants, given by name or in `constants`, none both ways."""
    twice = sorted((constants or {}).keys() & values.keys())
    if twice:
        raise UsageError(f"{twice[0]} is given twice: by name, and in constants")
    return {**(constants or {}), **values}


def several_of(constants: Mapping[str, Any]) -> list[tuple[str, tuple[Any, ...]]]:
    """The values of each constant of a sweep."""
    for name, several in constants.items():
        if isinstance(several, str) or not isinstance(several, Sequence):
            remedy = f"A sweep takes the values of a constant as a list: {name}=[{several!r}]."
            raise UsageError(f"{name}={several!r} is no list of values", remedy=remedy)
    return [(name, tuple(several)) for name, several in constants.items()]


def names_of(properties: Sequence[str] | None) -> list[str] | None:
    """The names of properties."""
    if isinstance(properties, str):
        raise UsageError(f"properties is a list of names: [{properties!r}]")
    return None if properties is None else list(properties)


def not_together(*, strict: bool, reduce: bool) -> None:
    """Refuse arguments that contradict each other."""
    if strict and reduce:
        raise UsageError(
            "strict asks about every state, and reduce leaves some out", remedy="Leave out one of the two."
        )


def at_least_one(name: str, number: int) -> int:
    """A number of processes, runs or steps."""
    if number < 1:
        raise UsageError(f"{name}={number} is fewer than one")
    return number
