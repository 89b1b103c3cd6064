"""The boxes of a space-time diagram: what each lane does at each step, in a few short lines.

A box contains the verb and the message, nothing else; state changes have a column of their own. Every message is named
in the box that sends it and in the box that receives it, because its arrow has no text.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from checker.frozen import frozen
from checker.report.ends import final_text
from checker.report.phrases import before_text, event_lane, event_phrase, names, step_text, unreached_text
from checker.trace.events import Crash, Deliver, Dropped, Emit, Event, Multicast, Note, Receive, Send, is_seen
from checker.trace.messages import Message
from checker.trace.trace import Step, Trace
from checker.trace.values import mentions, show


@frozen
class Line:
    """One line of text in a box or in the column of state changes; `alarm` marks the violation itself, `undrawn` the
    messages in flight that have no arrow, `change` a change of the state; `verb`: what is done with the messages that
    the line lists."""

    text: str
    bold: bool = False
    italic: bool = False
    small: bool = False
    alarm: bool = False
    undrawn: bool = False
    change: bool = False
    verb: str = ""


@frozen
class Box:
    """What one lane does in one row. `crash` are the lines of its inverse part, empty unless the lane crashes.

    `observed`: the lane delivers a message or emits another event.
    """

    lines: tuple[Line, ...]
    crash: tuple[Line, ...] = ()
    observed: bool = False


def acting_lane(step: Step, sent: Mapping[int, Message]) -> str | None:
    """The lane whose box begins with the step's own text: its actor, or the one lane at which anything happens.

    None for steps of the network and of the environment.
    """
    lanes = {event_lane(event, sent) for event in step.events} - {None}
    if step.fault and step.events and not lanes:
        return None  # the network acts on a copy: the processes it names do nothing
    if step.lane is not None:
        return step.lane
    return lanes.pop() if len(lanes) == 1 else None


def step_boxes(step: Step, sent: Mapping[int, Message]) -> dict[str, Box]:
    """The box of every lane at which something happens in a step."""
    actor = acting_lane(step, sent)
    lanes = dict.fromkeys((actor, *(event_lane(event, sent) for event in step.events)))
    return {lane: _box(step, lane, lane == actor, sent) for lane in lanes if lane is not None}


def end_box(trace: Trace, lane: str, crashed: bool) -> Box | None:
    """The observable values of a lane at the end, one a line; None if there are none."""
    text = final_text(trace, lane)
    guilty = lane in trace.guilty
    lines = [Line("crashed", small=bool(text))] if crashed and not mentions(text, "crashed") else []
    if text or (guilty and not crashed):
        lines += [Line(part, bold=guilty) for part in _parts(text or lane)]
    return Box(tuple(lines)) if lines else None


def _parts(text: str) -> list[str]:
    """A list of values cut at its own commas, not at those inside brackets: "delivered [m1, m2]", "stamped {}"."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "[{(") - (sign in ")}]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _box(step: Step, lane: str, acts: bool, sent: Mapping[int, Message]) -> Box:
    events = [event for event in step.events if event_lane(event, sent) == lane]
    observed = any(map(is_seen, events))
    head = _head(step_text(step, sent), events, sent) if acts else ""
    crash = next((event for event in events if isinstance(event, Crash)), None)
    if (
        crash is not None
        and (not acts or mentions(head, "crash"))
        and all(isinstance(e, (Crash, Note)) for e in events)
    ):
        return Box((), crash=_crash_lines(crash, events, head))
    below = _in_order(events, head, sent)
    named = any(mentions(head, event_phrase(event, sent)) for event in events if is_seen(event))
    bold = observed and (named or not any(line.bold for line in below))
    lines = [*([Line(head, bold=bold)] if acts else []), *below]
    return Box(tuple(lines), _crash_lines(crash, events, "") if crash else (), observed)


def _head(text: str, events: list[Event], sent: Mapping[int, Message]) -> str:
    """The step's own text, completed by its first event: "receive final" by "receive final(m1, 3)"."""
    phrases = [event_phrase(event, sent) for event in events]
    return next((phrase for phrase in phrases if phrase.startswith(text) and not mentions(phrase, "crash")), text)


def _in_order(events: list[Event], head: str, sent: Mapping[int, Message]) -> list[Line]:
    """The events that the head does not name, in the order in which the step has them; neighbouring deliveries, and
    neighbouring sends, share a line, and a message that is sent to several processes is named once."""
    known = " ".join([head, *(event_phrase(e, sent) for e in events if isinstance(e, Multicast))])
    sends = {event.text for event in events if isinstance(event, Send)}
    lines, seen = list[Line](), set[str]()
    for event in events:
        match event:
            case Receive():
                lines += _taken(sent[event.id], head)
            case Multicast() if not mentions(head, phrase := event_phrase(event, sent)):
                lines.append(Line(phrase))
            case Send() if event.text not in seen and not mentions(known, event.text):
                seen.add(event.text)
                _append(lines, "send", event.text)
            case Deliver() if not mentions(head, event_phrase(event, sent)):
                _append(lines, "deliver", show(event.message), bold=True)
            case Emit() if not event.quiet and not mentions(head, phrase := event_phrase(event, sent)):
                lines.append(Line(phrase, bold=True))
            case Note():
                lines.append(Line(event.text, italic=True, small=True))
            case Dropped() if event.text not in sends:
                lines.append(Line(event_phrase(event, sent), small=True))
    return lines


def _append(lines: list[Line], verb: str, message: str, *, bold: bool = False) -> None:
    """Add a message to the line before, if that has the same verb, else in a line of its own."""
    if lines and lines[-1].verb == verb:
        lines[-1] = evolve(lines[-1], text=f"{lines[-1].text}, {message}")
    else:
        lines.append(Line(f"{verb} {message}", bold=bold, verb=verb))


def _taken(message: Message, head: str) -> list[Line]:
    lines = [] if mentions(head, message.text) else [Line(f"receive {message.text}")]
    own = message.source == message.target
    return [*lines, *([Line(f"own, {message.made}", small=True)] if own else [])]


def _crash_lines(crash: Crash, events: list[Event], head: str) -> tuple[Line, ...]:
    """The crash itself, and for a crash inside a handler how far its sends came."""
    reached = list(dict.fromkeys(event.target for event in events if isinstance(event, Send)))
    lines = [Line(head or "crash", bold=True)]
    if reached:
        lines.append(Line(f"after sending to {names(reached)}", small=True))
    if crash.before:
        lines.append(Line(before_text(crash), small=True))
    elif not reached and any(isinstance(event, Multicast) for event in events):
        lines.append(Line("before sending", small=True))
    if crash.unreached:
        lines.append(Line(unreached_text(crash), small=True))
    return tuple(lines)
