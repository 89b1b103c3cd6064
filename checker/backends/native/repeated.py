"""How long a rule takes, and whether it may be called again with the same arguments in one state: what decides if its
values are remembered.

A call may be made again if a loop, or an instance of an action, does not pass on all that distinguishes its rounds; if
it stands at several places; or if the rule in which it stands is called again itself.  Calls of an action that has
begun to write do not count: its state changes from call to call.

Where it stops: what a comprehension runs through counts as called in each of its rounds.  A rule that has a table for
nothing is computed as before, and pays for a comparison and two words to write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from math import prod
from typing import Any

from checker.backends.native.packing import count
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import constant_raw, writes_state
from checker.ir.model import Action, Function, Model
from checker.ir.visit import children, walk

_ROUNDS = 16
"""Rounds that a loop counts for, at most."""


# -- how long


def cost(model: Model, function: Function, known: dict[str, int]) -> int:
    """Approximate operations of a call."""
    if function.name not in known:
        known[function.name] = 0
        known[function.name] = sum(_operations(model, part, known) for part in function.body)
    return known[function.name]


def _operations(model: Model, node: Any, known: dict[str, int]) -> int:
    if isinstance(node, e.Call):
        own = 1 + cost(model, model.function(node.function), known)
        return own + sum(_operations(model, part, known) for part in node.arguments)
    if isinstance(node, e.MakeSeq | e.MakeSet) and constant_raw(node) is not None:
        return 1
    inner = 1 + sum(_operations(model, part, known) for part in children(node))
    return inner * prod(min(_ROUNDS, _rounds(kind)) for kind in _loops(node))


def _loops(node: Any) -> Iterator[t.Type]:
    """The types of what an expression or statement runs through."""
    match node:
        case e.Quantifier() | e.Aggregate() | e.SetOf() | e.SeqOf():
            yield from (g.iterable.type for g in node.generators)
        case e.MapOf(_, local):
            yield t.Set(local.type)
        case e.Sorted(_, value):
            yield value.type
        case s.For(_, _, iterable):
            yield iterable.type


def _rounds(type: t.Type) -> int:
    match type:
        case t.Set(item):
            return 1 + count(item) // 2
        case t.Seq(_, capacity) | t.Bag(_, capacity):
            return 1 + capacity // 2
    return 2


# -- how often


def again(model: Model, kept: Collection[str]) -> set[str]:
    """The functions that may be called again with equal arguments in one state.  kept: those whose values would be
    remembered, so that what they call is not called again because of them.
    """
    places, callers, found = defaultdict[str, int](int), defaultdict[str, set[str]](set), set[str]()
    users: list[Function | Action] = [*model.functions, *model.actions]
    for user in users:
        for call, passing in _calls(_before_writing(user), frozenset(p.name for p in user.parameters)):
            places[call.function] += 1
            if isinstance(user, Function):
                callers[call.function].add(user.name)
            given = {node.name for node in walk(call.arguments) if isinstance(node, e.Local)}
            if places[call.function] > 1 or not passing <= given:
                found.add(call.function)
    while more := {f for f, users in callers.items() if f not in found and users & found - set(kept)}:
        found |= more
    return found


def _before_writing(user: Function | Action) -> tuple[s.Statement, ...]:
    """The statements that are executed before the state changes."""
    writing = [writes_state((statement,)) for statement in user.body]
    return user.body[: writing.index(True)] if True in writing else user.body


def _calls(part: Any, varying: frozenset[str]) -> Iterator[tuple[e.Call, frozenset[str]]]:
    """The calls in a node or in statements, each with the parameters and the locals of loops around it."""
    if isinstance(part, tuple):
        for inner in part:
            yield from _calls(inner, varying)
            if isinstance(inner, s.Choose):
                varying |= {inner.local.name}
        return
    if isinstance(part, e.Call):
        yield part, varying
    if isinstance(part, s.If):
        yield from _calls(part.condition, varying)
        yield from _calls(part.then, varying)
        yield from _calls(part.other, varying)
        return
    once, inside = part.iterable if isinstance(part, s.For) else None, varying
    match part:
        case e.Quantifier() | e.Aggregate() | e.SetOf() | e.SeqOf():
            inside = varying | {g.local.name for g in part.generators}
        case e.MapOf(_, local) | s.For(_, local, _, _):
            inside = varying | {local.name}
        case e.Sorted(_, _, e.Local(_, name), _):
            inside = varying | {name}
    for inner in children(part):
        yield from _calls(inner, varying if inner is once else inside)
