"""Symbolic effects of statements.  Branches run on copies that are merged; jumps end a path and are joined again at
their targets."""

from __future__ import annotations

from collections.abc import Callable

from checker.backends.smt import scalars as c
from checker.backends.smt import sequences as q
from checker.backends.smt.environment import KNOWN_ROUNDS, Choice, Environment, Guard, Meaning, Unsupported
from checker.backends.smt.expressions import evaluate, inside
from checker.backends.smt.loops import items
from checker.backends.smt.values import Value, equal, lift, members, pick, place_of, put, select, zero
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Function

RESULT = "(result)"
DISABLED, FAILED = "(disabled)", "(failed)"  # jumps out of the instance: the state after them has no effect
Effect = Callable[[Environment], None]


def apply(x: Environment, function: Function, arguments: list[Value]) -> Value:
    """The result of a rule in the state of x; its conditions are relative to the call."""
    names = {p.name: (p.type, a) for p, a in zip(function.parameters, arguments)}
    inner = Environment(
        x.model, x.run, x.state, x.before, x.types, names, version=x.version, rounds=x.rounds, meaning=x.meaning
    )
    exits = len(x.run.exits)
    run(inner, function.body)
    del x.run.exits[exits:]  # all jumps of a function end inside the function
    if RESULT not in inner.names:
        raise Unsupported(f"{function.name} has no result")
    return inner.names[RESULT][1]


MEANING = Meaning(evaluate, apply)


def run(x: Environment, body: tuple[s.Statement, ...]) -> None:
    """Execute statements in order."""
    for statement in body:
        if x.active is False:
            return
        x.run.clock.tick()
        _execute(x, statement)


def _execute(x: Environment, node: s.Statement) -> None:
    match node:
        case s.If(_, condition, then, other):
            branch(x, evaluate(x, condition), lambda y: run(y, then), lambda y: run(y, other))
        case s.For():
            _for(x, node)
        case s.While():
            _while(x, node)
        case s.Break():
            x.run.leaves[_innermost(x, "break")].append(x.jump(_innermost(x, "break")))
        case s.Continue():
            x.run.leaves[_innermost(x, "continue")].append(x.jump(_innermost(x, "continue")))
        case s.Block(_, label, body):
            target(x, label, lambda: run(x, body))
        case s.Leave(_, label):
            x.run.leaves[label].append(x.jump(label))
        case s.Return(_, value):
            x.write_local(RESULT, value.type, evaluate(x, value))
            x.jump("return")
        case s.Stop(_, crash):
            left = x.jump("stop")
            x.run.crashes += [left] if crash else []
        case s.Require(line, condition, text):
            holds = evaluate(x, condition)
            x.run.guards.append(Guard(text, line, c.conjunction([x.active, c.negation(x.run.failed())]), holds))
            _require(x, holds)
        case s.Assert(line, condition, message):
            x.fail("assert", message, line, c.negation(evaluate(x, condition)))
        case s.Fail(line, message):
            x.fail("error", message, line, True)
            x.jump(FAILED)
        case s.Choose(_, local, iterable):
            _choose(x, local, iterable)
        case _:
            write(x, node)


def _require(x: Environment, condition: c.Bit) -> None:
    if condition is True:
        return
    refused = c.conjunction([x.active, c.negation(condition), c.negation(x.run.failed())])
    if refused is not False:
        x.run.disabled.append(refused)
    x.run.exits.append(DISABLED)
    straight = x.active is x.entry
    x.active = c.conjunction([x.active, condition])
    if straight:
        x.entry = x.active  # the state has no effect if the instance is not enabled, so writes need no condition


def _choose(x: Environment, local: e.Local, iterable: e.Expression) -> None:
    """Bind a local to an unknown item; without an item the instance is not enabled, because the constraints on the
    unknown have no solution.
    """
    if isinstance(iterable, e.Domain):
        value = x.run.unknown(local.type, local.name)
    else:
        found = items(x, iterable)
        _require(x, c.disjunction(there for there, _ in found))
        if x.active is False:
            return
        number = x.run.unknown(t.Int(0, len(found) - 1), f"{local.name}#")
        there = [c.conjunction([c.equal(number, i), guard]) for i, (guard, _) in enumerate(found)]
        x.run.assumptions.append(c.disjunction([c.negation(x.active), x.run.failed(), *there]))
        value = select(local.type, tuple(v for _, v in found), number)
    x.names[local.name] = (local.type, value)
    x.run.choices.append(Choice(local.name, local.type, value))


