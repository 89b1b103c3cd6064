"""The value that a method of a model returns, and why, beside another version of it: in the same state, with the same
arguments.

Conditions that both versions have do not explain the edit and are left out.  If only one version has the deciding
condition, it is also named for the other version ("without the condition ...").

Where it stops: conditions of two versions are equal only if they are written alike.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from checker.frozen import frozen
from checker.language.places import of_function
from checker.replay.deciding_element import deciding_element
from checker.replay.guards import conjuncts, false_part, first_false, truth_of, why
from checker.replay.rule_bodies import body_of, file_line, rule_body
from checker.replay.scope import Element, Scope
from checker.replay.taken import Taken, taken_return


@frozen
class Beside:
    """Another version of a method in the same state: its true conjuncts, in a form that can be compared; the conjunct
    that makes it false, in that form and as text; the deciding element of an `all` or `any`; the path to its value
    (`checker.replay.taken`).
    """

    known: frozenset[str] = frozenset()
    false: tuple[str, str] = ("", "")
    element: Element = ()
    taken: Taken | None = None


def beside(method: Callable[..., Any], arguments: Sequence[Any], value: Any) -> Beside:
    """The data about another version, for `called`."""
    found = _returned(method, arguments)
    taken = taken_return(method, arguments, value)
    if found is None:
        return Beside(taken=taken)
    body, scope = found
    part = first_false(body, scope)
    false = (ast.dump(part), scope.text(part)) if value is False else ("", "")
    return Beside(_true_conjuncts(body, scope), false, _deciding_element(found, value), taken)


def called(
    method: Callable[..., Any], arguments: Sequence[Any], value: Any, other: Beside | None = None, earlier: Any = None
) -> tuple[str | None, int]:
    """Why a method of a model returns a value, and the deciding line: "" if it returns a constant, None if only the
    value can be stated.  other: the version with which it is compared; earlier: the model before the step, if known.
    """
    other = other or Beside()
    found = _returned(method, arguments, other.element, earlier)
    function = method.__func__  # type: ignore[attr-defined]
    if found is not None and isinstance(found[0], ast.Constant):
        return "", file_line(function, found[0].lineno)
    if found is None or not isinstance(value, bool):
        taken = taken_return(method, arguments, value, earlier)
        if taken is None:
            return None, of_function(function).line if found is None else file_line(function, found[0].lineno)
        reason, line = taken.reason(other.taken)
        return reason or None, file_line(function, line)
    body, scope = found
    if not value:
        return why(body, scope, True, 1), file_line(function, false_part(body, scope).lineno)
    deciding = [part for part in conjuncts(body) if ast.dump(part) not in other.known]
    if not deciding:
        return _lacking(other), file_line(function, body.lineno)
    whole = deciding[0] if len(deciding) == 1 else ast.BoolOp(ast.And(), deciding) if other.known else body
    return why(whole, scope, False, 1), file_line(function, (deciding[0] if other.known else body).lineno)


def _lacking(other: Beside) -> str | None:
    """The condition that makes the other version false, if this one has no condition that the other does not have."""
    return f"without the condition {other.false[1]}" if other.false[1] else None


def _true_conjuncts(body: ast.expr, scope: Scope) -> frozenset[str]:
    """The true conjuncts, also those after a false one: only this version may have them."""
    return frozenset(ast.dump(part) for part in conjuncts(body) if truth_of(part, scope) is True)


def _deciding_element(returned: tuple[ast.expr, Scope], value: Any) -> Element:
    """The values of the variables of the `all` or `any` whose first counterexample or witness decides the result; ()
    where no element decides.
    """
    return deciding_element(*returned, not value, 1) if isinstance(value, bool) else ()


def _returned(
    method: Callable[..., Any], arguments: Sequence[Any], element: Element = (), earlier: Any = None
) -> tuple[ast.expr, Scope] | None:
    call, scope = as_call(method, arguments)
    return rule_body(call, evolve(scope, element=element, earlier=earlier))


def as_call(method: Callable[..., Any], arguments: Sequence[Any]) -> tuple[ast.Call, Scope]:
    """The call of a method as an expression, with the scope in which it can be evaluated."""
    names = {f"a{number}": argument for number, argument in enumerate(arguments)}
    call = ast.Call(ast.Name("method", ast.Load()), [ast.Name(name, ast.Load()) for name in names], [])
    return call, Scope({"method": method, **names}, "")


def is_one_return(function: Callable[..., Any]) -> bool:
    """Whether a function is a single `return`, so that calling it has no effect."""
    body = body_of(function)
    return body is not None and not body[0]
