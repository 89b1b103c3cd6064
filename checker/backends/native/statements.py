"""Emission of statements.

In an action the state is copied from the input to the output before the first statement that writes a variable; until
then variables are read from the input, so a failing guard costs no copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from checker.assembly import Operand
from checker.backends.native import access, bags, domain, sequences, sets
from checker.backends.native.analysis import weight
from checker.backends.native.choice import chosen_place, freeze
from checker.backends.native.context import Context, Ref, Value, executes
from checker.backends.native.expressions import reference
from checker.backends.native.iterate import each, iterate
from checker.backends.native.packing import is_atom
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import ROUNDS
from checker.ir.facts import may_fail, reads, root, writes_state
from checker.ir.visit import walk


def _target(f: Context, place: e.Expression) -> Ref:
    variable = root(place)
    if isinstance(variable, e.Variable):
        f.begin_writing()
        f.chosen.pop(variable.name, None)
    return reference(f, place)


@executes(s.Assign)
def _assign(f: Context, node: s.Assign) -> None:
    value = node.value
    if isinstance(node.target, e.Local) and node.target.name not in f.stored:
        f.names[node.target.name] = freeze(f, value.type, f.evaluate(value))
    elif is_atom(value.type):
        number = f.operand(value)
        access.store(f, _target(f, node.target), number)
    elif reads(value, root(node.target)) or may_fail(node.target):
        held = access.temporary(f, value.type)
        f.build(value, held)
        access.copy(f, _target(f, node.target), held)
    else:
        f.build(value, _target(f, node.target))


# -- containers


def _argument(f: Context, item: e.Expression) -> Value:
    """An item as it was before the statement changes its container."""
    return freeze(f, item.type, f.evaluate(item))


@executes(s.SetAdd)
def _set_add(f: Context, node: s.SetAdd) -> None:
    place = _member_place(f, node.target, node.item)
    sets.insert(f, _target(f, node.target), place)


@executes(s.SetRemove)
def _set_remove(f: Context, node: s.SetRemove) -> None:
    place = _member_place(f, node.target, node.item)
    target = _target(f, node.target)
    if node.strict:
        f.check(sets.contains(f, target, place), "no such item to remove", node.line)
    sets.remove(f, target, place)


def _member_place(f: Context, target: e.Expression, item: e.Expression) -> Operand:
    assert isinstance(target.type, t.Set)
    return domain.place(f, target.type.item, f.operand(item))


@executes(s.SeqAppend)
def _seq_append(f: Context, node: s.SeqAppend) -> None:
    value = _argument(f, node.item)
    sequences.append(f, _target(f, node.target), value, node.line)


@executes(s.SeqRemoveAt)
def _seq_remove(f: Context, node: s.SeqRemoveAt) -> None:
    index = f.operand(node.index)
    target = _target(f, node.target)
    f.check(f.b.compare("ult", index, sequences.length(f, target)), "index out of range", node.line)
    sequences.remove(f, target, index)


@executes(s.SeqInsert)
def _seq_insert(f: Context, node: s.SeqInsert) -> None:
    index = f.operand(node.index)
    value = _argument(f, node.item)
    target = _target(f, node.target)
    f.check(f.b.compare("ule", index, sequences.length(f, target)), "index out of range", node.line)
    sequences.insert(f, target, index, value, node.line)


@executes(s.BagAdd)
def _bag_add(f: Context, node: s.BagAdd) -> None:
    value = _argument(f, node.item)
    bags.add(f, _target(f, node.target), value, node.line)


@executes(s.BagRemove)
def _bag_remove(f: Context, node: s.BagRemove) -> None:
    chosen = chosen_place(f, node)
    if chosen is not None:
        at, place = chosen
        before = None if f.copied else place  # once the state is copied, other parts of it may have been written
        sequences.remove(f, _target(f, node.target), at, before)
        return
    value = _argument(f, node.item)
    bags.remove(f, _target(f, node.target), value, node.line, node.strict, node.every)


# -- control flow


@executes(s.If)
def _if(f: Context, node: s.If) -> None:
    b = f.b
    condition = f.operand(node.condition)
    if isinstance(condition, int):
        f.run(node.then if condition else node.other)
        return
    writes = not f.copied and writes_state((node,))
    then, other, end = b.new_label(), b.new_label(), b.new_label()
    b.branch(condition, then, other)
    for label, body in ((then, node.then), (other, node.other)):
        b.label(label)
        with f.arm():
            f.run(body)
            if writes and b.open:
                f.begin_writing()
        if b.open:
            b.jump(end)
    if writes:
        f.assume_copied()
    b.label(end)


@executes(s.For)
def _for(f: Context, node: s.For) -> None:
    if writes_state(node.body):
        f.begin_writing()
    end = f.b.new_label()
    for value in _over(f, node, sum(weight(statement) for statement in node.body) * 2):
        following = f.b.new_label()
        with _loop_variable(f, node.local, value):
            f.loops.append((following, end))
            f.run(node.body)
            f.loops.pop()
        f.b.label(following)
    f.b.label(end)


@contextmanager
def _loop_variable(f: Context, local: e.Local, value: Value) -> Iterator[None]:
    if local.name in f.stored:
        access.store(f, f.stored[local.name], value)
        yield
    else:
        with f.bound(local.name, value):
            yield


def _over(f: Context, node: s.For, work: int) -> Iterator[Value]:
    iterable = node.iterable
    if isinstance(iterable, e.Domain | e.Range):
        return iterate(f, iterable, work)
    frozen = freeze(f, iterable.type, f.evaluate(iterable))
    return each(f, access.hold(f, iterable.type, frozen), work)


@executes(s.While)
def _while(f: Context, node: s.While) -> None:
    if writes_state(node.body):
        f.begin_writing()
    b = f.b
    rounds = b.variable(0)
    head, end = b.new_label(), b.new_label()
    b.label(head)
    b.require(f.operand(node.condition), end)
    done = rounds.get()
    f.check(b.compare("slt", done, ROUNDS), f"more than {ROUNDS} rounds", node.line)
    rounds.set(b.add(done, 1))
    f.loops.append((head, end))
    f.run(node.body)
    f.loops.pop()
    if b.open:
        b.jump(head)
    b.label(end)


@executes(s.Break)
def _break(f: Context, node: s.Break) -> None:
    f.b.jump(f.loops[-1][1])


@executes(s.Continue)
def _continue(f: Context, node: s.Continue) -> None:
    f.b.jump(f.loops[-1][0])


@executes(s.Block)
def _block(f: Context, node: s.Block) -> None:
    if writes_state(node.body) and any(isinstance(part, s.Leave) for part in walk(node.body)):
        f.begin_writing()
    end = f.b.new_label()
    f.blocks[node.label] = end
    f.run(node.body)
    f.b.label(end)


@executes(s.Leave)
def _leave(f: Context, node: s.Leave) -> None:
    f.b.jump(f.blocks[node.label])


@executes(s.Return)
def _return(f: Context, node: s.Return) -> None:
    assert f.returned is not None
    f.returned(node.value)


@executes(s.Stop)
def _stop(f: Context, node: s.Stop) -> None:
    f.begin_writing()
    f.b.jump(f.crash if node.crash else f.stop)


@executes(s.Require)
def _require(f: Context, node: s.Require) -> None:
    f.b.require(f.operand(node.condition), f.disabled)


@executes(s.Assert)
def _assert(f: Context, node: s.Assert) -> None:
    f.check(f.operand(node.condition), node.message, node.line, "assert")


@executes(s.Fail)
def _fail(f: Context, node: s.Fail) -> None:
    f.b.jump(f.error(node.message, node.line))
