"""Wording that every page and line shares.  It imports nothing, so every layer may use it."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """A number of things: "1 step", "1,200 steps"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names in a sentence: all of a few; of more than `most` the first, and how many others there are."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"


def first_paragraph(text: str | None) -> str:
    """The first paragraph of a documentation text on one line; "" of none."""
    return " ".join((text or "").strip().split("\n\n")[0].split())
