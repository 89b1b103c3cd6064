"""The tables of the language as cases: each operation of `checker.frontend.kinds` with operands of each kind, accepted
or not.

The texts are made of the rows themselves: c and d become operands, v a value, i and j numbers.  So a row that is added
there is tried here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

from checker.frontend.kinds import MAPS, OPERATIONS, PAIRS, SEQUENCES, SETS, Kind
from tests.language.enumeration.case import Case
from tests.language.enumeration.operands import OPERANDS, Operand

LIKE: dict[str, tuple[str, ...]] = {
    "c == d": ("c == d", "c != d"),
    "c + d": ("c + d",),
    "c | d": ("c | d", "c & d", "c - d", "c ^ d"),
    "c <= d": ("c <= d", "c < d", "c >= d", "c > d"),
}
"""The operations that a row of two collections is for."""

FAMILIES: dict[str, tuple[frozenset[Kind], ...]] = {
    row: (SEQUENCES, SETS, MAPS, frozenset({Kind.BAG})) for row in PAIRS
} | {"c <= d": (SETS,)}
"""Kinds that are compared or combined with each other; of others the types are unlike."""

VALUES = {"v": "1", "i": "0", "j": "1"}


def changes(operation: str) -> bool:
    """Whether an operation changes its collection."""
    return (
        operation in OPERATIONS
        and re.search(r"\.(append|insert|add|discard|update|remove|clear|pop)\(|\] = | \W= " r"d$", operation)
        is not None
    )


def worded(operation: str, words: Mapping[str, str]) -> str:
    """An operation with texts for its letters."""
    return re.sub(r"\b[cdvij]\b", lambda found: words[found[0]], operation)


def of_kind(kind: Kind) -> list[Operand]:
    """The operands of a kind."""
    return [o for o in OPERANDS if o.kind == kind.value]


def tabled(most: int = 2) -> Iterator[tuple[str, tuple[Kind, ...], Case]]:
    """Row, kinds and case: each row with up to so many operands of each kind, and of pairs a quarter of that, two at
    least."""
    for operation in OPERATIONS:
        for kind in Kind:
            for operand in of_kind(kind)[:most]:
                yield operation, (kind,), _case(operation, operation, kind.value, operand, operand)
    few = max(2, most // 4)
    for row in PAIRS:
        for left, right in product(Kind, Kind):
            if any(left in family and right in family for family in FAMILIES[row]):
                for a, b in product(of_kind(left)[:few], [o for o in of_kind(right) if not o.before][:few]):
                    for operation in LIKE[row]:
                        yield row, (left, right), _case(row, operation, f"{left.value} . {right.value}", a, b)


def _case(row: str, operation: str, kind: str, c: Operand, d: Operand) -> Case:
    changing = changes(operation)
    named = changing and not c.target
    words = (
        VALUES | ({"v": "self.site"} if kind == Kind.TYPE.value else {}) | {"c": "y" if named else c.text, "d": d.text}
    )
    text = worded(operation, words)
    before = (*c.before, f"y = {c.text}") if named else c.before
    if operation.startswith(("for ", "if ")):
        return Case("table", row, kind, "action", before, lines=(f"{text}:", "    self.out += 1"))
    if changing and ".pop(" not in operation:
        return Case("table", row, kind, "action", before, lines=(text, "self.outb = True"))
    return Case("table", row, kind, "action", before, text)
