"""What a check found: the report of a search, and of each property and action in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import fields

from checker.displayed import Displayed
from checker.frozen import frozen
from checker.results.locality import Distant
from checker.results.profile import Profile
from checker.results.vacuity import GuardPart, Tested, Vacuity, told
from checker.results.validated import Validation
from checker.results.verdict import Verdict
from checker.trace.trace import Trace
from checker.wording import counted

FAILURES = ("error", "assert")
"""The kinds of what goes wrong without being a property."""
FAILED_AS = {"error": "model error", "assert": "assertion failed"}
"""What each of them is called."""
SHORTEST = "breadth-first, no shorter trace exists"
REDUCED = "from a reduced search, shorter traces may exist"
FIRST_ENDED = "the search ended at the first violation"


@frozen
class Failed:
    """What goes wrong, in which line of which file; called: where the model calls it, if that is another's file.  Files
    are as Python names them; "" where none is known."""

    what: str
    file: str
    line: int
    called: tuple[str, int] | None = None


@frozen
class PropertyReport:
    """verdict: holds, violated, reachable, unreachable, unknown (not decided, for the `reason` in words).  failed: of
    an error or a failed assertion."""

    name: str
    kind: str
    verdict: Verdict
    steps: int | None = None
    reason: str | None = None
    trace: Trace | None = None
    failed: Failed | None = None


@frozen
class ActionReport:
    """enabled: states in which some instance was enabled; fired: transitions; first_level: steps after which it was
    first taken."""

    name: str
    enabled: int
    fired: int
    first_level: int | None
    fault: bool = False


@frozen(kw_only=True)
class Searched:
    """The part of an engine's answer that is plain data, as the report has it too.

    The numbers are those of `checker.search.result.Counts`; `bound` names the limit that ended the search.  expanded:
    levels expanded, states not expanded.  validation: how far the interpreter confirmed the search; None if it made the
    search itself, or nothing was searched.  before: what a limit on time interrupted before the search began.  reduced:
    if steps were left out that do not change the verdicts, so that the numbers are those of a smaller graph: which
    steps had to stay, in words.  peak_disk: bytes of the states that were put beyond memory, at their most.
    """

    distinct: int
    transitions: int
    depth: int
    initial: int
    quiescent: int
    cut: int
    levels: tuple[int, ...]
    complete: bool
    bound: str | None
    actions: tuple[ActionReport, ...]
    expanded: tuple[int, int]
    peak_memory: int
    validation: Validation | None
    before: str = ""
    reduced: str = ""
    peak_disk: int = 0

    @property
    def coverage(self) -> str:
        """How far a search went that a limit or a violation ended, in words."""
        if self.before:
            return f"while {self.before}, before the search began"
        return f"{counted(self.expanded[0], 'level')} expanded, {counted(self.expanded[1], 'state')} not expanded"

    def searched(self) -> dict[str, Any]:
        """These alone, by name, for a result that says more than this one."""
        return {a.name: getattr(self, a.name) for a in fields(Searched)}


@frozen(kw_only=True, repr=False)
class Report(Displayed, Searched):
    """What a check found.  merged: each state counted stands for all its permutations.  conditions (of properties, with
    what `tested` says of them), guards (what each part blocked), locality (what actions read that
    their process cannot know) and profile are there where they were asked for."""

    model: str
    reference: str
    constants: Mapping[str, Any]
    engine: str
    verdict: Verdict
    outcomes: int | None
    properties: tuple[PropertyReport, ...]
    findings: tuple[Vacuity, ...]
    seconds: Mapping[str, float]
    doc: str = ""
    conditions: tuple[Tested, ...] | None = None
    guards: tuple[GuardPart, ...] | None = None
    profile: Profile | None = None
    locality: tuple[Distant, ...] | None = None
    merged: bool = False

    def heading(self) -> str:
        return f"{self.reference} {self.verdict}, {counted(self.distinct, 'state')}"

    @property
    def exit_code(self) -> int:
        """The exit code of the verdict."""
        return self.verdict.exit_code

    @property
    def empty(self) -> bool:
        """Whether there is no initial state."""
        return self.verdict is Verdict.VACUOUS and not self.distinct

    @property
    def misspelt(self) -> tuple[Vacuity, ...]:
        """The methods of an edit that were meant to override one of its base, and do not."""
        return tuple(f for f in self.findings if f.kind == "misspelt-rule")

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the verdict say less than it seems to, in words."""
        return tuple(f.text for f in told(self.findings))


LIMITS = ("depth", "states", "seconds", "memory", "disk")
"""The bounds of a search that are limits; Ctrl-C is none."""


def stopped(bound: str) -> str:
    """What ended a search before it was complete, in words that follow "the search was"."""
    return "interrupted" if bound == "interrupted" else f"stopped by the limit on {bound}"
