"""What a class body declares and nothing names: a constant that no method reads, a variable that no method changes, a
type or attribute without use.

It is looked for in the text: of the model, its bases, and its properties, in the files they are written in.  A name
that stands there for something else hides one that is never read; none is reported that is read.  What overrides
something of a base is read there.  Where it stops: a class without a file has no text.
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
    """Names of the model's own class body, and of its properties', that no text of them reads, each with what it is."""
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
    """What an attribute is, if it is there to be read."""
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
    """Every name that a file reads or changes: bare, as an attribute, or as a string, which budgets, outcomes and
    `of(...)` are written with."""
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
