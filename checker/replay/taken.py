"""How the value of a method comes about: the `return` that is reached, the condition that leads to it, the operands.

The statements of the method are followed one by one in the present state, with local names of their own.  Only methods
that compute are followed: assignments, `if`, `for`, `return`.

Where it stops: a `while`, a `break` or `continue` and an error in a statement have no explanation.
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from attrs import evolve

from checker.frozen import frozen
from checker.replay.deciding_element import deciding_element
from checker.replay.guards import SHOWN, bound_text, truth_of, why
from checker.replay.operands import listed, operands, read_by
from checker.replay.plain import value_text
from checker.replay.scope import Element, Scope
from checker.wording import WITH

LONGEST = 200  # the largest number of characters of an explanation that is no condition


@frozen
class Condition:
    """A test that was decided on the way to a `return`, and its place."""

    test: ast.expr
    truth: bool
    scope: Scope
    bound: str = ""  # the variables of the loop around the test

    @property
    def text(self) -> str:
        """Why the test is true or false."""
        return f"{f'for {self.bound}: ' if self.bound else ''}{why(self.test, self.scope, not self.truth, 1)}"

    @property
    def line(self) -> int:
        """The line of the test in the function."""
        return self.test.lineno


@frozen
class Taken:
    """The returned expression, its value and the line in the function; the condition that led to it."""

    expression: ast.expr
    value: Any
    line: int
    scope: Scope
    condition: Condition | None = None

    def reason(self, other: Taken | None) -> tuple[str, int]:
        """The condition and its line, unless another version has it as well; else the operands and the line of the
        `return`; "" if there are none.  For a computed truth, why it is true or false.
        """
        if isinstance(self.value, bool) and not isinstance(self.expression, ast.Constant):
            return why(self.expression, self.scope, not self.value, 1), self.line
        mine, theirs = self.condition, other.condition if other is not None else None
        same = mine is not None and theirs is not None and _alike(mine.test, theirs.test) and mine.truth == theirs.truth
        if mine is not None and not same:
            return mine.text, mine.line
        return self._member(other) or _with_operands(self.expression, self.scope, self.value), self.line

    def _member(self, other: Taken | None) -> str:
        """For a filtered set, the first member that only one version has, with the filter."""
        for test, names, element in self._filtered() if other is not None else ():
            inner = self.scope.with_names(names)
            truth = truth_of(test, inner)
            if other is not None and truth is not None and truth != (element in set(other.value)):
                shown = evolve(inner, element=other.deciding(element))
                return f"for {bound_text(names)}: {why(test, shown, not truth, 1)}"
        return ""

    def deciding(self, element: Any) -> Element:
        """Of a filtered set the element of an `all` or `any` that decides whether this is a member; () if none does."""
        for test, names, member in self._filtered():
            if member == element:
                inner = self.scope.with_names(names)
                return deciding_element(test, inner, not truth_of(test, inner), 1)
        return ()

    def _filtered(self) -> Iterator[tuple[ast.expr, dict[str, Any], Any]]:
        """Of a filtered set the filter, with the variables for each candidate and the member that it would be."""
        match self.expression:
            case ast.SetComp(ast.Name() as member, [ast.comprehension(target, domain, [_, *_] as filters)]):
                test = filters[0] if len(filters) == 1 else ast.BoolOp(ast.And(), filters)
                for value in self.scope.value(domain):
                    names = _assigned(target, value, {})
                    yield test, names, self.scope.with_names(names).value(member)


def taken_return(method: Callable[..., Any], arguments: Sequence[Any], value: Any, earlier: Any = None) -> Taken | None:
    """How a method of a model comes to return a value; None if it cannot be followed or returns a constant.  earlier:
    the model before the step, if known."""
    function = method.__func__  # type: ignore[attr-defined]
    try:
        bound = inspect.signature(method).bind(*arguments)
        bound.apply_defaults()
        code, node = function.__code__, _function(function)
        names = {code.co_varnames[0]: method.__self__, **bound.arguments}  # type: ignore[attr-defined]
        names = {**function.__globals__, **inspect.getclosurevars(function).nonlocals, **names}
        found = _follow(node.body, Scope(names, code.co_varnames[0], earlier=earlier), value)
    except Exception:  # a method that cannot be followed has no explanation
        return None
    if found is None or isinstance(found.expression, ast.Constant) and found.condition is None:
        return None
    return found


@cache
def _function(function: Callable[..., Any]) -> ast.FunctionDef:
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise TypeError(f"{function} has no statements")
    return node


# Statements


def _follow(block: Sequence[ast.stmt], scope: Scope, value: Any) -> Taken | None:
    """The `return` that a block reaches; scope: assignments of the block change its names."""
    passed: Condition | None = None  # the condition that led past the statement before
    for statement in block:
        match statement:
            case ast.Return(expression):
                return _chosen(expression or ast.Constant(None), statement.lineno, scope, value, passed)
            case ast.If(test, body, orelse):
                truth = bool(scope.value(test))
                condition = Condition(test, truth, scope.with_names({}))
                found = _follow(body if truth else orelse, scope, value)
                if found is not None:
                    return found if found.condition is not None else evolve(found, condition=condition)
                passed = condition if _returns(statement) else None
            case ast.For(target, domain, body, []):
                found = _looped(target, scope.value(domain), body, scope, value)
                if found is not None:
                    return found
                passed = _unsatisfied(statement, scope)
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign():
                module = ast.Module([copy.deepcopy(statement)], [])
                exec(compile(ast.fix_missing_locations(module), "<rule>", "exec"), scope.names)
            case _:
                raise TypeError(f"{type(statement).__name__} is not followed")
    return None


def _chosen(node: ast.expr, line: int, scope: Scope, value: Any, passed: Condition | None) -> Taken:
    """The branch of a conditional expression that is taken."""
    while isinstance(node, ast.IfExp):
        passed = Condition(node.test, bool(scope.value(node.test)), scope)
        node = node.body if passed.truth else node.orelse
    return Taken(node, value, line, scope, passed)


def _looped(target: ast.expr, domain: Any, body: Sequence[ast.stmt], scope: Scope, value: Any) -> Taken | None:
    for element in domain:
        names = _assigned(target, element, scope.names)
        found = _follow(body, scope, value)
        if found is not None and found.condition is not None and not found.condition.bound:
            found = evolve(found, condition=evolve(found.condition, bound=bound_text(names)))
        if found is not None:
            return found
    return None


def _unsatisfied(loop: ast.For, scope: Scope) -> Condition | None:
    """The condition of a loop that returns its first matching element, if no element matches."""
    match loop.body:
        case [ast.If(test, [ast.Return()], [])]:
            elements = ast.GeneratorExp(test, [ast.comprehension(loop.target, loop.iter, [], 0)])
            found = ast.copy_location(ast.Call(ast.Name("any", ast.Load()), [elements], []), test)
            return Condition(found, False, scope.with_names({}))
    return None


def _assigned(target: ast.expr, value: Any, names: dict[str, Any]) -> dict[str, Any]:
    """The variables of a target with the values assigned to them, which are also added to the names."""
    module = ast.Module([ast.Assign([copy.deepcopy(target)], ast.Name("value of a target", ast.Load()))], [])
    space = {"value of a target": value}
    exec(compile(ast.fix_missing_locations(module), "<rule>", "exec"), space)
    found = {n.id: space[n.id] for n in ast.walk(target) if isinstance(n, ast.Name)}
    names |= found
    return found


def _returns(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Return) for n in ast.walk(node))


def _alike(one: ast.expr, two: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(two)


# Operands


def _with_operands(node: ast.expr, scope: Scope, value: Any) -> str:
    """An expression with the values that it reads: "max(a, b) + 1 with a = 0 and b = 1"."""
    if isinstance(node, ast.Constant | ast.Name):  # the name of a local variable says nothing
        return ""
    whole, parts = scope.text(node), list(operands(node, scope))
    if not parts or parts == [node]:  # a value of the state or of a local variable: what it is looked up by
        parts = list(_keys(node, scope))
    read = read_by(parts, scope)
    shown = len(read) <= SHOWN and list(read.values()) not in ([], [value_text(value)])
    text = f"{whole}{WITH}{listed(read)}" if shown else whole
    text = text if len(text) <= LONGEST else whole
    return text if len(text) <= LONGEST and text != value_text(value) else ""


def _keys(node: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    """The places at which a value is looked up, unless they are local variables, whose values stand in the text:
    table[place] in Value[table[place]]."""
    while isinstance(node, ast.Subscript):
        yield from (part for part in operands(node.slice, scope) if not isinstance(part, ast.Name))
        node = node.value
