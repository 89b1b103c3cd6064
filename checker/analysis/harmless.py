"""What the predicate of a link may contain: an allow list over its whole text.

The front end alone is not a sufficient guard: it lowers only what may be evaluated under the constants of the model, so
it examines neither an operand without effect nor a branch that constants exclude.  This module examines every node,
whatever its neighbours are.  Allowed are the operators and displays of the modelling language, names that the
expression binds, the model's own variables, constants, types and functions, constants of its module, and the functions
of the language that compute a value.  An attribute must be one of the model's, a field, a variant, a member of an Enum,
or an operation that changes nothing.

Functions of the model are written by its author, whom the user trusts by executing the model; the front end refuses a
call of a function that changes the state.
"""

from __future__ import annotations

import ast
import builtins
import enum
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from checker.frontend import changes
from checker.frontend.comparisons import COMPARISONS
from checker.frontend.expressions import OPERATORS
from checker.frontend.kinds import OPERATIONS
from checker.frontend.names import BUILTINS, is_function
from checker.frozen import frozen
from checker.ir import types as t
from checker.language.constants import Deferred
from checker.language.definition import Definition
from checker.language.domains import Domain
from checker.language.errors import UsageError
from checker.language.values import Id

FUNCTIONS = frozenset(BUILTINS) - {"dict", "print", "super"}
"""The functions of Python that only compute a value from their arguments."""
METHODS = frozenset(re.findall(r"c\.(\w+)\(", " ".join(OPERATIONS))) - set(changes.NAMES) | {"between"}
"""The operations of collections and networks that change nothing."""
ITEMS = ast.List | ast.Tuple | ast.Set
NODES = ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.IfExp | ast.Compare | ast.Subscript | ast.Slice | ITEMS
SIGNS = (ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd, ast.In, ast.NotIn, ast.Is, ast.IsNot, *OPERATORS, *COMPARISONS)
COMPREHENSIONS = ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp
REMEDY = "A predicate computes: with the model's names, their fields, operators, and functions such as len, any, all."


def require_harmless(text: str, expression: ast.expr, definition: Definition) -> None:
    """Raise UsageError if a predicate, as resolved, contains a node that is not on the allow list."""
    try:
        found = next(_Reader(definition, _attributes(definition)).refused(expression, frozenset()), None)
    except RecursionError:
        raise UsageError(f"the predicate {text[:40]!r}... is nested too deeply") from None
    if found is not None:
        node, what = found
        raise UsageError(f"in the predicate {text!r}: {ast.unparse(node)} {what}", remedy=REMEDY)


def _attributes(definition: Definition) -> frozenset[str]:
    """The attributes of values of the model's types: fields, variants, members of Enums, operations of collections."""
    domains = [*definition.types.values(), *definition.enums.values(), *(v.domain for v in definition.variables)]
    names = {"index", *METHODS}
    for type in (inner for domain in domains for inner in t.walk(domain.ir)):
        match type:
            case t.Record(_, fields):
                names |= {name for name, _ in fields}
            case t.Union(_, variants):
                names |= {variant.name for variant in variants}
            case t.Enum(_, members):
                names |= set(members)
    return frozenset(names)


Refusals = Iterator[tuple[ast.AST, str]]


