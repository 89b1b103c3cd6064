"""The model that drops irrelevant messages: each of its steps ends by dropping them, so every back end drops the same
messages.

The statements are of the intermediate representation, after those of each action and of the initial states:

    for message in net: if $irrelevant.net(message): take all copies of it

A stored state has no irrelevant message (`checker.ir.stubborn.irrelevant`).  Where it stops: a step of this model is a
step of the original model followed by the receipts of the dropped messages, so the interpreter cannot take it as one
step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.build import BOOL
from checker.ir.footprints.instances import Kind
from checker.ir.model import Action, Function, Model, Parameter
from checker.ir.stubborn.irrelevant import MESSAGE
from checker.ir.stubborn.labels import of_kind
from checker.ir.visit import rewrite, walk

STEP = "$step"


def dropping_model(model: Model, when: Mapping[Kind, e.Expression]) -> Model:
    """The model each of whose steps ends with dropping the messages of these kinds whose condition holds."""
    networks = tuple(dict.fromkeys(kind.network for kind in when))
    end = end_of_steps(model, networks)
    functions = [_condition(model, n, {k: x for k, x in when.items() if k.network == n}) for n in networks]
    locals = tuple(Parameter(x.local.name, x.local.type) for x in end)

    def ended(action: Action) -> Action:
        return evolve(action, body=_behind(action.body, end), locals=(*action.locals, *locals))

    actions = tuple(map(ended, model.actions))
    return evolve(model, functions=(*model.functions, *functions), initial=ended(model.initial), actions=actions)


def end_of_steps(model: Model, networks: Iterable[str]) -> tuple[s.For, ...]:
    """The statements that drop irrelevant messages from these networks."""
    found = []
    for network in networks:
        type = _type(model, network)
        message, place = e.Local(type.item, f"$dropped.{network}"), e.Variable(type, network)
        asked = e.Call(BOOL, _name(network), (message,))
        taken = s.BagRemove(0, place, message, True, True)
        found.append(s.For(0, message, place, (s.If(0, asked, (taken,)),)))
    return tuple(found)


def _name(network: str) -> str:
    return f"$irrelevant.{network}"


def _type(model: Model, network: str) -> t.Bag:
    type = next(v.type for v in model.variables if v.name == network)
    assert isinstance(type, t.Bag)
    return type


def _condition(model: Model, network: str, when: Mapping[Kind, e.Expression]) -> Function:
    """Whether a message is irrelevant."""
    given = e.Local(_type(model, network).item, MESSAGE)
    body = [s.If(0, build.conjunction(of_kind(given, kind)), (s.Return(0, x),)) for kind, x in when.items()]
    return Function(_name(network), (Parameter(given.name, given.type),), (), BOOL, (*body, s.Return(0, build.FALSE)))


def _behind(body: tuple[s.Statement, ...], end: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
    """A body with statements added at each of its ends; a choice that opens it stays first."""
    if not any(isinstance(x, s.Stop) for x in walk(body)):
        return (*body, *end)

    def leaving(node: Any) -> Any:
        return s.Leave(node.line, STEP) if isinstance(node, s.Stop) and not node.crash else node

    def crashing(block: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
        return tuple(y for x in block for y in ((*end, x) if isinstance(x, s.Stop) and x.crash else (x,)))

    def ended(node: Any) -> Any:
        match node:
            case s.If(_, _, then, other):
                return evolve(node, then=crashing(then), other=crashing(other))
            case s.For(_, _, _, inner) | s.While(_, _, inner) | s.Block(_, _, inner):
                return evolve(node, body=crashing(inner))
        return leaving(node)

    first, rest = (body[:1], body[1:]) if isinstance(body[0], s.Choose) else ((), body)
    return (*first, s.Block(0, STEP, crashing(rewrite(rest, ended))), *end)
