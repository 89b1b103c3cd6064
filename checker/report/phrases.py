"""Steps and events in words: the verb of a step, the phrase of an event, the lane at which it happens.

Text, diagram, page and summary must use the same name for the same thing; sentences about a trace as a whole are made
in `checker.report.wording`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from checker.trace.events import (
    Crash,
    Deliver,
    Dropped,
    Duplicated,
    Emit,
    Event,
    Lost,
    Multicast,
    Note,
    Receive,
    Send,
    is_seen,
)
from checker.trace.messages import Message
from checker.trace.trace import Step
from checker.trace.values import show

SHORT_MESSAGE = 16


def step_text(step: Step, sent: Mapping[int, Message]) -> str:
    """The verb and its message: the step's label, or one made from its events, or the action with its arguments.

    A multicast by the acting process, a receipt, or the network's action on a copy describes the step, whatever the
    action's name is; another event only if the action has its name.
    """
    if step.label:
        return step.label
    for event in step.events:
        named = (isinstance(event, Crash) or is_seen(event)) and event_phrase(event, sent).split()[0] == step.action
        elsewhere = isinstance(event, Multicast) and event_lane(event, sent) not in (step.lane, None)
        by_network = isinstance(event, (Lost, Duplicated)) and step.lane is None
        if named or by_network or isinstance(event, (Multicast, Receive)) and not elsewhere:
            return event_phrase(event, sent)
    return call_text(step, skip=step.lane)


def call_text(step: Step, skip: str | None = None) -> str:
    """The call of the action: deliver(p1, m2); arguments equal to `skip` are left out."""
    arguments = [show(value) for value in step.args.values() if skip is None or value != skip]
    return f"{step.action}({', '.join(arguments)})" if arguments else step.action


def event_phrase(event: Event, sent: Mapping[int, Message]) -> str:
    """An event as verb and object, without the lane it happens at."""
    match event:
        case Multicast() | Deliver():
            return f"{type(event).__name__.lower()} {show(event.message)}"
        case Send():
            return f"send {event.text}"
        case Receive():
            return f"receive {sent[event.id].text}"
        case Crash():
            return "crash"
        case Lost():
            return f"{sent[event.id].text} lost on the way to {sent[event.id].target}"
        case Dropped():
            return f"{event.text} to {event.target} is dropped: {event.target} has crashed"
        case Duplicated():
            return f"{sent[event.id].text} to {sent[event.id].target} duplicated"
        case Note():
            return event.text
        case Emit():
            return " ".join(filter(None, (event.name, ", ".join(map(show, event.args)))))


def message_in_short(text: str) -> str:
    """A message with its first field alone, if it has several and is long: "Data(m1.1, ...)"."""
    found = re.match(r"(\w*\([\w.]+), ", text)
    return f"{found[1]}, ...)" if found and len(text) > SHORT_MESSAGE else text


def event_lane(event: Event, sent: Mapping[int, Message]) -> str | None:
    """The lane at which an event happens, None for the network."""
    if isinstance(event, Send | Dropped):
        return event.source
    if isinstance(event, Receive):
        return event.target
    if isinstance(event, (Lost, Duplicated)):
        return None
    return event.lane or None


def names(items: list[str]) -> str:
    """An enumeration: "p1", "p1 and p2", "p1, p2 and p3"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def before_text(crash: Crash) -> str:
    """What a process would have done next when it crashed; empty if unknown."""
    return f"before {crash.before}" if crash.before else ""


def unreached_text(crash: Crash) -> str:
    """The destinations to which a crash prevented the sending; empty if there are none."""
    return f"{names(list(crash.unreached))} not reached" if crash.unreached else ""
