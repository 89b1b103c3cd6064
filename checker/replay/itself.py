"""Whether a condition compares something with itself: `stamp[x] <= stamp[m]` where x is m.

Such a condition has its truth in every state.  It is therefore no reason beside conditions on other elements.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from checker.language.values import Id
from checker.replay.scope import Scope, quietly

ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def is_of_itself(node: ast.expr, scope: Scope, names: Collection[str]) -> bool:
    """Whether the truth of a condition is that of a comparison of something with itself, or of a rule that is asked
    about something and itself.  names: the variables of the `all` or `any` around it, one of which is on one side."""
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            return is_of_itself(operand, scope, names)
        case ast.BoolOp(op, parts):
            one_decides = isinstance(op, ast.Or)  # whether a true part decides
            decides = [p for p in parts if bool(quietly(scope, p)) == one_decides]
            return any(is_of_itself(part, scope, names) for part in decides[:1] or parts)
        case ast.Compare(left, [op], [right]) if isinstance(op, ORDERED):
            return _are_one([left, right], scope, names)
        case ast.Call(ast.Attribute(ast.Name(name)), [*_, one, two], []) if name == scope.model_name:
            return all(isinstance(quietly(scope, a), Id) for a in (one, two)) and _are_one([one, two], scope, names)
    return False


def _are_one(sides: Sequence[ast.expr], scope: Scope, names: Collection[str]) -> bool:
    """Whether two expressions are one in this scope, and differ as written in a variable of the `all` or `any`."""
    read = [{n.id for n in ast.walk(side) if isinstance(n, ast.Name)} for side in sides]
    texts = [_text(side, scope) for side in sides]
    return texts[0] == texts[1] and any(name in read[0] ^ read[1] for name in names)


def _text(node: ast.expr, scope: Scope) -> str:
    """An expression as text; the call of a rule with the values of its arguments."""
    match node:
        case ast.Call(function, arguments, []):
            return f"{scope.text(function)}({', '.join(str(quietly(scope, a)) for a in arguments)})"
    return scope.text(node)
