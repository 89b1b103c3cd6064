"""The body of a rule as an expression in a scope: what a call of it asks, in the names of the rule.

Only a rule whose body ends with its one `return` has one; statements before it are executed, to give the expression its
names. Where it stops: a rule with several returns, or with arguments that cannot be evaluated alone.
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any

from attrs import evolve

from checker.replay.scope import Scope


def rule_body(node: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """The returned expression of a called method of the model, in its scope; None for a method of another form."""
    try:
        method = scope.value(node.func)
        if not inspect.ismethod(method) or isinstance(method.__self__, type):
            return None
        body = body_of(method.__func__)
        if body is None:
            return None
        prelude, result = body
        arguments = [scope.value(a) for a in node.args]
        keywords = {k.arg: scope.value(k.value) for k in node.keywords if k.arg}
        bound = inspect.signature(method).bind(*arguments, **keywords)
    except Exception:  # an expression that cannot be followed is shown as written
        return None
    bound.apply_defaults()
    code = method.__func__.__code__
    names = {code.co_varnames[0]: method.__self__, **bound.arguments}
    known = {**method.__func__.__globals__, **inspect.getclosurevars(method.__func__).nonlocals, **names}
    inner = evolve(scope, names=known, model_name=code.co_varnames[0])
    return (result, _after(prelude, inner)) if prelude else (result, inner)


@cache
def body_of(function: Callable[..., Any]) -> tuple[list[ast.stmt], ast.expr] | None:
    """The statements before the only `return` of a function, and the returned expression."""
    match ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]:
        case ast.FunctionDef(body=[*before, ast.Return(ast.expr() as result)]):
            prelude = [s for s in before if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
            early = any(isinstance(n, ast.Return) for s in prelude for n in ast.walk(s))
            return None if early else (prelude, result)
    return None


def file_line(function: Callable[..., Any], line: int) -> int:
    """The line in its file of a line in the source of a function, as the nodes of `body_of` have it."""
    return function.__code__.co_firstlineno + line - 1


def _after(prelude: list[ast.stmt], scope: Scope) -> Scope:
    """The scope after some statements."""
    names = dict(scope.names)
    exec(compile(ast.fix_missing_locations(ast.Module(copy.deepcopy(prelude), [])), "<rule>", "exec"), names)
    return evolve(scope, names=names)
