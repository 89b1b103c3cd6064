"""History variables that measure delays and messages: properties that always hold, and whose variables are read
afterwards.

They are part of an instrumented copy of a model.  In the copy every message carries the length of the longest chain of
messages to its sender (`checker.language.chain`), so one state of the model becomes several: one for each combination
of delays with which it can be reached.  The model itself, its counts and its verdicts are not affected.

A run follows one message, which is chosen in the initial state, so the copy has an initial state for each message.
"""

from __future__ import annotations

from typing import Any

from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import NETWORK_EVENTS, Model, anything, chain, var
from checker.language.properties import Invariant, Property
from checker.language.types import Int, Map, of

MANY = 1023  # messages in a run; more count alike


def delays(most: int, until: str = "deliver") -> type[Property]:
    """Measures the chains of messages from a multicast to its deliveries (or to another event until(process, message)):
    the delay of a system in which every message takes one unit (Schiper, 1997).

    Variables: tracked, the followed message; hops and delay by process: 0 at first, then one more than the length; most
    + 1 stands for `most` messages or more.
    """

    class Delays(Invariant):
        """Chains of messages from the multicast of one message to its deliveries."""

        tracked = var(of("Message"), anything)
        hops = chain(most)
        delay = var(Map[of("Process"), Int(0, most + 1)], 0)

        def on_multicast(self, p, m):  # type: ignore[no-untyped-def]
            if m == self.tracked:
                self.hops[p] = 1

        def on_deliver(self, p, m):  # type: ignore[no-untyped-def]
            if m == self.tracked and self.delay[p] == 0:
                self.delay[p] = self.hops[p]

        def holds(self) -> bool:
            return True

    return _until(Delays, until)


def times(most: int, until: str = "deliver") -> type[Property]:
    """Measures the time from a multicast to its deliveries (or to another event until(process, message)) in a model
    with time: the variable `now`.  Variables as in `delays`, with `begun` for hops.
    """

    class Delays(Invariant):
        """Time from the multicast of one message to its deliveries."""

        tracked = var(of("Message"), anything)
        begun = var(Int(0, most + 1), 0)  # one more than the time of the multicast
        delay = var(Map[of("Process"), Int(0, most + 1)], 0)

        def on_multicast(self, p, m):  # type: ignore[no-untyped-def]
            if m == self.tracked:
                self.begun = self.now + 1

        def on_deliver(self, p, m):  # type: ignore[no-untyped-def]
            if m == self.tracked and self.delay[p] == 0:
                self.delay[p] = self.now - self.begun + 2

        def holds(self) -> bool:
            return True

    return _until(Delays, until)


def _until(measure: type[Property], event: str) -> type[Property]:
    """The measure with another event in the place of a delivery."""
    if event != "deliver":
        if event == "multicast" or event in NETWORK_EVENTS:
            remedy = "Name an event that the model emits with a process and a message."
            raise UsageError(f"--until {event}: this event is not what a multicast leads to", remedy=remedy)
        setattr(measure, f"on_{event}", measure.on_deliver)  # type: ignore[attr-defined]
        del measure.on_deliver  # type: ignore[attr-defined]
    return measure


class Messages(Invariant):
    """Counts the messages sent from one process to another."""

    count = var(Int(0, MANY), 0)

    def on_send(self, p, q):  # type: ignore[no-untyped-def]
        if p != q:
            self.count = min(self.count + 1, MANY)

    def holds(self) -> bool:
        return True


def instrumented(cls: type[Model], measure: type[Property]) -> type[Model]:
    """A copy of a model class for measuring only: none of the model's properties are checked."""
    own = {"__module__": cls.__module__, "__doc__": cls.__doc__}
    return type(cls.__name__, (cls,), {"properties": [measure], "expect": None, **own})


def unit(definition: Definition) -> str:
    """The unit of delays of this model: "messages" or "time".  Raises UsageError if it has no messages of a multicast,
    or neither network nor time.
    """
    if "Message" not in definition.types or "multicast" not in {a.name for a in definition.actions}:
        what = f"{definition.name} multicasts nothing, so there is no delivery to measure"
        raise UsageError(what, remedy="Derive it from checker.language.multicast.Multicast.")
    if any(v.name == "now" for v in definition.variables):
        return "time"
    if any(v.network is not None for v in definition.variables):
        return "messages"
    raise UsageError(
        f"{definition.name} has neither a network nor time: its processes read each other's variables, and "
        f"nothing says how long that takes",
        remedy="Send messages through a Network, or give the model a variable `now`.",
    )


def largest(definition: Definition) -> Any:
    """The latest time of a model with time."""
    return definition.variable("now").domain.hi  # type: ignore[attr-defined]