# Control


def branch(x: Environment, condition: c.Bit, then: Effect, other: Effect) -> None:
    """Execute one effect under a condition, the other one under its negation, and merge their results."""
    if isinstance(condition, bool):
        (then if condition else other)(x)
        return
    a, b = x.where(condition), x.where(c.negation(condition))
    before = len(x.run.exits)
    then(a)
    other(b)
    for name in x.types:
        x.state[name] = pick(condition, a.state[name], b.state[name])
    x.names.clear()
    for name in dict.fromkeys((*a.names, *b.names)):
        p, r = a.names.get(name), b.names.get(name)
        x.names[name] = p if r is None or p is r else r if p is None else (p[0], pick(condition, p[1], r[1]))  # type: ignore[assignment]
    if a.version is not x.version or b.version is not x.version:
        x.version = object()
    _rejoin(x, x.run.exits[before:], [a, b])


def _rejoin(x: Environment, exits: list[str], branches: list[Environment]) -> None:
    """The point after branches some of whose paths have been left."""
    if not exits:
        return
    straight = (
        x.active is x.entry
        and all(y.active is y.entry or y.active is False for y in branches)
        and set(exits) <= {DISABLED, FAILED}
    )
    x.active = c.disjunction([y.active for y in branches])
    if straight:
        x.entry = x.active


def target(x: Environment, name: str, effect: Callable[[], None]) -> None:
    """Execute an effect; its jumps to a name continue at its end."""
    active, before = x.active, len(x.run.exits)
    outer = x.run.leaves.get(name)
    x.run.leaves[name] = []
    effect()
    left = x.run.leaves[name]
    if outer is None:
        del x.run.leaves[name]
    else:
        x.run.leaves[name] = outer
    others = [exit for exit in x.run.exits[before:] if exit != name]
    x.run.exits[before:] = others
    x.active = active if not others else c.disjunction([x.active, *left])


def _innermost(x: Environment, kind: str) -> str:
    """The loop that a break or continue belongs to: the innermost open one."""
    return next(name for name in reversed(x.run.leaves) if name.startswith(f"({kind} "))


def _for(x: Environment, node: s.For) -> None:
    found = items(x, node.iterable)
    number = len(x.run.leaves)

    def rounds() -> None:
        for there, value in found:
            if x.active is False:
                return

            def body(y: Environment, value: Value = value) -> None:
                y.write_local(node.local.name, node.local.type, value)
                target(y, f"(continue {number})", lambda: run(y, node.body))

            branch(x, there, body, lambda y: None)

    target(x, f"(break {number})", rounds)


def _while(x: Environment, node: s.While) -> None:
    """Unroll a loop: to its end if that can be determined and is near, else for a fixed number of rounds; further
    rounds are recorded as exceeded.
    """
    number = len(x.run.leaves)

    def rounds(y: Environment, left: int, known: int) -> None:
        condition = evaluate(y, node.condition)
        if condition is False:
            return
        if left == 0 or known == 0:
            y.run.exceeded.append(c.conjunction([y.active, condition]))
            return

        def body(z: Environment) -> None:
            target(z, f"(continue {number})", lambda: run(z, node.body))
            if z.active is not False:
                constant = isinstance(condition, bool)  # as in `while True`: such rounds count against KNOWN_ROUNDS
                rounds(z, left - (not constant), known - constant)

        branch(y, condition, body, lambda z: None)

    target(x, f"(break {number})", lambda: rounds(x, x.rounds, KNOWN_ROUNDS))


# Writing


def write(x: Environment, node: s.Statement) -> None:
    """An assignment or a change of a container."""
    match node:
        case s.Assign(_, place, value):
            new = evaluate(x, value)
            change(x, place, lambda old: new)
        case s.SetAdd(_, place, item) | s.SetRemove(_, place, item, _):
            _change_set(x, node, place, item)
        case s.SeqAppend(line, place, item) | s.SeqInsert(line, place, _, item):
            value = evaluate(x, item)
            at = evaluate(x, node.index) if isinstance(node, s.SeqInsert) else None
            change(x, place, lambda old: _insert(x, place.type, old, at, value, line))
        case s.SeqRemoveAt(line, place, index):
            at = evaluate(x, index)

            def without(old: Value) -> Value:
                x.fail("error", "index out of range", line, c.negation(inside(at, old[0])))
                return q.removed(place.type, old, at)

            change(x, place, without)
        case s.BagAdd(line, place, item):
            value = evaluate(x, item)
            kind = place.type
            change(x, place, lambda old: _insert(x, kind, old, q.sorted_place(kind, old, value), value, line))
        case s.BagRemove(line, place, item, strict, every):
            value = evaluate(x, item)
            change(x, place, lambda old: _take(x, place.type, old, value, strict, every, line))
        case _:
            raise Unsupported(f"{type(node).__name__} has no symbolic form")


