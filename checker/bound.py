"""What ended a search before it was complete: a limit, Ctrl-C, or the size at which Spark takes over.

The words are those of the JSON data.  No code compares a bound with a text (tests/test_architecture.py).
"""

from __future__ import annotations

from enum import StrEnum


class Bound(StrEnum):
    """What ended a search, in one word."""

    DEPTH = "depth"
    STATES = "states"
    SECONDS = "seconds"
    MEMORY = "memory"
    DISK = "disk"
    INTERRUPTED = "interrupted"
    HANDOVER = "handover"

    @property
    def ended(self) -> str:
        """The words for "the search was ..."."""
        return "interrupted" if self is Bound.INTERRUPTED else f"stopped by the limit on {self}"

    def ended_at(self, limit: str) -> str:
        """The same with the number of the limit, as the user gave it, if it is known."""
        return f"{self.ended} ({limit})" if limit else self.ended


LIMITS = (Bound.DEPTH, Bound.STATES, Bound.SECONDS, Bound.MEMORY, Bound.DISK)
"""The bounds that are limits of the user."""
