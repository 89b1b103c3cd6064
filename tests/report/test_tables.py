"""Tables of Markdown: each row has as many cells as the head, whatever stands in them."""

from __future__ import annotations

import pytest

from checker.report.markdown import escape
from checker.report.tables import Right, markdown_table


def test_numbers_stand_at_the_right() -> None:
    """A column is aligned as its head; an empty cell is one space wide."""
    table = markdown_table(["", Right("states")], [("isis", "5,762"), ("edit", "")])
    assert table == "| | states |\n|---|---:|\n| isis | 5,762 |\n| edit | |"


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("`c |= d`", "`c \\|= d`"),
        ("a\\|b", "a\\|b"),  # escaped already
        ("a\\\\|b", "a\\\\\\|b"),  # the backslash is, the sign after it is not
        (escape("x|y\\"), "x\\|y\\\\"),
        ("two\nlines", "two lines"),
    ],
)
def test_no_cell_ends_its_row_or_column(cell: str, written: str) -> None:
    """`|` is escaped once, also in code, and a line break is a space."""
    assert markdown_table(["head"], [(cell,)]).split("\n")[2] == f"| {written} |"


def test_a_row_that_does_not_fit_is_refused() -> None:
    """A host would drop what is too much without a word."""
    with pytest.raises(AssertionError, match="3 cells in a table of 2 columns"):
        markdown_table(["a", "b"], [("1", "2", "3")])
