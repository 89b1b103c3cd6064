"""What a class claimed at the merge base and claims no more: an expectation that is gone, a property that is no longer
checked or is expected to be violated now, a number that is no longer stated or is smaller
(`checker.analysis.former_numbers`), a property that holds in another form only (`checker.analysis.former_properties`),
and what the search no longer sees or asserts (`checker.analysis.narrowed`).

Each expectation of the former class is compared with those of today that have its constants.  A default that changes is
a part of the model, unless it selects another configuration (`checker.replay.own_constants`) or is lower than before.
Claims may be spread over several expectations of today, and one that says more is no removal: a violation that was
expected may be expected not to happen.

What a former class claimed that cannot be read with the checker of today is not known, and counts as removed: what was
not compared is not accepted in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import Factory, evolve, frozen

from checker.analysis.compare.revision import NoSuchClass, at_revision
from checker.analysis.depended import files_of
from checker.analysis.former_numbers import lost_numbers, lowered, other_defaults
from checker.analysis.former_properties import hidden
from checker.analysis.imported import Imports
from checker.analysis.narrowed import narrowed
from checker.analysis.raised import still_met
from checker.analysis.since import Touched
from checker.catalogue import Entry
from checker.language.constants import written
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.expectation import Expectation, expectations
from checker.language.model import Model
from checker.language.places import of_attribute
from checker.replay.base import shared_constants
from checker.replay.own_constants import former_constants
from checker.results.parts import EXPECTED, LISTING
from checker.results.removed import Removed

HOLD, VIOLATED = "hold", "be violated"
UNREADABLE = "it was changed, and what was expected before cannot be read"


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
            claims += _of_file(entries, change)
        except UsageError as error:
            names = ", ".join(entry.reference for entry in entries)
            unknown.append(f"what was expected before of {names} is not known: {error.message}")
            claims += [removed(e, change, UNREADABLE) for e in entries]
    return evolve(change, removed=(*change.removed, *claims), unknown=tuple(unknown))


def _of_file(entries: Sequence[Entry], change: Touched) -> list[Removed]:
    """What classes of one file no longer claim.  The first that was there before opens the file of that time."""
    for number, entry in enumerate(entries):
        try:
            with at_revision(entry, change.commit) as former:
                before = {cls.__name__: cls for cls in former.beside}
                pairs = [(e, before[e.cls.__name__]) for e in entries[number:] if e.cls.__name__ in before]
                return [one for e, cls in pairs for one in _lost(e, cls, change)]
        except NoSuchClass:  # it is new
            continue
    return []


def removed(entry: Entry, change: Touched, what: str, of: str = "") -> Removed:
    """At the line of its claims that differs, or of the member that it is about: hosts show a note only at lines of the
    change."""
    place, file, root = of_attribute(entry.cls, "expect"), entry.file.resolve(), change.root
    name = file.relative_to(root).as_posix() if file.is_relative_to(root) else str(entry.file)
    parts = [p for p in change.parts.get(entry.reference, ()) if p.file == name]
    own = [p for p in parts if p.owner == entry.cls.__name__ and p.kind in (EXPECTED, LISTING)]
    about = [p for p in parts if of and p.name == of]
    line = next((p.changed or p.line for p in (*about, *own)), 1 if place is None else place.line)
    return Removed(entry.cls.__name__, name, file, what, line)


def _lost(entry: Entry, former: type[Model], change: Touched) -> Iterator[Removed]:
    """The claims of a former class that the class of today does not make."""
    try:
        today = [_Claim.of(entry.cls, stated) for stated in expectations(entry.cls)]
    except UsageError:
        return  # told where the class is verified
    found: dict[str, tuple[Mapping[str, Any], str]] = {}
    for stated in expectations(former):
        missing = (("", text) for text in _missing(former, stated, today, entry.cls))
        for name, text in (*missing, *_hidden(former, stated, today), *_narrowed(former, stated, today)):
            found.setdefault(text, (stated.at, name))
    for text, (constants, name) in found.items():
        yield evolve(removed(entry, change, text, name), at=constants)


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
        stating = ((claim.stated, claim.definition) for claim in today)
        if not alike and still_met(stated, before.definition, stating, now):
            return
        what = f"violates {', '.join(stated.violated)}" if stated.violated else "holds"
        fate = "stated for thorough runs only" if alike else "no longer stated"
        other = "" if alike else other_defaults(now, stated, before.definition.constants)
        yield f"{what}{there} is {fate}{f': {other}' * bool(other)}"
        return
    yield from _of_properties(before, usual, there, now)
    yield from lost_numbers(stated, [claim.stated for claim in usual], there)


def _hidden(former: type[Model], stated: Expectation, today: Sequence[_Claim]) -> Iterator[tuple[str, str]]:
    """The properties of a former expectation that hold in their form of today only, each in words."""
    try:
        before = _Claim.of(former, stated)
    except UsageError:
        return
    for claim in today:
        if not claim.stated.thorough and _alike(before, claim, former):
            held = {name for name, what in before.checked.items() if what == claim.checked.get(name) == HOLD}
            for name, text in hidden(before.definition, claim.definition, held, claim.stated.at):
                yield name, f"{text} with {claim.constants}" if claim.constants else text


def _narrowed(former: type[Model], stated: Expectation, today: Sequence[_Claim]) -> Iterator[tuple[str, str]]:
    """What the search of an expectation no longer sees or asserts, with the member that it is about."""
    try:
        before = _Claim.of(former, stated)
    except UsageError:
        return
    alike = [claim for claim in today if _alike(before, claim, former)]
    lower = [[*lowered(before.definition.constants, claim.definition.constants)] for claim in alike]
    yield from lower[0] if lower and all(lower) else ()
    for claim in alike:
        yield from ((one.name, one.text) for one in narrowed(_at_equal(before, claim, former), claim.definition))
        for name in claim.stated.within:
            if name not in stated.within:
                yield name, f"the constraint {name} is now meant to leave out states"


def _at_equal(before: _Claim, claim: _Claim, former: type[Model]) -> Definition:
    """The former model with the constants of an expectation of today, where it accepts them."""
    try:
        return define(former, shared_constants(former, claim.definition.constants), before.stated.only)
    except UsageError:
        return before.definition


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
