"""The text of one statement that is about to be executed, with the values of its conditions, targets and arguments.

Where it stops: an expression that may have effects (`pop`, a method of several statements) is not evaluated, and is
shown as written.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from checker.frontend.changes import OPERATION
from checker.frontend.kinds import OPERATIONS
from checker.language.network import NetworkValue
from checker.language.places import function_node, written
from checker.replay.guards import DEEPEST, truth_of, why
from checker.replay.plain import value_text
from checker.replay.returned import is_one_return
from checker.replay.scope import Scope

EFFECTS = frozenset({*OPERATION, "send", "multicast", "deliver", "choose", "require", "choice"})
"""Calls that change a collection, send, emit or choose, by name."""
ENDS: dict[type[ast.stmt], str] = {
    ast.Break: "leaves the loop",
    ast.Continue: "goes on with the next round",
    ast.Pass: "does nothing more",
}
"""Statements that end something, and do nothing else."""


def in_words(node: ast.stmt, scope: Scope) -> tuple[str, str, bool]:
    """The text of a statement that is about to be executed, a key that distinguishes it, whether it is an effect."""
    match node:
        case ast.If(test) | ast.While(test):
            return _condition("finds", "finds", test, scope)
        case ast.Assert(test):
            return _condition("goes on", "fails", test, scope)
        case ast.Expr(ast.Call(ast.Name("require"), [test])):
            return _condition("goes on", "waits", test, scope)
        case ast.Expr(ast.Call() as call):
            text = _call(call, scope)
            return text, text, not _is_local(call, scope)
        case ast.For(_, domain):
            text = value_text([*scope.value(domain)]) if is_pure(domain, scope) else scope.text(domain)
            return f"goes through {text}", text, False
        case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
            text = _evaluated(value, scope)
            return f"has {name} = {text}", text, False
        case ast.Assign([ast.Tuple(names)], value) if all(isinstance(name, ast.Name) for name in names):
            text = f"{scope.text(node.targets[0])} = {_evaluated(value, scope)}"
            return f"has {text}", text, False
        case ast.Assign([target], value):
            text = f"{_target(target, scope)} to {_evaluated(value, scope)}"
            return f"sets {text}", text, True
        case ast.AugAssign(target, operator, value):
            sum = ast.BinOp(ast.parse(ast.unparse(target), mode="eval").body, operator, value)
            text = f"{_target(target, scope)} to {_evaluated(sum, scope)}"
            return f"{'has' if isinstance(target, ast.Name) else 'sets'} {text}", text, not isinstance(target, ast.Name)
        case ast.Return(None):
            return "ends", "ends", False
        case ast.Break() | ast.Continue() | ast.Pass():
            return ENDS[type(node)], ENDS[type(node)], False
        case ast.Return(ast.expr() as value):
            text = _evaluated(value, scope)
            return f"returns {text}", text, False
        case ast.Match(subject):
            text = _evaluated(subject, scope)
            return f"has {text}", text, False
    text = written(node).partition("\n")[0]
    return f"does {text}", text, True


def members(node: ast.stmt, scope: Scope) -> Iterator[tuple[str, str]]:
    """The members that a comprehension selects, each with why its conditions are true."""
    match node:
        case ast.Assign(
            [ast.Name()],
            ast.ListComp(ast.Name(member), [ast.comprehension(ast.Name(bound), domain, [_, *_] as tests)]) as value,
        ) if member == bound and is_pure(value, scope):
            test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
            for element in scope.value(domain):
                inner = scope.with_names({bound: element})
                if truth_of(test, inner):
                    yield value_text(element), f"for {bound} = {value_text(element)}: {why(test, inner, False, 1)}"


def left_out(node: ast.stmt, scope: Scope) -> Iterator[tuple[str, str]]:
    """The elements that a comprehension does not select into a local variable, each with why a condition is false."""
    match node:
        case ast.Assign([ast.Name(name)], (ast.ListComp() | ast.SetComp()) as value) if (
            isinstance(value.elt, ast.Name) and len(value.generators) == 1 and is_pure(value, scope)
        ):
            (each,) = value.generators
            if isinstance(each.target, ast.Name) and each.target.id == value.elt.id and each.ifs:
                test = each.ifs[0] if len(each.ifs) == 1 else ast.BoolOp(ast.And(), each.ifs)
                for element in scope.value(each.iter):
                    inner = scope.with_names({each.target.id: element})
                    if truth_of(test, inner) is False:
                        text = value_text(element)
                        yield text, f"{name} leaves out {text}: {why(test, inner, True, 1)}"


def _condition(true: str, false: str, test: ast.expr, scope: Scope) -> tuple[str, str, bool]:
    if not is_pure(test, scope):
        return f"{true}: {scope.text(test)}", scope.text(test), False
    truth = bool(scope.value(test))
    colon = "" if true == false else ":"
    reason = why(test, scope, not truth, DEEPEST - 2)  # rules are explained two levels deep
    return f"{true if truth else false}{colon} {reason}", str(truth), not truth and true == "goes on"


def _call(call: ast.Call, scope: Scope) -> str:
    if any(isinstance(a, ast.Starred) for a in call.args):
        return f"does {scope.text(call)}"
    given = [_evaluated(a, scope) for a in call.args]
    named = [f"{k.arg}={_evaluated(k.value, scope)}" for k in call.keywords if k.arg]
    match call.func:
        case ast.Attribute(value, "send" | "multicast" as name) if isinstance(_quiet(value, scope), NetworkValue):
            if name == "send" and len(given) == 3 and not named:
                return f"sends {given[2]}{_as_another(given[0], scope)} to {given[1]}"
            if name == "multicast" and len(given) == 2:
                return f"multicasts {given[1]}{_as_another(given[0], scope)}" + "".join(
                    f" to {n.partition('=')[2]}" for n in named
                )
    return f"does {scope.text(call.func)}({', '.join([*given, *named])})"


def _as_another(sender: str, scope: Scope) -> str:
    """The sender of a message, if it is not the process that acts."""
    return f" as {sender}" if scope.actor is not None and sender != value_text(scope.actor) else ""


def _target(node: ast.expr, scope: Scope) -> str:
    """An assigned place, with the values of its keys."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return f"{_target(node.value, scope)}[{_evaluated(node.slice, scope)}]"
    return scope.text(node)


