"""What a comment has room for: texts that are cut at the end of a word, and the size of its parts."""

from __future__ import annotations

from collections.abc import Sequence

LONG_WORD = 40


def size(parts: Sequence[str]) -> int:
    return sum(len(part) + 2 for part in parts)


def cut(text: str, most: int) -> str:
    """The beginning of a text that is too long, up to the end of a word, unless the word is long itself."""
    if len(text) <= most:
        return text
    begun = text[: most - 4]
    whole = begun if text[most - 4].isspace() else begun.rpartition(" ")[0].rstrip()
    return f"{whole if len(whole) >= len(begun) - LONG_WORD else begun} ..."
