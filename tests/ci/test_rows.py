"""Which rows of a table a build tests, and that the tables which are named are there."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.rows import EACH, left_to_thorough

ROOT = Path(__file__).resolve().parents[2]


class Item(SimpleNamespace):
    """As much of a collected test as is asked."""

    def get_closest_marker(self, name: str) -> Any:
        return name if name in self.marks else None

    def add_marker(self, name: str) -> None:
        self.marks.append(name)


def kept(names: list[str], thorough: tuple[str, ...] = ()) -> list[str]:
    """What a build tests of these, of two files with steps."""
    items: Any = [Item(nodeid=name, marks=["thorough"] if name in thorough else []) for name in names]
    left_to_thorough(items, {"a.py": 2, "b.py::test": 3})
    return [item.nodeid for item in items if not item.marks]


def rows(test: str, count: int) -> list[str]:
    return [f"{test}[{n}]" for n in range(count)]


def test_every_second_or_third_row_is_kept() -> None:
    """Of a file, or of one test of it; what is no row, or of no table that is named, stays."""
    assert kept([*rows("a.py::test", 4), "a.py::alone"]) == ["a.py::test[0]", "a.py::test[2]", "a.py::alone"]
    named = rows("b.py::test", 3)
    assert kept([*named, *rows("b.py::other", 5)]) == [named[0], *rows("b.py::other", 5)]
    assert kept(rows("c.py::test", 2)) == rows("c.py::test", 2)


def test_tests_of_a_file_begin_at_different_rows() -> None:
    """The first begins at the first row, the second at the second."""
    assert kept([*rows("a.py::x", 4), *rows("a.py::y", 4)]) == ["a.py::x[0]", "a.py::x[2]", "a.py::y[1]", "a.py::y[3]"]


def test_a_short_table_of_a_file_stays_and_one_row_of_each() -> None:
    """Two rows may be two engines; a test that is named itself keeps one."""
    assert kept([*rows("a.py::x", 3), *rows("a.py::y", 1)]) == [*rows("a.py::x", 3), "a.py::y[0]"]
    assert kept(rows("b.py::test", 1)) == rows("b.py::test", 1)


def test_rows_that_are_thorough_anyway_are_passed_over() -> None:
    """Otherwise a test could lose all others."""
    table = rows("a.py::test", 6)
    assert kept(table, thorough=(table[0], table[2])) == [table[1], table[4]]


@pytest.mark.parametrize("table", EACH)
def test_a_table_that_is_named_is_there(table: str) -> None:
    """A file that is renamed would be tested in full again, and nobody would notice."""
    file, _, function = table.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert EACH[table] > 1 and re.search(r"parametrize|model_tests\(", text)
    assert not function or re.search(rf"^(def )?{function}( =|\()", text, re.MULTILINE)
