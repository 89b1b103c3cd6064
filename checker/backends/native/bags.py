"""Bags (networks) as sorted sequences: equal multisets have equal words.

The canonical order makes the place of an item a search, and choosing among the distinct items a walk that skips equal
neighbours. Where it stops: a count for each possible item would be smaller for bags of very few possible items.
"""

from __future__ import annotations

from checker.assembly import Operand
from checker.backends.native import access, sequences
from checker.backends.native.compare import compare
from checker.backends.native.context import Context, Ref, Value


def find(f: Context, ref: Ref, value: Value) -> Operand:
    """Place of the first item that is not less than the value."""
    kind = sequences.item_type(ref)
    return sequences.position(f, ref, lambda held: compare(f, "<", kind, held, kind, value))


def add(f: Context, ref: Ref, value: Value, line: int) -> None:
    """Add one copy; a full bag is an error, or the finding "grow" of its network."""
    sequences.need_room(f, ref, line)
    sequences.insert(f, ref, find(f, ref, value), value, line)


def remove(f: Context, ref: Ref, value: Value, line: int, strict: bool, every: bool) -> None:
    """Take out one copy, or every copy; absence is an error if `strict`."""
    at = find(f, ref, value)
    present = _holds(f, ref, at, value)
    if strict:
        f.check(present, "no such item to remove", line)
    if not every:
        with f.b.when(present):
            sequences.remove(f, ref, at)
        return
    with f.b.loop(lambda: _holds(f, ref, at, value)):
        sequences.remove(f, ref, at)


def _holds(f: Context, ref: Ref, at: Operand, value: Value) -> Operand:
    """Whether the item at a place (at most the length) equals the value."""
    b, kind = f.b, sequences.item_type(ref)
    result = b.variable(0)
    with b.when(b.compare("slt", at, sequences.length(f, ref))):
        result.set(compare(f, "==", kind, access.load(f, access.item(f, ref, at)), kind, value))
    return result.get()
