"""The grid of a space-time diagram: its rows and lanes, and the contents of every cell.

This is the diagram without its drawing: rows of boxes, state changes and notes, all as plain text. Row 0 has the names
of the lanes, the last row the values at the end; the rows between them are steps or folded runs of steps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from attrs import evolve, field, frozen

from checker.report.boxes import Box, Line, acting_lane, end_box, step_boxes
from checker.report.dot import INK, VIOLATION
from checker.report.elision import Span, acting_lanes, rows_of, shown_lanes, spans
from checker.report.ends import shared_at_end
from checker.report.marks import Mark
from checker.report.phrases import call_text, event_lane, event_phrase, message_in_short, names, step_text
from checker.report.pictured import (
    NO_EFFECT,
    at_the_end,
    badges,
    change_text,
    entries,
    given,
    other_changes,
    own_clocks,
    set_text,
    shared_clock,
    shared_lanes,
    without_effect,
)
from checker.report.step_marks import step_marks
from checker.report.wording import decisive_place, guilty_line, not_allowed, note_in_short, step_note
from checker.trace.difference import Change, difference
from checker.trace.events import Duplicated, Emit, Lost, Note
from checker.trace.messages import Message, crashes, messages
from checker.trace.trace import Step, Trace
from checker.trace.values import natural_key
from checker.wording import CITED, counted

CHANGES_PER_STEP = 7
LONGEST_CHANGE = 200
ARROWS_AT_END = 4
GIVEN = 3


@frozen
class Stop:
    """A place between lanes where the network acts on a copy: kind "lost" or "copied", beside its target's lane; text:
    the message, in short."""

    kind: str
    id: int
    lane: str
    from_left: bool
    text: str = ""


@frozen
class Row:
    """One row: its label in the step column, the box and the emphasis of each lane, its state changes; the emphasis of
    a step without a box; the value of the global clock if it changes, the lane that writes into shared lanes, and the
    lanes in which it sets something; the tooltip of each box.
    """

    label: str
    boxes: Mapping[str, Box] = field(factory=dict)
    marks: Mapping[str, Mark] = field(factory=dict)
    changes: tuple[Line, ...] = ()
    stops: tuple[Stop, ...] = ()
    mark: Mark | None = None
    folded: bool = False
    clock: str = ""
    writer: str | None = None
    given: tuple[str, ...] = ()
    tips: Mapping[str, str] = field(factory=dict)


@frozen
class Grid:
    """All rows and lanes.

    `row_of`: the row of every step; `crashed`: the row in which a lane crashes; `loop_rows`: the first row that repeats
    for ever and the row that leads back to it, empty for a finite run; `emphasis`: the colour of the guilty;
    `drawn_to_end`: whether messages in flight are few enough to be drawn; `shared`: the lanes of variables; `badges`:
    the words under the name of a lane.
    """

    lanes: tuple[str, ...]
    rows: tuple[Row, ...]
    row_of: Mapping[int, int]
    crashed: Mapping[str, int]
    loop_rows: tuple[int, ...]
    guilty: tuple[str, ...]
    emphasis: str
    notes: tuple[str, ...]
    drawn_to_end: bool
    shared: tuple[str, ...] = ()
    badges: Mapping[str, tuple[str, ...]] = field(factory=dict)


def grid(trace: Trace) -> Grid:
    """Lay out a trace."""
    shared = shared_lanes(trace)
    lanes = (*shown_lanes(trace), *shared)
    sent = messages(trace)
    parts, marks = spans(trace), step_marks(trace)
    row_of = rows_of(parts)
    flying = [message for message in sent.values() if message.in_flight]
    draw = sum(m.source != m.target and {m.source, m.target} <= set(lanes) for m in flying) <= ARROWS_AT_END
    rows = [Row("step", changes=(Line("state changes", small=True),))]
    rows += [
        _folded_row(trace, s, sent) if s.folded else _step_row(trace, s.first, lanes, sent, marks.get(s.first))
        for s in parts
    ]
    rows.append(_end_row(trace, lanes, [m for m in flying if not draw or m.source == m.target]))
    return Grid(
        lanes=lanes,
        rows=tuple(rows),
        row_of=row_of,
        crashed={lane: row_of[number] for lane, number in crashes(trace).items()},
        loop_rows=_loop_rows(trace, row_of),
        guilty=trace.guilty,
        emphasis=VIOLATION if trace.is_violation() else INK,
        notes=tuple(_notes(trace, lanes, parts, sent)),
        drawn_to_end=draw,
        shared=shared,
        badges={lane: tuple(badges(trace, lane)) for lane in trace.lanes},
    )


def _loop_rows(trace: Trace, row_of: Mapping[int, int]) -> tuple[int, ...]:
    if trace.loop is None or trace.loop >= len(trace.steps):
        return ()
    return (row_of[trace.loop + 1], row_of[len(trace.steps)] + 1)


def _step_row(trace: Trace, number: int, lanes: tuple[str, ...], sent: Mapping[int, Message], mark: Mark | None) -> Row:
    step = trace.steps[number - 1]
    before, after = trace.states[number - 1], trace.states[number]
    boxes = {lane: box for lane, box in step_boxes(step, sent).items() if lane in lanes}
    if without_effect(trace, step):
        boxes = {lane: evolve(box, lines=(*box.lines, Line(NO_EFFECT, italic=True))) for lane, box in boxes.items()}
    boxes = _with_clocks(boxes, own_clocks(trace, before, after))
    changes = other_changes(trace, before, after)
    boxes |= _together(step, changes, lanes, boxes, sent)
    boxes |= _own_copies(step, lanes, boxes, sent)
    writer = acting_lane(step, sent) if acting_lane(step, sent) in boxes else None
    gifts = {lane: found for lane, found in given(changes, writer).items() if lane in lanes and lane not in boxes}
    boxes |= {lane: Box(_gift(found)) for lane, found in gifts.items()}
    written = _written(entries(trace, before, after), step_text(step, sent) if not boxes else "")
    boxes |= {lane: box for lane, box in written.items() if lane in lanes}
    clock = shared_clock(trace, before, after)
    changes = [change for change in changes if change not in gifts.get(str(change.lane), ())]
    marked_lane = _marked_lane(trace, step, boxes, sent)
    marks = {marked_lane: mark} if mark and marked_lane is not None else {}
    lines = [Line(mark, bold=True, alarm=not mark.leads_up)] if mark and marked_lane is None else []
    ticks = bool(clock) and not changes and step.lane is None and not step.events
    if not boxes and not ticks and not any(isinstance(event, (Lost, Duplicated)) for event in step.events):
        who, text = step.lane or ("environment" if step.fault else ""), step_text(step, sent)
        lines.append(Line(f"{who}: {text}", italic=True) if who else Line(text, bold=True))
    lines += [Line(event_phrase(e, sent)) for e in step.events if isinstance(e, (Lost, Duplicated))]
    lines += [Line(text) for text in _elsewhere(trace, step, sent)]
    lines += _change_lines(trace, changes, mark is not None, step)
    if number == trace.parted:
        lines.append(Line(f"{not_allowed(trace)} either", italic=True))
    for text in filter(None, (step_note(trace, step) and note_in_short(trace, step), decisive_place(trace, step))):
        lines.append(Line(_in_short(trace, text), italic=True))
    return Row(
        str(number),
        boxes,
        marks,
        tuple(lines),
        tuple(_stops(step, lanes, sent)),
        mark=mark if marked_lane is None else None,
        clock=clock,
        writer=writer,
        given=tuple(gifts),
        tips={lane: f"Step {number}, {lane}: {call_text(step)}" for lane in boxes},
    )


def _together(
    step: Step, changes: list[Change], lanes: tuple[str, ...], boxes: Mapping[str, Box], sent: Mapping[int, Message]
) -> dict[str, Box]:
    """The boxes of a step that no process takes, such as a round: one in each lane that it changes."""
    if step.fault or acting_lane(step, sent) is not None:
        return {}
    moved = {change.lane for change in changes} | set(boxes)
    return {lane: Box((Line(step_text(step, sent)),)) for lane in lanes if lane in moved and lane not in boxes}


def _gift(changes: list[Change]) -> tuple[Line, ...]:
    texts = [set_text(change) for change in changes[:GIVEN]]
    return tuple(
        Line(text, small=True)
        for text in [*texts, *([f"and {len(changes) - GIVEN} more"] if len(changes) > GIVEN else [])]
    )


def _own_copies(
    step: Step, lanes: tuple[str, ...], boxes: Mapping[str, Box], sent: Mapping[int, Message]
) -> dict[str, Box]:
    """The network's action on a message of a process to itself, in a box of its lane: such a message has no arrow."""
    found = {}
    for event in (e for e in step.events if isinstance(e, (Lost, Duplicated))):
        lane, text = sent[event.id].target, sent[event.id].text
        if lane in lanes and lane not in boxes and sent[event.id].source == lane:
            found[lane] = Box((Line(f"own {text} {'× lost' if isinstance(event, Lost) else '+ copy'}", small=True),))
    return found


