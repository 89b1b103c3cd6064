"""Which function lowers what: tables that the modules of the front end fill, so that expressions and statements lower
their parts without knowing the modules that do it.

`checker.frontend.lower` imports every module that fills them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

from checker.frontend.meaning import Meaning
from checker.frontend.scope import Frame
from checker.ir import expressions as e
from checker.ir import types as t

Result = e.Expression | Meaning
Lower = TypeVar("Lower", bound=Callable[..., Any])

EXPRESSIONS: dict[type[ast.expr], Callable[[Frame, Any, t.Type | None], Result]] = {}
"""What lowers a kind of Python expression; the type is the one expected."""
STATEMENTS: dict[type[ast.stmt], Callable[[Frame, Any], bool]] = {}
"""What lowers a kind of Python statement; the result: whether control reaches its end."""
CALLED: dict[type[Meaning], Callable[[Frame, ast.Call, Any], None]] = {}
"""What lowers a call as a statement, by the meaning of what is called."""


def expression(*kinds: type[ast.expr]) -> Callable[[Lower], Lower]:
    """The decorated function lowers these expressions."""

    def filled(function: Lower) -> Lower:
        EXPRESSIONS.update(dict.fromkeys(kinds, function))
        return function

    return filled


def statement(*kinds: type[ast.stmt]) -> Callable[[Lower], Lower]:
    """The decorated function lowers these statements."""

    def filled(function: Lower) -> Lower:
        STATEMENTS.update(dict.fromkeys(kinds, function))
        return function

    return filled


def called(*kinds: type[Meaning]) -> Callable[[Lower], Lower]:
    """The decorated function lowers calls of what means this, as statements."""

    def filled(function: Lower) -> Lower:
        CALLED.update(dict.fromkeys(kinds, function))
        return function

    return filled