def _change_set(x: Environment, node: s.Statement, place: e.Expression, item: e.Expression) -> None:
    value = evaluate(x, item)
    assert isinstance(place.type, t.Set)
    kind = place.type.item
    hits = [equal(kind, value, kind, lift(kind, raw)) for raw in members(kind)]
    if isinstance(node, s.SetAdd):
        change(x, place, lambda old: tuple(c.disjunction([o, h]) for o, h in zip(old, hits)))
        return

    def without(old: Value) -> Value:
        if isinstance(node, s.SetRemove) and node.strict:
            there = c.disjunction(c.conjunction([o, h]) for o, h in zip(old, hits))
            x.fail("error", "no such item to remove", node.line, c.negation(there))
        return tuple(c.conjunction([o, c.negation(h)]) for o, h in zip(old, hits))

    change(x, place, without)


def _insert(x: Environment, kind: t.Type, old: Value, at: c.Int | None, value: Value, line: int) -> Value:
    assert isinstance(kind, t.Seq | t.Bag)
    if at is not None:
        x.fail("error", "index out of range", line, c.negation(inside(at, c.arithmetic("+", old[0], 1))))
    error = ("error", "overflow") if kind.grow is None else ("grow", kind.grow)
    x.fail(*error, line, c.equal(old[0], kind.capacity))
    return q.appended(kind, old, value) if at is None else q.inserted(kind, old, at, value)


def _take(x: Environment, kind: t.Type, old: Value, value: Value, strict: bool, every: bool, line: int) -> Value:
    there, place = q.first_place(kind, old, value)
    if strict:
        x.fail("error", "no such item to remove", line, c.negation(there))
    if every:
        item = q.item_of(kind)
        return q.kept(kind, old, [c.negation(equal(item, slot, item, value)) for slot in old[1]])
    return pick(there, q.removed(kind, old, place), old)


def change(x: Environment, place: e.Expression, new: Callable[[Value], Value]) -> None:
    """Replace the value at a place by a function of the old value; the indices are evaluated once."""
    match place:
        case e.Variable(_, name, _):
            x.write_state(name, new(x.state[name]))
        case e.Local(kind, name):
            old = x.names[name][1] if name in x.names else zero(kind)
            x.write_local(name, kind, new(old))
        case e.Index(kind, base, key, line):
            at = evaluate(x, key)
            if isinstance(base.type, t.Map):
                number = place_of(base.type.key, at)
                change(x, base, lambda old: put(old, number, new(select(kind, old, number))))
            else:

                def replaced(old: Value) -> Value:
                    x.fail("error", "index out of range", line, c.negation(inside(at, old[0])))
                    return old[0], put(old[1], at, new(select(kind, old[1], at)))

                change(x, base, replaced)
        case e.Field(_, base, name):
            number = t.field_number(base.type, name)
            change(x, base, lambda old: (*old[:number], new(old[number]), *old[number + 1 :]))
        case e.VariantField():
            _change_variant(x, place, new)
        case e.Unwrap(_, value, line):

            def unwrapped(old: Value) -> Value:
                x.fail("error", "none has no value", line, c.negation(old[0]))
                return old[0], new(old[1])

            change(x, value, unwrapped)
        case _:
            raise Unsupported(f"{type(place).__name__} is no place")


def _change_variant(x: Environment, place: e.VariantField, new: Callable[[Value], Value]) -> None:
    union, held = place.value.type, t.variant_number(place.value.type, place.variant)
    assert isinstance(union, t.Union)
    number = t.field_number(union.variants[held], place.name)

    def changed(old: Value) -> Value:
        x.fail("error", f"not a {place.variant}", place.line, c.negation(c.equal(old[0], held)))
        fields = old[1][held]
        inner = (*fields[:number], new(fields[number]), *fields[number + 1 :])
        return old[0], (*old[1][:held], inner, *old[1][held + 1 :])

    change(x, place.value, changed)
