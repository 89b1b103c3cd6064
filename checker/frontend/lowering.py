"""Which function lowers which node: tables that the modules of the front end fill, so that expressions and statements
can lower their parts without importing the modules for them.

`checker.frontend.lower` imports every module that fills the tables.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

from checker.frontend.meaning import Meaning, Result
from checker.frontend.scope import Frame
from checker.ir import types as t

Lower = TypeVar("Lower", bound=Callable[..., Any])

EXPRESSIONS: dict[type[ast.expr], Callable[[Frame, Any, t.Type | None], Result]] = {}
"""The functions that lower each kind of Python expression; their type argument is the expected one."""
STATEMENTS: dict[type[ast.stmt], Callable[[Frame, Any], bool]] = {}
"""The functions that lower each kind of Python statement; their result: whether control reaches the end."""
CALLED: dict[type[Meaning], Callable[[Frame, ast.Call, Any], None]] = {}
"""The functions that lower a call as a statement, by the meaning of the callee."""


def expression(*kinds: type[ast.expr]) -> Callable[[Lower], Lower]:
    """The decorated function lowers these expressions."""
    return _filling(EXPRESSIONS, kinds)


def statement(*kinds: type[ast.stmt]) -> Callable[[Lower], Lower]:
    """The decorated function lowers these statements."""
    return _filling(STATEMENTS, kinds)


def called(*kinds: type[Meaning]) -> Callable[[Lower], Lower]:
    """Register the decorated function for calls of this meaning, as statements."""
    return _filling(CALLED, kinds)


def _filling(table: dict[Any, Any], kinds: tuple[type, ...]) -> Callable[[Lower], Lower]:
    def filled(function: Lower) -> Lower:
        table.update(dict.fromkeys(kinds, function))
        return function

    return filled
