"""Verdicts of a property and of a whole check, in one word each; and the verdicts of sweeps, proofs, comparisons and
searches for a state, which have words of their own.

A property is holds, violated, reachable, unreachable or unknown (not decided); a check holds, violated, vacuous or
inconclusive.  The words are those of the text reports and of the JSON data.  No code compares a verdict with a text
(tests/test_architecture.py).
"""

from __future__ import annotations

from enum import StrEnum

from checker.results import exit_codes


class Verdict(StrEnum):
    """A verdict in the words of reports."""

    HOLDS = "holds"
    VIOLATED = "violated"
    REACHABLE = "reachable"
    UNREACHABLE = "unreachable"
    VACUOUS = "vacuous"
    INCONCLUSIVE = "inconclusive"
    UNKNOWN = "unknown"

    @property
    def refuted(self) -> bool:
        """Whether the claim of the property is known to be false."""
        return self in REFUTED

    @property
    def exit_code(self) -> int:
        """The exit code of a command with this verdict."""
        if self.refuted:
            return exit_codes.VIOLATED
        if self is Verdict.VACUOUS:
            return exit_codes.VACUOUS
        return exit_codes.INCONCLUSIVE if self in (Verdict.INCONCLUSIVE, Verdict.UNKNOWN) else exit_codes.HOLDS


class Swept(StrEnum):
    """The verdicts of a sweep besides those of a check.

    Of a property: implied, because it holds in another configuration; untested, because in a strict sweep its
    antecedent was never true.  Of a configuration: implied; error, because the model is wrong as written there;
    skipped, because the model refuses it; not reached, because Ctrl-C ended the sweep before.
    """

    IMPLIED = "implied"
    UNTESTED = "untested"
    ERROR = "error"
    SKIPPED = "skipped"
    NOT_REACHED = "not reached"


class Proved(StrEnum):
    """The verdicts of a proof about runs of every length: proved; bounded, if there is no violation within the
    requested depth; violated; open, if induction fails at every depth tried; timeout.
    """

    PROVED = "proved"
    BOUNDED = "bounded"
    VIOLATED = "violated"
    OPEN = "open"
    TIMEOUT = "timeout"


class Compared(StrEnum):
    """The verdicts of a comparison, from the worst: the edit breaks a property, or that is not known; it changes
    something, or nothing that was compared.
    """

    BROKEN = "broken"
    INCONCLUSIVE = "inconclusive"
    CHANGED = "changed"
    SAME = "same"

    @property
    def exit_code(self) -> int:
        """The exit code of a comparison with this verdict."""
        if self is Compared.BROKEN:
            return exit_codes.VIOLATED
        return exit_codes.INCONCLUSIVE if self is Compared.INCONCLUSIVE else exit_codes.HOLDS


class LookedFor(StrEnum):
    """The verdicts of a search for a state: found; none, if everything was explored; unknown, if a bound ended it."""

    FOUND = "found"
    NONE = "none"
    UNKNOWN = "unknown"

    @property
    def exit_code(self) -> int:
        """The exit code of a search with this verdict."""
        if self is LookedFor.FOUND:
            return exit_codes.HOLDS
        return exit_codes.VIOLATED if self is LookedFor.NONE else exit_codes.INCONCLUSIVE


REFUTED = (Verdict.VIOLATED, Verdict.UNREACHABLE)
"""For results with other words for verdicts."""
