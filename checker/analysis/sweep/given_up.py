"""Handlers that may refuse a message, and networks with messages that nobody handles: what stands first in a FIFO
channel would hold up the others.

Both are read off the lowered bodies.  A message is refused where a `require` is not met or a `choose` has nothing to
choose from; whether that ever happens is not asked, so a handler may be named that never refuses.  The branches in
which the language lets a process crash are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from checker.frontend.lower import lower
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.visit import rewrite, walk
from checker.language.definition import Definition


def refused(definition: Definition) -> str | None:
    """A handler that may refuse a message, or a network with messages that nobody handles: nothing follows from
    unordered channels for quiescent states and whole runs.

    That its process has crashed is no refusal, since nothing is in flight to a crashed process: the bodies are those of
    a configuration without crashes, in which no handler asks for it.
    """
    calm = evolve(definition, constants={**definition.constants, "crashes": 0})
    bodies = {a.name: a.body for a in lower(calm).actions}
    for variable in definition.variables:
        if variable.network is not None and not variable.network.fifo:
            handlers = [a for a in definition.actions if a.kind == "receive" and a.network == variable.name]
            for handler in handlers:
                if handler.quorum is not None:  # a message waits for others, and holds up those behind it
                    return handler.name
                taken = next(i for i, x in enumerate(bodies[handler.name]) if isinstance(x, s.BagRemove))
                if any(map(_may_disable, walk(rewrite(bodies[handler.name][taken:], _without_crashes)))):
                    return handler.name
            body = variable.network.body.ir
            variants = {v.name for v in body.variants} if isinstance(body, t.Union) else set()
            handled = {a.variant for a in handlers}
            if not handlers or None not in handled and variants != handled:
                return variable.name
    return None


def _without_crashes(node: Any) -> Any:
    """A statement without its crash branches, and without a choice that has something to choose from."""
    if isinstance(node, s.If):
        then, other = (() if _crashes(branch) else branch for branch in (node.then, node.other))
        return evolve(node, then=then, other=other)
    return evolve(node, body=node.body[1:]) if isinstance(node, s.While) and _chooses_one(node) else node


def _chooses_one(loop: s.While) -> bool:
    """The loop goes on while a collection has members, and begins with the choice of one."""
    match loop.condition, loop.body[:1]:
        case e.Compare(_, ">", e.Length(_, members), e.Const(_, 0)), (s.Choose(_, _, iterable),):
            return bool(members == iterable)
    return False


def _may_disable(node: Any) -> bool:
    """A guard, or a choice that may have nothing to choose from."""
    if isinstance(node, s.Require):
        return not (isinstance(node.condition, e.Const) and node.condition.value == 1)
    return isinstance(node, s.Choose) and not isinstance(node.iterable, e.Domain)


def _crashes(branch: Sequence[s.Statement]) -> bool:
    """A branch that ends the step with the crash of the acting process, as the language adds them."""
    return bool(branch) and isinstance(branch[-1], s.Stop) and branch[-1].crash
