"""How a model wants its runs to be drawn: the entries of `picture = [...]` in a class body.

Diagrams are made from what every run has: processes, steps, messages.  What else a protocol is about (a shared log, a
clock, who is a traitor) stands in variables that only its author can name.  These entries name them; nothing here
changes a state, a count or a verdict.  `checker.language.pictures` checks them against the model.
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

    `entry` is the text of what came to be: {value}, and its keys in maps or its place in a sequence, {0}, {1}, ...
    """
    return Lane(variable, title, entry)


def clock(variable: str) -> Clock:
    """A clock: of everybody, it stands beside the number of the step; of each process, in the box that moves it."""
    return Clock(variable)


def badge(variable: str, word: str) -> Badge:
    """The processes in a set (or mapped to True) bear a word under their name: a traitor, a leader."""
    return Badge(variable, word)


def step(action: str, text: str) -> Step:
    """The words of an action's box.  {p} is a parameter, {x} a variable after the step, {before.x} before it; they may
    be followed by [index], .field, .index."""
    return Step(action, text)


def aside(*names: str) -> Aside:
    """Variables and events that the diagram leaves out; text and page have them."""
    return Aside(names)


def __getattr__(name: str) -> NoReturn:
    """Raise UsageError for what is no entry of a picture."""
    if name.startswith("_"):
        raise AttributeError(name)
    words = "lane", "clock", "badge", "step", "aside"
    remedy = near(name, words).then(has(words))
    raise UsageError(f"draw.{name}: there is no such entry of a picture", remedy=remedy)


@frozen
class Shared:
    """A variable with a lane of its own: the head of the lane, and the text of an entry ("": the value alone)."""

    title: str
    entry: str


@frozen
class Picture:
    """What is drawn in a way of its own, checked: by variable, by action (`steps`), by event (`quiet`)."""

    lanes: Mapping[str, Shared] = field(factory=dict)
    clocks: tuple[str, ...] = ()
    badges: Mapping[str, str] = field(factory=dict)
    steps: Mapping[str, Words] = field(factory=dict)
    aside: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
