"""Predicates given from outside a model, in the names of the model.

A predicate is an expression of the modelling language, with the names of the model (`delivered[p]`, `Process`,
`deliverable(p, m)`) without `self.`, and with members of its identity types by their own names (`p1`, `m1.1`):
`len(delivered[p1]) == 2` means `len(self.delivered[self.Process[0]]) == 2`.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import linecache
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from checker.frontend.source import PREDICATE
from checker.language.constants import Deferred
from checker.language.declared import declarations
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.domains import IdsDomain
from checker.language.errors import UsageError, near
from checker.language.model import Model, Var
from checker.language.types import is_type

_numbers = itertools.count(1)
SPACE = r"\s*"
LOOKED_FOR = "never"
"""The property of a search for a state, which is not one of the model's."""


@contextmanager
def in_the_words_of(cls: type[Model], predicate: str, constants: Mapping[str, Any] | None) -> Iterator[None]:
    """Reword errors in a resolved predicate to the text that the user gave, with the column; pass other errors on."""
    try:
        yield
    except UsageError as error:
        if error.file is None or not error.file.startswith(PREDICATE):
            raise
        own = {resolved_as: member for member, resolved_as in _members(define(cls, constants, [])).items()}

        def told(text: str) -> str:
            for written, member in own.items():
                text = text.replace(written, member)
            return text.replace("self.", "")

        fragment = told(error.fragment)
        remedy = None if error.remedy is None else told(error.remedy)
        if (member := fragment.strip("'\"")) != fragment and member in own.values():
            remedy = f"Write {member} without quotes: members have their own names."
        where = "".join(f"{', column ' if n == 0 else ' or '}{c}" for n, c in enumerate(columns(predicate, fragment)))
        what = f"in the predicate '{predicate}'{where}: {told(error.message)}"
        raise UsageError(what, remedy=remedy, fragment=fragment) from None


def columns(predicate: str, fragment: str) -> list[int]:
    """The columns at which a fragment begins in a predicate, counted from 1, whatever its spaces and quotes are."""
    tokens = re.findall(r"'[^']*'|\"[^\"]*\"|\w+|[^\w\s]", fragment)
    if not tokens:
        return []
    quoted = [
        rf"(?:'{re.escape(t[1:-1])}'|\"{re.escape(t[1:-1])}\")" if t[0] in "'\"" and len(t) > 1 else re.escape(t)
        for t in tokens
    ]
    return [found.start() + 1 for found in re.finditer(rf"(?<![\w.]){SPACE.join(quoted)}(?!\w)", predicate)]


def with_predicate(cls: type[Model], name: str, text: str, mark: Callable[[Any], Any]) -> type[Model]:
    """The model class with a single property: a method of the given name that returns the (resolved) predicate, marked
    as a kind of property.
    """
    source = f"def {name}(self) -> bool:\n    return {text}\n"
    method = made(name, source, "predicate", dict(vars(sys.modules[cls.__module__])))
    members = {name: mark(method), "properties": [], "__doc__": cls.__doc__, "__module__": cls.__module__}
    return type(cls.__name__, (cls,), members)


def made(name: str, source: str, kind: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """The function of the given name that a text defines, with its source where the front end reads it."""
    file = f"<{kind} {next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), scope)
    function: Callable[..., Any] = scope[name]
    return function


def resolved(cls: type[Model], predicate: str, constants: Mapping[str, Any] | None) -> str:
    """A predicate as Python, with `self.` where a name is the model's.  Raises UsageError if it is no expression, or
    names something that is not there.
    """
    members = _members(define(cls, constants, []))
    text = predicate.strip()
    for member in sorted(members, key=len, reverse=True):
        text = re.sub(rf"(?<![\w.]){re.escape(member)}(?![\w(]|\.\d)", members[member], text)
    try:
        tree = ast.parse(text, mode="eval")
        compile(tree, "<predicate>", "eval")  # await and yield are refused here
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a number with too many digits, too many brackets
        remedy = "For example: any(len(delivered[p]) == 2 for p in Process)"
        raise UsageError(f"{predicate!r} is not an expression of Python", remedy=remedy) from None
    own = {n for n, v in declarations(cls) if isinstance(v, Var | Deferred) or is_type(v) or callable(v)}
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    known = own - bound
    _check_names(cls, tree, known | bound)
    return ast.unparse(_Own(known).visit(tree))


def _members(definition: Definition) -> dict[str, str]:
    """The members of identity types by their own names: p1 is self.Process[0]."""
    found: dict[str, str] = {}
    for name, domain in definition.types.items():
        if isinstance(domain, IdsDomain) and name.isidentifier():
            found |= {str(m): f"self.{name}[{i}]" for i, m in enumerate(domain)}
    return found


def _check_names(cls: type[Model], tree: ast.AST, known: set[str]) -> None:
    module = vars(sys.modules[cls.__module__])
    there = {"self", *known, *module, *dir(builtins)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in there:
            usual = "Names are the model's variables, types, rules and members (p1)."
            remedy = near(node.id, [*known, *module]) or usual
            raise UsageError(f"{cls.__name__} has nothing called {node.id}", remedy=remedy)


class _Own(ast.NodeTransformer):
    """Puts `self.` before the model's names."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.names and isinstance(node.ctx, ast.Load):
            return ast.Attribute(ast.Name("self", ast.Load()), node.id, ast.Load())
        return node
