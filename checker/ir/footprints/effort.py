"""The limit of the work for the instances of a model: how many expressions are evaluated for all of them together."""

from __future__ import annotations

from attrs import define

MOST_EXPRESSIONS = 300_000
"""The number of expressions that are evaluated for one model, each in every case of every instance: some four seconds.
"""


class TooMany(Exception):
    """There are more instances, or more work for them, than the limit."""


@define
class Effort:
    """How many more expressions may be evaluated; all instances of a model share it."""

    left: int = MOST_EXPRESSIONS

    def spend(self) -> None:
        """Count one more expression. Raises TooMany."""
        self.left -= 1
        if self.left < 0:
            raise TooMany
