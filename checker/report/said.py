"""A line of the head of a report, and how much weight it has there.

Two lines are strong, so that a reader finds them first: the title, which says what happened, and the guilty rule or
statement, with its line and its values.  Every form chooses a look by the weight, so that all agree; of a strong line
that has to be broken, a picture shows the first part in bold.
"""

from __future__ import annotations

from enum import Enum

from checker.frozen import frozen


class Weight(Enum):
    """The two weights."""

    STRONG = "strong"
    PLAIN = "plain"


@frozen
class Said:
    """What is said, and its weight."""

    text: str
    weight: Weight = Weight.PLAIN
