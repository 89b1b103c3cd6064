"""Events: self.emit.deliver(p, m) executes the on_deliver of every observer, in the order of the model's properties.

The event itself is not part of the lowered model; replay by the interpreter recovers the events of a trace.
"""

from __future__ import annotations

import ast

from checker.frontend import expressions, faults, lowering, observers
from checker.frontend import meaning as m
from checker.frontend.coerce import temporary
from checker.frontend.scope import Frame
from checker.ir.facts import may_fail
from checker.language.model import NETWORK_EVENTS


@lowering.called(m.Emit)
def emit(f: Frame, node: ast.Call, callee: m.Emit) -> None:
    """An emit statement."""
    name = callee.event
    if name is None:
        remedy = "Name the event: self.emit.name(p, ...)."
        f.refuse(node, f"{ast.unparse(node.func)} cannot be called as a statement", remedy)
    if f.body.pure:
        f.refuse(node, "an event is emitted in a rule, property or function", "Emit it in the action.")
    if name in NETWORK_EVENTS:
        f.refuse(node, f"{name} is an event of the networks themselves", "Choose another name for the event.")
    if node.keywords:
        f.refuse(node, "events take positional arguments", "self.emit.deliver(p, m)")
    for argument in node.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            remedy = "Name the event for what it says, self.emit.gave_up(p), and give it values."
            f.refuse(argument, "an event has no text", remedy)
    values = ((a, expressions.value(f, a)) for a in node.args)
    # arguments that may fail are computed here, because no observer may use them
    arguments = [temporary(f, a, value) if may_fail(value) else value for a, value in values]
    if name == "deliver":
        faults.cut(f, node)
    observers.notify(f, node, name, arguments)
