"""Which function lowers what: tables that the modules of the front end fill, so that expressions and statements lower
their parts without knowing the modules that do it.

`checker.frontend.lower` imports every module that fills them.
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
"""What lowers a kind of Python expression; the type is the one expected."""
STATEMENTS: dict[type[ast.stmt], Callable[[Frame, Any], bool]] = {}
"""What lowers a kind of Python statement; the result: whether control reaches its end."""
CALLED: dict[type[Meaning], Callable[[Frame, ast.Call, Any], None]] = {}
"""What lowers a call as a statement, by the meaning of what is called."""


def expression(*kinds: type[ast.expr]) -> Callable[[Lower], Lower]:
    """The decorated function lowers these expressions."""
    return _filling(EXPRESSIONS, kinds)


def statement(*kinds: type[ast.stmt]) -> Callable[[Lower], Lower]:
    """The decorated function lowers these statements."""
    return _filling(STATEMENTS, kinds)


def called(*kinds: type[Meaning]) -> Callable[[Lower], Lower]:
    """The decorated function lowers calls of what means this, as statements."""
    return _filling(CALLED, kinds)


def _filling(table: dict[Any, Any], kinds: tuple[type, ...]) -> Callable[[Lower], Lower]:
    def filled(function: Lower) -> Lower:
        table.update(dict.fromkeys(kinds, function))
        return function

    return filled
