"""What a change does to the models that it touches: which parts of the source changed, which expectations fail because
of each, and how a touched model differs from what it was.
"""

from __future__ import annotations

from attrs import frozen

from checker.results.comparison import Comparison
from checker.results.verified import Unread, Verified
from checker.trace.trace import Trace

EXPECTED = "expectation"
"""The kind of a part that states a verdict: its change changes no model."""

LISTING, HEAD = "list of properties", "bases"
UNNAMED = (EXPECTED, LISTING, HEAD)
WORDS = {
    "receive": "handler",
    "step": "step invariant",
    "quiescence": "quiescence property",
    "reachable": "reachability property",
    "initial": "initial states",
}


@frozen
class Part:
    """A part of the source that a change touches.

    kind: rule, action, receive (a handler), invariant, property, declaration, expectation, function, model, file, ...;
    `owner` is the class whose body holds it, "" outside of classes.  `file` is relative to the root of the repository;
    of a part that is gone the line is that of the class.  `changed` is the first line in it that differs, 0 if not
    known.
    """

    kind: str
    name: str
    owner: str
    file: str
    line: int
    new: bool = False
    changed: int = 0

    @property
    def text(self) -> str:
        """What it is, in words: rule stands_before of SToTo."""
        of = f" of {self.owner}" if self.owner and self.owner != self.name else ""
        name = "" if self.kind in UNNAMED else f" {self.name}"
        return f"{'new ' if self.new else ''}{WORDS.get(self.kind, self.kind)}{name}{of}"


@frozen
class Group:
    """The models that the same parts touch, with what came of their expectations."""

    parts: tuple[Part, ...]
    results: tuple[Verified, ...]

    @property
    def failed(self) -> tuple[Verified, ...]:
        """Those that are not as expected, or not decided."""
        return tuple(r for r in self.results if r.exit_code)


@frozen
class Compared:
    """A touched model against what it was, or why there is no comparison; label: the model with its constants."""

    label: str
    comparison: Comparison | None
    note: str = ""


@frozen
class Review:
    """What a change since a revision does; untouched: expectations that it cannot change; omitted: models that were not
    compared, since a few tell enough; left: expectations that were not reached before an interruption; removed: classes
    that state no expectation any more; unread: models that cannot be read."""

    revision: str
    groups: tuple[Group, ...]
    compared: tuple[Compared, ...]
    untouched: int
    omitted: tuple[str, ...] = ()
    left: int = 0
    removed: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def results(self) -> tuple[Verified, ...]:
        """What came of all expectations."""
        return tuple(r for group in self.groups for r in group.results)

    @property
    def failed(self) -> tuple[Verified, ...]:
        """Those that are not as expected, or not decided."""
        return tuple(r for group in self.groups for r in group.failed)


def unexpected(result: Verified) -> Trace | None:
    """A shortest run to a violation that is not expected."""
    if result.report is None:
        return None
    expected = result.case.expectation.violated
    runs = [p.trace for p in result.report.properties if p.verdict.refuted and p.name not in expected]
    return min((run for run in runs if run is not None), key=lambda run: len(run.steps), default=None)
