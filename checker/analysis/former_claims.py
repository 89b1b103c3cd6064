"""What a class claimed at the merge base and claims no more: an expectation that is gone, a property that is no longer
checked or is expected to be violated now, a number that is no longer stated, a property that holds in another form only
(`checker.analysis.former_properties`).

Each expectation of the former class is compared with those of today that have its constants.  A default that changes is
a part of the model, unless it selects another configuration (`checker.replay.own_constants`).  Claims may be spread
over several expectations of today, and one that says more is no removal: a violation that was expected may be expected
not to happen, and a number may be another one, for the search checks both.

Where it stops: what a former class claimed that cannot be read with the checker of today is not known.  It is named,
and counts as removed if the text of the expectation or of the list of properties differs, or anything was removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import Factory, evolve, frozen

from checker.analysis.compare.revision import NoSuchClass, at_revision
from checker.analysis.depended import files_of
from checker.analysis.former_properties import hidden
from checker.analysis.imported import Imports
from checker.analysis.since import Touched
from checker.catalogue import Entry
from checker.language.constants import written
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import Undecided, UsageError
from checker.language.expectation import Expectation, expectations
from checker.language.model import Model
from checker.language.places import of_attribute
from checker.replay.own_constants import former_constants
from checker.results.parts import EXPECTED, LISTING, REMOVED
from checker.results.review import Removed

NUMBERS = {"steps": "number of steps", "distinct": "number of states", "transitions": "number of transitions"}
NUMBERS["depth"] = "number of levels"
HOLD, VIOLATED = "hold", "be violated"
UNREADABLE = "it was changed, and what it said before cannot be read"


@frozen
class _Claim:
    """An expectation with its definition.  checked: the names of the properties, with what is expected of each."""

    stated: Expectation
    definition: Definition
    checked: Mapping[str, str] = Factory(dict)

    @classmethod
    def of(cls, model: type[Model], stated: Expectation) -> _Claim:
        """Raises UsageError if the model does not admit the expectation."""
        definition = define(model, stated.at, stated.only)
        names = (p.name for p in definition.properties)
        return cls(stated, definition, {n: VIOLATED if n in stated.violated else HOLD for n in names})

    @property
    def constants(self) -> str:
        """The constants that it states, as on a command line; "" without any."""
        return " ".join(f"{name}={written(value)}" for name, value in self.stated.at.items())


def with_lost_claims(change: Touched) -> Touched:
    """The change with what the classes that it touches, and that still state an expectation, no longer claim."""
    groups: dict[tuple[Path, frozenset[Path]], list[Entry]] = {}
    imports = Imports(change.root)
    for entry in change.stating:
        groups.setdefault((entry.file, files_of(entry.cls, imports)), []).append(entry)
    claims, unknown = list[Removed](), list[str]()
    for entries in groups.values():
        try:
            claims += _of_file(entries, change, unknown)
        except UsageError as error:
            names = ", ".join(entry.reference for entry in entries)
            unknown.append(f"what was expected before of {names} is not known: {error.message}")
            claims += [_removed(e, change, UNREADABLE) for e in entries if _claims_differ(e, change)]
    return evolve(change, removed=(*change.removed, *claims), unknown=tuple(unknown))


def _of_file(entries: Sequence[Entry], change: Touched, unknown: list[str]) -> list[Removed]:
    """What classes of one file no longer claim.  The first that was there before opens the file of that time."""
    for number, entry in enumerate(entries):
        try:
            with at_revision(entry, change.commit) as former:
                before = {cls.__name__: cls for cls in former.beside}
                pairs = [(e, before[e.cls.__name__]) for e in entries[number:] if e.cls.__name__ in before]
                return [one for e, cls in pairs for one in _lost(e, cls, change, unknown)]
        except NoSuchClass:  # it is new
            continue
    return []


def _claims_differ(entry: Entry, change: Touched) -> bool:
    """Whether by their texts the claims of a class differ."""
    parts = change.parts.get(entry.reference, ())
    return any(part.fate == REMOVED or part.kind in (EXPECTED, LISTING) and not part.new for part in parts)


def _removed(entry: Entry, change: Touched, what: str) -> Removed:
    """At the line of its claims that differs: hosts show a note only at lines of the change."""
    place = of_attribute(entry.cls, "expect")
    parts = change.parts.get(entry.reference, ())
    own = (p.changed or p.line for p in parts if p.owner == entry.cls.__name__ and p.kind in (EXPECTED, LISTING))
    file, root = entry.file.resolve(), change.root
    line = next(own, 1 if place is None else place.line)
    name = file.relative_to(root).as_posix() if file.is_relative_to(root) else str(entry.file)
    return Removed(entry.cls.__name__, name, file, what, line)


def _lost(entry: Entry, former: type[Model], change: Touched, unknown: list[str]) -> Iterator[Removed]:
    """The claims of a former class that the class of today does not make.  unknown: gets what was not decided."""
    try:
        today = [_Claim.of(entry.cls, stated) for stated in expectations(entry.cls)]
    except UsageError:
        return  # told where the class is verified
    found: dict[str, Expectation] = {}
    before = expectations(former)
    for stated in before:
        found |= {text: stated for text in _missing(former, stated, today, entry.cls) if text not in found}
    try:
        for stated in before:
            found |= {text: stated for text in _hidden(former, stated, today) if text not in found}
    except Undecided as error:
        unknown.append(f"a changed property of {entry.reference}, as it was before: {error.message}")
    for text, stated in found.items():
        yield evolve(_removed(entry, change, text), at=stated.at)


def _missing(former: type[Model], stated: Expectation, today: Sequence[_Claim], now: type[Model]) -> Iterator[str]:
    """What today's expectations lack of a former one, in words."""
    try:
        before = _Claim.of(former, stated)
    except UsageError:  # it was wrong as written
        return
    there = f" with {before.constants}" if before.constants else ""
    alike = [claim for claim in today if _alike(before, claim, former)]
    usual = alike if stated.thorough else [claim for claim in alike if not claim.stated.thorough]
    if not usual:
        what = f"violates {', '.join(stated.violated)}" if stated.violated else "holds"
        yield f"{what}{there} is {'stated for thorough runs only' if alike else 'no longer stated'}"
        return
    yield from _of_properties(before, usual, there, now)
    yield from _of_numbers(before, usual, there)


