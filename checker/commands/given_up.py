"""Handlers that may refuse a message, and networks with messages that nobody handles: what stands first in a FIFO
channel would hold up the others.

Both are read off the lowered bodies.  A message is refused where a `require` is not met or a `choose` has nothing to
choose from; whether that ever happens is not asked, so a handler may be named that never refuses.  The branches in
which the language lets a process crash are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from checker.frontend.lower import lower
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.language.definition import Definition


def refused(definition: Definition) -> str | None:
    """A handler that may refuse a message, or a network with messages that nobody handles: nothing follows from
    unordered channels for quiescent states and whole runs.

    That its process has crashed is no refusal, since nothing is in flight to a crashed process: the bodies are those of
    a configuration without crashes, in which no handler asks for it.
    """
    bodies = {
        a.name: a.body for a in lower(evolve(definition, constants={**definition.constants, "crashes": 0})).actions
    }
    for variable in definition.variables:
        if variable.network is not None and not variable.network.fifo:
            handlers = [a for a in definition.actions if a.kind == "receive" and a.network == variable.name]
            for handler in handlers:
                taken = next(i for i, x in enumerate(bodies[handler.name]) if isinstance(x, s.BagRemove))
                if any(map(_may_disable, _walk(bodies[handler.name][taken:]))):
                    return handler.name
            body = variable.network.body.ir
            variants = {v.name for v in body.variants} if isinstance(body, t.Union) else set()
            if (
                not handlers
                or all(a.variant is not None for a in handlers)
                and variants != {a.variant for a in handlers}
            ):
                return variable.name
    return None


def _walk(body: Sequence[s.Statement]) -> Iterator[s.Statement]:
    """The simple statements outside crash branches."""
    for statement in body:
        if isinstance(statement, (s.For, s.While)):
            yield from _walk(statement.body[1:] if _chooses_one(statement) else statement.body)
        elif isinstance(statement, s.If):
            for branch in (statement.then, statement.other):
                if not _crashes(branch):
                    yield from _walk(branch)
        elif isinstance(statement, s.Block):
            yield from _walk(statement.body)
        else:
            yield statement


def _chooses_one(loop: s.For | s.While) -> bool:
    """The loop goes on while a collection has members, and begins with the choice of one."""
    if not (isinstance(loop, s.While) and isinstance(loop.body[0], s.Choose) and isinstance(loop.condition, e.Compare)):
        return False
    test = loop.condition
    return (
        test.operator == ">"
        and isinstance(test.left, e.Length)
        and test.left.value == loop.body[0].iterable
        and isinstance(test.right, e.Const)
        and test.right.value == 0
    )


def _may_disable(statement: s.Statement) -> bool:
    """A guard, or a choice that may have nothing to choose from."""
    if isinstance(statement, s.Require):
        return not (isinstance(statement.condition, e.Const) and statement.condition.value == 1)
    return isinstance(statement, s.Choose) and not isinstance(statement.iterable, e.Domain)


def _crashes(branch: Sequence[s.Statement]) -> bool:
    """A branch that ends the step with the crash of the acting process, as the language adds them."""
    return bool(branch) and isinstance(branch[-1], s.Stop) and branch[-1].crash
