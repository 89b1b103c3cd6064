"""Truth values and integers that are either known (Python values) or terms of z3; operations on known values are
folded.

Integers are two's complement bit vectors just wide enough for their interval; operations extend their operands first,
so that nothing wraps.  Folding keeps formulas small: most loops of a protocol run over known identities.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

Bit = Any  # bool or z3.BoolRef
Int = Any  # int or z3.BitVecRef


def width(lo: int, hi: int) -> int:
    """Bits of the smallest two's complement vector that holds lo..hi."""
    return max(1, max((-lo - 1).bit_length() if lo < 0 else 0, hi.bit_length() if hi > 0 else 0) + 1)


def known(value: Any) -> bool:
    """Whether a scalar is a Python value."""
    return isinstance(value, (bool, int))


# Truth values


def negation(a: Bit) -> Bit:
    """not a."""
    if isinstance(a, bool):
        return not a
    return a.arg(0) if z3.is_not(a) else z3.Not(a)


def conjunction(operands: Iterable[Bit]) -> Bit:
    """The conjunction of all."""
    return _joined(z3.Z3_mk_and, operands, neutral=True)


def disjunction(operands: Iterable[Bit]) -> Bit:
    """The disjunction of all."""
    return _joined(z3.Z3_mk_or, operands, neutral=False)


def _joined(make: Any, operands: Iterable[Bit], neutral: bool) -> Bit:
    """And, Or: built by z3's C functions, without its conversions of each operand, because nearly all of a formula is
    built here.
    """
    kept: dict[int, Bit] = {}
    for a in operands:
        if a is (not neutral):
            return a
        if a is not neutral:
            kept[a.get_id()] = a
    parts = list(kept.values())
    if len(parts) < 2:
        return parts[0] if parts else neutral
    context = parts[0].ctx
    return z3.BoolRef(make(context.ref(), len(parts), (z3.Ast * len(parts))(*(p.ast for p in parts))), context)


def implies(a: Bit, b: Bit) -> Bit:
    """b where a holds."""
    return disjunction([negation(a), b])


def same_truth(a: Bit, b: Bit) -> Bit:
    """a if and only if b."""
    if isinstance(a, bool):
        return b if a else negation(b)
    if isinstance(b, bool):
        return a if b else negation(a)
    return True if a.eq(b) else a == b


def pick_truth(condition: Bit, a: Bit, b: Bit) -> Bit:
    """a where the condition holds, else b."""
    if isinstance(condition, bool):
        return a if condition else b
    if a is b or (not isinstance(a, bool) and not isinstance(b, bool) and a.eq(b)):
        return a
    if isinstance(a, bool):
        return disjunction([condition, b]) if a else conjunction([negation(condition), b])
    if isinstance(b, bool):
        return disjunction([negation(condition), a]) if b else conjunction([condition, a])
    return z3.If(condition, a, b)


# Integers


def as_integer(a: Bit) -> Int:
    """1 for true, 0 for false."""
    return int(a) if isinstance(a, bool) else z3.If(a, z3.BitVecVal(1, 2), z3.BitVecVal(0, 2))


def vector(a: Int, bits: int) -> Any:
    """An integer as a vector of exactly this many bits, which can hold it."""
    if isinstance(a, int):
        return z3.BitVecVal(a, bits)
    if a.size() == bits:
        return a
    return z3.SignExt(bits - a.size(), a) if a.size() < bits else z3.Extract(bits - 1, 0, a)


def _bits(a: Int) -> int:
    return width(a, a) if isinstance(a, int) else a.size()


def _aligned(a: Int, b: Int, bits: int = 0) -> tuple[Any, Any]:
    bits = max(bits, _bits(a), _bits(b))
    return vector(a, bits), vector(b, bits)


def fitted(a: Int, lo: int, hi: int) -> Int:
    """A value known to lie in lo..hi, in no more bits than this interval needs."""
    if isinstance(a, int):
        return a
    if lo == hi:
        return lo
    return vector(a, width(lo, hi)) if a.size() > width(lo, hi) else a


def equal(a: Int, b: Int) -> Bit:
    """a == b."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    if isinstance(a, int):
        a, b = b, a
    if isinstance(b, int):
        half = 1 << (a.size() - 1)
        return a == z3.BitVecVal(b, a.size()) if -half <= b < half else False
    x, y = _aligned(a, b)
    return True if x.eq(y) else x == y


def less(a: Int, b: Int) -> Bit:
    """a < b."""
    if isinstance(a, int) and isinstance(b, int):
        return a < b
    x, y = _aligned(a, b)
    return False if x.eq(y) else x < y


def between(a: Int, lo: int, hi: int) -> Bit:
    """lo <= a <= hi."""
    if isinstance(a, int):
        return lo <= a <= hi
    half = 1 << (a.size() - 1)
    parts = [] if lo <= -half else [negation(less(a, lo))]
    return conjunction([*parts, *([] if hi >= half - 1 else [negation(less(hi, a))])])


def pick_integer(condition: Bit, a: Int, b: Int) -> Int:
    """a where the condition holds, else b."""
    if isinstance(condition, bool):
        return a if condition else b
    if isinstance(a, int) and isinstance(b, int) and a == b:
        return a
    x, y = _aligned(a, b)
    return x if x.eq(y) else z3.If(condition, x, y)


def arithmetic(operator: str, a: Int, b: Int) -> Int:
    """a operator b on integers, as in Python; division by zero has an arbitrary result."""
    if isinstance(a, int) and isinstance(b, int):
        return _computed(operator, a, b)
    match operator:
        case "+":
            x, y = _aligned(a, b, max(_bits(a), _bits(b)) + 1)
            return x + y
        case "-":
            x, y = _aligned(a, b, max(_bits(a), _bits(b)) + 1)
            return x - y
        case "*":
            x, y = _aligned(a, b, _bits(a) + _bits(b))
            return x * y
        case "min":
            return pick_integer(less(b, a), b, a)
        case "max":
            return pick_integer(less(a, b), b, a)
    x, y = _aligned(a, b, max(_bits(a), _bits(b)) + 1)
    return x % y if operator == "%" else (x - x % y) / y  # % of z3 takes the sign of the divisor, like Python's


def _computed(operator: str, a: int, b: int) -> int:
    if operator in ("//", "%") and b == 0:
        return 0
    if operator in ("//", "%"):
        return a // b if operator == "//" else a % b
    return {"+": a + b, "-": a - b, "*": a * b, "min": min(a, b), "max": max(a, b)}[operator]


def total(terms: list[Int]) -> Int:
    """The sum, added in pairs so that the vectors stay narrow."""
    if not terms:
        return 0
    while len(terms) > 1:
        pairs = [arithmetic("+", a, b) for a, b in zip(terms[::2], terms[1::2])]
        terms = [*pairs, *terms[len(pairs) * 2 :]]
    return terms[0]


def count(bits: Iterable[Bit]) -> Int:
    """How many hold."""
    bits = list(bits)
    certain = sum(1 for b in bits if b is True)
    open_bits = [as_integer(b) for b in bits if not isinstance(b, bool)]
    return arithmetic("+", certain, fitted(total(open_bits), 0, len(open_bits))) if open_bits else certain
