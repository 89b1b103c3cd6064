"""Lines of text for a terminal: pieces of text, each in a style, that the command line prints unchanged.

A style is "" or one of rich ("bold red", "dim"); without colours, the text alone contains all information.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from checker.results.verdict import Verdict

STYLES: dict[str, str] = {
    Verdict.HOLDS: "green",
    Verdict.REACHABLE: "green",
    Verdict.VIOLATED: "bold red",
    Verdict.UNREACHABLE: "bold red",
    Verdict.UNKNOWN: "yellow",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.VACUOUS: "yellow",
}

Line = Sequence[tuple[str, str]]
"""Stretches of text, each with its style."""


def line(text: str = "", style: str = "") -> Line:
    """A line in one style."""
    return ((text, style),)


def plain(line: Line) -> str:
    """The text of a line without its styles."""
    return "".join(text for text, _ in line)


def labelled(label: str, lines: Iterable[Line]) -> Iterator[Line]:
    """Lines that belong together: the first has the label, the others are indented."""
    for number, rest in enumerate(lines):
        yield ((f"  {label:<11}" if number == 0 else " " * 13, ""), *rest)


HANGING, ROOM = 2, 30
"""The additional indentation of a continuation, and its least number of columns."""


def wrapped(whole: Line, width: int) -> Iterator[Line]:
    """A line in parts of at most this many columns, broken at spaces; a longer word stays whole.  Continuations are
    indented a little further than the line.
    """
    text = plain(whole)
    if len(text) <= width:
        yield whole
        return
    indent = min(len(text) - len(text.lstrip()) + HANGING, max(width - ROOM, 0))
    start, room = 0, width
    while start < len(text):
        end = _break(text, start, room)
        part = _between(whole, start, end)
        yield part if start == 0 else ((" " * indent, ""), *part)
        start, room = end + len(text[end:]) - len(text[end:].lstrip()), width - indent


def _break(text: str, start: int, room: int) -> int:
    """Where a part that begins at `start` ends: after the last word that fits, or the first if none does."""
    if len(text) - start <= room:
        return len(text)
    first = start + len(text[start:]) - len(text[start:].lstrip())
    space = text.rfind(" ", first + 1, start + room + 1)
    if space < 0:
        space = text.find(" ", first + 1)
    return len(text) if space < 0 else space


def _between(whole: Line, start: int, end: int) -> Line:
    """The pieces of a line between two columns."""
    found, column = [], 0
    for text, style in whole:
        part = text[max(start - column, 0) : max(end - column, 0)]
        found += [(part, style)] if part else []
        column += len(text)
    return found