def _evaluated(node: ast.expr, scope: Scope) -> str:
    return value_text(scope.value(node)) if is_pure(node, scope) else scope.text(node)


def _is_local(call: ast.Call, scope: Scope) -> bool:
    """Whether a call changes a collection in a local variable, which is no part of the state."""
    match call.func:
        case ast.Attribute(ast.Name(name)) if name != scope.model_name:
            return type(scope.names.get(name)) in (set, list, dict)
    return False


def _quiet(node: ast.expr, scope: Scope) -> Any:
    return scope.value(node) if isinstance(node, ast.Name | ast.Attribute) else None


def is_pure(node: ast.expr, scope: Scope) -> bool:
    """Whether an expression can be evaluated here once more without an effect and without a choice."""
    try:
        if all(_is_pure_call(call, scope) for call in ast.walk(node) if isinstance(call, ast.Call)):
            value_text(scope.value(node))
            return True
    except Exception:  # the error occurs in the step itself too, or the expression is shown as written
        return False
    return False


def _is_pure_call(call: ast.Call, scope: Scope) -> bool:
    if not isinstance(call.func, ast.Name | ast.Attribute) or _called(call) in EFFECTS:
        return False
    if isinstance(call.func, ast.Name) and hasattr(builtins, call.func.id):
        return True
    try:
        method = scope.value(call.func)
    except NameError:  # a name that the expression itself binds, as in all(...)
        return True
    function = getattr(method, "__func__", method)
    if not inspect.isfunction(function):  # a method of a collection that the language does not have may change it
        own = getattr(method, "__self__", None)
        return not isinstance(own, list | set | dict) or f"c.{_called(call)}(v)" in OPERATIONS
    if "/checker/language/" in function.__code__.co_filename:
        return True
    mark = getattr(function, "__checker__", None)
    return mark.kind == "rule" if mark is not None else is_one_return(function) and _looks_pure(function)


def _looks_pure(function: Callable[..., Any]) -> bool:
    node = function_node(function)
    return node is not None and EFFECTS.isdisjoint(_called(c) for c in ast.walk(node) if isinstance(c, ast.Call))


def _called(call: ast.Call) -> str:
    """The last name of the callee."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))
