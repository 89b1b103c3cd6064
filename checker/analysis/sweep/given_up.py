"""Handlers that may refuse a message, and networks with messages that no handler receives: the head of a FIFO channel
would then block the messages behind it.

Both are read off the lowered bodies.  A handler refuses a message where a `require` is false or a `choose` has no
element. The analysis does not decide whether this happens in any state, so it may name a handler that never refuses.
It ignores the branches in which the language lets a process crash.
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
    """A handler that may refuse a message, or a network with messages that no handler receives: no verdict on quiescent
    states and whole runs is carried over from unordered channels.

    The crash of the receiver is no refusal, because nothing is in flight to a crashed process: the bodies are those of
    a configuration without crashes, in which no handler tests for a crash.
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
    """A statement without its crash branches, and without choices that always have an element."""
    if isinstance(node, s.If):
        then, other = (() if _crashes(branch) else branch for branch in (node.then, node.other))
        return evolve(node, then=then, other=other)
    return evolve(node, body=node.body[1:]) if isinstance(node, s.While) and _chooses_one(node) else node


def _chooses_one(loop: s.While) -> bool:
    """Whether the loop runs while a collection has members, and begins with the choice of one."""
    match loop.condition, loop.body[:1]:
        case e.Compare(_, ">", e.Length(_, members), e.Const(_, 0)), (s.Choose(_, _, iterable),):
            return bool(members == iterable)
    return False


def _may_disable(node: Any) -> bool:
    """Whether a statement is a guard, or a choice that may have no element."""
    if isinstance(node, s.Require):
        return not (isinstance(node.condition, e.Const) and node.condition.value == 1)
    return isinstance(node, s.Choose) and not isinstance(node.iterable, e.Domain)


def _crashes(branch: Sequence[s.Statement]) -> bool:
    """Whether a branch ends the step with the crash of the acting process, as the language adds it."""
    return bool(branch) and isinstance(branch[-1], s.Stop) and branch[-1].crash
