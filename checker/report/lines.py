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
