"""Tables of text on a terminal: columns as wide as their widest cell, two spaces apart."""

from __future__ import annotations

from collections.abc import Sequence


class Right(str):
    """A cell whose text stands at the right of its column: a number."""


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows with their cells below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in rows]


def _padded(cell: str, width: int) -> str:
    return cell.rjust(width) if isinstance(cell, Right) else cell.ljust(width)
