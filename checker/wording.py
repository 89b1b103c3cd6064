"""Wording that all pages and lines share, and advice.  This module imports nothing, so every layer may use it."""

from __future__ import annotations

import re
from collections.abc import Sequence

CITED = re.compile(r"\(((?:\w+/)?\w+\.py):(\d+)\)")
"""The form of a line of source in sentences: the last component of the file's path, and the number."""
WITH = " with "
"""Between a computation in a reason and the values that it reads."""
INITIAL_STATE = "in the initial state"
"""How the sentence of a CAUSE begins that is an initial state and no step."""
IN_PROPERTY = "in what the property reads"
"""How the sentence of a CAUSE begins that is a rule which only the violated property reads."""
SETTLED = "after this step each continuation without a fault violates {}"
"""What is said at the step that settles a violation."""


LARGEST_SIZE = 1e15
LONGEST_HEAD = 50


def range_text(least: object, most: object) -> str:
    """A range of numbers: "2..5"; if both are alike, the number."""
    return str(least) if least == most else f"{least}..{most}"


def bytes_of(size: int | str, zero: bool = False) -> int:
    """The number of bytes of a size in the usual notation: a number, or one with K, M, G or T behind it (of 1024);
    `zero`: the size may be 0.  Raises ValueError.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGTkmgt]?)[Bb]?", str(size))
    if match is None or not 0 <= float(match[1]) < LARGEST_SIZE or not (zero or float(match[1])):
        raise ValueError(f"{size!r} is not a size: write 500M or 4G")
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))


def size_of(size: int) -> str:
    """A number of bytes as `bytes_of` reads it, in the largest unit of which it is a whole number."""
    for unit in "TGMK":
        worth = 1024 ** " KMGT".index(unit)
        if size and size % worth == 0:
            return f"{size // worth}{unit}"
    return str(size)


class Advice(str):
    """A remedy as text, with the data that an editor needs to apply it.

    meant: names, one of which was probably meant; write: the whole replacement.
    """

    meant: tuple[str, ...]
    write: str

    def __new__(cls, text: str = "", meant: Sequence[str] = (), write: str = "") -> Advice:
        """Only the text is printed and compared."""
        advice = super().__new__(cls, text)
        advice.meant, advice.write = tuple(meant), write
        return advice

    def then(self, more: str) -> Advice:
        """The same advice with more text after it."""
        return Advice(f"{self} {more}".strip(), self.meant, self.write)


def question(meant: Sequence[str]) -> Advice:
    """The question which of a few names was meant; empty without names."""
    return Advice(f"Did you mean {' or '.join(meant)}?" if meant else "", meant)


def write_instead(expression: str) -> Advice:
    """The advice to write a replacement."""
    return Advice(f"Write {expression}.", write=expression)


def counted(number: int, noun: str) -> str:
    """A number of things: "1 step", "1,200 steps", "2 properties"."""
    if number == 1:
        return f"1 {noun}"
    stem, ending = (noun[:-1], "ies") if noun.endswith("y") else (noun, "es" if noun.endswith("s") else "s")
    return f"{digits(number, ',')} {stem}{ending}"


def digits(number: int, form: str = "") -> str:
    """An integer in a message; form: as in a format.  Python prints no number of more than 4,300 digits; of such a
    one, its size.
    """
    try:
        return f"{number:{form}}"
    except ValueError:
        return f"a number of {number.bit_length():,} binary digits"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names in a sentence: all of a few; of more than `most` the first, and the number of others."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"


def and_more(reasons: Sequence[str]) -> str:
    """What follows a reason beside which others are left out: " and more (for v = w, due(p1) is true)"."""
    heads = (CITED.sub("", reason.partition(": ")[0]).strip() for reason in reasons)
    short = [head if len(head) <= LONGEST_HEAD else f"{head[: LONGEST_HEAD - 3]}..." for head in heads]
    return f" and more ({listed(short, 2)})" if short else ""


def first_sentence(paragraph: str) -> str:
    """The first sentence of a paragraph; the whole paragraph if it has no full stop."""
    found = re.match(r".*?[.!?](?=\s+[A-Z(\"'`]|$)", paragraph)
    return found[0] if found else paragraph


def first_paragraph(text: str | None) -> str:
    """The first paragraph of a docstring on one line; "" of none."""
    return " ".join((text or "").strip().split("\n\n")[0].split())


def short_revision(revision: str) -> str:
    """A git revision as reports show it: of a commit with all digits the first ones."""
    return revision[:12] if re.fullmatch("[0-9a-f]{40,64}", revision) else revision
