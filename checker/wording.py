"""Wording that every page and line shares.  It imports nothing, so every layer may use it."""


def counted(number: int, noun: str) -> str:
    """A number of things: "1 step", "1,200 steps"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def first_paragraph(text: str | None) -> str:
    """The first paragraph of a documentation text on one line; "" of none."""
    return " ".join((text or "").strip().split("\n\n")[0].split())
