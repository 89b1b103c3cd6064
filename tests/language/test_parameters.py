"""The parameters of a method are those of its signature, also where they are read from its code."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest

from checker.language.signatures import parameters_of


def plain(self: Any, a: int, b: int = 1) -> int:
    local = a + b
    return local


def none(self: Any) -> None: ...


def named(self: Any, a: int, *, b: int, c: int = 2) -> None: ...


def placed(self: Any, a: int, /, b: int) -> None: ...


def starred(self: Any, a: int, *rest: int, b: int, **more: int) -> None: ...


@wraps(plain)
def wrapped(*arguments: Any) -> Any:
    return plain(*arguments)


@pytest.mark.parametrize("function", [plain, none, named, placed, starred, wrapped, lambda self, x: x, str.split])
def test_parameters_are_those_of_the_signature(function: Callable[..., Any]) -> None:
    """Without self: with defaults, by name or by place only, with stars, of what is wrapped, and of no Python code."""
    assert parameters_of(function) == list(inspect.signature(function).parameters)[1:]
