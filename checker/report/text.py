"""The trace in a terminal: what failed, why, and then step by step only what changed.

One layout serves all: `text_report` is plain text, `report_lines` the same lines with the emphasis that a terminal can
show.
"""

from __future__ import annotations

from collections.abc import Mapping

from checker.report.boxes import acting_lane
from checker.report.dot import wrap
from checker.report.lines import Piece
from checker.report.wording import (
    TRACE_FILE,
    before_text,
    call_text,
    caption,
    event_lane,
    event_phrase,
    mentions,
    names,
    shared_at_end,
    step_text,
    title,
    unreached_text,
    violating_step,
    witness,
)
from checker.trace.difference import difference, maps_lanes
from checker.trace.events import Crash, Deliver, Emit, Event, Multicast, Receive, Send
from checker.trace.messages import Message, messages
from checker.trace.trace import Step, Trace
from checker.trace.values import FrozenMap, Multiset, Rec, Value, show

WIDTH = 100
TextLine = list[Piece]


def text_report(trace: Trace, file: str | None = TRACE_FILE) -> str:
    """The report as plain text, ending with a line break; file: where the trace is stored, None if it is not."""
    lines = ("".join(piece.text for piece in line).rstrip() for line in report_lines(trace, file))
    return "\n".join(lines) + "\n"


def report_lines(trace: Trace, file: str | None = TRACE_FILE) -> list[TextLine]:
    """All lines of the report; file: where the trace is stored, None if it is not."""
    sent = messages(trace)
    alarm = "bold red" if trace.is_violation() else "bold"
    lines: list[TextLine] = [[Piece(title(trace), alarm)]]
    lines += [[Piece(text)] for text in wrap(witness(trace), WIDTH) if text]
    lines.append([])
    for what, text in caption(trace, file):
        lines += [[Piece(f"  {what}: ", "dim"), Piece(text)]]
    lines += [[], *_initial(trace)]
    gutter = len(str(len(trace.steps))) + 2
    lane_width = max((len(lane) for lane in trace.lanes), default=0)
    for step in trace.steps:
        if trace.loop is not None and step.number == trace.loop + 1:
            lines.append([Piece(f"{'':{gutter}}from here on, for ever:", "bold")])
        lines += _step(trace, step, sent, gutter, lane_width, alarm)
    return lines + _end(trace, sent, alarm)


def _initial(trace: Trace) -> list[TextLine]:
    """What is not empty, zero or false at the start; the reader needs no list of empty queues."""
    state = {name: value for name, value in trace.states[0].items() if name not in trace.networks}
    if not trace.steps:
        return [[Piece(f"  {change.text()}")] for change in difference({}, state, trace.lanes)]
    uniform = {name: _common(value) for name, value in state.items() if maps_lanes(value, trace.lanes)}
    texts = [f"every {name}: {show(value)}" for name, value in uniform.items() if not is_blank(value)]
    changes = [c for c in difference({}, state, trace.lanes) if is_blank(uniform.get(c.variable))]
    texts += [change.text() for change in changes if not is_blank(change.after)]
    if not texts:
        return []
    rest = "; everything else is empty, 0, false or none" if any(map(is_blank, state.values())) else ""
    return [[Piece(f"at the start{rest}", "dim")], *([Piece(f"    {text}")] for text in texts), []]


def _common(value: FrozenMap) -> Value:
    """The value that every lane has, none if they differ."""
    first: Value = next(iter(value.values()))
    return first if all(item == first for item in value.values()) else None


def is_blank(value: Value) -> bool:
    """Whether a value says nothing: empty, zero, false, none, or a collection of such values."""
    if isinstance(value, FrozenMap):
        return all(is_blank(item) for item in value.values())
    if isinstance(value, Rec):
        return not value.name and all(is_blank(item) for item in value.fields.values())
    if isinstance(value, Multiset):
        return len(value) == 0
    return not value


