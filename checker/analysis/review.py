"""What a change does to the models that it touches; the expectations are verified before.

The results are grouped by the parts of the source that touch their models.  For each part one model is compared with
its version at the merge base: the class that contains the part, else a class whose code has its name, and of those one
whose expectation fails; not one in which nothing differs, as long as there is another.  A new edit is compared with its
base.  The constants are those of the first failing expectation of the class; if none fails, those of each of its
expectations, within FAMILY_SECONDS: what a change does to a handler of crashes is seen with crashes alone.  Classes
whose expectation was removed are compared before all others.  Only a few comparisons of a few seconds each are made, so
the findings are incomplete; `checker compare` gives the complete answer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from checker.analysis.compare.comparison import compare
from checker.analysis.compare.pair import configured
from checker.analysis.compare.revision import Former, at_revision
from checker.analysis.compare.several import compare_family
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import differences
from checker.analysis.depended import used_names
from checker.analysis.imported import Imports
from checker.analysis.since import Touched
from checker.catalogue import Entry, find
from checker.language.constants import written
from checker.language.define import constants_of
from checker.language.errors import UsageError
from checker.language.expectation import expectations
from checker.language.model import Model
from checker.reading import is_read
from checker.replay.base import base_of
from checker.results.comparison import Comparison
from checker.results.configurations import FamilyComparison
from checker.results.parts import EXPECTED, MOVED, RENAMED, Part
from checker.results.removed import Removed
from checker.results.review import Compared, Group, Review, former_label
from checker.results.verified import Unread, Verified, without_result
from checker.search.limits import Limits
from checker.trace.trace import Trace

MOST = 3  # comparisons
TRIED = 8  # models, of which the first in which something differs is compared
SEARCH_SECONDS = 10.0  # on each side
FAMILY_SECONDS = 10.0  # for the further configurations of a model
LIMITED: dict[str, Any] = {"limits": Limits(max_seconds=SEARCH_SECONDS), "rule_seconds": 3.0, "step_seconds": 3.0}

Keep = Callable[[Trace, type[Model]], object]
Given = Mapping[str, Any]


def review(
    results: Sequence[Verified],
    change: Touched,
    revision: str,
    progress: Any = None,
    unread: Sequence[Unread] = (),
    keep: Keep = lambda trace, base: None,
) -> Review:
    """What the change does.  results: the verified expectations that the change touches (an interruption may have left
    some out: then nothing is compared, for who interrupts a command may kill it soon); unread: models that cannot be
    read; keep: called with each run of a property that the change breaks, and the protocol before the change, while the
    sources of both exist.
    """
    groups = tuple(_groups(results, change))
    left = tuple(case.label for case in without_result(change.cases, results))
    gone = change.removed
    if left:
        return Review(revision, groups, (), change.untouched, (), left, tuple(gone), tuple(unread))
    silent = [entry for one in gone if not one.what and (entry := _still_there(one)) is not None]
    compared = list(filter(None, (_without_expectation(entry, change, progress, keep) for entry in silent[:MOST])))
    omitted, room = [entry.reference for entry in silent[MOST:]], MOST - len(compared)
    found, more = _compared_parts(groups, room, results, change, progress, keep)
    compared, omitted = [*compared, *found], [*omitted, *more]
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


def _compared_parts(
    groups: Sequence[Group], room: int, results: Sequence[Verified], change: Touched, progress: Any, keep: Keep
) -> tuple[list[Compared], list[str]]:
    """The comparisons for the changed parts, and the models for which there is no room."""
    compared, unedited, omitted = dict[str, Compared](), set[str](), list[str]()
    for references in (part for group in groups for part in _telling(group, change)):
        left = [reference for reference in references if reference not in unedited][:TRIED] or references[:1]
        if left[0] in compared or len(compared) == room:
            omitted += [left[0]] * (left[0] not in compared)
            continue
        for reference in left:
            found = _compared(reference, results, change, progress, keep, reference != left[-1])
            if found is not None:
                compared.setdefault(reference, found)
                break
            unedited.add(reference)
    return [*compared.values()], list(dict.fromkeys(omitted))


def _telling(group: Group, change: Touched) -> Iterator[list[str]]:
    """For each part of a group that changes a model, the references of the models, the most informative one first."""
    imports, used = Imports(change.root), dict[type, frozenset[str]]()

    def uses(result: Verified, part: Part) -> bool:
        cls = result.case.cls
        if cls not in used:
            used[cls] = used_names(cls, imports)
        return not used[cls].isdisjoint(part.members or (part.name,))

    for part in group.parts:
        if part.kind not in (EXPECTED, "file"):
            beside = not part.owner and part.kind not in (MOVED, RENAMED)
            order = sorted(
                group.results,
                key=lambda r: (r.case.cls.__name__ != part.owner, beside and not uses(r, part), not r.exit_code),
            )
            yield list(dict.fromkeys(r.case.reference for r in order))


def _compared(
    reference: str, results: Sequence[Verified], change: Touched, progress: Any, keep: Keep, edited: bool
) -> Compared | None:
    """A comparison with the constants of an expectation: of one that fails, else of each, also of
    those that say less than before.  edited: None if nothing in the model differs."""
    mine = sorted((r for r in results if r.case.reference == reference), key=lambda r: not r.exit_code)
    case, entry = mine[0].case, find(reference)
    if mine[0].exit_code:
        return _explained(
            case.label, lambda: _against(entry, [case.expectation.at], change, progress, keep, edited, True)
        )
    wanted = [*_weakened(entry, change), *(r.case.expectation.at for r in mine)]
    found = _explained(case.label, lambda: _against(entry, wanted, change, progress, keep, edited, False))
    if found is None or found.comparison is None:
        return found
    shown = evolve(case, expectation=evolve(case.expectation, at=found.comparison.given))
    return evolve(found, label=shown.label)


def _weakened(entry: Entry, change: Touched) -> list[Given]:
    """The constants with which less is expected of a class than before, if its class of today has them."""
    known = constants_of(entry.cls)
    found = (one.at for one in change.removed if (one.path, one.name) == (entry.file.resolve(), entry.cls.__name__))
    return [at for at in found if at is not None and at.keys() <= known.keys()]


def _explained(label: str, comparison: Callable[[], Comparison | FamilyComparison | None]) -> Compared | None:
    """A comparison, or the reason why there is none; None if the comparison is None."""
    try:
        found = comparison()
        if isinstance(found, FamilyComparison):
            return Compared(label, found.shown, family=found)
        return None if found is None else Compared(label, found)
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


def _without_expectation(entry: Entry, change: Touched, progress: Any, keep: Keep) -> Compared | None:
    """Compare a class without an expectation with its former version, with the constants of its first former
    expectation.  Otherwise the removal of an expectation would hide what the change breaks.
    """

    def comparison() -> Comparison:
        with at_revision(entry, change.commit) as former:
            constants = _stated(former.entry.cls)
            return _compare(_before(entry, former), Side(entry.cls, entry.reference), constants, progress, keep)

    found = _explained(f"{entry.reference}, whose expectation was removed", comparison)
    if found is None or found.comparison is None or not found.comparison.given:
        return found
    at = " ".join(f"{name}={written(value)}" for name, value in found.comparison.given.items())
    return evolve(found, label=f"{entry.reference} {at}, whose expectation was removed")


def _stated(cls: type) -> Any:
    """The constants of the first expectation of a class."""
    return next((stated.at for stated in expectations(cls)), {})


def _against(
    entry: Entry, stated: Sequence[Given], change: Touched, progress: Any, keep: Keep, edited: bool, failed: bool
) -> Comparison | FamilyComparison | None:
    """Compare the model with its former version, or a new model with its base, with each of the constants, and where
    nothing differs its rules with more processes.  Raises UsageError if there is neither.  edited: None if nothing in
    the model differs; failed: there is one configuration, in which an expectation fails.
    """
    after, name, base = Side(entry.cls, entry.reference), entry.cls.__name__, base_of(entry.cls)
    new = any(part.new and part.name == part.owner == name for part in change.parts[entry.reference])
    if new and base is not None:
        return _compare_each(Side(base, base.__name__), after, stated, progress, keep, failed)
    if new:
        raise UsageError("it is new, and edits no model: there is nothing to compare it with")
    with at_revision(entry, change.commit) as former:
        before = _before(entry, former)
        if edited and not former.renamed and not _differs(before, after, stated[0]):
            return None
        return _compare_each(before, after, stated, progress, keep, failed)


def _differs(before: Side, after: Side, constants: Any) -> bool:
    sides = configured(before, after, constants)
    return bool(differences(*sides.definitions, (before.label, after.label)))


def _before(entry: Entry, former: Former) -> Side:
    return Side(former.entry.cls, former_label(entry.reference), renamed=former.renamed, version=True)


def _compare_each(
    before: Side, after: Side, stated: Sequence[Given], progress: Any, keep: Keep, failed: bool
) -> Comparison | FamilyComparison:
    if failed:
        return _compare(before, after, stated[0], progress, keep)
    found = compare_family(before, after, stated, within=FAMILY_SECONDS, progress=progress, **LIMITED)
    _keep_broken(found.shown, before, keep)
    return found


def _compare(before: Side, after: Side, constants: Given, progress: Any, keep: Keep) -> Comparison:
    found = compare(before, after, constants, progress=progress, **LIMITED)
    _keep_broken(found, before, keep)
    return found


def _keep_broken(found: Comparison, before: Side, keep: Keep) -> None:
    for property in found.changed("broken"):
        if property.trace is not None:
            keep(property.trace, before.cls)
