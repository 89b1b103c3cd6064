"""Lines of text for a terminal: stretches of text, each in a style, that the command line prints as they stand.

A style is "" or one of rich ("bold red", "dim"); where there is no colour, the text alone says everything.
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
    """Lines that belong together: the first bears the label, the others stand under it."""
    for number, rest in enumerate(lines):
        yield ((f"  {label:<11}" if number == 0 else " " * 13, ""), *rest)


HANGING, ROOM = 2, 30
"""How much further the continuation of a line is indented, and the columns that it has at least."""


def wrapped(whole: Line, width: int) -> Iterator[Line]:
    """A line in parts of at most so many columns, broken at spaces; a word that is longer stays whole.  What continues
    it stands a little further to the right than its beginning."""
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
    """Where a part that begins at `start` ends: behind the last word that fits, or the first if none does."""
    if len(text) - start <= room:
        return len(text)
    first = start + len(text[start:]) - len(text[start:].lstrip())
    space = text.rfind(" ", first + 1, start + room + 1)
    if space < 0:
        space = text.find(" ", first + 1)
    return len(text) if space < 0 else space


def _between(whole: Line, start: int, end: int) -> Line:
    """The stretches of a line from one column up to another."""
    found, column = [], 0
    for text, style in whole:
        part = text[max(start - column, 0) : max(end - column, 0)]
        found += [(part, style)] if part else []
        column += len(text)
    return found
