"""Emission of expressions: places, scalars, records, optionals, unions.

Atoms are computed in registers. A large value is either an existing place or built in a temporary.
"""

from __future__ import annotations

from checker.assembly import Operand
from checker.backends.native import access, domain
from checker.backends.native.analysis import cheap
from checker.backends.native.compare import compare
from checker.backends.native.context import Big, Bits, Context, Ref, Value, builds, evaluates, packs
from checker.backends.native.convert import convert
from checker.backends.native.packing import bits, count, field_shift, is_atom, payload_bits, variant_shift
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.common import fits
from checker.ir.facts import fits_ordinal


def reference(f: Context, node: e.Expression) -> Ref:
    """The place of an expression: a real one for places, a read-only one otherwise."""
    match node:
        case e.Variable(type, name, before):
            pointer = f.before if before else f.state
            return access.descend(f, type, f.module.layout.nodes[name], pointer, 0)
        case e.Local(type, name):
            bound = f.names[name]
            return bound if isinstance(bound, Bits | Big) else access.hold(f, type, bound)
        case e.Index(_, base, key, line):
            return _indexed(f, base, key, line)
        case e.Field(_, base, name):
            return access.field(f, reference(f, base), t.field_number(base.type, name))
        case e.VariantField(_, value, variant, name, line):
            return _variant_field(f, value, variant, name, line)
        case e.Unwrap(_, value, line):
            place = reference(f, value)
            f.check(access.number(f, access.flag(f, place)), "none has no value", line)
            return access.payload(f, place)
    return access.hold(f, node.type, f.evaluate(node))


def _indexed(f: Context, base: e.Expression, key: e.Expression, line: int) -> Ref:
    place = reference(f, base)
    if isinstance(base.type, t.Map):
        return access.entry(f, place, domain.place(f, base.type.key, f.operand(key)))
    assert isinstance(base.type, t.Seq)
    index = f.operand(key)
    if not (isinstance(base, e.MakeSeq) and fits(key.type, t.Int(0, len(base.items) - 1))):
        f.check(f.b.compare("ult", index, access.number(f, access.length(f, place))), "index out of range", line)
    return access.item(f, place, index)


def _variant_field(f: Context, value: e.Expression, variant: str, name: str, line: int) -> Ref:
    union = value.type
    assert isinstance(union, t.Union)
    place, v = reference(f, value), t.variant_number(union, variant)
    held = access.number(f, access.tag(f, place))
    f.check(f.b.compare("eq", held, v), f"not a {variant}", line)
    return access.variant_field(f, place, v, t.field_number(union.variants[v], name))


@evaluates(e.Variable, e.Local, e.Index, e.Field, e.VariantField, e.Unwrap)
def _place(f: Context, node: e.Expression) -> Value:
    return access.load(f, reference(f, node))


@builds(e.Expression)
def _store(f: Context, node: e.Expression, target: Ref) -> None:
    access.store(f, target, f.evaluate(node))


@evaluates(e.Const)
def _const(f: Context, node: e.Const) -> Value:
    return node.value


@evaluates(e.Expression)
def through_memory(f: Context, node: e.Expression) -> Value:
    """Evaluate by building in a temporary."""
    place = access.temporary(f, node.type)
    f.build(node, place)
    return access.load(f, place)


@evaluates(e.After)
def _after(f: Context, node: e.After) -> Value:
    for part in node.earlier:
        f.evaluate(part)
    return f.evaluate(node.value)


# -- truth


@evaluates(e.Not)
def _not(f: Context, node: e.Not) -> Value:
    return f.b.negate(f.operand(node.value))


@evaluates(e.And)
def _and(f: Context, node: e.And) -> Value:
    return _chain(f, node.operands, 1)


@evaluates(e.Or)
def _or(f: Context, node: e.Or) -> Value:
    return _chain(f, node.operands, 0)


