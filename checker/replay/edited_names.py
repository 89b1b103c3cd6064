"""What of a model the edit changed: its own names, then those that the edits above it changed.

A condition that asks a rule which the edit replaces says more about a violation than one which every protocol of the
file has.  Each class is compared with the protocol before it (`checker.replay.base.former_of`): a member that is
another one there is a change.  A rule that asks a changed one, itself or through other rules, counts like it.

Where it stops: the change of a handler or of an action is no name that a condition asks.  A rule that only the edit
has is asked by a changed one alone, whose other parts are as new.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from checker.language.model import Model
from checker.language.places import function_node
from checker.replay.base import former_of
from checker.replay.nearest import different, members

MOST_KEPT = 64


def edited_names(model: type[Model]) -> Mapping[str, int]:
    """The changed names of a class, with how many edits above it their change is: 0 for its own."""
    kept: Any = model
    return _names(kept)


@lru_cache(MOST_KEPT)
def _names(model: Any) -> Mapping[str, int]:
    found, number = dict[str, int](), 0
    cls: type[Model] = model
    while (before := former_of(cls)) is not None:
        mine, theirs = members(cls), members(before)
        for name in different(mine, theirs) & mine.keys() & theirs.keys():
            found.setdefault(name, number)
        cls, number = before, number + 1
    return _with_askers(model, found)


def changed_in(node: ast.AST, model: type[Model]) -> int:
    """How many edits above a model the nearest change is that an expression asks; as many as there are if none."""
    names = edited_names(model)
    farthest = max(names.values(), default=0) + 1
    return min((names.get(name, farthest) for name in _asked(node)), default=farthest)


def _with_askers(model: type[Model], found: Mapping[str, int]) -> Mapping[str, int]:
    """The names, and those of the rules that ask them."""
    known = dict(found)
    functions = {name: f for name, f in members(model).items() if inspect.isfunction(f)}
    nodes = {name: node for name, f in functions.items() if name not in found and (node := function_node(f))}
    asked = {name: _asked(node) for name, node in nodes.items()}
    growing = bool(found)
    while growing:
        nearest = {n: min((known[a] for a in names if a in known), default=None) for n, names in asked.items()}
        new = {n: number for n, number in nearest.items() if number is not None and number < known.get(n, number + 1)}
        known |= new
        growing = bool(new)
    return known


def _asked(node: ast.AST) -> frozenset[str]:
    """The members that an expression reads or calls."""
    return frozenset(n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute))
