"""Emission of `choose`.

A choice that opens an action is a loop around it: the caller passes what to take as the argument `%choice`. Every other
choice asks the script (see `runtime`). Of equal neighbours in a bag only the first is taken; the others count as
disabled, so nobody has to count distinct items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from checker.assembly import Operand
from checker.backends.native import access, domain, sequences, sets, variants
from checker.backends.native.compare import compare
from checker.backends.native.context import Big, Context, Ref, Value, executes
from checker.backends.native.expressions import reference
from checker.backends.native.packing import count
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import may_fail
from checker.ir.model import Action


def freeze(f: Context, type: t.Type, value: Value) -> Value:
    """The present value, safe from later writes."""
    if not isinstance(value, Big) or (not f.copied and value.pointer == f.state):
        return value
    place = access.temporary(f, type)
    access.copy(f, place, value)
    return access.load(f, place)


def leading(action: Action) -> s.Choose | None:
    """The choice that opens an action, if the action can be executed in a loop over it."""
    first = action.body[0] if action.body else None
    return first if isinstance(first, s.Choose) and not may_fail(first.iterable) else None


def each_choice(f: Context, iterable: e.Expression, wanted: e.IsVariant | None = None) -> Iterator[Operand]:
    """Each `%choice` of a leading choice, for a Python loop that emits the body: a place in a bag or sequence, a member
    of a set, a number of a range.  wanted: a requirement on an item of a bag (`variants.required`); places of other
    items may be left out.
    """
    match iterable:
        case e.Domain(t.Set(item)):
            return f.b.count(count(item))
        case e.Range(_, start, stop):
            first = f.operand(start)
            return f.b.count(f.operand(stop), first)
    place = reference(f, iterable)
    if isinstance(place.type, t.Set):
        return sets.each(f, place)
    marked = None if wanted is None else variants.places(f, place, wanted)
    return f.b.count(sequences.length(f, place)) if marked is None else sets.each_bit(f, marked, 0)


@executes(s.Choose)
def _choose(f: Context, node: s.Choose) -> None:
    if node is f.leading:
        value = _given(f, node.iterable, "%choice")
    else:
        value = _from_script(f, node)
    value = freeze(f, node.local.type, value)
    if isinstance(node.iterable, e.Variable) and node.iterable.name in f.chosen:
        at, _, place = f.chosen[node.iterable.name]
        f.chosen[node.iterable.name] = at, value, place
    if node.local.name in f.stored:
        access.store(f, f.stored[node.local.name], value)
    else:
        f.names[node.local.name] = value


def _given(f: Context, iterable: e.Expression, choice: Operand) -> Value:
    """The item for a `%choice` (see `each_choice`)."""
    if isinstance(iterable, e.Range):
        return choice
    kind = iterable.type
    if isinstance(kind, t.Set):
        return domain.at(f, kind.item, choice)
    return _item(f, iterable, reference(f, iterable), choice)


def _item(f: Context, iterable: e.Expression, place: Ref, at: Operand) -> Value:
    """The item at a place; in a bag, a repeated item disables this choice."""
    value = access.load(f, access.item(f, place, at))
    if isinstance(place.type, t.Bag):
        _first_of_equals(f, place, at, value)
        if isinstance(iterable, e.Variable):
            f.chosen[iterable.name] = at, value, place
    return value


def _first_of_equals(f: Context, place: Ref, at: Operand, value: Value) -> None:
    b, kind = f.b, sequences.item_type(place)
    look, on = b.new_label(), b.new_label()
    b.branch(b.compare("eq", at, 0), on, look)
    b.label(look)
    previous = access.load(f, access.item(f, place, b.sub(at, 1)))
    b.branch(compare(f, "==", kind, value, kind, previous), f.disabled, on)
    b.label(on)


def chosen_place(f: Context, node: s.BagRemove) -> tuple[Operand, Ref] | None:
    """The place of the item to remove, and the bag where it was read, if it was chosen from this bag and the bag has
    not changed since.
    """
    if not isinstance(node.target, e.Variable) or not isinstance(node.item, e.Local) or node.every or f.loops:
        return None
    if node.target.name not in f.chosen:
        return None
    at, value, place = f.chosen[node.target.name]
    return (at, place) if f.names.get(node.item.name) is value else None


# -- by the script


def _from_script(f: Context, node: s.Choose) -> Value:
    number, pick = _alternatives(f, node.iterable)
    b = f.b
    b.require(b.compare("sgt", number, 0), f.disabled)
    index = b.call("@choose", "%script", number)
    f.check(b.compare("sge", index, 0), "too many choices in one step", node.line)
    return pick(index)


def _alternatives(f: Context, iterable: e.Expression) -> tuple[Operand, Callable[[Operand], Value]]:
    """How many items there are to choose from, and how to get one."""
    if isinstance(iterable, e.Range):
        start = f.operand(iterable.start)
        return f.b.sub(f.operand(iterable.stop), start), lambda i: f.b.add(start, i)
    kind = iterable.type
    if isinstance(iterable, e.Domain):
        assert isinstance(kind, t.Set)
        item = kind.item
        return count(item), lambda i: domain.at(f, item, i)
    place = access.hold(f, kind, f.evaluate(iterable))
    if isinstance(kind, t.Set):
        member = kind.item
        return sets.size(f, place), lambda i: domain.at(f, member, _nth(f, place, i))
    return sequences.length(f, place), lambda i: _item(f, iterable, place, i)


def _nth(f: Context, place: Ref, wanted: Operand) -> Operand:
    """The member number `wanted` of a set with at least that many members."""
    b = f.b
    left, result, end = b.variable(wanted), b.variable(0), b.new_label()
    for member in sets.each(f, place):
        rest = left.get()
        result.set(member)
        on = b.new_label()
        b.branch(b.compare("eq", rest, 0), end, on)
        b.label(on)
        left.set(b.sub(rest, 1))
    b.label(end)
    return result.get()
