"""The effects of a change on the models that it touches: the changed parts of the source, the expectations that fail
because of each, and the differences of each touched model from its former version.
"""

from __future__ import annotations

from attrs import frozen

from checker.results.checked import PropertyReport
from checker.results.comparison import Comparison
from checker.results.configurations import FamilyComparison
from checker.results.parts import Part
from checker.results.removed import Removed
from checker.results.verified import Unread, Verified
from checker.trace.trace import Trace


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
    constants; family: all configurations that were compared, if there are several, of which `comparison` is the one
    shown.
    """

    label: str
    comparison: Comparison | None
    note: str = ""
    family: FamilyComparison | None = None

    @property
    def with_base(self) -> bool:
        """Whether it is compared with the model that it edits."""
        return self.comparison is not None and self.comparison.before != former_label(self.comparison.after)


@frozen
class Review:
    """The effects of a change since a revision; untouched: expectations that it cannot affect; omitted: models that
    were not compared, because a few are sufficient; left: expectations not reached before an interruption (labels);
    removed: classes that no longer state an expectation; unread: models that cannot be read.
    """

    revision: str
    groups: tuple[Group, ...]
    compared: tuple[Compared, ...]
    untouched: int
    omitted: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
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
