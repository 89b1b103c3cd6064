"""A Mermaid sequence diagram of a trace, for places that render Markdown but show no attached picture.

Mermaid draws a message as one horizontal arrow, so sending and receipt cannot stand at different heights. The arrow
is drawn at the receipt and the send is a note above it: the order of steps stays true, the time under way is lost.
Messages never received are arrows with a cross where they are lost, and words at the end where they are in flight.
For time running at an angle, and for more than a glance, use the space-time diagram.
"""

from __future__ import annotations

import re
from itertools import accumulate

from checker.report.grid import Grid, Row, grid
from checker.trace.events import Lost, Receive
from checker.trace.messages import Message, messages
from checker.trace.trace import Step, Trace
from checker.wording import counted

RESERVED = frozenset(
    "accdescr acctitle activate actor alt and as autonumber box break create critical deactivate destroy "
    "details else end link links loop note off opt option over par par_over participant properties rect "
    "sequencediagram title".split()
)
LONGEST = 48_000  # signs of all steps: Mermaid draws no diagram of more than 50,000 in all
ENTITIES = {"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;"}


def mermaid(trace: Trace, longest: int = LONGEST, changes: bool = False) -> str:
    """The diagram as Mermaid text, without the code fence around it; longest: the largest number of characters of all
    steps; if they have more, those in the middle are left out; changes: the notes have what each step changes, too.
    """
    picture = grid(trace)
    sent = messages(trace)
    head = ["sequenceDiagram", *(_participant(lane) for lane in picture.lanes or (trace.model,))]
    lines: list[str] = []
    steps = {picture.row_of[step.number]: step for step in trace.steps}
    for number, row in enumerate(picture.rows[1:-1], 1):
        folded = f"{row.label}: {row.changes[0].text}" if row.folded else None
        lines += (
            [_over_all(trace, picture, folded)] if folded else _step(trace, picture, row, steps[number], sent, changes)
        )
    for lane, box in picture.rows[-1].boxes.items():
        guilty = " (contradiction)" if lane in picture.guilty and trace.is_violation() else ""
        lines.append(_note(lane, f"end: {', '.join(line.text for line in box.lines)}{guilty}"))
    ending = [line.text for line in picture.rows[-1].changes if not line.undrawn]  # see `flying`
    if (changes or not picture.lanes) and ending:
        lines.append(_over_all(trace, picture, f"end: {', '.join(ending)}"))
    flying = [f"{m.text} {m.source} to {m.target}" for m in sent.values() if m.in_flight]
    if flying:
        lines.append(_over_all(trace, picture, f"still in flight: {', '.join(flying)}"))
    return "\n  ".join([*head, *_drawable(trace, picture, lines, longest)]) + "\n"


def _drawable(trace: Trace, picture: Grid, lines: list[str], longest: int) -> list[str]:
    """The lines for which there is room (otherwise Mermaid draws nothing); a note gives the number of omitted steps in
    the middle.
    """
    sizes = [len(line) + 3 for line in lines]
    if sum(sizes) <= longest:
        return lines
    first, last = (sum(total <= longest // 2 for total in accumulate(s)) for s in (sizes, sizes[::-1]))
    why = "since Mermaid draws no longer text" if longest == LONGEST else "for length"
    left = len(lines) - first - last
    note = _over_all(trace, picture, f"{counted(left, 'line')} {'is' if left == 1 else 'are'} left out here, {why}")
    return [*lines[:first], note, *lines[len(lines) - last :]]


def escape(text: str) -> str:
    """A text for a message or a note: Mermaid reads ; as a line end and # as an entity."""
    return "".join(ENTITIES.get(sign, sign) for sign in re.sub(r"\s+", " ", text))


def _alias(lane: str) -> str:
    plain = re.fullmatch(r"[A-Za-z]\w*", lane) is not None and lane.lower() not in RESERVED
    return lane if plain else "lane_" + "".join(sign if sign.isalnum() else f"_{ord(sign):x}_" for sign in lane)


def _participant(lane: str) -> str:
    alias = _alias(lane)
    return f"participant {alias}" if alias == lane else f"participant {alias} as {escape(lane)}"


def _note(lane: str, text: str) -> str:
    return f"Note over {_alias(lane)}: {escape(text)}"


def _over_all(trace: Trace, picture: Grid, text: str) -> str:
    lanes = picture.lanes or (trace.model,)
    ends = dict.fromkeys((_alias(lanes[0]), _alias(lanes[-1])))
    return f"Note over {','.join(ends)}: {escape(text)}"


def _step(trace: Trace, picture: Grid, row: Row, step: Step, sent: dict[int, Message], changes: bool) -> list[str]:
    """The receipts of a step as arrows with its text, losses as crossed arrows, everything else as notes."""
    lines: list[str] = []
    for lane, box in row.boxes.items():
        texts = [line.text for line in (*box.lines, *box.crash)]
        changed = [line.text for line in row.changes if line.change] if changes and not lines else []
        text = f"{row.label} {', '.join(texts)}{''.join(f'; {one}' for one in changed)}" + (
            f" ({row.marks[lane]})" if lane in row.marks else ""
        )
        takes = [sent[event.id] for event in step.events if isinstance(event, Receive) and event.target == lane]
        source = takes[0].source if takes else None
        if source is not None and source in picture.lanes:
            lines.append(f"{_alias(source)}->>{_alias(lane)}: {escape(text)}")
        else:
            lines.append(_note(lane, text))
    losses = [sent[event.id] for event in step.events if isinstance(event, Lost)]
    marked = f" ({row.mark})" if row.mark is not None else ""
    drawn = [lost for lost in losses if {lost.source, lost.target} <= set(picture.lanes)]
    for lost in drawn:
        lines.append(f"{_alias(lost.source)}-x{_alias(lost.target)}: {escape(f'{row.label} {lost.text} lost{marked}')}")
    if not lines:
        text = ", ".join(line.text for line in row.changes) or step.action
        lines.append(_over_all(trace, picture, f"{row.label} {text}"))
    return lines
