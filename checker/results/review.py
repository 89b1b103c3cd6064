"""The effects of a change on the models that it touches: the changed parts of the source, the expectations that fail
because of each, and the differences of each touched model from its former version.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from attrs import frozen

from checker.results.checked import PropertyReport
from checker.results.comparison import Comparison
from checker.results.verified import Unread, Verified
from checker.trace.trace import Trace

EXPECTED = "expectation"
"""The kind of a part that states a verdict: changing it changes no model."""

RENAMED = "renamed"
"""The kind of a part that replaces names alone; its name has the former and the new ones."""

MOVED = "moved"
"""The kind of a part that is a file with another name or in another folder; its name has both places."""

CHANGED, REMOVED, NEW = "changed", "removed", "new"
"""What else can happen to a part."""

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
    `owner`: the class whose body contains it, "" outside of classes.  `file`: relative to the root of the repository.
    `gone`: of a removed part the line that it had; its `line` is that of the class.  `changed`: the first line in it
    that differs, 0 if unknown. `values`: for a name with a new value both values, as written, if they are short.
    `diff`: of a changed method the lines that differ, as `- old` and `+ new`.  `members`: of a class that is no
    model and no property the members that differ.
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
    gone: int = 0
    members: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its name in words: rule stands_before of SToTo; value TERM (2 → 3)."""
        if self.kind in (RENAMED, MOVED):
            return f"{self.kind}: {self.name}"
        of = f" of {self.owner}" if self.owner and self.owner != self.name else ""
        name = "" if self.kind in UNNAMED else f" {self.name}"
        values = f" ({' → '.join(self.values)})" if self.values else ""
        return f"{'new ' if self.new else ''}{WORDS.get(self.kind, self.kind)}{name}{of}{values}"

    @property
    def place(self) -> str:
        """FILE:LINE of the first line that differs; of a removed part, of the line that it had."""
        return f"{self.file}:{self.gone or self.changed or self.line}"

    @property
    def fate(self) -> str:
        """What happened to it."""
        if self.kind in (RENAMED, MOVED):
            return self.kind
        return REMOVED if self.gone else NEW if self.new else CHANGED

    @property
    def told(self) -> str:
        """What happened to it, with its line."""
        if self.fate == REMOVED:
            return f"{self.text} removed (was {self.place})"
        return f"{self.text}{' changed' * (self.fate == CHANGED)} ({self.place})"


@frozen
class Removed:
    """A class that stated an expectation and states none any more, or (what) of which less is expected, in words.

    `file` is relative to the root of the repository, `path` is the file itself; `line`: of what it states now.
    """

    name: str
    file: str
    path: Path
    what: str = ""
    line: int = 1

    def __str__(self) -> str:
        return f"{self.name} ({self.file}:{self.line}): {self.what}" if self.what else f"{self.name} ({self.file})"

    def is_of(self, names: Sequence[str]) -> bool:
        """Whether a command that names these files, folders and patterns speaks of it; without a name every command.
        A class of which less is expected was read, so it was named.
        """
        places = [Path(name.rpartition(":")[0] or name).resolve() for name in names]
        path = self.path.resolve()
        return (
            bool(self.what)
            or not names
            or any(p in (path, *path.parents) or fnmatch(str(path), str(p)) for p in places)
        )


@frozen
class Group:
    """The models that the same parts touch, with the results of their expectations."""

    parts: tuple[Part, ...]
    results: tuple[Verified, ...]

    @property
    def failed(self) -> tuple[Verified, ...]:
        """The expectations that are not met, or not decided."""
        return tuple(r for r in self.results if r.exit_code)


def former_label(reference: str) -> str:
    """How the former version of a model is called."""
    return f"{reference} before"


@frozen
class Compared:
    """A touched model compared with its former version, or why there is no comparison; label: the model with its
    constants.
    """

    label: str
    comparison: Comparison | None
    note: str = ""

    @property
    def with_base(self) -> bool:
        """Whether it is compared with the model that it edits."""
        return self.comparison is not None and self.comparison.before != former_label(self.comparison.after)


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


def unexpected_properties(result: Verified) -> tuple[PropertyReport, ...]:
    """The properties that are violated and not expected to be."""
    expected, found = result.case.expectation.violated, result.report.properties if result.report is not None else ()
    return tuple(p for p in found if p.verdict.refuted and p.name not in expected)


def unexpected(result: Verified) -> Trace | None:
    """A shortest run to a violation that is not expected."""
    runs = [p.trace for p in unexpected_properties(result)]
    return min((run for run in runs if run is not None), key=lambda run: len(run.steps), default=None)
