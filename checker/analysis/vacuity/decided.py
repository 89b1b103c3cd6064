"""Comparisons in rules that the types decide: `number >= 0`, where number is a natural number.

Such a comparison has one value in every state, so the condition that it was written for states nothing.  The bounds of
the types are compared (interval analysis), nothing is searched.  Only comparisons with a number in the text count: with
a constant of the model they are meant to depend on the configuration.  Where it stops: a comparison whose value follows
from more than the bounds of its two sides.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from checker.frontend.lower import noted
from checker.language.definition import Definition
from checker.results.vacuity import Vacuity, own_words


def decided_comparisons(definition: Definition) -> Iterator[Vacuity]:
    """The comparisons of a number with one in the text, in the rules of a model, that have the same value at every
    place where they are asked.
    """
    whole, _ = noted(definition)
    for place, found in whole.compared.items():
        method = definition.methods.get(place.method)
        if method is not None and method.rule and method.owner is None and _with_a_number(place.node):
            values = set(found)
            if values in ({True}, {False}):
                text, always = own_words(place.text), str(values.pop()).lower()
                why = f"in {place.where} {text} is always {always} with these types and constants"
                yield Vacuity("decided-by-types", f"{place.method}: {text}", why, names=(place.method,))


def _with_a_number(node: ast.AST) -> bool:
    sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
    bare = (side.operand if isinstance(side, ast.UnaryOp) else side for side in sides)
    return any(isinstance(side, ast.Constant) for side in bare)