def _chain(f: Context, operands: tuple[e.Expression, ...], neutral: int) -> Operand:
    """Conjunction (neutral 1) or disjunction (0).  Cheap operands that cannot fail are evaluated without a branch."""
    b = f.b
    join = b.bit_and if neutral else b.bit_or
    result = f.operand(operands[0])
    for i, operand in enumerate(operands[1:], 1):
        if isinstance(result, int):
            if result != neutral:
                return result
            result = f.operand(operand)
        elif cheap(operand):
            result = join(result, f.operand(operand))
        else:
            return _lazily(f, result, operands[i:], neutral)
    return result


def _lazily(f: Context, first: Operand, rest: tuple[e.Expression, ...], neutral: int) -> Operand:
    b = f.b
    slot, more, end = b.slot(), b.new_label(), b.new_label()
    b.store(first, slot)
    b.branch(first, more if neutral else end, end if neutral else more)
    b.label(more)
    b.store(_chain(f, rest, neutral), slot)
    b.label(end)
    return b.load(slot)


@evaluates(e.IfElse)
def _if_else(f: Context, node: e.IfElse) -> Value:
    condition = f.operand(node.condition)
    if isinstance(condition, int):
        return f.evaluate(node.then if condition else node.other)
    if is_atom(node.type) and cheap(node.then) and cheap(node.other):
        return f.b.select(condition, f.operand(node.then), f.operand(node.other))
    place = access.temporary(f, node.type)
    _either(f, condition, node, place)
    return access.load(f, place)


@builds(e.IfElse)
def _build_if_else(f: Context, node: e.IfElse, target: Ref) -> None:
    _either(f, f.operand(node.condition), node, target)


def _either(f: Context, condition: Operand, node: e.IfElse, target: Ref) -> None:
    with f.b.either(condition) as otherwise:
        f.build(node.then, target)
        otherwise()
        f.build(node.other, target)


@evaluates(e.Compare)
def _compare(f: Context, node: e.Compare) -> Value:
    left, right = node.left, node.right
    return compare(f, node.operator, left.type, f.evaluate(left), right.type, f.evaluate(right))


# -- integers


@evaluates(e.Arithmetic)
def _arithmetic(f: Context, node: e.Arithmetic) -> Value:
    b, x, y = f.b, f.operand(node.left), f.operand(node.right)
    match node.operator:
        case "+":
            return b.add(x, y)
        case "-":
            return b.sub(x, y)
        case "*":
            return b.mul(x, y)
        case "min":
            return b.select(b.compare("sle", x, y), x, y)
        case "max":
            return b.select(b.compare("sge", x, y), x, y)
    f.check(b.compare("ne", y, 0), "division by zero", node.line)
    return _floor(f, node.operator, x, y)


