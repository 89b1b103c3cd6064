"""Vacuity: why a property that holds says less than it seems to, when its condition was first true, and what each part
of a guard blocked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from checker.frozen import frozen
from checker.wording import counted, listed

Kind = Literal[
    "no-initial-state",
    "no-properties",
    "no-actions",
    "never-received",
    "never-enabled",
    "never-quiescent",
    "never-tested",
    "never-executed",
    "never-changed",
    "no-event",
    "within-constraint",
    "whole-runs-cut",
    "trivial-constants",
    "never-called",
    "misspelt-rule",
    "never-read",
    "reads-nothing",
    "empty-domain",
    "edits-nothing",
]


@frozen
class Vacuity:
    """One reason.  subject: the action, property or constant it is about."""

    kind: Kind
    subject: str
    text: str


DECIDING = ("no-initial-state", "misspelt-rule")
"""Findings that make a verdict "holds" vacuous, whether or not it was asked for: not what was meant was checked."""
FEW = 5


def told(findings: Sequence[Vacuity]) -> list[Vacuity]:
    """The findings as they are told: actions that were never enabled as one, if there are more than a few."""
    idle = [f for f in findings if f.kind == "never-enabled"]
    if len(idle) <= FEW:
        return list(findings)
    names = listed([f.subject for f in idle], FEW)
    together = Vacuity("never-enabled", names, f"{counted(len(idle), 'action')} were never enabled: {names}")
    return [together if f is idle[0] else f for f in findings if f.kind != "never-enabled" or f is idle[0]]


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
