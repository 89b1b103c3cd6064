"""Vacuity: why a property that holds says less than it seems to, when its condition was first true, and what each part
of a guard blocked."""

from __future__ import annotations

import re
from typing import Literal

from attrs import frozen

from checker.wording import counted

Kind = Literal[
    "no-initial-state",
    "no-properties",
    "no-actions",
    "never-received",
    "never-enabled",
    "never-quiescent",
    "never-tested",
    "no-event",
    "within-constraint",
    "whole-runs-cut",
    "trivial-constants",
    "never-called",
    "never-read",
    "reads-nothing",
    "empty-domain",
]


@frozen
class Vacuity:
    """One reason.  subject: the action, property or constant it is about."""

    kind: Kind
    subject: str
    text: str


def own_words(source: str) -> str:
    """A condition of a method in the words of its model."""
    return re.sub(r"\bself\.", "", source)


@frozen
class Tested:
    """One condition of a property.  first_steps: the least number of steps after which it is true (in a quiescent
    state, for a quiescence property; by a step, for a step invariant); None: never."""

    property: str
    kind: str
    condition: str
    first_steps: int | None


@frozen
class GuardPart:
    """A part of the guard of an action: its condition and line (of the handler, for what the language asks), and how
    many steps it alone blocked.

    always: its value if types and constants decide it; the steps that one that is always false blocks are not counted
    (None), since what comes after it is not looked at.
    """

    action: str
    condition: str
    line: int
    blocked_alone: int | None
    always: bool | None = None

    @property
    def sentence(self) -> str:
        """What it did, in words."""
        if self.always is not None:
            value = str(self.always).lower()
            return f"{self.action}: '{self.condition}' is always {value} with these types and constants"
        blocked = self.blocked_alone
        what = f"alone blocked {counted(blocked, 'step')}" if blocked else "never blocked alone"
        return f"{self.action}: '{self.condition}' {what}"
