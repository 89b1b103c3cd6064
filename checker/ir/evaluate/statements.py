"""Effects of statements on an environment.  Control leaves loops, blocks and functions by exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import ROUNDS
from checker.ir.evaluate.environment import CHOICES, Disabled, Environment, Failure, field_number, variant_number
from checker.ir.evaluate.expressions import evaluate, items
from checker.ir.model import Function
from checker.ir.values import Raw, index, key


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Leave(Exception):
    pass


class _Return(Exception):
    pass


class Stop(Exception):
    """The action ends here; its effects stand.  Its argument: whether that is the crash of the acting process."""


Effect = Callable[[Environment, Any], None]
EFFECTS: dict[type[s.Statement], Effect] = {}
"""What a statement does, by its class."""


def _of(kind: type[s.Statement]) -> Callable[[Effect], Effect]:
    """The effect of statements of this kind."""

    def entered(effect: Effect) -> Effect:
        EFFECTS[kind] = effect
        return effect

    return entered


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


@_of(s.If)
def _if(x: Environment, node: s.If) -> None:
    run(x, node.then if evaluate(x, node.condition) else node.other)


@_of(s.Block)
def _block(x: Environment, node: s.Block) -> None:
    try:
        run(x, node.body)
    except _Leave as leave:
        if leave.args[0] != node.label:
            raise


@_of(s.Leave)
def _leave(x: Environment, node: s.Leave) -> None:
    raise _Leave(node.label)


@_of(s.Return)
def _return(x: Environment, node: s.Return) -> None:
    raise _Return(evaluate(x, node.value))


@_of(s.Stop)
def _stop(x: Environment, node: s.Stop) -> None:
    raise Stop(node.crash)


@_of(s.Require)
def _require(x: Environment, node: s.Require) -> None:
    if not evaluate(x, node.condition):
        raise Disabled


@_of(s.Assert)
def _assert(x: Environment, node: s.Assert) -> None:
    if not evaluate(x, node.condition):
        raise Failure("assert", node.message, node.line)


@_of(s.Fail)
def _fail(x: Environment, node: s.Fail) -> None:
    raise Failure("error", node.message, node.line)


@_of(s.Choose)
def _choose(x: Environment, node: s.Choose) -> None:
    alternatives = items(node.iterable.type, evaluate(x, node.iterable))
    if not alternatives:
        raise Disabled
    if x.script.position == CHOICES:
        raise Failure("error", "too many choices in one step", node.line)
    x.names[node.local.name] = alternatives[x.script.choose(len(alternatives))]


# -- loops


@_of(s.For)
def _for(x: Environment, node: s.For) -> None:
    for value in items(node.iterable.type, evaluate(x, node.iterable)):
        x.names[node.local.name] = value
        if not _round(x, node.body):
            return


@_of(s.While)
def _while(x: Environment, node: s.While) -> None:
    rounds = 0
    while evaluate(x, node.condition):
        if rounds == ROUNDS:
            raise Failure("error", f"more than {ROUNDS} rounds", node.line)
        rounds += 1
        if not _round(x, node.body):
            return


@_of(s.Break)
def _break(x: Environment, node: s.Break) -> None:
    raise _Break


@_of(s.Continue)
def _continue(x: Environment, node: s.Continue) -> None:
    raise _Continue


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


@_of(s.Assign)
def _assign(x: Environment, node: s.Assign) -> None:
    raw = evaluate(x, node.value)
    change(x, node.target, lambda _: raw)


@_of(s.SetAdd)
def _set_add(x: Environment, node: s.SetAdd) -> None:
    raw = evaluate(x, node.item)
    change(x, node.target, lambda old: old | {raw})


@_of(s.SetRemove)
def _set_remove(x: Environment, node: s.SetRemove) -> None:
    raw = evaluate(x, node.item)
    change(x, node.target, lambda old: _without(old, raw, node.strict, node.line))


@_of(s.SeqAppend)
def _seq_append(x: Environment, node: s.SeqAppend) -> None:
    raw = evaluate(x, node.item)
    change(x, node.target, lambda old: _inserted(node.target.type, old, len(old), raw, node.line))


@_of(s.SeqInsert)
def _seq_insert(x: Environment, node: s.SeqInsert) -> None:
    at, raw = evaluate(x, node.index), evaluate(x, node.item)
    change(x, node.target, lambda old: _inserted(node.target.type, old, at, raw, node.line))


@_of(s.SeqRemoveAt)
def _seq_remove_at(x: Environment, node: s.SeqRemoveAt) -> None:
    at = evaluate(x, node.index)
    change(x, node.target, lambda old: _removed(old, at, node.line))


@_of(s.BagAdd)
def _bag_add(x: Environment, node: s.BagAdd) -> None:
    raw = evaluate(x, node.item)
    change(x, node.target, lambda old: _put(node.target.type, old, raw, node.line))


@_of(s.BagRemove)
def _bag_remove(x: Environment, node: s.BagRemove) -> None:
    raw = evaluate(x, node.item)
    change(x, node.target, lambda old: _taken(old, raw, node.strict, node.every, node.line))


def _without(old: frozenset[Raw], gone: Raw, strict: bool, line: int) -> frozenset[Raw]:
    if strict and gone not in old:
        raise Failure("error", "no such item to remove", line)
    return old - {gone}


def full(type: t.Seq | t.Bag, line: int) -> Failure:
    """What adding to a full sequence or bag is: a model error, or a network that has to grow."""
    return Failure("error", "overflow", line) if type.grow is None else Failure("grow", type.grow, line)


def _inserted(type: t.Type, old: tuple[Raw, ...], at: int, value: Raw, line: int) -> tuple[Raw, ...]:
    assert isinstance(type, t.Seq)
    if not 0 <= at <= len(old):
        raise Failure("error", "index out of range", line)
    if len(old) == type.capacity:
        raise full(type, line)
    return (*old[:at], value, *old[at:])


def _removed(old: tuple[Raw, ...], at: int, line: int) -> tuple[Raw, ...]:
    if not 0 <= at < len(old):
        raise Failure("error", "index out of range", line)
    return (*old[:at], *old[at + 1 :])


def _put(type: t.Type, old: tuple[Raw, ...], value: Raw, line: int) -> tuple[Raw, ...]:
    assert isinstance(type, t.Bag)
    if len(old) == type.capacity:
        raise full(type, line)
    item = type.item
    return tuple(sorted((*old, value), key=lambda r: key(item, r)))


def _taken(old: tuple[Raw, ...], value: Raw, strict: bool, every: bool, line: int) -> tuple[Raw, ...]:
    if value not in old:
        if strict:
            raise Failure("error", "no such item to remove", line)
        return old
    if every:
        return tuple(r for r in old if r != value)
    at = old.index(value)
    return (*old[:at], *old[at + 1 :])


def change(x: Environment, target: e.Expression, new: Callable[[Raw], Raw]) -> None:
    """Replace the value at a place by a function of the old one."""
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
            number = field_number(base.type, name)
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
    union, held = target.value.type, variant_number(target.value.type, target.variant)
    assert isinstance(union, t.Union)
    if evaluate(x, target.value)[0] != held:
        raise Failure("error", f"not a {target.variant}", target.line)
    number = field_number(union.variants[held], target.name)
    change(x, target.value, lambda old: (held, _replaced(old[1], number, new)))


def _replaced(old: tuple[Raw, ...], place: int, new: Callable[[Raw], Raw]) -> tuple[Raw, ...]:
    return (*old[:place], new(old[place]), *old[place + 1 :])
