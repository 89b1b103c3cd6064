"""Rules whose values are remembered while one state is examined.

A rule is a function of the state and its arguments.  Rules call rules, and properties and the instances of actions call
the same ones again, so that a rule with a loop may be computed many times in one state.  Rules that take long and have
few possible arguments have a table: a stamp and a value for each combination of arguments.  A stamp that differs from
the stamp of the state in hand means that the value is unknown.  A new state has a new stamp, so nothing is ever
cleared.  Errors are not remembered.

The table is memory of the caller (`expand`, `check`, `initial`), so threads share none.  An action that has begun to
write calls rules with a stamp of their own, because its state changes from call to call; afterwards the stamp of the
state that is expanded is valid again, and so are its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod

from checker.assembly import Assembly, Operand
from checker.backends.native.packing import is_atom
from checker.backends.native.repeated import again, cost
from checker.frozen import frozen
from checker.ir.domain import size
from checker.ir.model import Function, Model

LONG = 100
"""Approximate operations of a rule that is worth a table."""
MOST, MOST_ALL = 256, 1024
"""Entries of a rule, and of all: they should stay in the nearest cache."""
NOW, LAST = 0, 1
"""Words of the table: the stamp of the state in hand, and the last stamp that was given."""
_HEAD = 2


@frozen
class Remembered:
    """The rules of a model that have a table: where their entries begin, and the words of all."""

    places: dict[str, int]
    words: int

    def __bool__(self) -> bool:
        return bool(self.places)


def remembered(model: Model) -> Remembered:
    """The rules of a model that are worth a table."""
    costs, places, entries = dict[str, int](), dict[str, int](), 0
    numbers = {f.name: n for f in model.functions if is_atom(f.result) and (n := _arguments(f)) is not None}
    long = {name for name in numbers if cost(model, model.function(name), costs) >= LONG}
    wanted = long & again(model, long)
    for function in model.functions:
        number = numbers.get(function.name, 0)
        if function.name in wanted and number <= MOST and entries + number <= MOST_ALL:
            places[function.name] = _HEAD + 2 * entries
            entries += number
    return Remembered(places, _HEAD + 2 * entries)


def _arguments(function: Function) -> int | None:
    """How many combinations of arguments there are, if they can be numbered."""
    sizes = [size(p.type) if is_atom(p.type) else None for p in function.parameters]
    return None if None in sizes else prod(n or 1 for n in sizes)


# -- emission


def table_of(b: Assembly, rules: Remembered) -> str:
    """Memory for the values, without any; empty if no rule has a table."""
    if not rules:
        return ""
    table = b.slot(rules.words)
    b.clear(table, rules.words)
    begin(b, table)  # the stamp of entries that hold nothing is 0
    return table


def begin(b: Assembly, table: str) -> None:
    """Another state is in hand: no value is known."""
    if table:
        stamp = b.add(b.load(table, LAST), 1)
        b.store(stamp, table, LAST)
        b.store(stamp, table, NOW)


@contextmanager
def apart(b: Assembly, table: str) -> Iterator[None]:
    """Another state is in hand for a while."""
    before = b.load(table, NOW) if table else ""
    begin(b, table)
    yield
    if table:
        b.store(before, table, NOW)


def entry(b: Assembly, table: str, place: int, number: Operand) -> str:
    """The entry of a rule for the arguments of that number, from the place of its entries."""
    return b.address(table, b.add(b.shl(number, 1), place))


@contextmanager
def when_known(b: Assembly, table: str, at: str) -> Iterator[Operand]:
    """A block that runs if the value of an entry is known; yields the value."""
    with b.when(b.compare("eq", b.load(at), b.load(table, NOW))):
        yield b.load(at, 1)


def remember(b: Assembly, table: str, at: str, value: Operand) -> None:
    """Record the value of an entry for the state in hand."""
    b.store(value, at, 1)
    b.store(b.load(table, NOW), at)