def _hidden(former: type[Model], stated: Expectation, today: Sequence[_Claim]) -> Iterator[str]:
    """The properties of a former expectation that hold in their form of today only, in words.  Raises Undecided."""
    try:
        before = _Claim.of(former, stated)
    except UsageError:
        return
    for claim in today:
        if not claim.stated.thorough and _alike(before, claim, former):
            held = {name for name, what in before.checked.items() if what == claim.checked.get(name) == HOLD}
            for text in hidden(before.definition, claim.definition, held, claim.stated.at):
                yield f"{text} with {claim.constants}" if claim.constants else text


def _alike(before: _Claim, claim: _Claim, former: type[Model]) -> bool:
    """Whether an expectation of today has the constants of a former one."""
    mine, theirs = before.definition.constants, claim.definition.constants
    shared = {name: value for name, value in theirs.items() if name in mine}
    each: tuple[Mapping[str, Any], ...] = (shared, former_constants(former, claim.definition))
    return before.stated.at.keys() <= shared.keys() and any(
        all(written(mine[name]) == written(value) for name, value in values.items()) for values in each
    )


def _of_properties(before: _Claim, usual: Iterable[_Claim], there: str, now: type[Model]) -> Iterator[str]:
    """The properties of which less is expected, those with the same fate together."""
    expected: dict[str, set[str]] = {}
    for name, what in ((n, w) for claim in usual for n, w in claim.checked.items()):
        expected.setdefault(name, set()).add(what)
    fates: dict[tuple[str, str], list[str]] = {}
    for name, what in before.checked.items():
        if what not in expected.get(name, ()) and HOLD not in expected.get(name, ()):
            fate = f"is now expected to {VIOLATED}{there}" if name in expected else _unchecked(name, now, there)
            fates.setdefault((what, fate), []).append(name)
    for (what, fate), names in fates.items():
        yield f"{', '.join(names)} {'was' if len(names) == 1 else 'were'} expected to {what}, and {fate}"


def _unchecked(name: str, now: type[Model], there: str) -> str:
    every = {p.name for p in define(now).properties}
    return f"is no longer checked{there}" if name in every else "is no longer a property of the model"


def _of_numbers(before: _Claim, usual: Sequence[_Claim], there: str) -> Iterator[str]:
    """The numbers that are no longer stated; a run that is expected no more has no steps."""
    for name, words in NUMBERS.items():
        asked = [c for c in usual if name != "steps" or c.stated.violated]
        if getattr(before.stated, name) is not None and asked:
            if all(getattr(claim.stated, name) is None for claim in asked):
                yield f"the {words} ({getattr(before.stated, name):,}) is no longer stated{there}"
