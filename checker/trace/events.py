"""Events: what happened inside a step, in the terms of message passing.

A step of a model is a change of variables. These events give the meaning of the change: a message was sent, received,
delivered, lost; a process crashed. They are observed, never guessed from the variables.

One sent copy of a message has one `id`, an integer unique in its trace. A multicast is one `Multicast` followed by one
`Send` for each destination. An id that is neither received nor lost by the end of the trace is in flight.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, get_args

from attrs import field

from checker.frozen import frozen
from checker.trace.values import Value


def names(items: Iterable[str]) -> tuple[str, ...]:
    """A tuple of several names, the form of attributes of events, steps and traces."""
    return tuple(items)


def _values(values: Iterable[Value]) -> tuple[Value, ...]:
    return tuple(values)


@frozen
class Multicast:
    """`lane` starts to multicast `message`; its copies follow as `Send` events."""

    lane: str
    message: Value


@frozen
class Send:
    """A copy with identity `id` leaves `source` for `target`; `text` names its content ("m1", "ack(m1, 3)")."""

    id: int
    source: str
    target: str
    text: str


@frozen
class Receive:
    """The copy `id` is taken from the network by `target`."""

    id: int
    target: str


@frozen
class Deliver:
    """`lane` hands `message` to its application."""

    lane: str
    message: Value


@frozen
class Crash:
    """`lane` stops for ever. `unreached` are destinations to which its handler did not send because of the crash;
    `before` is the prevented effect, in words ("sending m1 to p2").
    """

    lane: str
    unreached: tuple[str, ...] = field(converter=names, default=())
    before: str = ""


@frozen
class Lost:
    """The network drops the copy `id`."""

    id: int


@frozen
class Dropped:
    """`source` sends `text` to `target`, which has crashed: there is no copy."""

    source: str
    target: str
    text: str


@frozen
class Duplicated:
    """The network makes a second copy, `new_id`, of the copy `id`; both have the same content and target."""

    id: int
    new_id: int


@frozen
class Note:
    """A remark of the model about `lane`, shown unchanged."""

    lane: str
    text: str


@frozen
class Emit:
    """Any other event that a model names: Emit("decide", "p1", (1,)).  `quiet`: for observers, no box shows it."""

    name: str
    lane: str
    args: tuple[Value, ...] = field(converter=_values, default=())
    quiet: bool = False


Event: TypeAlias = Multicast | Send | Receive | Deliver | Crash | Lost | Dropped | Duplicated | Note | Emit


def is_seen(event: Event) -> bool:
    """Whether an event is externally visible: a delivery, or an event of the model's own that is not quiet."""
    return isinstance(event, Deliver) or isinstance(event, Emit) and not event.quiet


EVENT_TYPES: tuple[type, ...] = get_args(Event)
