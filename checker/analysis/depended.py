"""What a model depends on: its bases and properties, the models and properties that their code names, and the modules
of all these with everything that they import.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from checker.analysis.imported import Imports, file_of
from checker.language.model import Model
from checker.language.places import bindings, class_node, is_own
from checker.language.properties import Property

NAMES_IN: WeakKeyDictionary[type, frozenset[str]] = WeakKeyDictionary()
"""The names in the code of classes, which each class that depends on them asks for."""


def counts(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Model | Property)


def needed(cls: type) -> Iterator[type]:
    """A model class, its bases and properties, and the models and properties that their code names."""
    waiting, seen = [cls], set()
    while waiting:
        item = waiting.pop(0)
        if item in seen or not counts(item):
            continue
        seen.add(item)
        yield item
        waiting += item.__mro__[1:]
        waiting += getattr(item, "properties", []) if issubclass(item, Model) else []
        waiting += _named(item)


def _named(cls: type) -> Iterator[type]:
    if cls not in NAMES_IN:
        node = None if is_own(cls.__module__) else class_node(cls)
        NAMES_IN[cls] = frozenset(n.id for n in ast.walk(node or ast.Module([], [])) if isinstance(n, ast.Name))
    held = (getattr(sys.modules.get(cls.__module__), name, None) for name in NAMES_IN[cls])
    yield from filter(counts, held)


def used_names(cls: type, imports: Imports) -> frozenset[str]:
    """The identifiers in the code of a model, its bases and properties, and in what their modules define under these
    names."""
    items = dict.fromkeys(base for item in needed(cls) for base in item.__mro__ if not is_own(base.__module__))
    found: set[str] = set()
    for item in items:
        node = None if item is object else class_node(item)
        found |= _identifiers(node) if node is not None else set()
    beside: list[tuple[str, set[str]]] = []
    for file in files_of(cls, imports):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        beside += [(name, _identifiers(s)) for name, s in bindings(body) if not isinstance(s, ast.ClassDef)]
    while more := {name for bound, names in beside if bound in found for name in names} - found:
        found |= more
    return frozenset(found)


def _identifiers(node: ast.AST) -> set[str]:
    """The names and attributes that code reads or writes."""
    inner = list(ast.walk(node))
    return {n.id for n in inner if isinstance(n, ast.Name)} | {n.attr for n in inner if isinstance(n, ast.Attribute)}


def modules(names: set[str], imports: Imports) -> Iterator[ModuleType]:
    """Modules and everything that they import, as far as it is loaded: by their contents, and by their import
    statements.
    """
    waiting, seen = [sys.modules.get(name) for name in sorted(names)], set()
    while waiting:
        module = waiting.pop(0)
        if module is None or id(module) in seen:
            continue
        seen.add(id(module))
        yield module
        waiting += imports.reached(module)


def files_of(cls: type, imports: Imports) -> frozenset[Path]:
    """The files below a folder that a model depends on, without those of the checker itself and of packages."""
    found = modules({item.__module__ for item in needed(cls)}, imports)
    files = (file_of(module) for module in found if not is_own(module.__name__))
    return frozenset(file for file in files if file is not None and imports.covers(file))
