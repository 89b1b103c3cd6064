"""Verdicts: what is known of a property, or of a whole check, in one word each.

A property is holds, violated, reachable, unreachable or unknown (not decided); a check holds, violated, vacuous or
inconclusive.  The words are those of the text reports and of the JSON data.
"""

from __future__ import annotations

from enum import StrEnum

from checker.results import exit_codes


class Verdict(StrEnum):
    """What is known, as it is written."""

    HOLDS = "holds"
    VIOLATED = "violated"
    REACHABLE = "reachable"
    UNREACHABLE = "unreachable"
    VACUOUS = "vacuous"
    INCONCLUSIVE = "inconclusive"
    UNKNOWN = "unknown"

    @property
    def refuted(self) -> bool:
        """Whether what the property claims is known to be false."""
        return self in REFUTED

    @property
    def exit_code(self) -> int:
        """The exit code of a command with this verdict."""
        if self.refuted:
            return exit_codes.VIOLATED
        if self is Verdict.VACUOUS:
            return exit_codes.VACUOUS
        return exit_codes.INCONCLUSIVE if self in (Verdict.INCONCLUSIVE, Verdict.UNKNOWN) else exit_codes.HOLDS


REFUTED = (Verdict.VIOLATED, Verdict.UNREACHABLE)
"""For results that have words of their own beside these."""
