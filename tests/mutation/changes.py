"""Changes of a syntax tree that a test should notice: one at a time, each a slip that a programmer makes.

Operators after those of Mothra and mutmut, with those that fit this program: a copy that is not made, an alternative of
a pattern that is forgotten, an emitted instruction taken for its neighbour.  Not changed: texts (messages,
documentation, names), annotations, decorators, assertions (they state what is never false) and what only chooses the
words of an error.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial

from attrs import frozen

Site = tuple[ast.AST, str, int | None]
"""Where a node is: its parent, the field, and the place in a list."""


@frozen(eq=False)
class Change:
    """One change that can be made; `make` alters the tree in place."""

    operator: str
    line: int
    make: Callable[[], None]


COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
CALCULATED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
ORDERED = (ast.Sub, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)
COPIES = ("copy", "copied", "deepcopy", "sorted", "reversed", "set", "frozenset", "unique")
PAIRS = (
    "any all",
    "min max",
    "add sub",
    "bit_and bit_or",
    "shl lshr",
    "udiv urem",
    "sext zext",
    "floordiv mod",
    "And Or",
    "ULT ULE",
    "startswith endswith",
    "union intersection",
    "find_lowest find_highest",
)
NEIGHBOURS = {a: b for pair in PAIRS for a, b in (pair.split(), pair.split()[::-1])}
"""Functions of libraries and builders that are taken for one another."""
TOKENS = {
    "eq": "ne",
    "ne": "eq",
    "slt": "sle",
    "sle": "slt",
    "sgt": "sge",
    "sge": "sgt",
    "ult": "ule",
    "ule": "ult",
    "ugt": "uge",
    "uge": "ugt",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "and": "or",
    "or": "and",
    "union": "intersection",
}
"""Texts that name an operation, alone in a constant."""
WORDS = ("refuse", "Refused", "UsageError", "Finding", "warn", "describe", "shown", "unparse")
"""Calls whose arguments are words for the reader."""


def changes(tree: ast.Module) -> Iterator[Change]:
    """All changes of a tree, in the order of its text."""
    siblings = _siblings(tree)
    for node, (parent, field, place), top in _walked(tree, tree):
        for operator, made in _variants(node, parent, field, siblings, top):
            yield Change(
                operator, getattr(node, "lineno", getattr(parent, "lineno", 1)), _put(parent, field, place, made)
            )


def changed(source: str, number: int) -> ast.Module:
    """The tree with one of its changes made."""
    tree = ast.parse(source)
    next(c for i, c in enumerate(changes(tree)) if i == number).make()
    return ast.fix_missing_locations(tree)


def _put(parent: ast.AST, field: str, place: int | None, made: ast.AST | None) -> Callable[[], None]:
    def make() -> None:
        if place is None:
            setattr(parent, field, made)
        elif made is None:
            del getattr(parent, field)[place]
        else:
            getattr(parent, field)[place] = made

    return make


# -- what is looked at
# ----------------------------------------------------------------------------------------------------------


def _walked(node: ast.AST, tree: ast.Module, top: bool = True) -> Iterator[tuple[ast.AST, Site, bool]]:
    """Every node that means something at run time, with its site; top: outside of functions."""
    for field, value in ast.iter_fields(node):
        if field in (
            "annotation",
            "returns",
            "decorator_list",
            "bases",
            "keywords" if isinstance(node, ast.ClassDef) else "",
            "type_comment",
        ):
            continue
        for place, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.AST) and not _idle(child, node):
                yield child, (node, field, place), top
                inner = top and not isinstance(node, ast.FunctionDef)
                if not isinstance(child, ast.Raise) and not _wording(child):
                    yield from _walked(child, tree, inner)


def _idle(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a node has no effect on what is computed."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # documentation
    if isinstance(node, (ast.Assert, ast.Import, ast.ImportFrom, ast.JoinedStr)):
        return True
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return True
    # an alias of a type
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Subscript)
        and not isinstance(parent, ast.FunctionDef)
    )


def _wording(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and (_name(node.func) in WORDS or _name(node.func).endswith("Error"))


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _siblings(tree: ast.Module) -> dict[str, str]:
    """Functions of the module that take the same: each with the next of them."""
    alike: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.args.args and not node.name.startswith("__"):
            alike.setdefault(
                f"{ast.unparse(node.args)} -> {ast.unparse(node.returns) if node.returns else ''}", []
            ).append(node.name)
    return {
        name: names[(i + 1) % len(names)] for names in alike.values() for i, name in enumerate(names) if len(names) > 1
    }


# -- what is made of it
# ---------------------------------------------------------------------------------------------------------

Variants = Iterator[tuple[str, ast.AST | None]]


def _variants(node: ast.AST, parent: ast.AST, field: str, siblings: dict[str, str], top: bool) -> Variants:
    if isinstance(node, ast.expr):
        yield from _expression(node, parent, field, siblings, top)
    elif isinstance(node, ast.stmt):
        yield from _statement(node)
    elif isinstance(node, ast.match_case):
        if node.guard is not None:
            yield "drop condition", ast.match_case(node.pattern, None, node.body)
            yield "negate condition", ast.match_case(node.pattern, _negated(node.guard), node.body)
        if isinstance(parent, ast.Match) and len(parent.cases) > 1:
            yield "drop case", None
    elif isinstance(node, ast.MatchOr):
        for i in range(len(node.patterns)):
            yield "drop alternative", _one_or(ast.MatchOr, _without(node.patterns, i))
    elif isinstance(node, ast.comprehension):
        for i in range(len(node.ifs)):
            yield "drop condition", ast.comprehension(node.target, node.iter, _without(node.ifs, i), node.is_async)


def _expression(node: ast.expr, parent: ast.AST, field: str, siblings: dict[str, str], top: bool) -> Variants:
    if (field == "test" and isinstance(parent, (ast.If, ast.While, ast.IfExp))) or field == "ifs":
        yield "negate condition", _negated(node)
    match node:
        case ast.BoolOp(operation, operands):
            for i in range(len(operands)):
                yield "drop condition", _one_or(partial(ast.BoolOp, operation), _without(operands, i))
            yield "and/or", ast.BoolOp(ast.Or() if isinstance(operation, ast.And) else ast.And(), operands)
        case ast.Compare(left, [operation], [right]):
            yield "compare", ast.Compare(left, [COMPARED[type(operation)]()], [right])
        case ast.BinOp(left, operation, right) if not _is_text(left):
            if type(operation) in CALCULATED and not (top and isinstance(operation, ast.BitOr)):
                yield "operator", ast.BinOp(left, CALCULATED[type(operation)](), right)
            if isinstance(operation, ORDERED):
                yield "swap operands", ast.BinOp(right, operation, left)
        case ast.Constant(bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(int(value)):
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case ast.Constant(str(value)) if value in TOKENS:
            yield "instruction", ast.Constant(TOKENS[value])
        case ast.UnaryOp(ast.Not(), operand) if field not in ("test", "ifs"):
            yield "negate condition", operand
        case ast.Call():
            yield from _call(node, siblings)
        case ast.Tuple(items) | ast.List(items) | ast.Set(items) if _is_table(node, parent, field, top):
            for i in range(len(items)):
                other = deepcopy(node)
                del other.elts[i]  # type: ignore[attr-defined]
                yield "drop element", other
        case ast.Dict(keys, values) if len(keys) > 1:
            for i in range(len(keys)):
                yield "drop element", ast.Dict(_without(keys, i), _without(values, i))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def _call(node: ast.Call, siblings: dict[str, str]) -> Variants:
    name = _name(node.func)
    if name in COPIES and len(node.args) == 1 and not node.keywords:
        yield "skip copy", node.args[0]
    other = siblings.get(name) or NEIGHBOURS.get(name)
    if other is not None:
        func = deepcopy(node.func)
        if isinstance(func, ast.Attribute):
            func.attr = other
        else:
            assert isinstance(func, ast.Name)
            func.id = other
        yield "sibling", ast.Call(func, node.args, node.keywords)


def _is_table(node: ast.expr, parent: ast.AST, field: str, top: bool) -> bool:
    if (
        not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        or isinstance(parent, ast.Subscript)
        or len(node.elts) < 2
    ):  # type: ignore[attr-defined]
        return False
    if all(isinstance(item, ast.Constant) and isinstance(item.value, str) and " " in item.value for item in node.elts):  # type: ignore[attr-defined]
        return False
    asked = (
        isinstance(parent, ast.Call)
        and _name(parent.func) == "isinstance"
        or isinstance(parent, ast.Compare)
        and field == "comparators"
    )
    return asked or top or isinstance(node, ast.Set) or len(node.elts) > 3  # type: ignore[attr-defined]


def _statement(node: ast.stmt) -> Variants:
    match node:
        case ast.Return(value) if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
            yield "return nothing", ast.Return(ast.Constant(None))
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "drop statement", ast.Pass()
        case ast.Assign([ast.Attribute() | ast.Subscript()], _):
            yield "drop statement", ast.Pass()
        case ast.Break():
            yield "break/continue", ast.Continue()
        case ast.Continue():
            yield "break/continue", ast.Break()
        case ast.If(_, body, []):
            yield "drop condition", ast.If(ast.Constant(True), body, [])
        case ast.Try(body, [_], orelse, []):
            yield "drop except", ast.If(ast.Constant(True), [*body, *orelse], [])
        case ast.FunctionDef() if (
            node.returns is not None and ast.unparse(node.returns) == "None" and len(node.body) > 1
        ):
            first = 1 if ast.get_docstring(node) is not None else 0
            yield "return at once", _with_body(node, [*node.body[:first], ast.Return(None), *node.body[first:]])


def _with_body(node: ast.FunctionDef, body: list[ast.stmt]) -> ast.FunctionDef:
    other = deepcopy(node)
    other.body = body
    return other


def _negated(node: ast.expr) -> ast.expr:
    return (
        node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else ast.UnaryOp(ast.Not(), node)
    )


def _without(items: list, i: int) -> list:
    return items[:i] + items[i + 1 :]


def _one_or(several: Callable[[list], ast.AST], rest: list) -> ast.AST:
    several_left: ast.AST = rest[0] if len(rest) == 1 else several(rest)
    return several_left
