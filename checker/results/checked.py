"""The result of a check: the report of a search, and of each property and action in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import fields

from checker.bound import Bound
from checker.displayed import Displayed
from checker.frozen import frozen
from checker.results.locality import Distant
from checker.results.profile import Growth, Profile
from checker.results.vacuity import GuardPart, Tested, Vacuity, never_in_words, told
from checker.results.validated import Validation
from checker.results.verdict import Verdict
from checker.trace.trace import Trace
from checker.wording import counted

FAILURES = ("error", "assert")
"""The kinds of failures that are no property."""
FAILED_AS = {"error": "model error", "assert": "assertion failed"}
"""Their names."""
SHORTEST = "breadth-first, no shorter trace exists"
REDUCED = "from a reduced search, shorter traces may exist"
FIRST_ENDED = "the search ended at the first violation"


@frozen
class Failed:
    """A failure, with the line and the file; called: where the model calls it, if the file is another.  Files are named
    as in Python; "" if unknown.
    """

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
    """The part of an engine's answer that is plain data, which the report has too.

    The numbers are those of `checker.search.result.Counts`; `bound` names the limit that ended the search.  expanded:
    levels expanded, states not expanded.  validation: how far the interpreter confirmed the search; None if it made the
    search itself, or nothing was searched.  before: the work that a limit on time interrupted before the search began.
    reduced: for a reduced search, whose numbers are those of a smaller graph, the steps that are never taken alone, in
    words; reduced_before: the states of a reduced search that found a violation, after which this search followed.
    peak_disk: the largest number of bytes of states beyond memory.  limit: the number of the limit that ended the
    search, as the user gave it.
    """

    distinct: int
    transitions: int
    depth: int
    initial: int
    quiescent: int
    cut: int
    levels: tuple[int, ...]
    complete: bool
    bound: Bound | None
    actions: tuple[ActionReport, ...]
    expanded: tuple[int, int]
    peak_memory: int
    validation: Validation | None
    before: str = ""
    reduced: str = ""
    peak_disk: int = 0
    reduced_before: int = 0
    limit: str = ""

    @property
    def ended(self) -> str:
        """What ended the search, in the words for "the search was ..."; "" if nothing did."""
        return "" if self.bound is None else self.bound.ended_at(self.limit)

    @property
    def coverage(self) -> str:
        """How far a search went before a limit or a violation ended it, in words."""
        if self.before:
            return f"while {self.before}, before the search began"
        return f"{counted(self.expanded[0], 'level')} expanded, {counted(self.expanded[1], 'state')} not expanded"

    def searched(self) -> dict[str, Any]:
        """This part alone, by name, for a result with more fields."""
        return {a.name: getattr(self, a.name) for a in fields(Searched)}


@frozen(kw_only=True, repr=False)
class Report(Displayed, Searched):
    """The result of a check.  merged: each counted state stands for its orbit.  conditions (antecedents of properties,
    with the results of `tested`), guards (what each part blocked), locality (values that actions read although their
    process cannot know them) and profile: if they were requested.  growing: what still grew when a limit or Ctrl-C
    ended the search.
    """

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
    growing: Growth | None = None
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
    def has_error(self) -> bool:
        """Whether a step of the model, or a property, is an error: runs may end early because of it."""
        return any(p.kind in FAILURES for p in self.properties)

    @property
    def misses(self) -> bool:
        """Whether a property is violated because something does not happen."""
        missing = ("quiescence", "leads-to")
        return any(p.verdict is Verdict.VIOLATED and p.kind in missing for p in self.properties)

    @property
    def known_before(self) -> tuple[str, ...]:
        """The violated properties, if the protocol before the edit breaks each of them too, as their runs say."""
        broken = [p for p in self.properties if p.verdict is Verdict.VIOLATED]
        too = all(p.trace is not None and _broken_before(p.trace) for p in broken)
        return tuple(p.name for p in broken) if too else ()

    @property
    def misspelt(self) -> tuple[Vacuity, ...]:
        """The methods of an edit that were meant to override a method of its base, and do not."""
        return tuple(f for f in self.findings if f.kind == "misspelt-rule")

    @property
    def never(self) -> tuple[str, ...]:
        """The actions and branches that never happened, and the properties that were never tested, in a search in which
        everything holds, in words."""
        return never_in_words(self.findings) if self.verdict is Verdict.HOLDS else ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """The findings that limit the meaning of the verdict, in words."""
        return tuple(f.text for f in told(self.findings))


def _broken_before(trace: Trace) -> bool:
    run = trace.shared_run
    return trace.former_steps is not None or run is not None and run.end == "violated"
