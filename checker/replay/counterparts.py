"""The statements of two versions of a method beside each other: which were edited, and which correspond."""

from __future__ import annotations

import ast
from difflib import SequenceMatcher

from checker.language.places import statements


def counterparts(now: ast.FunctionDef, was: ast.FunctionDef) -> dict[ast.stmt, ast.stmt | None]:
    """The counterparts of statements that were edited, or are at another depth, both ways."""
    found: dict[ast.stmt, ast.stmt | None] = {}
    edited, before = list(statements(now)), list(statements(was))
    texts = [(s.col_offset - now.col_offset, head_of(s)) for s in edited]
    former = [(s.col_offset - was.col_offset, head_of(s)) for s in before]
    matcher = SequenceMatcher(None, texts, former, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        found |= dict.fromkeys([*edited[a:b], *before[c:d]])
        rest = before[c:d]
        for one in edited[a:b]:
            two = next((s for s in rest if form_of(s) == form_of(one)), None)
            if two is not None:
                rest.remove(two)
                found[one], found[two] = two, one
    return found


def head_of(node: ast.stmt) -> str:
    """A statement without those inside it."""
    return ast.unparse(node).partition("\n")[0] if hasattr(node, "body") else ast.unparse(node)


def form_of(node: ast.stmt) -> str:
    """The common form of two statements that may be counterparts."""
    match node:
        case ast.Expr(ast.Call(ast.Name(name))) | ast.Expr(ast.Call(ast.Attribute(_, name))):
            return name
        case ast.Assign([target]) | ast.AugAssign(target) | ast.AnnAssign(target):
            return ast.unparse(target)
        case ast.If() | ast.While():
            return "test"
    return type(node).__name__


def ask_the_contrary(one: ast.stmt, two: ast.stmt) -> bool:
    """Whether one test asks for the contrary of the other, so that both find the same."""
    (text, negated), (other, negated_too) = map(_asked, (one, two))
    return bool(text) and text == other and negated != negated_too


def _asked(node: ast.stmt) -> tuple[str, bool]:
    """What a test asks without the `not` around it, and whether it is for the contrary; "" of another statement."""
    test, negated = getattr(node, "test", None), False
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, negated = test.operand, not negated
    return (ast.unparse(test) if isinstance(test, ast.expr) else ""), negated
