"""Vacuity: why a property that holds states less than it seems to, when its antecedent was first true, and what each
part of a guard blocked.
"""

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
    "quiescent-by-fault",
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
    "decided-by-types",
    "edits-nothing",
]


@frozen
class Vacuity:
    """One reason.  subject: the action, property or constant; never: what never happened, without its effect or
    condition, for a line with several; "" for a finding of another kind than NEVER.  names: the constraints that cut,
    or the method with the empty domain, the branch or the comparison."""

    kind: Kind
    subject: str
    text: str
    never: str = ""
    names: tuple[str, ...] = ()


def never_in_words(findings: Sequence[Vacuity]) -> tuple[str, ...]:
    """What never happened, in words; properties that were never tested together."""
    untested = [f for f in findings if f.kind == "never-tested"]
    words = [f.never for f in told(findings, 1) if f.never and (f not in untested or len(untested) == 1)]
    if len(untested) > 1:
        names = listed([f.subject for f in untested], FEW)
        words.append(f"the antecedents of {names} are never satisfied")
    return tuple(words)


DECIDING = ("no-initial-state", "misspelt-rule")
"""Findings that make a verdict "holds" vacuous even without --strict, because something else was checked than intended.
"""
NEVER = ("never-enabled", "never-executed", "never-tested")
"""Findings that something written never happened, or never mattered; a verdict "holds" names them."""
FEW = 5


def told(findings: Sequence[Vacuity], most: int = FEW) -> list[Vacuity]:
    """The findings as reported: actions that were never enabled are one finding, if there are more than `most`."""
    idle = [f for f in findings if f.kind == "never-enabled"]
    if len(idle) <= most:
        return list(findings)
    names = listed([f.subject for f in idle], FEW)
    text = f"{counted(len(idle), 'action')} were never enabled: {names}"
    together = Vacuity("never-enabled", names, text, text)
    return [together if f is idle[0] else f for f in findings if f.kind != "never-enabled" or f is idle[0]]


def own_words(source: str) -> str:
    """A condition of a method in the names of its model."""
    return re.sub(r"\bself\.", "", source)


@frozen
class Tested:
    """One antecedent of a property.  first_steps: the least number of steps after which it is true (in a quiescent
    state, for a quiescence property; by a step, for a step invariant); None: never.
    """

    property: str
    kind: str
    condition: str
    first_steps: int | None


@frozen
class GuardPart:
    """A part of the guard of an action: its condition and line (of the handler, for a condition of the language), and
    the number of steps that it alone blocked.

    always: its value if types and constants decide it; the steps that an always false part blocks are not counted
    (None), because later parts are not examined.
    """

    action: str
    condition: str
    line: int
    blocked_alone: int | None
    always: bool | None = None

    @property
    def sentence(self) -> str:
        """Its effect, in words."""
        if self.always is not None:
            value = str(self.always).lower()
            return f"{self.action}: '{self.condition}' is always {value} with these types and constants"
        blocked = self.blocked_alone
        what = f"alone blocked {counted(blocked, 'step')}" if blocked else "never blocked alone"
        return f"{self.action}: '{self.condition}' {what}"
