"""Which model an edited model is compared with, and the constants that both understand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.language.define import constants_of
from checker.language.model import Model


def base_of(cls: type[Model]) -> type[Model] | None:
    """The protocol that a class edits: its nearest ancestor that is a model to be checked and stands in the same file; else None."""
    for ancestor in cls.__mro__[1:]:
        if isinstance(ancestor, type) and issubclass(ancestor, Model) and ancestor.__module__ == cls.__module__ and not ancestor.__name__.startswith("_"):
            return ancestor
    return None


def shared_constants(base: type[Model], constants: Mapping[str, Any]) -> dict[str, Any]:
    """The constants that the base declares too."""
    declared = constants_of(base)
    return {name: value for name, value in constants.items() if name in declared}
