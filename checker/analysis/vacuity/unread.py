"""Declarations of a class body that nothing uses: a constant that no method reads, a variable that no method changes, a
type or attribute without use.

Uses are searched in the text of the model, its bases and its properties, in their files.  A name that occurs there with
another meaning therefore hides an unused declaration; a used declaration is never reported.  A name that overrides one
of a base is used there.  Where it stops: a class without a file has no text.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from checker.language.constants import Constant, Deferred
from checker.language.definition import Definition
from checker.language.model import Model, Var
from checker.language.places import file_of, tree
from checker.language.properties import Property
from checker.language.reserved import STATED
from checker.language.types import is_type


def unread(definition: Definition) -> Iterator[tuple[str, str]]:
    """Names of the model's own class body, and of its properties', that no text of them uses, each with its kind."""
    model = definition.model
    properties = [c for c in model.properties if c.__name__ in definition.observers]
    classes = (b for c in (model, *properties) for b in c.__mro__)
    texts = [tree(file) for cls in classes if _ours(cls) and (file := file_of(cls))]
    if None in texts:
        return
    mentioned = set[str]().union(*(_mentioned(text) for text in texts if text is not None), model.outcome)
    for cls in (model, *properties):
        inherited = {n for base in cls.__mro__[1:] for n in vars(base)}
        for name, value in vars(cls).items():
            kind = _kind(value)
            if kind is not None and not name.startswith("__") and name not in mentioned | inherited | STATED:
                subject = name if cls is model else f"{cls.__name__}.{name}"
                yield subject, f"nothing reads the {kind} {subject}"


def _ours(cls: type) -> bool:
    return issubclass(cls, Model | Property) and not cls.__module__.startswith("checker.language")


def _kind(value: Any) -> str | None:
    """The kind of an attribute that should be read; None for others."""
    if isinstance(value, Constant):
        return "constant"
    if isinstance(value, Var):
        return "variable"
    if isinstance(value, Deferred):
        return "derived value"
    if is_type(value):
        return "type"
    return None if value is None or inspect.isroutine(value) or isinstance(value, classmethod) else "attribute"


@lru_cache(maxsize=64)
def _mentioned(text: ast.Module) -> frozenset[str]:
    """Every name that a file reads or changes: bare, as an attribute, or as a string (in budgets, outcomes and
    `of(...)`).
    """
    found = set[str]()
    pending: list[ast.AST] = [text]
    while pending:
        match node := pending.pop():
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id="expect")]):
                continue  # that a constant is given in at={...} does not read it
        pending += ast.iter_child_nodes(node)
    return frozenset(found)
