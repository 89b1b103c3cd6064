"""Find an edit that is equal to its base: its verdict is that of the base, and no change was checked.

The members of the class bodies are compared first, which is cheap.  Only if each repeats the member that it overrides,
as text and as value, both definitions are compared part by part (`checker.analysis.compare.sources`).  A class that
only states an expectation is no edit, unless its docstring calls it one.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import function_node
from checker.replay.base import CHANGES, base_of, shared_constants
from checker.results.vacuity import Vacuity

ABSENT = object()


def unedited(definition: Definition) -> Iterator[Vacuity]:
    """The finding that a model is the same as the model that it edits."""
    edit = definition.model
    base = base_of(edit)
    if base is None or not _repeats(edit, base):
        return
    from checker.analysis.compare.sources import differences

    try:
        former = define(base, shared_constants(base, definition.constants))
    except UsageError:
        return
    if not differences(former, definition, (base.__name__, edit.__name__)):
        text = f"{edit.__name__} is the same as {base.__name__}: nothing is edited"
        yield Vacuity("edits-nothing", edit.__name__, text)


def _repeats(edit: type[Model], base: type[Model]) -> bool:
    """Whether each member of the edit repeats that of the base."""
    above = [cls for cls in edit.__mro__ if cls not in base.__mro__]
    members = {name: value for cls in above for name, value in vars(cls).items() if not name.startswith("__")}
    stated = members.pop("expect", None) is not None
    called = (edit.__doc__ or "").strip().startswith(CHANGES)
    if stated and not members and not called:
        return False
    return all(_same(value, inspect.getattr_static(base, name, ABSENT)) for name, value in members.items())


def _same(value: Any, former: Any) -> bool:
    if inspect.isfunction(value) and inspect.isfunction(former):
        return _text(value) is not None and _text(value) == _text(former)
    return value is former or isinstance(value, int | str | tuple | list) and bool(value == former)


def _text(function: Callable[..., Any]) -> str | None:
    """The parameters and statements of a function, without its docstring and annotations."""
    node = function_node(function)
    if node is None:
        return None
    first = node.body[0]
    told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return "\n".join([*names, *map(ast.dump, node.body[1:] if told else node.body)])
