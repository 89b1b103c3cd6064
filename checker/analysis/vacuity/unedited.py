"""Find an edit that is equal to its base: its verdict is that of the base, and no change was checked.

The members of the class bodies are compared first, which is cheap.  Only if each repeats the member that it overrides,
as text and as value, both definitions are compared part by part (`checker.analysis.compare.sources`).  A class that
only states an expectation is no edit, unless its docstring calls it one.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import function_node
from checker.replay.base import CHANGING, base_of, declared_kind, shared_constants
from checker.results.vacuity import Vacuity

ABSENT = object()


def unedited(definition: Definition) -> Iterator[Vacuity]:
    """The finding that a model is the same as the model that it edits."""
    base = base_of(definition.model)
    if base is not None and _same_but_for((), definition, base):
        name = definition.model.__name__
        yield Vacuity("edits-nothing", name, f"{name} is the same as {base.__name__}: nothing is edited")


def editing_nothing(definition: Definition, findings: Iterable[Vacuity]) -> tuple[Vacuity, ...]:
    """Those of the findings which say that a model does what the model does that it edits: it is the same, or the same
    but for methods that nothing calls.
    """
    found, edit = list(findings), definition.model
    if same := [f for f in found if f.kind == "edits-nothing"]:
        return tuple(same)
    idle = {f.subject: f for f in found if f.kind == "never-called" and f.subject in vars(edit)}
    base = base_of(edit)
    return tuple(idle.values()) if idle and base is not None and _same_but_for(idle, definition, base) else ()


def _same_but_for(idle: Collection[str], definition: Definition, base: type[Model]) -> bool:
    """Whether a model differs from the one that it edits in nothing but these members."""
    edit = definition.model
    if not _repeats(edit, base, idle):
        return False
    from checker.analysis.compare.sources import differences

    try:
        former = define(base, shared_constants(base, definition.constants))
    except UsageError:
        return False
    return all(d.name in idle for d in differences(former, definition, (base.__name__, edit.__name__)))


def _repeats(edit: type[Model], base: type[Model], idle: Collection[str]) -> bool:
    """Whether each member of the edit repeats that of the base, but for these."""
    above = [cls for cls in edit.__mro__ if cls not in base.__mro__]
    own = ((name, value) for cls in above for name, value in vars(cls).items() if not name.startswith("__"))
    members = {name: value for name, value in own if name not in idle}
    stated = members.pop("expect", None) is not None
    called = declared_kind(edit) in CHANGING
    if stated and not members and not called and not idle:
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
