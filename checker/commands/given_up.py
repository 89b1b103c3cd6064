"""Steps that are not taken to their end: actions given up after a point at which their process may crash, and handlers that refuse a message.

Both are read off the lowered bodies.  A step is given up where a `require` is not met or a `choose` has nothing to choose from; whether that ever happens is not asked,
so an action may be named that never is given up.  The branches in which the language lets a process crash are left out.  They are known by what they do, put the process into
`crashed` and end the step; so nothing here is true of a model that changes `crashed` itself (`checker.commands.own_text` refuses it).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from checker.frontend.lower import lower
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition


def given_up_late(model: Lowered) -> str | None:
    """An action that can be given up after a point at which its process may crash: nothing follows from crashes for quiescent states and whole runs."""
    return next((a.name for a in model.actions if not a.fault and _gives_up_late(a.body)), None)


def refused(definition: Definition) -> str | None:
    """A handler that may refuse a message, or a network with messages that nobody handles: nothing follows from unordered channels for quiescent states.

    That its process has crashed is no refusal, since nothing is in flight to a crashed process: the bodies are those of a configuration without crashes, in which no handler asks for it.
    """
    bodies = {a.name: a.body for a in lower(evolve(definition, constants={**definition.constants, "crashes": 0})).actions}
    for variable in definition.variables:
        if variable.network is not None and not variable.network.fifo:
            handlers = [a for a in definition.actions if a.kind == "receive" and a.network == variable.name]
            for handler in handlers:
                taken = next(i for i, x in enumerate(bodies[handler.name]) if isinstance(x, s.BagRemove))
                if any(_may_disable(x) for x, _ in _walk(bodies[handler.name][taken:], True)):
                    return handler.name
            body = variable.network.body.ir
            variants = {v.name for v in body.variants} if isinstance(body, t.Union) else set()
            if not handlers or all(a.variant is not None for a in handlers) and variants != {a.variant for a in handlers}:
                return variable.name
    return None


def _gives_up_late(body: Sequence[s.Statement]) -> bool:
    """Whether a statement that may disable the instance can follow a crash point."""
    return any(late for _, late in _walk(body, False))


def _walk(body: Sequence[s.Statement], after: bool) -> Iterator[tuple[s.Statement, bool]]:
    """The statements outside crash branches, each with whether it may disable the instance though a crash point may have come before.

    In a loop the whole body may come after a crash point of its own.
    """
    for statement in body:
        if isinstance(statement, (s.For, s.While)):
            yield from _walk(statement.body[1:] if _chooses_one(statement) else statement.body, after or _has_crash_point([statement]))
        elif isinstance(statement, s.If):
            for branch in (statement.then, statement.other):
                if not _crashes(branch):
                    yield from _walk(branch, after)
        elif isinstance(statement, s.Block):
            yield from _walk(statement.body, after)
        else:
            yield statement, after and _may_disable(statement)
        after = after or _has_crash_point([statement])


def _chooses_one(loop: s.For | s.While) -> bool:
    """The loop goes on while a collection has members, and begins with the choice of one."""
    if not (isinstance(loop, s.While) and isinstance(loop.body[0], s.Choose) and isinstance(loop.condition, e.Compare)):
        return False
    test = loop.condition
    return test.operator == ">" and isinstance(test.left, e.Length) and test.left.value == loop.body[0].iterable and isinstance(test.right, e.Const) and test.right.value == 0


def _may_disable(statement: s.Statement) -> bool:
    """A guard, or a choice that may have nothing to choose from."""
    if isinstance(statement, s.Require):
        return not (isinstance(statement.condition, e.Const) and statement.condition.value == 1)
    return isinstance(statement, s.Choose) and not isinstance(statement.iterable, e.Domain)


def _has_crash_point(body: Sequence[s.Statement]) -> bool:
    """Whether a branch in it is the crash of the acting process."""
    parts = [b for x in body for b in _branches(x)]
    return any(_crashes(b) or _has_crash_point(b) for b in parts)


def _branches(statement: s.Statement) -> tuple[tuple[s.Statement, ...], ...]:
    match statement:
        case s.If():
            return statement.then, statement.other
        case s.For() | s.While() | s.Block():
            return (statement.body,)
    return ()


def _crashes(branch: Sequence[s.Statement]) -> bool:
    """A branch that ends the step with the crash of a process, as the language adds them."""
    into = [x.target for x in branch if isinstance(x, s.SetAdd)]
    return bool(branch) and isinstance(branch[-1], s.Stop) and any(isinstance(place, e.Variable) and place.name == "crashed" for place in into)