@frozen
class _Reader:
    """Finds the nodes that are not allowed in the predicates of one model."""

    definition: Definition
    attributes: frozenset[str]

    def refused(self, node: ast.AST, bound: frozenset[str]) -> Refusals:
        """Each node that is not allowed, where the expression has bound these names."""
        match node:
            case ast.Constant(value):
                if not isinstance(value, bool | int | str | None):
                    yield node, f"is a {type(value).__name__}"
            case ast.Name(name):
                if name not in bound and not self._is_constant(self._global(name)):
                    yield node, self._instead(name)
            case ast.Attribute():
                yield from self._attribute(node, bound)
            case ast.Call():
                yield from self._call(node, bound)
            case ast.Dict(keys, values):
                parts = [part for pair in zip(keys, values) for part in pair]
                yield from self._all([p for p in parts if p is not None], bound)
                if None in keys:
                    yield node, "has ** in it"
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp():
                yield from self._comprehension(node, bound)
            case ast.expr() if isinstance(node, NODES):
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield from self.refused(child, bound)
                    elif not isinstance(child, (*SIGNS, ast.Load)):
                        yield node, "has an operator that is not in the language"
            case _:
                yield node, "is not in the language of predicates"

    def _all(self, nodes: Sequence[ast.expr], bound: frozenset[str]) -> Refusals:
        for node in nodes:
            yield from self.refused(node, bound)

    def _comprehension(self, node: COMPREHENSIONS, bound: frozenset[str]) -> Refusals:
        """Examine a comprehension: a name is bound after its `for`, and not before."""
        for generator in node.generators:
            yield from self.refused(generator.iter, bound)
            targets = generator.target.elts if isinstance(generator.target, ast.Tuple) else [generator.target]
            names = {n.id for n in targets if isinstance(n, ast.Name) and _bindable(n.id)}
            if generator.is_async or len(names) != len(targets):
                yield generator.target, "cannot be bound in a predicate"
            bound |= names
            yield from self._all(generator.ifs, bound)
        items = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        yield from self._all(items, bound)

    def _call(self, node: ast.Call, bound: frozenset[str]) -> Refusals:
        match node.func:
            case ast.Name(name) if name in FUNCTIONS and name not in bound and self._is_python_s(name):
                pass
            case ast.Name(name) if name in bound:
                yield node.func, "is a value and cannot be called"
            case ast.Name() | ast.Attribute():
                yield from self.refused(node.func, bound)
            case _:
                yield node.func, "cannot be called in a predicate"
        yield from self._all(node.args, bound)
        for keyword in node.keywords:
            match keyword:
                case ast.keyword("key", ast.Lambda(ast.arguments([], [ast.arg(name)], None, [], [], None, []), body)):
                    if not _bindable(name):
                        yield keyword.value, "cannot be bound in a predicate"
                    yield from self.refused(body, bound | {name})
                case ast.keyword(None):
                    yield node, "has ** in it"
                case _:
                    yield from self.refused(keyword.value, bound)

    def _attribute(self, node: ast.Attribute, bound: frozenset[str]) -> Refusals:
        """Examine an attribute: self.name and Model.name belong to the model; other values have fields and
        operations."""
        name, allowed = node.attr, node.attr in self.attributes
        match node.value:
            case ast.Name(base) if base not in bound and self._is_model(base):
                allowed = self._is_own(name)
            case ast.Name(base) if base not in bound and _is_enum(found := self._global(base)):
                allowed = name in found.__members__
            case _:
                yield from self.refused(node.value, bound)
        if not allowed or name.startswith("_"):
            yield node, "is no field, and nothing of the model's that has a value"

    # Names

    def _global(self, name: str) -> Any:
        """The meaning of a name in the module of the model; a name without a value there counts as a function."""
        return open if name.startswith("_") else vars(sys.modules[self.definition.model.__module__]).get(name, open)

    def _is_python_s(self, name: str) -> bool:
        module = vars(sys.modules[self.definition.model.__module__])
        return module.get(name, getattr(builtins, name)) is getattr(builtins, name)

    def _is_model(self, name: str) -> bool:
        return name == "self" or any(self._global(name) is cls for cls in self.definition.model.__mro__[:-1])

    def _is_own(self, name: str) -> bool:
        own = self.definition
        if name in own.values or name in own.types or any(v.name == name for v in own.variables):
            return True
        if name in own.methods and own.methods[name].rule:
            return True
        bodies = [vars(c) for c in own.model.__mro__ if c.__module__ != "checker.language.properties"]
        value = next((body[name] for body in bodies if name in body), open)
        return self._is_constant(value) or isinstance(value, Deferred) or is_function(name, value)

    def _is_constant(self, value: Any) -> bool:
        return isinstance(value, bool | int | str | tuple | enum.Enum | Id | Domain | None) or _is_enum(value)

    def _instead(self, name: str) -> str:
        if name == "self":
            return "is not a value"
        value = vars(sys.modules[self.definition.model.__module__]).get(name, getattr(builtins, name, None))
        kind = "a function" if callable(value) and not isinstance(value, type) else "something"
        return f"is {kind} that a predicate cannot use"


def _is_enum(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, enum.Enum)


def _bindable(name: str) -> bool:
    return name != "self" and not name.startswith("__")
