"""Effects of statements on an environment.  Control leaves loops, blocks and functions by exceptions."""

from __future__ import annotations

from collections.abc import Callable

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
        _execute(x, statement)


def _execute(x: Environment, node: s.Statement) -> None:
    match node:
        case s.If(_, condition, then, other):
            run(x, then if evaluate(x, condition) else other)
        case s.For() | s.While() | s.Break() | s.Continue():
            _loop(x, node)
        case s.Block(_, label, body):
            try:
                run(x, body)
            except _Leave as leave:
                if leave.args[0] != label:
                    raise
        case s.Leave(_, label):
            raise _Leave(label)
        case s.Return(_, value):
            raise _Return(evaluate(x, value))
        case s.Stop(_, crash):
            raise Stop(crash)
        case s.Require(_, condition):
            if not evaluate(x, condition):
                raise Disabled
        case s.Assert(line, condition, message):
            if not evaluate(x, condition):
                raise Failure("assert", message, line)
        case s.Fail(line, message):
            raise Failure("error", message, line)
        case s.Choose(_, local, iterable):
            alternatives = items(iterable.type, evaluate(x, iterable))
            if not alternatives:
                raise Disabled
            if x.script.position == CHOICES:
                raise Failure("error", "too many choices in one step", node.line)
            x.names[local.name] = alternatives[x.script.choose(len(alternatives))]
        case _:
            _write(x, node)


def _loop(x: Environment, node: s.Statement) -> None:
    match node:
        case s.For(_, local, iterable, body):
            for value in items(iterable.type, evaluate(x, iterable)):
                x.names[local.name] = value
                if not _round(x, body):
                    return
        case s.While(line, condition, body):
            rounds = 0
            while evaluate(x, condition):
                if rounds == ROUNDS:
                    raise Failure("error", f"more than {ROUNDS} rounds", line)
                rounds += 1
                if not _round(x, body):
                    return
        case s.Break():
            raise _Break
        case s.Continue():
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
# -------------------------------------------------------------------------------------------------------------


def _write(x: Environment, node: s.Statement) -> None:
    match node:
        case s.Assign(_, target, value):
            raw = evaluate(x, value)
            change(x, target, lambda _: raw)
        case s.SetAdd(_, target, item):
            raw = evaluate(x, item)
            change(x, target, lambda old: old | {raw})
        case s.SetRemove(line, target, item, strict):
            raw = evaluate(x, item)
            change(x, target, lambda old: _without(old, raw, strict, line))
        case s.SeqAppend(line, target, item):
            raw = evaluate(x, item)
            change(x, target, lambda old: _inserted(target.type, old, len(old), raw, line))
        case s.SeqInsert(line, target, place, item):
            at, raw = evaluate(x, place), evaluate(x, item)
            change(x, target, lambda old: _inserted(target.type, old, at, raw, line))
        case s.SeqRemoveAt(line, target, place):
            at = evaluate(x, place)
            change(x, target, lambda old: _removed(old, at, line))
        case s.BagAdd(line, target, item):
            raw = evaluate(x, item)
            change(x, target, lambda old: _put(target.type, old, raw, line))
        case s.BagRemove(line, target, item, strict, every):
            raw = evaluate(x, item)
            change(x, target, lambda old: _taken(old, raw, strict, every, line))
        case _:
            raise TypeError(node)


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
