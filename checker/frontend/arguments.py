"""The arguments of a call: their number, and the parameter of each."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from checker.frontend import remedies
from checker.frontend.scope import Frame


def arguments(f: Frame, node: ast.Call, least: int, most: int, keywords: tuple[str, ...] = ()) -> list[ast.expr]:
    """The positional arguments, if their number is right."""
    wrong = [k.arg for k in node.keywords if k.arg not in keywords]
    if wrong:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        remedy = f"Leave out {wrong[0]}=." if name != "sum" else "Write n + sum(...)."
        f.refuse(node, f"{ast.unparse(node.func)} takes no {wrong[0]}=", remedy)
    if not least <= len(node.args) <= most:
        number = str(least) if least == most else f"{least} to {most}"
        what = f"{ast.unparse(node.func)} takes {number} argument{'s' * (number != '1')}, not {len(node.args)}"
        f.refuse(node, what, remedies.use(node))
    return node.args


def bound(
    f: Frame, node: ast.Call, names: Sequence[str], what: str, part: str, too_many: str, remedy: str, optional: int = 0
) -> dict[str, ast.expr]:
    """The arguments by the names of their parameters, in the order of the call.  optional: how many of the last
    parameters may have no argument.
    """
    if len(node.args) > len(names):
        f.refuse(node, too_many, remedy)
    given = dict(zip(names, node.args))
    for keyword in node.keywords:
        if keyword.arg not in names or keyword.arg in given:
            f.refuse(node, f"{what} has no {part} {keyword.arg} to give here", remedy)
        given[str(keyword.arg)] = keyword.value
    if missing := [n for n in names[: len(names) - optional] if n not in given]:
        f.refuse(node, f"{what} needs a value for {', '.join(missing)}", remedy)
    return given


def argument(f: Frame, node: ast.Call) -> ast.expr:
    """The only argument."""
    return arguments(f, node, 1, 1)[0]
