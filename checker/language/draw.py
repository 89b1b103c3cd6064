"""How a model's runs are drawn: the entries of `picture = [...]` in a class body.

Diagrams show what every run has: processes, steps, messages.  Other subjects of a protocol (a shared log, a clock,
faulty processes) are in variables that only its author can name.  These entries name them; no entry changes a state, a
count or a verdict.  `checker.language.pictures` checks them against the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, TypeAlias

from attrs import field

from checker.frozen import frozen
from checker.language.errors import UsageError, has, near
from checker.language.templates import Words


@frozen
class Lane:
    """See `lane`."""

    variable: str
    title: str
    entry: str


@frozen
class Clock:
    """See `clock`."""

    variable: str


@frozen
class Badge:
    """See `badge`."""

    variable: str
    word: str


@frozen
class Step:
    """See `step`."""

    action: str
    text: str


def _names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(names)


@frozen
class Aside:
    """See `aside`."""

    names: tuple[str, ...] = field(converter=_names)


Entry: TypeAlias = Lane | Clock | Badge | Step | Aside


def lane(variable: str, title: str = "", entry: str = "") -> Lane:
    """A variable has a lane of its own, headed by `title` (else its name); variables with one title share a lane.

    `entry` is the text for a new item: {value}, and its keys in maps or its place in a sequence, {0}, {1}, ...
    """
    return Lane(variable, title, entry)


def clock(variable: str) -> Clock:
    """A clock: a global one is beside the number of the step; one for each process is in the box of the step that
    changes it.
    """
    return Clock(variable)


def badge(variable: str, word: str) -> Badge:
    """The processes in a set (or mapped to True) bear a word under their name: a traitor, a leader."""
    return Badge(variable, word)


def step(action: str, text: str) -> Step:
    """The text in an action's box.  {p} is a parameter, {x} a variable after the step, {before.x} before it; they may
    be followed by [index], .field, .index.
    """
    return Step(action, text)


def aside(*names: str) -> Aside:
    """Variables and events that the diagram leaves out; text and page show them."""
    return Aside(names)


def __getattr__(name: str) -> NoReturn:
    """Raise UsageError for a name that is no entry of a picture."""
    if name.startswith("_"):
        raise AttributeError(name)
    words = "lane", "clock", "badge", "step", "aside"
    remedy = near(name, words).then(has(words))
    raise UsageError(f"draw.{name}: there is no such entry of a picture", remedy=remedy)


@frozen
class Shared:
    """A variable with a lane of its own: the title of the lane, and the text of an entry ("": the value alone)."""

    title: str
    entry: str


@frozen
class Picture:
    """The checked entries of a picture: by variable, by action (`steps`), by event (`quiet`)."""

    lanes: Mapping[str, Shared] = field(factory=dict)
    clocks: tuple[str, ...] = ()
    badges: Mapping[str, str] = field(factory=dict)
    steps: Mapping[str, Words] = field(factory=dict)
    aside: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
