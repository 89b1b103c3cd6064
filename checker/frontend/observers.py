"""Observers of events: the on_... methods of properties, executed where the event is emitted."""

from __future__ import annotations

import ast

from checker.frontend import functions, lattice, supported
from checker.frontend.coerce import coerce
from checker.frontend.scope import Frame, Incomplete
from checker.ir import expressions as e
from checker.language.definition import MethodDefinition
from checker.wording import counted


def notify(f: Frame, node: ast.AST, name: str, arguments: list[e.Expression]) -> None:
    """Run the observers' handlers of an event."""
    f.program.emitted.setdefault(name, set()).add(tuple(a.type for a in arguments))
    for owner in f.program.definition.observers:
        key = f"{owner}.on_{name}"
        method = f.program.definition.methods.get(key)
        if method is not None:
            _handle(f, node, method, key, arguments)


def _handle(f: Frame, node: ast.AST, method: MethodDefinition, key: str, arguments: list[e.Expression]) -> None:
    text = supported.checked(method.function)
    names = [a.arg for a in text.parameters]
    if len(names) != len(arguments):
        shown = f"{key}({', '.join(names)})"
        remedy = "Give the handler one parameter for each argument."
        f.refuse(node, f"the event has {counted(len(arguments), 'argument')}, {shown} takes {len(names)}", remedy)
    annotated = dict(method.parameters)
    if any(lattice.unknown(a.type) for a in arguments):
        raise Incomplete
    given: dict[str, functions.Argument] = {
        n: coerce(f, node, a, functions.roomy(d.ir, a.type)) if (d := annotated.get(n)) else a
        for n, a in zip(names, arguments)
    }
    functions.inline(f, node, method, text, given, key, observer=True)
