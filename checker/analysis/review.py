"""What a change does to the models that it touches; the expectations are verified before.

The results are grouped by the parts of the source that touch their models.  For each part one model is compared with
its version at the merge base: the class that contains the part, else a class whose expectation fails; a new edit is
compared with its base.  The constants are those of the first failing expectation of the class, else of its first
expectation.  Classes whose expectation was removed are compared before all others.  Only a few comparisons of a few
seconds each are made, so the findings are incomplete; `checker compare` gives the complete answer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from checker.analysis.compare.comparison import Side, compare
from checker.analysis.compare.revision import at_revision
from checker.analysis.since import Touched
from checker.catalogue import Entry, find
from checker.language.errors import UsageError
from checker.language.expectation import expectations
from checker.reading import is_read
from checker.replay.base import base_of
from checker.results.comparison import Comparison
from checker.results.review import EXPECTED, Compared, Group, Part, Removed, Review
from checker.results.verified import Unread, Verified
from checker.search.limits import Limits

MOST = 3  # comparisons
SEARCH_SECONDS = 10.0  # on each side
RULE_SECONDS, STEP_SECONDS = 3.0, 3.0


def review(
    results: Sequence[Verified], change: Touched, revision: str, progress: Any = None, unread: Sequence[Unread] = ()
) -> Review:
    """What the change does.  results: the verified expectations that the change touches (an interruption may have left
    some out); unread: models that cannot be read.
    """
    groups, left = tuple(_groups(results, change)), len(change.cases) - len(results)
    chosen = dict.fromkeys(r.case.reference for group in groups for r in _telling(group))
    gone = change.removed
    silent = [entry for one in gone if (entry := _still_there(one)) is not None]
    compared = [_without_expectation(entry, change, progress) for entry in silent[:MOST]]
    omitted, room = [entry.reference for entry in silent[MOST:]], MOST - len(compared)
    compared += [_compared(reference, results, change, progress) for reference in [*chosen][:room]]
    omitted += [*chosen][room:]
    return Review(revision, groups, tuple(compared), change.untouched, tuple(omitted), left, tuple(gone), tuple(unread))


def _groups(results: Sequence[Verified], change: Touched) -> Iterator[Group]:
    """The results grouped by what touches their models, groups with most failures first."""
    found: dict[tuple[Part, ...], list[Verified]] = {}
    for result in results:
        reference = result.case.reference
        other = Part("file", re.split(r",| has changed", change.reasons[reference])[0], "", "", 0)
        found.setdefault(change.parts.get(reference) or (other,), []).append(result)
    groups = [Group(parts, tuple(of)) for parts, of in found.items()]
    yield from sorted(groups, key=lambda group: -len(group.failed))


def _telling(group: Group) -> Iterator[Verified]:
    """For each part of a group that changes a model, the most informative result."""
    for part in group.parts:
        if part.kind not in (EXPECTED, "file"):
            own = (r for r in group.results if r.case.cls.__name__ == part.owner)
            yield next(own, None) or next(iter(group.failed), group.results[0])


def _compared(reference: str, results: Sequence[Verified], change: Touched, progress: Any) -> Compared:
    mine = [r.case for r in sorted(results, key=lambda r: not r.exit_code) if r.case.reference == reference]
    case, entry = mine[0], find(reference)
    return _explained(case.label, lambda: _against(entry, case.expectation.at, change, progress))


def _explained(label: str, comparison: Callable[[], Comparison]) -> Compared:
    """A comparison, or the reason why there is none."""
    try:
        return Compared(label, comparison())
    except UsageError as error:
        return Compared(label, None, error.message)
    except KeyboardInterrupt:
        return Compared(label, None, "Ctrl-C ended the comparison")
    except Exception as error:  # the verdicts are known by now, and must not be lost with what only explains them
        return Compared(label, None, f"{type(error).__name__}: {error}")


def _still_there(removed: Removed) -> Entry | None:
    """The class whose expectation was removed; None if the class itself was removed, or if its file was not named:
    reading a file executes it.
    """
    if not is_read(removed.path.resolve()):
        return None
    try:
        return find(f"{os.path.relpath(removed.path)}:{removed.name}")
    except UsageError:
        return None


def _without_expectation(entry: Entry, change: Touched, progress: Any) -> Compared:
    """Compare a class without an expectation with its former version, with the constants of its first former
    expectation.  Otherwise the removal of an expectation would hide what the change breaks.
    """

    def comparison() -> Comparison:
        with at_revision(entry, change.commit) as former:
            before, constants = Side(former.entry.cls, f"{entry.reference} before"), _stated(former.entry.cls)
            return _compare(before, Side(entry.cls, entry.reference), constants, progress)

    return _explained(f"{entry.reference}, whose expectation was removed", comparison)


def _stated(cls: type) -> Any:
    """The constants of the first expectation of a class."""
    return next((stated.at for stated in expectations(cls)), {})


def _against(entry: Entry, constants: Any, change: Touched, progress: Any) -> Comparison:
    """Compare the model with its former version, or a new model with its base.  Raises UsageError if there is
    neither."""
    after, name, base = Side(entry.cls, entry.reference), entry.cls.__name__, base_of(entry.cls)
    new = any(part.new and part.name == part.owner == name for part in change.parts[entry.reference])
    if new and base is not None:
        return _compare(Side(base, base.__name__), after, constants, progress)
    with at_revision(entry, change.commit) as former:
        return _compare(Side(former.entry.cls, f"{entry.reference} before"), after, constants, progress)


def _compare(before: Side, after: Side, constants: Any, progress: Any) -> Comparison:
    return compare(
        before,
        after,
        constants,
        limits=Limits(max_seconds=SEARCH_SECONDS),
        progress=progress,
        rule_seconds=RULE_SECONDS,
        step_seconds=STEP_SECONDS,
    )
