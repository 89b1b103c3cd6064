"""The arguments of a call that is built in: as many as it takes."""

from __future__ import annotations

import ast

from checker.frontend import remedies
from checker.frontend.scope import Frame


def arguments(f: Frame, node: ast.Call, least: int, most: int, keywords: tuple[str, ...] = ()) -> list[ast.expr]:
    """The positional arguments, if they are as many as there should be."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    wrong = [k.arg for k in node.keywords if k.arg not in keywords]
    if wrong:
        f.refuse(
            node,
            f"{ast.unparse(node.func)} takes no {wrong[0]}=",
            f"Leave out {wrong[0]}=." if name != "sum" else "Write n + sum(...).",
        )
    if not least <= len(node.args) <= most:
        number = str(least) if least == most else f"{least} to {most}"
        f.refuse(
            node,
            f"{ast.unparse(node.func)} takes {number} argument{'s' * (number != '1')}, not {len(node.args)}",
            remedies.use(node),
        )
    return node.args


def argument(f: Frame, node: ast.Call) -> ast.expr:
    """The one argument."""
    return arguments(f, node, 1, 1)[0]
