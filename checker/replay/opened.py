"""Why a collection that a guard tests is empty: the filter of the comprehension that made it, evaluated for one
element.

A guard such as `len(ready) > 0` does not name the missing element.  Where `ready` is a variable of the action that a
filtered comprehension was assigned to, its filter is evaluated again for the elements that it left out, those of the
witness first.

Where it stops: the statement that assigns the variable must be in the same method, and be the last that assigns it
before the guard; changes by the statements in between are not undone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from checker.replay.guards import bindings, bound_text, truth_of, why
from checker.replay.plain import value_text
from checker.replay.scope import Scope

SHOWN = 2
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


def opened(condition: ast.expr, scope: Scope, file: str, line: int, witness: frozenset[str]) -> str:
    """Why elements are not in the empty collections that a condition in a line of a file names; "" if the reason cannot
    be determined.  If an element is a value of the witness, only such elements are explained.
    """
    for name in dict.fromkeys(n.id for n in ast.walk(condition) if isinstance(n, ast.Name)):
        made = _assigned(file, line, name) if _is_empty(scope.names.get(name)) else None
        if made is None:
            continue
        try:
            found = list(_left_out(made, scope))
        except Exception:  # a value that the comprehension read does not exist any more
            continue
        naming = [text for values, text in found if not witness.isdisjoint(values)] if witness else []
        texts = naming[:SHOWN] or [text for _, text in found][:SHOWN]
        more = len(found) - len(texts) if not naming else 0
        return "; ".join(texts) + (f"; and {more} more" if more else "")
    return ""


def _is_empty(value: object) -> bool:
    return hasattr(value, "__len__") and len(value) == 0


def _left_out(made: ast.expr, scope: Scope) -> Iterator[tuple[set[str], str]]:
    """For each element that the filter of a comprehension excludes: the values of the variables, and why the filter is
    false.
    """
    assert isinstance(made, COMPREHENSIONS)
    tests = [test for g in made.generators for test in g.ifs]
    unfiltered = [ast.comprehension(g.target, g.iter, [], g.is_async) for g in made.generators]
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
    for names in bindings(ast.GeneratorExp(made.elt, unfiltered), scope):
        inner = scope.with_names(names)
        if truth_of(test, inner) is False:
            yield set(map(value_text, names.values())), f"for {bound_text(names)}: {why(test, inner)}"


def _assigned(file: str, line: int, name: str) -> ast.expr | None:
    """The filtered comprehension that was assigned to a variable before a line, in the same function."""
    around = [f for f in _functions(file) if f.lineno <= line <= (f.end_lineno or f.lineno)]
    if not around:
        return None
    found: ast.expr | None = None
    for node in ast.walk(max(around, key=lambda f: f.lineno)):
        match node:
            case ast.Assign([ast.Name(target)], value) | ast.AnnAssign(ast.Name(target), _, ast.expr() as value):
                if target == name and node.lineno < line:
                    found = value
    match found:
        case ast.Call(ast.Name("set" | "list" | "sorted"), [inner, *_]):
            found = inner
    filtered = isinstance(found, COMPREHENSIONS) and any(g.ifs for g in found.generators)
    return found if filtered else None


@cache
def _functions(file: str) -> tuple[ast.FunctionDef, ...]:
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError):
        return ()
    return tuple(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))
