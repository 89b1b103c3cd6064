"""Recognize the statements that the language itself adds for crashes, so that footprints do not overestimate their
effects.

A crash drops the messages in flight to the process and leaves other messages unchanged.  A message is put in flight
only if its target is alive.  This test reads who has crashed, but a crash of the target before or after the sending
leads to the same state, because the message is not in flight in either case.  This requires that every step that lets a
process crash also drops the messages in flight to it, on every network (`complete`).  Where it stops: FIFO networks,
and sendings beside other statements (an observer watches them, the network may be split).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.facts import written
from checker.ir.model import Model
from checker.ir.visit import walk

CRASHED = "crashed"
MAY_CRASH = "$may_crash"
"""The variable with the set of processes that may crash, if the initial states choose it; no step writes it."""
MAY_FAIL = "$may_fail"
"""The variable with the kind of message that may be lost or duplicated, if the initial states choose it."""
CHOSEN = (MAY_CRASH, MAY_FAIL)
"""The variables that the initial states choose, which are not part of the model's own state."""


@frozen
class Dropping:
    """Everything in flight to a process is dropped."""

    network: str
    target: e.Expression


def dropping(node: s.For, networks: Iterable[str]) -> Dropping | None:
    """What a loop drops: `for message in net: if message.target == process: take it`."""
    match node:
        case s.For(
            _,
            local,
            e.Variable(_, net, False),
            (
                s.If(
                    _,
                    e.Compare(_, "==", e.Field(_, of, "target"), target),
                    (s.BagRemove(_, e.Variable(_, from_, False), taken, _, True),),
                    (),
                ),
            ),
        ) if of == local == taken and from_ == net and net in networks and local not in walk(target):
            return Dropping(net, target)
    return None


def guarded_sending(node: s.If, networks: Iterable[str]) -> bool:
    """Whether a branch consists of a sending under the condition that the target is alive."""
    match node:
        case s.If(
            _,
            e.Not(_, e.Contains(_, e.Variable(_, "crashed", False), target)),
            (s.BagAdd(_, e.Variable(_, net, False), e.MakeRecord(_, (_, to, *_))),),
            (),
        ) if to == target and net in networks:
            return True
    return False


def complete(model: Model, networks: Iterable[str]) -> bool:
    """Whether every crash in the model drops the messages in flight to the process, on all networks."""
    return all(_crash_drops(block, tuple(networks)) for action in model.actions for block in _blocks(action.body))


def _crash_drops(block: tuple[s.Statement, ...], networks: tuple[str, ...]) -> bool:
    """Whether each crash in one block drops the messages in flight to the process, on all these networks."""
    for number, statement in enumerate(block):
        place = written(statement)
        if not isinstance(place, e.Variable) or place.name != CRASHED:
            continue
        if not isinstance(statement, s.SetAdd):
            return False
        behind = [x for x in block[number:] if isinstance(x, s.For)]
        if not all(Dropping(net, statement.item) in (dropping(x, networks) for x in behind) for net in networks):
            return False
    return True


def _blocks(body: Any) -> Iterator[tuple[s.Statement, ...]]:
    """A body and the bodies of all statements in it."""
    pending = [body]
    while pending:
        block = pending.pop()
        yield block
        for statement in block:
            for name in ("then", "other", "body"):
                inner = getattr(statement, name, None)
                if isinstance(inner, tuple):
                    pending.append(inner)