def _with_clocks(boxes: dict[str, Box], readings: Mapping[str, str]) -> dict[str, Box]:
    """The boxes, each with the clock of its lane if the step changes it; a clock that changes alone has a box too."""
    found = dict(boxes)
    for lane, text in readings.items():
        box = found.get(lane, Box(()))
        found[lane] = evolve(box, lines=(*box.lines, Line(text, small=True)))
    return found


def _written(texts: Mapping[str, list[str]], head: str) -> dict[str, Box]:
    """The boxes of shared lanes; head: the text of a step without a process."""
    found = {lane: Box(tuple(Line(text, small=True) for text in told)) for lane, told in texts.items()}
    first = next(iter(found), None)
    if head and first is not None:
        found[first] = evolve(found[first], lines=(Line(head), *found[first].lines))
    return found


def _elsewhere(trace: Trace, step: Step, sent: Mapping[int, Message]) -> list[str]:
    """Events without a lane: they have no box."""
    texts = []
    for event in step.events:
        place = event_lane(event, sent)
        if isinstance(event, Emit) and event.quiet:
            continue
        if isinstance(event, (Emit, Note)) and place is None:
            texts.append(event_phrase(event, sent))
        elif place is not None and place not in trace.lanes:
            texts.append(f"{place}: {event_phrase(event, sent)}")
    return texts


