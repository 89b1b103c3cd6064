"""The tables of docs/language.md are those that the front end asks (checker/frontend/kinds.py)."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path

import pytest

from checker.frontend import kinds
from checker.frontend.kinds import OPERATIONS, PAIRS, Kind
from checker.ir import types as t
from checker.report.tables import markdown_table

PAGE = Path(__file__).parents[2] / "docs" / "language.md"
COLUMNS = [k for k in Kind]
TYPES: dict[Kind, t.Type] = {
    k: kinds.as_kind(
        t.Seq(t.Int(0, 1), 2)
        if k in kinds.SEQUENCES
        else t.Set(t.Int(0, 1))
        if k in kinds.SETS
        else t.Map(t.Int(0, 1), t.Int(0, 1)),
        k,
    )
    for k in Kind
    if k is not Kind.BAG
} | {Kind.BAG: t.Bag(t.Int(0, 1), 2)}


def unary_table() -> str:
    """Operations on one collection: a row each, a column for each kind."""
    rows = [(f"`{op}`", *("yes" if k in accepted else "" for k in COLUMNS)) for op, accepted in OPERATIONS.items()]
    return markdown_table(["c is a", *(k.value for k in COLUMNS)], rows)


def pair_table() -> str:
    """Operations on two collections: for each kind on the left those that may be on the right, and what it gives."""
    rows = []
    for operation, table in PAIRS.items():
        for left in COLUMNS:
            results = {
                result: [r for r in COLUMNS if table.get((left, r), left) is result and (left, r) in table]
                for result in {v for (a, _), v in table.items() if a is left}
            }
            for result, right in sorted(results.items(), key=lambda pair: str(pair[0])):
                given = "a truth value" if result is None else f"a {result.value}"
                rows.append((f"`{operation}`", left.value, ", ".join(r.value for r in right), given))
    return markdown_table(["operation", "c", "d", "gives"], rows)


def test_the_page_shows_the_tables_that_the_front_end_asks() -> None:
    """docs/language.md contains both tables as they are."""
    text = PAGE.read_text()
    for table in (unary_table(), pair_table()):
        assert table in text, f"docs/language.md needs this table:\n{table}"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_is_python_and_each_refusal_says_what_to_write(operation: str) -> None:
    """Each row parses as Python, and for each kind that does not have the operation there is a remedy."""
    ast.parse(f"{operation}: pass" if operation.startswith(("for", "if")) else operation)
    for kind, type in TYPES.items():
        found = kinds.refused(operation, type)
        assert (found is None) == (kind in OPERATIONS[operation])
        assert found is None or found[1], f"{operation} of a {kind.value} has no remedy"


@pytest.mark.parametrize("operation", PAIRS)
def test_each_refused_pair_of_kinds_says_what_to_write(operation: str) -> None:
    """Of two collections of kinds that do not go together, the remedy names one."""
    for group in (g for g in (kinds.SEQUENCES, kinds.SETS, kinds.MAPS) if any(a in g for a, _ in PAIRS[operation])):
        for a, b in product(sorted(group, key=str), repeat=2):
            found = kinds.combined(operation, TYPES[a], TYPES[b])
            assert isinstance(found, frozenset) == ((a, b) in PAIRS[operation])
            assert isinstance(found, frozenset) or found[1], f"{operation} of a {a.value} and a {b.value} has no remedy"