def _floor(f: Context, operator: str, x: Operand, y: Operand) -> Operand:
    """Python's // and %: the remainder has the sign of the divisor."""
    if isinstance(x, int) and isinstance(y, int):
        return (x // y if operator == "//" else x % y) if y else 0
    b = f.b
    remainder = b.register(f"srem i64 {x}, {y}")
    wrong = b.bit_and(b.compare("ne", remainder, 0), b.compare("slt", b.bit_xor(remainder, y), 0))
    if operator == "%":
        return b.select(wrong, b.add(remainder, y), remainder)
    return b.sub(b.register(f"sdiv i64 {x}, {y}"), wrong)


@evaluates(e.Ordinal)
def _ordinal(f: Context, node: e.Ordinal) -> Value:
    return f.evaluate(node.value)


@evaluates(e.FromOrdinal)
def _from_ordinal(f: Context, node: e.FromOrdinal) -> Value:
    assert isinstance(node.type, t.Enum | t.Ids)
    place = f.operand(node.value)
    if not fits_ordinal(node):
        f.check(f.b.compare("ult", place, len(node.type.members)), "index out of range", node.line)
    return place


# -- optionals, unions, records


@evaluates(e.IsVariant)
def _is_variant(f: Context, node: e.IsVariant) -> Value:
    union = node.value.type
    assert isinstance(union, t.Union)
    held = access.number(f, access.tag(f, reference(f, node.value)))
    return f.b.compare("eq", held, t.variant_number(union, node.variant))


@evaluates(e.IsNone)
def _is_none(f: Context, node: e.IsNone) -> Value:
    return f.b.negate(access.number(f, access.flag(f, reference(f, node.value))))


@packs(e.NoneValue, e.EmptyBag)
def _zero(f: Context, node: e.Expression) -> Value:
    return 0


@builds(e.NoneValue, e.EmptyBag)
def _build_zero(f: Context, node: e.Expression, target: Ref) -> None:
    access.clear(f, target)


@packs(e.Some)
def _some(f: Context, node: e.Some) -> Value:
    inner = node.value.type
    return f.b.bit_or(1 << bits(inner), access.packed(f, inner, f.operand(node.value)))


@builds(e.Some)
def _build_some(f: Context, node: e.Some, target: Ref) -> None:
    f.build(node.value, access.payload(f, target))
    access.put(f, access.flag(f, target), 1)


@packs(e.MakeRecord)
def _record(f: Context, node: e.MakeRecord) -> Value:
    record = node.type
    assert isinstance(record, t.Record)
    return _joined(f, [(v, field_shift(record, i)) for i, v in enumerate(node.fields)])


def _joined(f: Context, parts: list[tuple[e.Expression, int]]) -> Operand:
    result: Operand = 0
    for value, shift in parts:
        result = f.b.bit_or(result, f.b.shl(access.packed(f, value.type, f.operand(value)), shift))
    return result


@builds(e.MakeRecord)
def _build_record(f: Context, node: e.MakeRecord, target: Ref) -> None:
    for i, value in enumerate(node.fields):
        f.build(value, access.field(f, target, i))


@packs(e.MakeVariant)
def _make_variant(f: Context, node: e.MakeVariant) -> Value:
    union = node.type
    assert isinstance(union, t.Union)
    v = t.variant_number(union, node.variant)
    parts = [(value, variant_shift(union, v, i)) for i, value in enumerate(node.fields)]
    return f.b.bit_or(_joined(f, parts), v << payload_bits(union))


@builds(e.MakeVariant)
def _build_variant(f: Context, node: e.MakeVariant, target: Ref) -> None:
    union = node.type
    assert isinstance(union, t.Union)
    v = t.variant_number(union, node.variant)
    access.clear(f, target)
    access.put(f, access.tag(f, target), v)
    for i, value in enumerate(node.fields):
        f.build(value, access.variant_field(f, target, v, i))


@evaluates(e.Narrow)
def _narrow(f: Context, node: e.Narrow) -> Value:
    return convert(f, node.value.type, node.type, f.evaluate(node.value), node.line)


# -- maps


@packs(e.Everywhere)
def _everywhere(f: Context, node: e.Everywhere) -> Value:
    assert isinstance(node.type, t.Map)
    value = node.value.type
    width = bits(value)
    comb = sum(1 << i * width for i in range(count(node.type.key)))
    return f.b.mul(access.packed(f, value, f.operand(node.value)), comb)


@builds(e.Everywhere)
def _build_everywhere(f: Context, node: e.Everywhere, target: Ref) -> None:
    assert isinstance(node.type, t.Map)
    value = f.evaluate(node.value)
    for i in f.b.repeat(count(node.type.key)):
        access.store(f, access.entry(f, target, i), value)


@builds(e.MapOf)
def _build_map(f: Context, node: e.MapOf, target: Ref) -> None:
    assert isinstance(node.type, t.Map)
    key = node.type.key
    if isinstance(target, Bits):
        access.clear(f, target)  # entries are written one by one; the bits around them may be undefined
    for i in f.b.repeat(count(key)):
        with f.bound(node.local.name, domain.at(f, key, i)):
            f.build(node.body, access.entry(f, target, i))
