"""The effects of a change on the models that it touches: the changed parts of the source, the expectations that fail
because of each, and the differences of each touched model from its former version.
"""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from checker.results.comparison import Comparison
from checker.results.verified import Unread, Verified
from checker.trace.trace import Trace

EXPECTED = "expectation"
"""The kind of a part that states a verdict: changing it changes no model."""

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
    `owner`: the class whose body contains it, "" outside of classes.  `file`: relative to the root of the repository; a
    removed part has the line of the class.  `changed`: the first line in it that differs, 0 if unknown. `values`: for a
    name with a new value both values, as written, if they are short.  `diff`: of a changed method the lines that
    differ, as `- old` and `+ new`.
    """

    kind: str
    name: str
    owner: str
    file: str
    line: int
    new: bool = False
    changed: int = 0
    values: tuple[str, str] | None = None
    diff: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its name in words: rule stands_before of SToTo; value TERM (2 → 3)."""
        of = f" of {self.owner}" if self.owner and self.owner != self.name else ""
        name = "" if self.kind in UNNAMED else f" {self.name}"
        values = f" ({' → '.join(self.values)})" if self.values else ""
        return f"{'new ' if self.new else ''}{WORDS.get(self.kind, self.kind)}{name}{of}{values}"

    @property
    def told(self) -> str:
        """That it changed, with its line."""
        return f"{self.text} changed ({self.file}:{self.line})"


@frozen
class Removed:
    """A class that stated an expectation and states none any more; `file` is relative to the root of the repository,
    `path` is the file itself."""

    name: str
    file: str
    path: Path

    def __str__(self) -> str:
        return f"{self.name} ({self.file})"


@frozen
class Group:
    """The models that the same parts touch, with the results of their expectations."""

    parts: tuple[Part, ...]
    results: tuple[Verified, ...]

    @property
    def failed(self) -> tuple[Verified, ...]:
        """The expectations that are not met, or not decided."""
        return tuple(r for r in self.results if r.exit_code)


@frozen
class Compared:
    """A touched model compared with its former version, or why there is no comparison; label: the model with its
    constants.
    """

    label: str
    comparison: Comparison | None
    note: str = ""


@frozen
class Review:
    """The effects of a change since a revision; untouched: expectations that it cannot affect; omitted: models that
    were not compared, because a few are sufficient; left: expectations that were not reached before an interruption;
    removed: classes that no longer state an expectation; unread: models that cannot be read.
    """

    revision: str
    groups: tuple[Group, ...]
    compared: tuple[Compared, ...]
    untouched: int
    omitted: tuple[str, ...] = ()
    left: int = 0
    removed: tuple[Removed, ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def results(self) -> tuple[Verified, ...]:
        """The results of all expectations."""
        return tuple(r for group in self.groups for r in group.results)

    @property
    def failed(self) -> tuple[Verified, ...]:
        """The expectations that are not met, or not decided."""
        return tuple(r for group in self.groups for r in group.failed)


def unexpected(result: Verified) -> Trace | None:
    """A shortest run to a violation that is not expected."""
    if result.report is None:
        return None
    expected = result.case.expectation.violated
    runs = [p.trace for p in result.report.properties if p.verdict.refuted and p.name not in expected]
    return min((run for run in runs if run is not None), key=lambda run: len(run.steps), default=None)