def _marked_lane(trace: Trace, step: Step, boxes: Mapping[str, Box], sent: Mapping[int, Message]) -> str | None:
    guilty = (lane for lane in boxes if lane in trace.guilty)
    return next((lane for lane in (acting_lane(step, sent), *guilty, *boxes) if lane in boxes), None)


def _change_lines(trace: Trace, changes: list[Change], marked: bool = False, step: Step | None = None) -> list[Line]:
    """The changes for which a row has room, those of the observed values at a marked step in bold; step: the one step
    of the row."""
    shown = changes if len(changes) <= CHANGES_PER_STEP else changes[: CHANGES_PER_STEP - 1]
    texts = [change.text() if step is None else change_text(step, change) for change in shown]
    bold = [marked and _is_observed(trace, change) for change in shown]
    lines = [Line(_fitted(text), bold=is_bold, change=True) for text, is_bold in zip(texts, bold)]
    if len(shown) < len(changes):
        lines.append(Line(f"and {len(changes) - len(shown)} more changes", italic=True))
    return lines


def _fitted(text: str) -> str:
    """A text that fits a row; for a longer one, the number of missing characters."""
    rest = len(text) - LONGEST_CHANGE
    return text if rest <= 0 else f"{text[:LONGEST_CHANGE]} ... ({rest} more characters)"


def _is_observed(trace: Trace, change: Change) -> bool:
    """Whether a change is one of a variable that the last row shows."""
    value = trace.final_values.get(change.lane)
    shown = isinstance(value, str) and re.search(rf"(^|, ){re.escape(change.variable)} ", value)
    return bool(shown) or change.variable in trace.final_values


def _stops(step: Step, lanes: tuple[str, ...], sent: Mapping[int, Message]) -> list[Stop]:
    stops = []
    for event in (e for e in step.events if isinstance(e, (Lost, Duplicated))):
        source, target = sent[event.id].source, sent[event.id].target
        if source in lanes and target in lanes and source != target:
            kind, number = ("lost", event.id) if isinstance(event, Lost) else ("copied", event.new_id)
            left = lanes.index(source) < lanes.index(target)
            stops.append(Stop(kind, number, target, left, message_in_short(sent[event.id].text)))
    return stops


