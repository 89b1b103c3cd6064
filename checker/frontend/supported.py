"""The Python that methods may use.  Other constructs are refused before anything is lowered, with a replacement."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from checker.frontend.refusal import Refused, together
from checker.frontend.source import Source, source

ALLOWED: tuple[type[ast.AST], ...] = tuple(
    getattr(ast, name)
    for name in (
        "FunctionDef arguments arg Return Assign AugAssign AnnAssign For While If Assert Expr Pass Break Continue "
        "Match match_case pattern BoolOp BinOp UnaryOp IfExp Dict Set ListComp SetComp DictComp GeneratorExp "
        "comprehension Compare Call keyword Constant Attribute Subscript Slice Name List Tuple Lambda Starred "
        "expr_context boolop operator unaryop cmpop"
    ).split()
)
KINDS = frozenset(kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ALLOWED))
"""Supported nodes with all their subclasses: a lookup is faster than `isinstance` with many classes."""

AN_IMPORT = (
    "an import",
    "Methods use the model's own names. What may be one value or another is chosen: x = choose(...).",
)
REMEDIES: dict[type[ast.AST], tuple[str, str]] = {
    ast.Import: AN_IMPORT,
    ast.ImportFrom: AN_IMPORT,
    ast.ClassDef: ("a class", "Declare records and unions in the class body."),
    ast.AsyncFunctionDef: ("an async function", "Write actions; each is one atomic step."),
    ast.Try: ("try", "Nothing raises: test the condition first."),
    ast.Raise: ("raise", "Use require(...) for guards and assert for properties."),
    ast.With: ("with", "There is nothing to open: a step is atomic."),
    ast.Global: ("global", "All state is in variables declared with var(...)."),
    ast.Nonlocal: ("nonlocal", "All state is in variables declared with var(...)."),
    ast.Delete: ("del", "Use remove(x), pop(i) or clear()."),
    ast.Yield: ("a generator", "Return a set or list."),
    ast.YieldFrom: ("a generator", "Return a set or list."),
    ast.Await: ("await", "Write actions; each is one atomic step."),
    ast.JoinedStr: ("a string built at run time", "Use an Enum, or emit an event with the values."),
    ast.NamedExpr: ("an assignment inside an expression", "Assign on a line of its own."),
}


_checked: dict[Any, Source] = {}


def checked(function: Callable[..., Any]) -> Source:
    """The source of a method that uses only supported constructs.  Raises Refused otherwise."""
    text = source(function)
    if _checked.get(function.__code__) is not text:
        refusals = [*_signature(text), *_defaults(text)] + [_refusal(text, node) for node in _outside(text.node)]
        if refusals:
            raise together(refusals)
        _checked[function.__code__] = text
    return text


def _outside(function: ast.FunctionDef) -> list[ast.AST]:
    """Nodes that are not in the language; annotations, defaults of types and messages of asserts are not examined."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if type(node) not in KINDS or isinstance(node, ast.FunctionDef) or _wrong_constant(node):
            found.append(node)
            continue
        if isinstance(node, ast.Assert):
            pending.append(node.test)
        elif isinstance(node, ast.AnnAssign):
            pending += [node.target, *([node.value] if node.value else [])]
        else:
            pending += ast.iter_child_nodes(node)
    return found


def _wrong_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float | complex | bytes | type(...))


def _refusal(text: Source, node: ast.AST) -> Refused:
    if isinstance(node, ast.Raise) and node.exc is not None and "NotImplementedError" in ast.unparse(node.exc):
        name = text.node.name
        return text.refused(node, f"{name} is called and not defined", f"Define {name} in the model.")
    if isinstance(node, ast.FunctionDef):
        what, remedy = "a function inside a method", "Make it a helper: an unmarked method of the class."
    elif isinstance(node, ast.Constant):
        what, remedy = f"a {type(node.value).__name__}", "Numbers are integers: scale them."
    else:
        unknown = type(node).__name__, "See what methods may use in the description of the language."
        what, remedy = REMEDIES.get(type(node), unknown)
    return text.refused(node, f"{what} is not in the language", remedy)


def _defaults(text: Source) -> list[Refused]:
    """A default is evaluated once in Python, so a collection would be shared by all calls."""
    collections = ast.List | ast.Dict | ast.Set | ast.Call | ast.ListComp | ast.SetComp | ast.DictComp
    wrong = [d for d in text.node.args.defaults if isinstance(d, collections)]
    remedy = "Give the collection in each call, or make it a local: x = set() in the body."
    return [text.refused(d, "a collection is the default of a parameter", remedy) for d in wrong]


def _signature(text: Source) -> list[Refused]:
    a = text.node.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs:
        return [text.refused(text.node, "a parameter with * is not in the language", "Name each parameter.")]
    if not a.args or a.args[0].arg != "self":
        what = f"{text.node.name} is a method without self"
        return [text.refused(text.node, what, "Give it self as its first parameter.")]
    return []
