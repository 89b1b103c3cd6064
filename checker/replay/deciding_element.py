"""The element of an `all` or `any` that decides a condition: its first counterexample, or its first witness.

Another version of the condition is then explained by this element alone.

Where it stops: rules are entered only as deep as reasons show them.
"""

from __future__ import annotations

import ast

from checker.replay.guards import DEEPEST, bindings, quantifier_of, rule_body, truth_of
from checker.replay.scope import Element, Scope


def deciding_element(node: ast.expr, scope: Scope, wanted: bool, depth: int) -> Element:
    """The element that decides why a condition does not have the wanted truth."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return deciding_element(node.operand, scope, not wanted, depth)
    if isinstance(node, ast.BoolOp):
        parts = (part for part in node.values if truth_of(part, scope) is not wanted)
        return next(filter(None, (deciding_element(part, scope, wanted, depth) for part in parts)), ())
    quantified = quantifier_of(node)
    if quantified is not None:
        generator, universal = quantified
        found = bindings(generator, scope) if universal == wanted else iter(())
        decides = (n for n in found if truth_of(generator.elt, scope.with_names(n)) is not wanted)
        return tuple(next(decides, {}).values())
    inner = rule_body(node, scope) if isinstance(node, ast.Call) and depth < DEEPEST else None
    return deciding_element(*inner, wanted, depth + 1) if inner is not None else ()
