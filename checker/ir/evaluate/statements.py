"""Effects of statements on an environment.  Control leaves loops, blocks and functions by exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import ROUNDS
from checker.ir.evaluate.environment import CHOICES, Disabled, Environment, Failure
from checker.ir.evaluate.expressions import evaluate, items
from checker.ir.model import Function
from checker.ir.values import Raw, index, key


class _Break(Exception): ...


class _Continue(Exception): ...


class _Leave(Exception): ...


class _Return(Exception): ...


class Stop(Exception):
    """The action ends here; its effects remain.  Its argument: whether the reason is the crash of the acting
    process."""


def call(x: Environment, function: Function, arguments: list[Raw]) -> Raw:
    """The result of a rule."""
    names = {p.name: a for p, a in zip(function.parameters, arguments)}
    try:
        run(Environment(x.model, x.state, x.before, names, x.script, call=x.call), function.body)
    except _Return as result:
        return result.args[0]
    raise TypeError(f"{function.name} ends without a result")


def run(x: Environment, body: tuple[s.Statement, ...]) -> None:
    """Execute statements in order."""
    for statement in body:
        EFFECTS[type(statement)](x, statement)


# -- what is executed next


def _leave(way: Exception) -> None:
    raise way


def _block(x: Environment, node: s.Block) -> None:
    try:
        run(x, node.body)
    except _Leave as leave:
        if leave.args[0] != node.label:
            raise


def _hold(x: Environment, condition: e.Expression, otherwise: Exception | type[Exception]) -> None:
    if not evaluate(x, condition):
        raise otherwise


def _choose(x: Environment, node: s.Choose) -> None:
    alternatives = items(node.iterable.type, evaluate(x, node.iterable))
    if not alternatives:
        raise Disabled
    if x.script.position == CHOICES:
        raise Failure("error", "too many choices in one step", node.line)
    x.names[node.local.name] = alternatives[x.script.choose(len(alternatives))]


# -- loops


def _for(x: Environment, node: s.For) -> None:
    for value in items(node.iterable.type, evaluate(x, node.iterable)):
        x.names[node.local.name] = value
        if not _round(x, node.body):
            return


def _while(x: Environment, node: s.While) -> None:
    rounds = 0
    while evaluate(x, node.condition):
        if rounds == ROUNDS:
            raise Failure("error", f"more than {ROUNDS} rounds", node.line)
        rounds += 1
        if not _round(x, node.body):
            return


def _round(x: Environment, body: tuple[s.Statement, ...]) -> bool:
    """One round of a loop; False if it was left."""
    try:
        run(x, body)
    except _Break:
        return False
    except _Continue:
        pass
    return True


# -- writing


def _writes(new: Callable[..., Raw], *operands: str) -> Effect:
    """The value at the target becomes a function of the statement, of the old value, and of these operands, which are
    evaluated first.
    """

    def effect(x: Environment, node: Any) -> None:
        given = [evaluate(x, getattr(node, name)) for name in operands]
        change(x, node.target, lambda old: new(node, old, *given))

    return effect


def _without(node: s.SetRemove, old: frozenset[Raw], gone: Raw) -> frozenset[Raw]:
    if node.strict and gone not in old:
        raise Failure("error", "no such item to remove", node.line)
    return old - {gone}


def _room(node: s.SeqAppend | s.SeqInsert | s.BagAdd, old: tuple[Raw, ...]) -> t.Type:
    """The type of the items.  Adding to a full sequence or bag is a model error, or a network has to grow."""
    type = node.target.type
    assert isinstance(type, t.Seq | t.Bag)
    if len(old) == type.capacity:
        raise Failure(*(("error", "overflow") if type.grow is None else ("grow", type.grow)), node.line)
    return type.item


def _inserted(node: s.SeqAppend | s.SeqInsert, old: tuple[Raw, ...], at: int, value: Raw) -> tuple[Raw, ...]:
    if not 0 <= at <= len(old):
        raise Failure("error", "index out of range", node.line)
    _room(node, old)
    return (*old[:at], value, *old[at:])


def _removed(node: s.SeqRemoveAt, old: tuple[Raw, ...], at: int) -> tuple[Raw, ...]:
    if not 0 <= at < len(old):
        raise Failure("error", "index out of range", node.line)
    return (*old[:at], *old[at + 1 :])


def _put(node: s.BagAdd, old: tuple[Raw, ...], value: Raw) -> tuple[Raw, ...]:
    item = _room(node, old)
    return tuple(sorted((*old, value), key=lambda r: key(item, r)))


def _taken(node: s.BagRemove, old: tuple[Raw, ...], value: Raw) -> tuple[Raw, ...]:
    if value not in old:
        if node.strict:
            raise Failure("error", "no such item to remove", node.line)
        return old
    if node.every:
        return tuple(r for r in old if r != value)
    at = old.index(value)
    return (*old[:at], *old[at + 1 :])


def change(x: Environment, target: e.Expression, new: Callable[[Raw], Raw]) -> None:
    """Replace the value at a place by a function of the old value."""
    match target:
        case e.Variable(_, name):
            x.state[name] = new(x.state[name])
        case e.Local(_, name):
            x.names[name] = new(x.names.get(name))
        case e.Index(_, base, k, line):
            whole, place = evaluate(x, base), evaluate(x, k)
            if isinstance(base.type, t.Map):
                place = index(base.type.key, place)
            elif not 0 <= place < len(whole):
                raise Failure("error", "index out of range", line)
            change(x, base, lambda old: _replaced(old, place, new))
        case e.Field(_, base, name):
            assert isinstance(base.type, t.Record)
            number = t.field_number(base.type, name)
            change(x, base, lambda old: _replaced(old, number, new))
        case e.VariantField():
            _change_variant(x, target, new)
        case e.Unwrap(_, value, line):
            if evaluate(x, value) is None:
                raise Failure("error", "none has no value", line)
            change(x, value, new)
        case _:
            raise TypeError(target)


def _change_variant(x: Environment, target: e.VariantField, new: Callable[[Raw], Raw]) -> None:
    union, held = target.value.type, t.variant_number(target.value.type, target.variant)
    assert isinstance(union, t.Union)
    if evaluate(x, target.value)[0] != held:
        raise Failure("error", f"not a {target.variant}", target.line)
    number = t.field_number(union.variants[held], target.name)
    change(x, target.value, lambda old: (held, _replaced(old[1], number, new)))


def _replaced(old: tuple[Raw, ...], place: int, new: Callable[[Raw], Raw]) -> tuple[Raw, ...]:
    return (*old[:place], new(old[place]), *old[place + 1 :])


Effect = Callable[[Environment, Any], None]
EFFECTS: dict[type[s.Statement], Effect] = {
    s.If: lambda x, node: run(x, node.then if evaluate(x, node.condition) else node.other),
    s.Block: _block,
    s.Leave: lambda x, node: _leave(_Leave(node.label)),
    s.Return: lambda x, node: _leave(_Return(evaluate(x, node.value))),
    s.Stop: lambda x, node: _leave(Stop(node.crash)),
    s.Break: lambda x, node: _leave(_Break()),
    s.Continue: lambda x, node: _leave(_Continue()),
    s.Fail: lambda x, node: _leave(Failure("error", node.message, node.line)),
    s.Require: lambda x, node: _hold(x, node.condition, Disabled),
    s.Assert: lambda x, node: _hold(x, node.condition, Failure("assert", node.message, node.line)),
    s.Choose: _choose,
    s.For: _for,
    s.While: _while,
    s.Assign: _writes(lambda node, old, value: value, "value"),
    s.SetAdd: _writes(lambda node, old, item: old | {item}, "item"),
    s.SetRemove: _writes(_without, "item"),
    s.SeqAppend: _writes(lambda node, old, item: _inserted(node, old, len(old), item), "item"),
    s.SeqInsert: _writes(_inserted, "index", "item"),
    s.SeqRemoveAt: _writes(_removed, "index"),
    s.BagAdd: _writes(_put, "item"),
    s.BagRemove: _writes(_taken, "item"),
}
"""The effects of statements, by their classes."""
