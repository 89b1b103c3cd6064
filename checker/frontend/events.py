"""Events: self.emit.deliver(p, m) runs the on_deliver of every observer, in the order of the model's properties.

The event itself leaves no trace in the lowered model: what happened is seen when a trace is replayed.
"""

from __future__ import annotations

import ast

from checker.frontend import expressions, faults, functions, lattice, supported
from checker.frontend.coerce import coerce
from checker.frontend.scope import Frame, Incomplete
from checker.ir import expressions as e
from checker.ir.facts import may_fail
from checker.language.definition import MethodDefinition
from checker.language.model import NETWORK_EVENTS


def emit(f: Frame, node: ast.Call, name: str) -> None:
    """An emit statement."""
    if f.body.pure:
        f.refuse(node, "an event is emitted in a rule, property or function", "Emit it in the action.")
    if name in NETWORK_EVENTS:
        f.refuse(node, f"{name} is an event of the networks themselves", "Choose another name for the event.")
    if node.keywords:
        f.refuse(node, "events take positional arguments", "self.emit.deliver(p, m)")
    for argument in node.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            f.refuse(
                argument,
                "an event has no text",
                "Name the event for what it says, self.emit.gave_up(p), and give it values.",
            )
    arguments = [_evaluated(f, a, expressions.value(f, a)) for a in node.args]
    if name == "deliver":
        faults.cut(f, node)
    tell(f, node, name, arguments)


def _evaluated(f: Frame, node: ast.expr, value: e.Expression) -> e.Expression:
    """The value computed here if that may fail: nobody may watch the event."""
    return f.temporary(node, value) if may_fail(value) else value


def tell(f: Frame, node: ast.AST, name: str, arguments: list[e.Expression]) -> None:
    """Run the observers' handlers of an event."""
    f.program.told.setdefault(name, set()).add(tuple(a.type for a in arguments))
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
        f.refuse(
            node,
            f"the event has {len(arguments)} arguments, {shown} takes {len(names)}",
            "Give the handler one parameter for each argument.",
        )
    annotated = dict(method.parameters)
    if any(lattice.unknown(a.type) for a in arguments):
        raise Incomplete
    given: dict[str, functions.Argument] = {
        n: coerce(f, node, a, functions.roomy(d.ir, a.type)) if (d := annotated.get(n)) else a
        for n, a in zip(names, arguments)
    }
    functions.inline(f, node, method, text, given, key, observer=True)
