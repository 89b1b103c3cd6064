"""A statement that takes one choice, with a name in place of the choice, so that it can be read with the value taken.

Where it stops: a statement with several choices, or with one for each element of a comprehension, stays as it is
written.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from checker.language.choice import choose

CHOSEN = "chosen value"  # no name of a program


def with_chosen(statement: ast.stmt) -> ast.stmt | None:
    """A statement with the name CHOSEN in place of its only `choose`; None if it has none, or several."""
    if hasattr(statement, "body"):
        return None
    chosen = _Chosen()
    node = chosen.visit(copy.deepcopy(statement))
    return node if chosen.number == 1 else None


class _Chosen(ast.NodeTransformer):
    """Replaces choices, and counts them."""

    number = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not _is_choice(node):
            return self.generic_visit(node)
        self.number += 1
        return ast.Name(CHOSEN, ast.Load())

    def _comprehension(self, node: Any) -> ast.AST:
        self.number += 2 * any(map(_is_choice, ast.walk(node)))  # one for each element
        return node

    visit_GeneratorExp = visit_ListComp = visit_SetComp = visit_DictComp = _comprehension


def _is_choice(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == choose.__name__
