"""The picture declarations of a model (`picture = [...]`), checked against its variables, actions and events.

The entries of a class are added to those of its bases; of two entries for one variable or action the later one counts.
An entry that names something that does not exist, or is of another kind, is refused with its place.  One exception: an
entry of a base about a name that the class has overridden or removed is dropped if it no longer fits; an edit should
not fail because of a picture.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import asdict, define, field

from checker.language import definition as d
from checker.language import draw
from checker.language.collection_domains import MapDomain, SeqDomain
from checker.language.domains import BoolDomain, Domain, IdsDomain, IntDomain, SetDomain
from checker.language.draw import Picture, Shared
from checker.language.errors import UsageError, meant
from checker.language.events import events_of
from checker.language.places import at, of_attribute
from checker.language.templates import Scope, Words, named, parsed, words

VALUE = "value"


def picture_of(
    cls: type,
    declared: Collection[str],
    variables: Sequence[d.VariableDefinition],
    actions: Sequence[d.ActionDefinition],
    types: Mapping[str, Domain],
    process: Domain | None,
) -> Picture:
    """The picture of a model class.  Raises UsageError for an invalid entry.  declared: its variables, also those that
    do not exist with these constants.
    """
    reader = _Reader(cls, declared, {v.name: v.domain for v in variables if v.owner is None}, actions, types, process)
    for base in reversed(cls.__mro__):
        for entry in _entries(base):
            try:
                reader.read(entry)
            except UsageError as error:
                if not _overridden(cls, base, entry):
                    message = f"{base.__name__}.picture: {error.message}"
                    raise at(of_attribute(base, "picture"), message, error.remedy) from None
    return reader.picture()


def _entries(cls: type) -> Iterator[draw.Entry]:
    listed = vars(cls).get("picture", ())
    remedy = 'Write picture = [draw.lane("variable"), ...].'
    if not isinstance(listed, list | tuple):
        raise at(of_attribute(cls, "picture"), f"{cls.__name__}.picture is {listed!r}, not a list", remedy)
    for entry in listed:
        if not isinstance(entry, draw.Entry):
            what = f"{cls.__name__}.picture holds {entry!r}, which is nothing to draw"
            raise at(of_attribute(cls, "picture"), what, remedy)
        try:
            _check_texts(entry)
        except UsageError as error:
            raise at(of_attribute(cls, "picture"), f"{cls.__name__}.picture: {error.message}", error.remedy) from None
        yield entry


def _check_texts(entry: draw.Entry) -> None:
    """Raise UsageError for an entry that is wrong whatever the model is: names and texts must be non-empty strings of
    one line.
    """
    given = asdict(entry, recurse=False)
    what = type(entry).__name__.lower()
    texts = given.pop("names", tuple(given.values()))
    if not texts:
        raise UsageError(f"draw.{what}() names nothing", remedy='Write draw.aside("variable").')
    for text in texts:
        if not isinstance(text, str):
            remedy = f'Names and texts are strings: draw.{what}("name"{"" if what in ("clock", "aside") else ", ..."}).'
            raise UsageError(f"draw.{what} is given {text!r}", remedy=remedy)
        if not text.isprintable():
            raise UsageError(f"draw.{what}: {text!r} is not one line", remedy="A text has no line breaks and no tabs.")
    match entry:
        case draw.Badge(variable, "") | draw.Step(variable, ""):
            raise UsageError(
                f"draw.{what}({variable!r}, ''): there are no words", remedy="Write some, or leave it out."
            )
        case draw.Step(action, text):
            try:
                named(text)
            except UsageError as error:
                raise UsageError(f"draw.step({action!r}, ...): {error.message}", remedy=error.remedy) from None


def _overridden(cls: type, base: type, entry: draw.Entry) -> bool:
    """Whether the class overrides a name in an entry of a base."""
    match entry:
        case draw.Step(action, text):
            names = {action, *named(text)}
        case draw.Aside(names):
            names = set(names)
        case _:
            names = {entry.variable}
    below = cls.__mro__[: cls.__mro__.index(base)]
    return any(name in vars(c) for c in below for name in names)


@define
class _Reader:
    cls: type
    declared: Collection[str]
    variables: Mapping[str, Domain]
    actions: Sequence[d.ActionDefinition]
    types: Mapping[str, Domain]
    process: Domain | None
    lanes: dict[str, Shared] = field(factory=dict)
    clocks: dict[str, None] = field(factory=dict)
    badges: dict[str, str] = field(factory=dict)
    steps: dict[str, Words] = field(factory=dict)
    hidden: dict[str, None] = field(factory=dict)
    quiet: dict[str, None] = field(factory=dict)

    def picture(self) -> Picture:
        """The entries read so far."""
        return Picture(self.lanes, tuple(self.clocks), self.badges, self.steps, tuple(self.hidden), tuple(self.quiet))

    def read(self, entry: draw.Entry) -> None:
        """Check an entry and keep it."""
        match entry:
            case draw.Lane(variable, title, text):
                domain = self._variable("lane", variable)
                if domain is not None:
                    _check_entry(text, variable, domain)
                    self._check_title(title or variable)
                    self._forget(variable)
                    self.lanes[variable] = Shared(title or variable, text)
            case draw.Clock(variable):
                domain = self._variable("clock", variable)
                if domain is not None:
                    self._require(self._is_clock(domain), f"clock({variable!r})", domain, "Int, or Map[Process, ...]")
                    self._forget(variable)
                    self.clocks[variable] = None
            case draw.Badge(variable, word):
                domain = self._variable("badge", variable)
                if domain is not None:
                    wanted = "Set[Process], or Map[Process, Bool]"
                    self._require(self._is_group(domain), f"badge({variable!r})", domain, wanted)
                    self.badges[variable] = word
            case draw.Step(action, text):
                self._step(action, text)
            case draw.Aside(names):
                for name in names:
                    self._aside(name)

    def _variable(self, what: str, name: str) -> Domain | None:
        """The type of a variable; None if it does not exist with these constants."""
        if name in self.variables:
            return self.variables[name]
        if name in self.declared:
            return None
        raise UsageError(f"draw.{what}({name!r}): there is no such variable", remedy=meant(name, self.variables))

    def _require(self, fits: bool, what: str, domain: Domain, wanted: str) -> None:
        if not fits:
            raise UsageError(f"draw.{what}: it is a {domain!r}", remedy=f"It takes a variable of type {wanted}.")

    def _is_clock(self, domain: Domain) -> bool:
        return isinstance(domain, IntDomain) or isinstance(domain, MapDomain) and domain.key is self.process

    def _is_group(self, domain: Domain) -> bool:
        if self.process is None:
            return False
        if isinstance(domain, MapDomain):
            return domain.key is self.process and isinstance(domain.value, BoolDomain)
        return isinstance(domain, SetDomain) and domain.item is self.process

    def _step(self, name: str, text: str) -> None:
        action = next((a for a in self.actions if a.name == name), None)
        if action is None:
            if getattr(getattr(self.cls, name, None), "__checker__", None) is not None:
                return  # an action that does not exist with these constants
            known = [a.name for a in self.actions]
            raise UsageError(f"draw.step({name!r}): there is no such action", remedy=meant(name, known))
        scope = Scope({p.name: p.domain for p in action.parameters}, self.variables, self.types)
        try:
            self.steps[name] = words(text, scope)
        except UsageError as error:
            raise UsageError(f"draw.step({name!r}, ...): {error.message}", remedy=error.remedy) from None

    def _aside(self, name: str) -> None:
        if self._is_event(name):
            self.quiet[name] = None
        elif self._variable("aside", name) is not None:
            self._forget(name)
            self.hidden[name] = None

    def _forget(self, variable: str) -> None:
        """Remove earlier entries that place a variable: the last entry counts."""
        for declared in (self.lanes, self.clocks, self.hidden):
            declared.pop(variable, None)

    def _check_title(self, title: str) -> None:
        lanes = [str(p) for p in self.process] if isinstance(self.process, IdsDomain) else []
        if title in lanes:
            raise UsageError(f"draw.lane: {title!r} is the lane of a process", remedy="Give it another title.")

    def _is_event(self, name: str) -> bool:
        """Whether a method of the model emits an event of this name."""
        if name in self.variables or name in self.declared:
            return False
        functions = (v for base in self.cls.__mro__ for v in vars(base).values() if inspect.isfunction(v))
        return any(name in events_of(function) for function in functions)


def _check_entry(text: str, variable: str, domain: Domain) -> None:
    """Raise UsageError for a place in the text of an entry that the variable does not have."""
    found = [(place, form, conversion) for _, place, form, conversion in parsed(text) if place is not None]
    for place, form, conversion in found:
        if form or conversion:
            what = f"draw.lane({variable!r}, ...): {{{place}{'!' * bool(conversion)}...}}: a place has no format"
            raise UsageError(what, remedy=f"Write {{{place}}}.")
    places = {place for place, _, _ in found}
    known = {VALUE, *map(str, range(_depth(domain)))}
    for place in sorted(places - known):
        what = f"draw.lane({variable!r}, ...): {{{place}}} is no place of a {domain!r}"
        raise UsageError(what, remedy=f"It has: {', '.join(f'{{{k}}}' for k in sorted(known))}.")


def _depth(domain: Any) -> int:
    """The number of keys of a value: those of maps, and the place in a sequence."""
    if isinstance(domain, MapDomain):
        return 1 + _depth(domain.value)
    return 1 if isinstance(domain, SeqDomain) else 0
