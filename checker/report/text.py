"""The trace in a terminal: what failed, why, and then the changes step by step.

There is one layout: `text_report` is plain text, `report_lines` the same lines with the emphasis of a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping

from checker.report.boxes import acting_lane
from checker.report.ends import end_texts, shared_at_end
from checker.report.lines import Line, line, plain, wrapped
from checker.report.marks import Mark, cause_mark
from checker.report.phrases import before_text, call_text, event_lane, event_phrase, names, step_text, unreached_text
from checker.report.pictured import NO_EFFECT, change_text, entries, without_effect
from checker.report.said import Weight
from checker.report.step_marks import listed_marks, step_marks
from checker.report.wording import (
    TRACE_FILE,
    caption,
    decisive_place,
    guilty_said,
    not_allowed,
    step_note,
    title,
    witness,
)
from checker.trace.difference import difference, maps_lanes
from checker.trace.events import Crash, Dropped, Event, Multicast, Receive, Send, is_seen
from checker.trace.messages import Message, messages
from checker.trace.trace import Step, Trace
from checker.trace.values import FrozenMap, Value, is_blank, mentions, show

WIDTH = 100


def text_report(trace: Trace, file: str | None = TRACE_FILE, headed: bool = True) -> str:
    """The report as plain text, ending with a line break; file: where the trace is stored, None if it is not; headed:
    whether it includes its head, with title, witness and caption.
    """
    lines = report_lines(trace, file) if headed else _run(trace)
    return "\n".join(plain(part).rstrip() for found in lines for part in wrapped(found, WIDTH)) + "\n"


def report_lines(trace: Trace, file: str | None = TRACE_FILE, run_of: str = "") -> list[Line]:
    """All lines of the report, however long; file: where the trace is stored, None if it is not; run_of: the property
    whose report, above, has the same steps.
    """
    lines: list[Line] = [line(title(trace), _alarm(trace))]
    lines += [line(text) for text in [witness(trace)] if text]
    lines += guilty_lines(trace)
    told = [(what, text) for what, text in caption(trace, file) if what != "protocol"]
    if run_of:
        told = [(w, text) for w, text in told if w == "why not" or w == "replay" and file is not None]
        told.append(("run", f"the steps of {run_of} above"))
    return [
        *lines,
        (),
        *(((f"  {what}: ", "dim"), (text, "")) for what, text in told),
        *([] if run_of else [(), *_run(trace)]),
    ]


def guilty_lines(trace: Trace) -> list[Line]:
    """The guilty rule or statement, and what else is known of the reasons."""
    return [line(s.text, "bold" if s.weight is Weight.STRONG else "") for part in guilty_said(trace) for s in part]


def _alarm(trace: Trace) -> str:
    return "bold red" if trace.is_violation() else "bold"


def _run(trace: Trace) -> list[Line]:
    """The steps, with the lines before and after them."""
    sent, alarm, lines = messages(trace), _alarm(trace), [*_initial(trace)]
    gutter = len(str(len(trace.steps))) + 2
    lane_width, marks = max(map(len, trace.lanes), default=0), step_marks(trace)
    for step in trace.steps:
        if trace.loop is not None and step.number == trace.loop + 1:
            lines.append(line(f"{'':{gutter}}from here on, for ever:", "bold"))
        lines += _step(trace, step, sent, gutter, lane_width, alarm, marks.get(step.number))
    return lines + _end(trace, sent, alarm)


def _initial(trace: Trace) -> list[Line]:
    """The initial values that are not empty, zero or false."""
    state = {name: value for name, value in trace.states[0].items() if name not in trace.networks}
    if not trace.steps:
        return [line(f"  {change.text()}") for change in difference({}, state, trace.lanes)]
    uniform = {name: _common(value) for name, value in state.items() if maps_lanes(value, trace.lanes)}
    texts = [f"every {name}: {show(value)}" for name, value in uniform.items() if not is_blank(value)]
    changes = [c for c in difference({}, state, trace.lanes) if is_blank(uniform.get(c.variable))]
    texts += [change.text() for change in changes if not is_blank(change.after)]
    if not texts:
        return []
    rest = "; everything else is empty, 0, false or none" if any(map(is_blank, state.values())) else ""
    return [line(f"at the start{rest}", "dim"), *(line(f"    {text}") for text in texts), ()]


def _common(value: FrozenMap) -> Value:
    """The value that every lane has, none if they differ."""
    first: Value = next(iter(value.values()))
    return first if all(item == first for item in value.values()) else None


def _step(
    trace: Trace, step: Step, sent: Mapping[int, Message], gutter: int, lane_width: int, alarm: str, marked: Mark | None
) -> list[Line]:
    lane = acting_lane(step, sent) or "-"
    head = step_text(step, sent)
    observed = any(map(is_seen, step.events))
    first = [
        (f"{step.number:>{gutter - 1}} ", "dim"),
        (f"{lane:{lane_width}} ", "bold"),
        (f" {head}", "bold" if observed else ""),
    ]
    if call_text(step) != head:
        first.append((f"   {call_text(step)}", "dim"))
    for mark in listed_marks(trace, step, marked):
        told = f": {not_allowed(trace)}" if mark is cause_mark(trace, step) else ""
        first.append((f"   {mark}{told}", alarm if not mark.leads_up else "bold yellow" if mark.tinted else "bold"))
    indent = " " * (gutter + lane_width + 4)
    details = step_details(trace, step, head, lane, sent)
    note = step_note(trace, step)
    said = [text for text in (note, decisive_place(trace, step)) if text]
    lines = [first, *(line(indent + text) for text in details[: len(details) - bool(note)])]
    return [*lines, *(line(indent + text, "italic") for text in said)]


def step_title(trace: Trace, step: Step, sent: Mapping[int, Message], mark: Mark | None) -> str:
    """A step in one line: its number, the process that acts, what it does, and its mark."""
    lane = acting_lane(step, sent)
    parts = [str(step.number), f"{lane}:" if lane else "", step_text(step, sent)]
    return " ".join(filter(None, [*parts, *(f"({mark})" for mark in listed_marks(trace, step, mark))]))


def step_details(trace: Trace, step: Step, head: str, lane: str | None, sent: Mapping[int, Message]) -> list[str]:
    """The details that the head of a step does not contain: its events, its changes, and its note; lane: that of the
    head.
    """
    before, after = trace.states[step.number - 1], trace.states[step.number]
    changes = difference(before, after, trace.lanes, {*trace.networks, *trace.shared})
    shared = (f"{title}: {text}" for title, texts in entries(trace, before, after).items() for text in texts)
    texts = [*event_texts(step, head, lane or "-", sent), *shared, *(change_text(step, c) for c in changes)]
    texts += [NO_EFFECT] * without_effect(trace, step)
    return [*texts, *filter(None, [step_note(trace, step)])]


def event_texts(step: Step, head: str, lane: str, sent: Mapping[int, Message]) -> list[str]:
    """The events that the head of the step does not contain; sends with their destinations, receipts with their
    origin."""
    texts = []
    targets: dict[tuple[type, str, str], list[str]] = {}
    for event in step.events:
        if isinstance(event, Send | Dropped):
            targets.setdefault((type(event), event.source, event.text), []).append(event.target)
    for event in step.events:
        if isinstance(event, Send | Dropped):
            where = targets.pop((type(event), event.source, event.text), None)
            if where is not None:
                what = f"send {event.text} to {names(where)}"
                dropped = f"{what}: dropped, {names(where)} {'has' if len(where) == 1 else 'have'} crashed"
                texts.append(_elsewhere(event, lane, sent) + (what if isinstance(event, Send) else dropped))
        elif isinstance(event, Receive):
            message = sent[event.id]
            known = "" if mentions(head, message.text) else f"receive {message.text} "
            source = "itself" if message.source == message.target else message.source
            texts.append(f"{known}from {source}, {message.made}")
        elif isinstance(event, Crash):
            texts += [*_crash_text(event, head), *_dropped(step, event, sent)]
        elif not mentions(head, event_phrase(event, sent)) and not isinstance(event, Multicast):
            texts.append(_elsewhere(event, lane, sent) + event_phrase(event, sent))
    return texts


def _crash_text(crash: Crash, head: str) -> list[str]:
    parts = [] if mentions(head, "crash") else ["crash"]
    parts += [text for text in (before_text(crash), unreached_text(crash)) if text]
    return [": ".join(parts)] if parts else []


def _dropped(step: Step, crash: Crash, sent: Mapping[int, Message]) -> list[str]:
    """What was in flight to a process when it crashed."""
    copies = [m for m in sent.values() if m.dropped == step.number > m.born and m.target == crash.lane]
    return [f"{m.text} from {m.source} to {m.target}, {m.made}, is dropped" for m in copies]


def _elsewhere(event: Event, lane: str, sent: Mapping[int, Message]) -> str:
    where = event_lane(event, sent)
    return "" if where is None or where == lane else f"{where}: "


def _end(trace: Trace, sent: Mapping[int, Message], alarm: str) -> list[Line]:
    """The contradicting values side by side, and the messages in flight."""
    lines: list[Line] = [()]
    width = max(map(len, trace.lanes), default=0)
    for lane, text in end_texts(trace).items():
        guilty = lane in trace.guilty
        lines.append(((f"  {lane:{width}}  {text}", alarm if guilty else ""), ("  <-" if guilty else "", "")))
    for name, value in shared_at_end(trace).items():
        lines.append(line(f"  {name}: {value}"))
    flying = [message for message in sent.values() if message.in_flight]
    if flying:
        texts = ", ".join(f"{message.text} {message.source} → {message.target}" for message in flying)
        lines.append(line(f"  still in flight: {texts}", "dim"))
    return lines if len(lines) > 1 else []
