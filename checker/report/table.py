"""Tables of plain text: columns as wide as their widest cell, two spaces between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = (), least: Sequence[int] = ()) -> Iterator[str]:
    """The lines of a table; right: columns whose cells end at one place, the others begin at one; least: widths that
    the first columns have at least."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    widths = [max(w, least[i] if i < len(least) else 0) for i, w in enumerate(widths)]
    for row in rows:
        cells = (c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths)))
        yield "  ".join(cells).rstrip()
