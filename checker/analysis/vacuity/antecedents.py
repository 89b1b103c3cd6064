"""The antecedent of a property, the condition under which it constrains a state, derived from its lowered form.

`all(body for x in xs if cond)` constrains no state in which no x satisfies cond.  `not a or b` and `b if a else True`
constrain no state in which a is false, nor does `if a: return b` before `return True`; an early `return True` is
similar.  For each such form the antecedent is a
predicate that is true where the body must hold.  A property of another form has no antecedent, and nothing is claimed
about it. `a or b` without a negation has none, because it may be a case distinction; nor has `all(False for ... if c)`,
which states that c is never true.

An antecedent evaluates no more than the property itself evaluates where it holds, in the same order.  The evaluation of
an antecedent therefore fails only where that of the property fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.build import BOOL, FALSE, TRUE
from checker.ir.model import Function, Model
from checker.ir.visit import rewrite, walk


@frozen
class Antecedent:
    """A predicate: where it is false, `property` (of the given kind) makes no claim."""

    property: str
    kind: str
    function: Function


def antecedents(model: Model) -> list[Antecedent]:
    """The antecedents of invariants, step invariants and quiescence properties; of a leads-to property its `when`."""
    found = []
    for p in model.properties:
        bodies: list[tuple[s.Statement, ...]] = []
        if p.kind in ("invariant", "step", "quiescence"):
            function = model.function(p.function)
            bodies = list(_bodies(function.body))
        elif p.kind == "leads-to":
            calls = [model.function(when) for when in dict.fromkeys(when for when, _ in p.each)]
            function = calls[0]
            always = all(n.value == TRUE for n in walk(function.body) if isinstance(n, s.Return))
            bodies = [] if len(calls) == 1 and always else [f.body for f in calls]
        for number, body in enumerate(bodies):
            predicate = Function(f"antecedent {number} of {p.name}", (), function.locals, BOOL, body)
            found.append(Antecedent(p.name, p.kind, predicate))
    return found


def negated(function: Function) -> Function:
    """The function that is true where the given one is false."""

    def other(node: Any) -> Any:
        return s.Return(node.line, e.Not(BOOL, node.value)) if isinstance(node, s.Return) else node

    return evolve(function, body=rewrite(function.body, other))


def _bodies(body: tuple[s.Statement, ...]) -> Iterator[tuple[s.Statement, ...]]:
    """The body, with each condition of its last statement as the result."""
    *before, last = _as_claim(body)
    if not isinstance(last, s.Return):
        return
    prefix: list[s.Statement] = []
    early = False
    for statement in before:
        match statement:
            case s.If(line, condition, (s.Return(_, e.Const()),), ()):
                prefix.append(s.If(line, condition, (s.Return(line, FALSE),)))
                early = True
            case _ if any(isinstance(n, s.Return) for n in walk(statement)):
                return
            case _:
                prefix.append(statement)
    for condition in conditions(last.value) or ([TRUE] if early else []):
        yield (*prefix, s.Return(last.line, condition))


def _as_claim(body: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
    """`if a: return b` before `return True` as the claim `b if a else True`."""
    match body[-2:]:
        case s.If(line, condition, (s.Return(_, then),), ()), s.Return(_, e.Const(_, 1)) if not isinstance(
            then, e.Const
        ):
            return (*body[:-2], s.Return(line, e.IfElse(BOOL, condition, then, TRUE)))
    return body


def conditions(claim: e.Expression) -> list[e.Expression]:
    """The antecedents of the claim, and of each part of a conjunction."""
    match claim:
        case e.And(_, operands):
            return [c for operand in operands for c in conditions(operand)]
        case e.Quantifier(_, "all", generators, body) if body != FALSE:
            inner = conditions(body)
            if not inner and all(isinstance(g.iterable, e.Domain) and not g.conditions for g in generators):
                return []
            return [_exists(generators, c) for c in inner or [TRUE]]
        case e.Or(_, operands):
            return _escaped(operands)
        case e.IfElse(_, condition, then, e.Const(_, 1)):
            return [_both((condition, c)) for c in conditions(then)] or [condition]
    return []


def _escaped(operands: tuple[e.Expression, ...]) -> list[e.Expression]:
    """Of `not a or b`: a, and the antecedent of b."""
    *escapes, claim = operands
    negated = tuple(x.value if isinstance(x, e.Not) else e.Not(BOOL, x) for x in escapes)
    if inner := conditions(claim):
        return [_both((*negated, c)) for c in inner]
    places = [i for i, x in enumerate(escapes) if _reads_as_negation(x)]
    return [_both(negated[: places[-1] + 1])] if places else []


def _reads_as_negation(x: e.Expression) -> bool:
    """Whether the first operand of `or` reads as a negation: `not a`, `a != b` and `a is None` state when the rest
    matters; `a is not None or b` is a case distinction.
    """
    if isinstance(x, e.Not):
        return not isinstance(x.value, e.IsNone)
    return isinstance(x, e.IsNone) or isinstance(x, e.Compare) and x.operator == "!="


def _exists(generators: tuple[e.Generator, ...], condition: e.Expression) -> e.Expression:
    if isinstance(condition, e.Quantifier) and condition.operator == "any":
        return e.Quantifier(BOOL, "any", (*generators, *condition.generators), condition.body)
    return e.Quantifier(BOOL, "any", generators, condition)


def _both(parts: tuple[e.Expression, ...]) -> e.Expression:
    return parts[0] if len(parts) == 1 else e.And(BOOL, parts)


def conjuncts(condition: e.Expression) -> tuple[e.Expression, ...]:
    """The parts of a conjunction; of anything else itself."""
    return condition.operands if isinstance(condition, e.And) else (condition,)