def _folded_row(trace: Trace, span: Span, sent: Mapping[int, Message]) -> Row:
    """A run of steps in one row: how often each lane did what, and what changed over the whole run."""
    verbs: Counter[tuple[str, str]] = Counter()
    for step in trace.steps[span.first - 1 : span.last]:
        lane = acting_lane(step, sent)
        text = step_text(step, sent) if lane and (step.label or step.events) else call_text(step)
        verbs[lane or "environment", text.split()[0].split("(")[0]] += 1
    counts = sorted(verbs.items(), key=lambda item: natural_key(item[0][0]))
    parts = ", ".join(f"{lane} {verb}" + (f" × {count}" if count > 1 else "") for (lane, verb), count in counts)
    first = Line(f"{counted(span.last - span.first + 1, 'step')} left out: {parts}", italic=True)
    rest = _change_lines(trace, other_changes(trace, trace.states[span.first - 1], trace.states[span.last]))
    return Row(f"{span.first}-{span.last}", changes=(first, *rest), folded=True)


def _end_row(trace: Trace, lanes: tuple[str, ...], unseen: list[Message]) -> Row:
    crashed = crashes(trace)
    boxes = {lane: end_box(trace, lane, lane in crashed) for lane in lanes}
    shared = {lane: texts for lane, texts in at_the_end(trace).items() if lane in lanes}
    boxes |= {lane: Box(tuple(Line(text, small=True) for text in texts or ["empty"])) for lane, texts in shared.items()}
    own = {name for name, (title, _) in trace.shared.items() if title in shared}
    values = {name: value for name, value in shared_at_end(trace).items() if name not in own}
    ended = trace.found_by == "ending" and trace.cause
    lines = [Line(Mark.CAUSE, bold=True), Line(_in_short(trace, guilty_line(trace)), italic=True)] if ended else []
    lines += [Line(_fitted(f"{name}: {value}"), bold=True) for name, value in values.items()]
    lines += [] if trace.steps else _change_lines(trace, list(difference({}, trace.states[0], trace.lanes)))
    if unseen:
        lines.append(Line(f"still in flight, not drawn: {'; '.join(_under_way(unseen))}", small=True, undrawn=True))
    label = "end"
    if trace.loop is not None:
        label = f"back to {trace.loop + 1}" if trace.loop < len(trace.steps) else "for ever"
    shown = {lane: box for lane, box in boxes.items() if box is not None}
    return Row(label, shown, changes=tuple(lines), mark=Mark.CAUSE if ended else None)


def _under_way(unseen: list[Message]) -> list[str]:
    """Messages that have not arrived, those with one text and sender together: "m1.1 from p1 to itself and p2"."""
    found: dict[tuple[str, str], list[str]] = {}
    for message in unseen:
        target = "itself" if message.source == message.target else message.target
        found.setdefault((message.text, message.source), []).append(target)
    return [f"{text} from {source} to {names(targets)}" for (text, source), targets in found.items()]


def _in_short(trace: Trace, text: str) -> str:
    """A remark beside a step; of one that stands in the head of the diagram only its lines of source."""
    places = dict.fromkeys(f"{file}:{line}" for file, line in CITED.findall(text))
    return f"see above: {', '.join(places)}" if places and text in guilty_line(trace) else text


def _notes(trace: Trace, lanes: tuple[str, ...], parts: list[Span], sent: Mapping[int, Message]) -> list[str]:
    """What the diagram leaves out, in words."""
    notes = []
    missing = [lane for lane in trace.lanes if lane not in lanes]
    if trace.lanes and not set(lanes) & set(trace.lanes):
        notes.append("no step is that of a process: there are no lanes")
    elif missing:
        own = all(step.lane is not None or step.fault for step in trace.steps)  # else a step may be one of theirs
        did = "took no step" if own and not set(missing) & acting_lanes(trace) else "not drawn"
        unseen = sum(1 for message in sent.values() if {message.source, message.target} & set(missing))
        them = "it" if len(missing) == 1 else "them"
        also = f"; {counted(unseen, 'message')} from or to {them} not drawn" if unseen else ""
        notes.append(f"{names(missing)} {did}{also}")
    left_out = sum(span.last - span.first + 1 for span in parts if span.folded)
    if left_out:
        are = "is" if left_out == 1 else "are"
        steps = f"{left_out} of {counted(len(trace.steps), 'step')} {are} left out, with the messages between them"
        notes.append(f"{steps}; the trace file has all")
    return notes
