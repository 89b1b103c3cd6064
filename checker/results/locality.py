"""An access of an action to a value that its process cannot know, or what it does in the name of another."""

from __future__ import annotations

from typing import Literal

from checker.frozen import frozen

Sight = Literal["another", "shared", "attribute", "network", "fault", "changes", "sends"]

_WORDS: dict[Sight, str] = {
    "another": "reads {} of another process",
    "shared": "reads {}, which belongs to no process",
    "attribute": "reads {}, which the step that sends a message writes once",
    "network": "looks at what is in flight on {}",
    "fault": "asks about faults ({})",
    "changes": "changes {} of another process",
    "sends": "sends in the name of another process on {}",
}


@frozen
class Distant:
    """One kind of such an access, at some lines of a file.  rule: the rule that contains it, "" for a method of the
    action itself.
    """

    action: str
    rule: str
    variable: str
    sight: Sight
    file: str
    lines: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        """The access in words."""
        within = f", by {self.rule}," if self.rule else ""
        return f"{self.action}{within} {_WORDS[self.sight].format(self.variable)}"
