"""Tables: on a terminal, with columns as wide as their widest cell, two spaces apart; and in Markdown.

Markdown tables are those of GitHub Flavored Markdown (section 4.10): a row is a line, and `|` ends a cell unless it
follows a backslash, also inside code.  Nothing else is escaped: a cell is Markdown, and other text goes through
`checker.report.markdown.escape` first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


class Right(str):
    """A right-aligned cell: a number.  In the head of a Markdown table it aligns the whole column."""


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows with aligned cells."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in rows]


def _padded(cell: str, width: int) -> str:
    return cell.rjust(width) if isinstance(cell, Right) else cell.ljust(width)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The rows below their head as a Markdown table."""
    table = [_row(head), f"|{'|'.join('---:' if isinstance(h, Right) else '---' for h in head)}|"]
    for row in rows:
        assert len(row) == len(head), (
            f"{len(row)} cells in a table of {len(head)} columns"
        )  # a host drops or adds cells
        table.append(_row(row))
    return "\n".join(table)


def _row(cells: Sequence[str]) -> str:
    return f"|{'|'.join(f' {_cell(c)} ' if c else ' ' for c in cells)}|"


def _cell(text: str) -> str:
    """The text on one line, in which no `|` ends the cell."""
    return re.sub(r"(\\.)|\|", lambda found: found[1] or "\\|", " ".join(text.split("\n")))