def _step(
    trace: Trace, step: Step, sent: Mapping[int, Message], gutter: int, lane_width: int, alarm: str
) -> list[TextLine]:
    lane = acting_lane(step, sent) or "-"
    head = step_text(step, sent)
    observed = any(isinstance(event, (Deliver, Emit)) for event in step.events)
    line = [
        Piece(f"{step.number:>{gutter - 1}} ", "dim"),
        Piece(f"{lane:{lane_width}} ", "bold"),
        Piece(f" {head}", "bold" if observed else ""),
    ]
    if call_text(step) != head:
        line.append(Piece(f"   {call_text(step)}", "dim"))
    if step.cause:
        line.append(Piece("   CAUSE: not allowed before the edit", "bold yellow"))
    if step.number == violating_step(trace):
        line.append(Piece("   VIOLATION", alarm))
    indent = " " * (gutter + lane_width + 2)
    details = [f"{indent}  {text}" for text in event_texts(step, head, lane, sent)]
    changes = difference(trace.states[step.number - 1], trace.states[step.number], trace.lanes, trace.networks)
    details += [f"{indent}  {change.text()}" for change in changes]
    lines = [line, *([Piece(text)] for text in details)]
    return [*lines, [Piece(f"{indent}  {step.note}", "italic")]] if step.note else lines


def event_texts(step: Step, head: str, lane: str, sent: Mapping[int, Message]) -> list[str]:
    """The events that the head of the step does not tell; sends with their destinations, receipts with their origin."""
    texts = []
    targets: dict[tuple[str, str], list[str]] = {}
    for event in step.events:
        if isinstance(event, Send):
            targets.setdefault((event.source, event.text), []).append(event.target)
    for event in step.events:
        if isinstance(event, Send):
            where = targets.pop((event.source, event.text), None)
            if where is not None:
                texts.append(f"{_elsewhere(event, lane, sent)}send {event.text} to {names(where)}")
        elif isinstance(event, Receive):
            message = sent[event.id]
            known = "" if mentions(head, message.text) else f"receive {message.text} "
            made = "sent" if message.copy_of is None else "duplicated"
            source = "itself" if message.source == message.target else message.source
            texts.append(f"{known}from {source}, {made} at step {message.born}")
        elif isinstance(event, Crash):
            texts += _crash_text(event, head)
        elif not mentions(head, event_phrase(event, sent)) and not isinstance(event, Multicast):
            texts.append(_elsewhere(event, lane, sent) + event_phrase(event, sent))
    return texts


def _crash_text(crash: Crash, head: str) -> list[str]:
    parts = [] if mentions(head, "crash") else ["crash"]
    parts += [text for text in (before_text(crash), unreached_text(crash)) if text]
    return [": ".join(parts)] if parts else []


def _elsewhere(event: Event, lane: str, sent: Mapping[int, Message]) -> str:
    where = event_lane(event, sent)
    return "" if where is None or where == lane else f"{where}: "


def _end(trace: Trace, sent: Mapping[int, Message], alarm: str) -> list[TextLine]:
    """The contradicting values side by side, and what is still under way."""
    lines: list[TextLine] = [[]]
    width = max((len(lane) for lane in trace.lanes), default=0)
    for lane in trace.lanes:
        if lane in trace.final_values or lane in trace.guilty:
            guilty = lane in trace.guilty
            value = trace.final_values.get(lane, "")
            text = value if isinstance(value, str) else show(value)
            lines.append([Piece(f"  {lane:{width}}  {text}", alarm if guilty else ""), Piece("  <-" if guilty else "")])
    for name, value in shared_at_end(trace).items():
        lines += [[Piece(f"  {text}")] for text in wrap(f"{name}: {value}", WIDTH)]
    flying = [message for message in sent.values() if message.in_flight]
    if flying:
        texts = ", ".join(f"{message.text} {message.source} → {message.target}" for message in flying)
        lines += [[Piece(f"  {text}", "dim")] for text in wrap(f"still in flight: {texts}", WIDTH)]
    return lines if len(lines) > 1 else []
