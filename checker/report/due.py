"""What an unmet expectation is due to, of the parts of the source that a change touches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from checker.results.parts import MOVED, RENAMED, Part
from checker.results.verified import Verified
from checker.wording import counted

NAMED = 3


def deciding(result: Verified, changed: Sequence[Part]) -> Sequence[Part]:
    """The parts that matter, if it is known which; else all of them."""
    return result.blamed or changed


def due_text(result: Verified, changed: Sequence[Part]) -> str:
    """The parts that an unmet expectation is due to, with their lines; "" without a change."""
    parts = deciding(result, changed)
    if len(changed) > 1 and result.blamed == ():
        return f"no part alone: {_joined(parts, lambda part: part.told, '; ')}"
    if result.blamed:
        return _joined(parts, lambda part: part.told, " and ")
    others = [part for part in parts[1:] if part.kind not in (RENAMED, MOVED)]
    more = f", and {counted(len(others), 'other part')}" if others else ""
    return f"{parts[0].told}{more}" if parts else ""


def due_sentence(result: Verified, shown: Callable[[Part], str]) -> str:
    """The same in a sentence for a comment; "" if it is not known, or if only one part has changed."""
    if result.blamed is None:
        return ""
    if not result.blamed:
        return "Due to no part alone: the failure stays, whichever is changed back."
    each = "any of them" if len(result.blamed) > 1 else "it"
    return f"Due to {_joined(result.blamed, shown, ' and ')}: if {each} alone is changed back, nothing fails here."


def _joined(parts: Sequence[Part], shown: Callable[[Part], str], word: str) -> str:
    more = f"{word}{len(parts) - NAMED} more" if len(parts) > NAMED else ""
    return word.join(map(shown, parts[:NAMED])) + more
