"""Rules that read no variable, as tables of their values.

What a protocol derives from its constants is asked for in every state: the earlier messages of a sender, whether a
message is addressed to a group.  Such a rule gives the same value for the same arguments in every state.  If it has few
combinations of arguments, the evaluator of the intermediate representation (`checker.ir.evaluate`) computes all values
when the kernel is emitted, and a call reads one word.

Where it stops: a rule that fails for some arguments is compiled as any other, and so is one that takes the evaluator
too long.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from checker.assembly import signed
from checker.backends.native import codec
from checker.backends.native.packing import is_atom
from checker.backends.native.repeated import cost
from checker.ir.domain import size
from checker.ir.evaluate.environment import Environment, Failure
from checker.ir.evaluate.statements import call
from checker.ir.facts import variables_read
from checker.ir.model import Function, Model
from checker.ir.values import values

LEAST, WORK = 12, 4_000
"""Approximate operations of a call that is worth a read of memory, and of all combinations: some milliseconds of the
evaluator, and few enough values for the nearest cache."""


def words_of(model: Model, function: Function) -> tuple[int, ...] | None:
    """The packed values of a rule for all combinations of its arguments, in canonical order; None if the rule is
    compiled.
    """
    if not function.parameters or not is_atom(function.result) or variables_read(model, function):
        return None
    sizes = [size(p.type) if is_atom(p.type) else None for p in function.parameters]
    number = prod(n or 0 for n in sizes)
    each = cost(model, function, {})
    if not number or each < LEAST or number * each > WORK:
        return None
    try:
        return tuple(signed(word) for word in _packed(model, function))
    except Failure:
        return None


def _packed(model: Model, function: Function) -> Iterator[int]:
    for arguments in product(*(values(p.type) for p in function.parameters)):
        yield codec.pack(function.result, call(Environment(model, {}, {}, call=call), function, list(arguments)))
