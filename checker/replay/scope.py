"""The scope in which a part of a condition is evaluated again, and the text of the part.

In the text, names of identities are replaced by the identities, and `self.` is left out.
"""

from __future__ import annotations

import ast
import copy
from enum import Enum
from types import CodeType
from typing import Any

from attrs import evolve

from checker.frozen import frozen
from checker.language.domains import Domain
from checker.language.places import written_over
from checker.language.values import Id
from checker.replay.plain import value_text

Element = tuple[Any, ...]
"""The values of the variables of an `all` or `any`; () for no element."""


@frozen
class Scope:
    """The scope of a condition: the names it can read, and which of them is the model.  element: the only element that
    is shown for an `all` or `any`, whose false elements are otherwise listed; source: whether the text is about source
    code, and has the line of each rule that it explains and the values of which a number is computed; earlier: the
    model in the state before the step, where it is known: of several parts those come first that the step changed;
    actor: the process that acts in the step, where one does.
    """

    names: dict[str, Any]
    model_name: str
    element: Element = ()
    source: bool = True
    earlier: Any = None
    actor: Any = None

    def value(self, node: ast.expr) -> Any:
        """The value of an expression; exceptions are passed on."""
        return eval(_compiled(node), dict(self.names))

    def with_names(self, names: dict[str, Any]) -> Scope:
        """The same scope with more names."""
        return evolve(self, names={**self.names, **names})

    def before_step(self) -> Scope | None:
        """The same scope with the state before the step; None where that is not known."""
        known = self.earlier is not None and self.model_name in self.names
        return self.with_names({self.model_name: self.earlier}) if known else None

    def text(self, node: ast.expr) -> str:
        """An expression without `self.`, with values for local names."""
        return written_over(_Blackboard(self).visit(copy.deepcopy(node)))


def _compiled(node: ast.expr) -> CodeType:
    """The code of an expression; kept with the node, since the parts of a guard are evaluated for every instance."""
    code = getattr(node, "code", None)
    if code is None:
        expression = ast.fix_missing_locations(ast.Expression(copy.deepcopy(node)))
        code = compile(expression, "<condition>", "eval")
        node.code = code  # type: ignore[attr-defined]
    return code


class _Blackboard(ast.NodeTransformer):
    """Leaves out `self.`, and replaces local variables by the names of the identities that they hold."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.hidden: list[set[str]] = []

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        name = node.value.id if isinstance(node.value, ast.Name) else None
        if name is not None and (name == self.scope.model_name or isinstance(self.scope.names.get(name), type(Enum))):
            return ast.Name(node.attr, node.ctx)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """A member of a type is named, Process[3 - p.index] is p1, and a computed place is its number."""
        if self.hidden or not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        by_index = any(isinstance(n, ast.Attribute) and n.attr == "index" for n in ast.walk(node.slice))
        place = quietly(self.scope, node.slice) if isinstance(node.slice, ast.Name) and self.scope.source else None
        if type(place) is int:
            return ast.Subscript(self.visit(node.value), ast.Constant(place), node.ctx)
        if not by_index and not isinstance(node.slice, ast.Constant):
            return self.generic_visit(node)
        owner, member, key = (quietly(self.scope, part) for part in (node.value, node, node.slice))
        if isinstance(owner, Domain) and isinstance(member, Id):
            return ast.Name(value_text(member), node.ctx)
        if type(key) is int and by_index:
            return ast.Subscript(self.visit(node.value), ast.Constant(key), node.ctx)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.scope.names.get(node.id)
        seen = isinstance(node.ctx, ast.Load) and not any(node.id in names for names in self.hidden)
        return ast.Name(value_text(value), node.ctx) if seen and isinstance(value, Id | Enum) else node

    def _comprehension(self, node: Any) -> ast.AST:
        self.hidden.append({n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)})
        result = self.generic_visit(node)
        self.hidden.pop()
        return result

    visit_GeneratorExp = visit_ListComp = visit_SetComp = visit_DictComp = _comprehension


def quietly(scope: Scope, node: ast.expr) -> Any:
    """The value of an expression; None if it cannot be evaluated."""
    try:
        return scope.value(node)
    except Exception:
        return None
