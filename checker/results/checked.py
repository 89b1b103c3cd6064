"""What a check found: the report of a search, and of each property and action in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from checker.displayed import Displayed
from checker.results.profile import Profile
from checker.results.vacuity import GuardPart, Hollow, Tested
from checker.results.validated import Validation
from checker.results.verdict import Verdict
from checker.trace.trace import Trace

SHORTEST = "breadth-first, no shorter trace exists"
FIRST_ENDED = "the search ended at the first violation"


@frozen
class PropertyReport:
    """verdict: holds, violated, reachable, unreachable, unknown (not decided, for the `reason` in words)."""

    name: str
    kind: str
    verdict: Verdict
    steps: int | None = None
    reason: str | None = None
    trace: Trace | None = None

    @property
    def ends_quiescent(self) -> bool:
        """Whether it is violated by a run at whose end nothing more can happen."""
        trace = self.trace
        return trace is not None and (self.kind == "quiescence" or self.kind == "leads-to" and trace.loop is None)


@frozen
class ActionReport:
    """enabled: states in which some instance was enabled; fired: transitions; first_level: steps after which it was
    first taken."""

    name: str
    enabled: int
    fired: int
    first_level: int | None
    fault: bool = False


@frozen
class Report(Displayed):
    """What a check found.  `bound` names the limit that ended the search; `levels` the states of each depth.

    validation: how far the interpreter confirmed the search; None if it made the search itself.  merged: each state
    counted stands for all its permutations.  conditions (of properties, with what `tested` says of them), guards (what
    each part blocked) and profile are there where they were asked for.
    """

    model: str
    reference: str
    constants: Mapping[str, Any]
    engine: str
    verdict: Verdict
    distinct: int
    transitions: int
    depth: int
    initial: int
    quiescent: int
    cut: int
    outcomes: int | None
    properties: tuple[PropertyReport, ...]
    actions: tuple[ActionReport, ...]
    findings: tuple[Hollow, ...]
    seconds: Mapping[str, float]
    peak_memory: int
    bound: str | None
    levels: tuple[int, ...]
    coverage: str = ""
    doc: str = ""
    conditions: tuple[Tested, ...] | None = None
    guards: tuple[GuardPart, ...] | None = None
    profile: Profile | None = None
    merged: bool = False
    validation: Validation | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the verdict."""
        return self.verdict.exit_code

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the verdict say less than it seems to, in words."""
        return tuple(f.text for f in self.findings)


def stopped(bound: str) -> str:
    """What ended a search before it was complete, in words that follow "the search was"."""
    return "interrupted" if bound == "interrupted" else f"stopped by the limit on {bound}"
