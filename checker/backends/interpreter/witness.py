"""Why a property is false: the first combination of the variables of its outermost `all(...)` for which it is false.

The property's own text is searched: in a conjunction the first false part, in a disjunction the first quantified part;
`all(body for x in A for y in B if c)` and `not any(...)` are executed with their variables recorded.  A property of
another form has no witness.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from checker.frozen import frozen
from checker.language.places import is_text, written


@frozen
class Witness:
    """Values of the quantified variables, by name (Python values of the model), and the text of the false condition."""

    values: dict[str, Any]
    condition: str


def witness(function: Callable[..., Any], self_object: Any) -> Witness | None:
    """The witness of a property that is false for this object, or None if its text has no quantifier."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return None
    method = tree.body[0]
    if not isinstance(method, ast.FunctionDef):
        return None
    returns = [n for n in method.body if isinstance(n, ast.Return)]
    prelude = [n for n in method.body if not isinstance(n, ast.Return) and not is_text(n)]
    if len(returns) != 1 or returns[0].value is None:
        return None
    return _Search(function, method.args.args[0].arg, prelude, self_object).failing(returns[0].value, [], {})


class _Search:
    def __init__(self, function: Callable[..., Any], self_name: str, prelude: list[ast.stmt], self_object: Any) -> None:
        self.function, self.self_name, self.prelude, self.self_object = function, self_name, prelude, self_object

    def failing(self, node: ast.expr, generators: list[ast.comprehension], values: dict[str, Any]) -> Witness | None:
        """The witness for an expression that is false under the values found so far."""
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for operand in node.values:
                if not self._value(operand, values):
                    return self.failing(operand, generators, values)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            part = next((operand for operand in node.values if _quantified(operand)), None)
            if part is not None:
                return self.failing(part, generators, values)
        inner = _quantified(node)
        if inner is None:
            return Witness(values, written(node)) if values else None
        generator, negated = inner
        found = self._first(generator, negated, values)
        if found is None:
            return None
        body = ast.UnaryOp(ast.Not(), generator.elt) if negated else generator.elt
        return self.failing(body, generators, values | found)

    def _value(self, node: ast.expr, values: dict[str, Any]) -> Any:
        return self._run(ast.Return(node), values)

    def _first(self, generator: ast.GeneratorExp, negated: bool, values: dict[str, Any]) -> dict[str, Any] | None:
        names = [name for g in generator.generators for name in _targets(g.target)]
        bound = ast.Dict([ast.Constant(n) for n in names], [ast.Name(n, ast.Load()) for n in names])
        test = generator.elt if negated else ast.UnaryOp(ast.Not(), generator.elt)
        last = generator.generators[-1]
        clauses = [*generator.generators[:-1], ast.comprehension(last.target, last.iter, [*last.ifs, test], 0)]
        call = ast.Call(ast.Name("next", ast.Load()), [ast.GeneratorExp(bound, clauses), ast.Constant(None)], [])
        found: dict[str, Any] | None = self._run(ast.Return(call), values)
        return found

    def _run(self, statement: ast.stmt, values: dict[str, Any]) -> Any:
        names = [self.self_name, *values]
        arguments = ast.arguments(
            posonlyargs=[], args=[ast.arg(n) for n in names], kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        definition = ast.FunctionDef(
            name="_witness", args=arguments, body=[*self.prelude, statement], decorator_list=[], type_params=[]
        )  # type: ignore[call-arg]
        module = ast.fix_missing_locations(ast.Module([definition], []))
        space = dict(getattr(self.function, "__globals__", {}))
        exec(compile(module, "<witness>", "exec"), space)  # the model's own text, with its variables recorded
        return space["_witness"](self.self_object, *values.values())


def _targets(target: ast.expr) -> list[str]:
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]


def _quantified(node: ast.expr) -> tuple[ast.GeneratorExp, bool] | None:
    """The generator of all(...) or, negated, of not any(...)."""
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    call = node.operand if isinstance(node, ast.UnaryOp) and negated else node
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) == 1:
        argument = call.args[0]
        if call.func.id == ("any" if negated else "all") and isinstance(argument, ast.GeneratorExp):
            return argument, negated
    return None
