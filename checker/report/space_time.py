"""The space-time diagram of a trace, as Graphviz text.

Lamport's picture (1978) turned so that time runs downwards: a column per process, a row per step, an arrow from each
send to its receipt. A node stands in every cell, and every row and column is one chain of edges, so that the layered
layout of `dot` becomes a grid: straight lanes, one step a row. Messages are edges that do not take part in the
layout; they leave and enter at facing sides and pass behind filled boxes.

The same trace gives the same text, byte by byte. Emphasis never rests on colour alone: VIOLATION and CAUSE are
words and frames, lost and undelivered messages have line styles. The picture is for up to about 8 lanes and 40
steps; what lies beyond is folded and said so (see elision).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from checker.report import dot
from checker.report.arrows import Arrow, arrows
from checker.report.boxes import Box, Line
from checker.report.dot import GREY, INK, LINE, MESSAGE, UNBROKEN, VIOLATION, WHITE
from checker.report.grid import Grid, Row, Stop, grid
from checker.report.marks import Mark
from checker.report.said import Weight
from checker.report.widths import NARROWEST, arrow_ends, changes_width, fitted, lane_widths, page_width, spread
from checker.report.wording import (
    STRONG,
    TRACE_FILE,
    caption,
    guilty_said,
    model_briefly,
    shown_blocked,
    title,
    witness,
)
from checker.trace.trace import Trace

DOT = "0.03"  # inches: an edge ends one point before the middle of a node, so an empty cell is as large as the gap
CAPTION_POINTS, LONGEST_LINE = 450, 150
ENDS_OF_PARTS = re.compile(r"\):(?= |$)|;(?= )|(?= and )")
"""Where bold may end in a strong text that is broken: behind a cited line or a condition."""
BAND = {"penwidth": "9", "color": dot.DELIVER_TINT, "class": "lane shared"}
UPRIGHT = {"weight": "1000", "headclip": "false", "tailclip": "false"}


def space_time(trace: Trace, file: str | None = TRACE_FILE) -> str:
    """The diagram of a trace as a dot text; file: the path of the trace from the picture, None if it is not stored."""
    picture = fitted(grid(trace))
    drawn = arrows(trace, picture)
    width, widths, ends = changes_width(picture), lane_widths(picture), arrow_ends(picture, drawn)
    points = max(page_width(picture, widths) + width, CAPTION_POINTS)
    words = [f"// {' '.join(text.split())}" for text in (title(trace), witness(trace)) if text]
    tips = [
        f"// tip {dot.quote(f'{lane}/{n}')} {tip}" for n, r in enumerate(picture.rows) for lane, tip in r.tips.items()
    ]
    lines = [
        *words,
        *tips,
        "digraph counterexample {",
        *_settings(spread(picture), _caption(trace, file, picture, drawn, points)),
    ]
    for number, row in enumerate(picture.rows):
        boxes = {
            lane: _lane_cell(picture, row, number, lane, widths[lane], ends.get((lane, number)))
            for lane in picture.lanes
        }
        lines += _row(picture, boxes, number, row, width)
    lines += [
        f"  {line}" for line in (*_columns(picture), *_bracket(picture), *map(_message, drawn), *_writes(picture))
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _settings(distance: float, label: str) -> list[str]:
    return [
        f"  graph [splines=line, outputorder=edgesfirst, nodesep={distance:g}, ranksep=0.12, bgcolor=white, pad=0.25,",
        f'         fontname="Helvetica", fontsize=11, fontcolor="{INK}", labelloc=t, labeljust=l,',
        f"         label={label}];",
        f'  node  [fontname="Helvetica", fontsize=11, fontcolor="{INK}", shape=plain];',
        f'  edge  [color="{MESSAGE}", penwidth=1.6, arrowsize=0.8];',
    ]


def _caption(trace: Trace, file: str | None, picture: Grid, drawn: list[Arrow], points: int) -> str:
    """The caption, with lines about as long as the picture is wide (in points)."""
    color = VIOLATION if trace.is_violation() else INK
    texts = [dot.font(line, size=15, color=color, bold=True) for line in _lines(title(trace), points, 15 * 1.1)]
    texts += [dot.font(line, size=12) for line in _lines(witness(trace), points, 12) if line]
    for said in (said for part in guilty_said(trace) for said in part):
        bold = said.weight is Weight.STRONG
        first, *others = _strong(said.text, points) if bold else _lines(said.text, points, 11.5)
        texts.append(dot.font(first, size=11, bold=bold))
        texts += [dot.font(line, size=11) for line in others]
    told = {"model": model_briefly(trace)}
    lines = [(what, f"{what}: {told.get(what, text)}") for what, text in caption(trace, file, shown_blocked(trace))]
    strong = [text for what, text in lines if what in STRONG]
    origin = "; ".join(text for what, text in lines if what not in STRONG)
    texts += [dot.font(line, size=10) for text in strong for line in _lines(text, points, 10)]
    for text in (origin, *picture.notes, _key(picture, drawn)):
        texts += [dot.font(line, size=9, color=GREY) for line in _lines(text, points, 9) if line]
    return dot.table([dot.cell(text, left=True) for text in texts], padding=2)


def _strong(text: str, points: int) -> list[str]:
    """A strong text in lines, of which the first is bold: as much as fits, up to the end of a condition or a cited line
    if there is one in its second half, so that bold does not end within a comparison.
    """
    longest = _longest(points, 12.5)
    first, *others = (line.replace(UNBROKEN, " ") for line in dot.wrap(_unbroken_lists(text), longest))
    if not others or not text.startswith(first):
        return [first, *others]
    ends = [found.end() for found in ENDS_OF_PARTS.finditer(first) if found.end() >= longest // 2]
    first = first[: ends[-1]] if ends else first
    rest = text.removeprefix(first).lstrip()
    return [first, *(_lines(rest, points, 11.5) if rest else [])]


def _longest(points: int, size: float) -> int:
    return min(int(points / (0.52 * size)), LONGEST_LINE)


def _unbroken_lists(text: str) -> str:
    return re.sub(r"\[[^\[\]]*\]", lambda found: found[0].replace(" ", UNBROKEN), text)


def _lines(text: str, points: int, size: float) -> list[str]:
    """A text in lines of about one length, none much wider than `points`: a letter is on average half its size wide.  A
    list is not broken.
    """
    longest = _longest(points, size)
    text = _unbroken_lists(text)
    count = len(dot.wrap(text, longest))
    least = min(longest, max(map(len, text.split(" ")), default=1))
    widths = range(max(least, 1), longest + 1)  # no word is broken, so a wider line never makes more lines
    narrowest = bisect_left(widths, True, key=lambda width: len(dot.wrap(text, width)) <= count)
    return [line.replace(UNBROKEN, " ") for line in dot.wrap(text, widths[narrowest])]


def _key(picture: Grid, drawn: list[Arrow]) -> str:
    """The meaning of the line styles that occur, no others."""
    meanings = {
        "message": "arrow: message, from send to receipt",
        "lost": "dashed: lost",
        "copied": "'+ copy': duplicated by the network",
        "in flight": "dotted arrow: still in flight",
        "dropped": "arrow ending in a bar: its receiver has crashed",
    }
    kinds = {arrow.kind for arrow in drawn}
    parts = [text for kind, text in meanings.items() if kind in kinds]
    if picture.crashed:
        parts.append("dotted lane: crashed")
    if picture.shared:
        parts.append("broad lane: a variable of all, thin arrow: who writes it")
    if any(row.given for row in picture.rows):
        parts.append("small text: what a step of another process sets here")
    return "; ".join(parts)


def _row(picture: Grid, boxes: dict[str, dict[str, str]], number: int, row: Row, width: int) -> list[str]:
    """One block: every node of the row and the invisible chain that orders them."""
    nodes = [("/step", {"group": "steps", "label": _step_label(picture, number, row)})]
    if picture.loop_rows:
        nodes.insert(0, ("/loop", _loop_cell(picture, number)))
    for lane in picture.lanes:
        stops = [
            (stop.from_left, (f"/{stop.kind}/{stop.id}", _stop_cell(stop))) for stop in row.stops if stop.lane == lane
        ]
        before, after = ([node for left, node in stops if left == side] for side in (True, False))
        nodes += [*before, (lane, {"group": lane, **boxes[lane]}), *after]
    nodes.append(("/changes", {"group": "changes", "fontsize": "9", "label": _changes(row, width)}))
    lines = ["  { rank=same;"]
    for name, values in nodes:
        mark = f"row{number} {values.pop('class', '')}".strip()
        lines.append(f"    {dot.node(f'{name}/{number}', {**values, 'class': mark})}")
    lines.append(f"    {dot.chain([f'{name}/{number}' for name, _ in nodes], {'style': 'invis'})}")
    return [*lines, "  }"]


def _step_label(picture: Grid, number: int, row: Row) -> str:
    texts = [dot.font(row.label, color=GREY) + (" " + dot.font(row.clock, size=9, bold=True) if row.clock else "")]
    back = bool(picture.loop_rows) and number == picture.loop_rows[-1]
    texts += [dot.font(text, size=9, bold=True) for text in ("repeats", "for ever") if back]
    return dot.table([dot.cell(text) for text in texts], padding=6 if picture.loop_rows and not back else 2)


def _lane_cell(picture: Grid, row: Row, number: int, lane: str, width: int, end: int | None) -> dict[str, str]:
    """A cell of a lane; width: of the lane; end: of the box, if arrows ask for one."""
    if number == 0:
        if lane in picture.shared:
            heads = [dot.cell(dot.font(lane, size=10, italic=True), width=NARROWEST)]
            return {"label": dot.table([dot.cell(dot.inner(_frame(heads, [], color=LINE, padding=4)), width=width)])}
        words = [dot.cell(dot.font(word, size=9, color=VIOLATION, bold=True)) for word in picture.badges.get(lane, ())]
        name = _frame([dot.cell(dot.font(lane, bold=True), width=NARROWEST), *words], [], padding=4)
        return {"label": dot.table([dot.cell(dot.inner(name), width=width)])}
    if row.folded:
        return {"label": dot.table([dot.cell(dot.font("· · ·", color=GREY))], fill=WHITE, padding=2)}
    box = row.boxes.get(lane)
    if box is None:
        return {"shape": "point", "width": DOT, "penwidth": "0", "color": LINE}
    if row is picture.rows[-1]:
        border, color = (2, picture.emphasis) if lane in picture.guilty else (1, INK)
        if lane in picture.shared:
            return {"label": _frame(_said(box.lines, max(NARROWEST, end or 0)), [], color=LINE, padding=3)}
        return {"label": _frame(_said(box.lines, max(NARROWEST, end or 0)), [], border=border, color=color, padding=4)}
    if lane in picture.shared and lane not in row.marks:
        return {"label": _frame(_said(box.lines, end), [], color=LINE), "class": "shared"}
    return _marked(box, row.marks.get(lane), picture.emphasis, end)


def _marked(box: Box, mark: Mark | None, emphasis: str, width: int | None) -> dict[str, str]:
    """A box with its emphasis: a word, a frame and a tint."""
    said, foot = _said(box.lines, width), _said(box.crash, width, WHITE)
    if mark is not None and mark.leads_up:
        head, fill = dot.cell(dot.font(mark, size=9, bold=True)), dot.CAUSE_TINT if mark.tinted else WHITE
        return {
            "label": _frame([head, *said], foot, border=2, fill=fill),
            "class": "culprit" if mark.tinted else "step",
        }
    if mark is not None:
        head = dot.cell(dot.font(mark, size=9, color=emphasis, bold=True))
        fill = dot.VIOLATION_TINT if emphasis == VIOLATION else dot.DELIVER_TINT
        return {"label": _frame([head, *said], foot, border=3, color=emphasis, fill=fill), "class": "violation"}
    fill, kind = (dot.DELIVER_TINT, "observed") if box.observed else (WHITE, "" if box.lines else "crash")
    return {"label": _frame(said, foot, fill=fill), **({"class": kind} if kind else {})}


def _frame(
    rows: list[str], foot: list[str], *, border: int = 1, color: str = INK, fill: str = WHITE, padding: int = 3
) -> str:
    """Rows in a frame, with a footer in ink below, if there is one.

    The background of such a frame is ink and each part one filled cell: between cells, and between a cell and the
    frame, the background is visible as a hairline.
    """
    if not foot:
        return dot.table(rows, border=border, color=color, fill=fill, padding=padding)
    parts = [dot.cell(dot.inner(dot.table(rows, padding=padding)), fill=fill)] if rows else []
    parts.append(dot.cell(dot.inner(dot.table(foot, padding=padding)), fill=INK))
    return dot.table(parts, border=border, color=color, fill=INK)


def _said(lines: Sequence[Line], width: int | None, color: str = INK) -> list[str]:
    return [dot.cell(_stacked(lines, color), width=width)] if lines else []


def _stacked(lines: Sequence[Line], color: str) -> str:
    """The lines of a box close together, so that they look like one text."""
    texts = [_font(line, color) for line in lines]
    return texts[0] if len(texts) == 1 else dot.inner(dot.table([dot.cell(text) for text in texts], padding=1))


def _font(line: Line, color: str) -> str:
    size, paint = 9 if line.small else None, None if color == INK else color
    return dot.font(line.text, size=size, color=paint, bold=line.bold, italic=line.italic)


def _stop_cell(stop: Stop) -> dict[str, str]:
    """The mark on a message, with the name of the message: another arrow may pass beside it."""
    text, color = ("× lost", VIOLATION) if stop.kind == "lost" else ("+ copy", MESSAGE)
    cells = [dot.cell(dot.font(text, color=color)), dot.cell(dot.font(stop.text, size=9, color=color))]
    return {"label": dot.table(cells, border=1, color=color, fill=WHITE, padding=1)}


def _changes(row: Row, width: int) -> str:
    """The column of state changes: one table row a line, never a line break, so that fonts may mix."""
    contents = []
    for line in row.changes:
        color = VIOLATION if line.alarm else GREY if line.small else None
        contents.append(dot.font(line.text, bold=line.bold, italic=line.italic, color=color))
    return dot.table([dot.cell(text, width=width, left=True) for text in contents or [""]], padding=1)


def _columns(picture: Grid) -> list[str]:
    """The vertical chains: step numbers and changes invisible, lanes drawn, dotted below a crash."""
    rows = range(len(picture.rows))
    invisible = {"style": "invis", "weight": "1000"}
    lines = [dot.chain([f"{name}/{row}" for row in rows], invisible) for name in ("/step", "/changes")]
    # From middle to middle, behind the boxes: clipped at each empty cell, a lane would look broken.
    line = {"arrowhead": "none", "color": LINE, **UPRIGHT, "class": "lane"}
    solid, dotted = {**line, "penwidth": "1.2"}, {**line, "style": "dotted"}
    for lane in picture.lanes:
        if lane in picture.shared:
            lines.append(dot.chain([f"{lane}/{row}" for row in rows], {**solid, **BAND}))
            continue
        crash = picture.crashed.get(lane, len(picture.rows) - 1)
        nodes = [f"{lane}/{row}" for row in rows]
        lines.append(dot.chain(nodes[: crash + 1], solid))
        if crash < len(picture.rows) - 1:
            lines.append(dot.chain(nodes[crash:], dotted))
    return lines


def _writes(picture: Grid) -> list[str]:
    """A thin line from each box that writes into a shared lane, or sets a value in another lane, to that lane's box."""
    look = {"constraint": "false", "color": GREY, "penwidth": "0.8", "arrowsize": "0.6", "class": "write"}
    lines = []
    for number, row in enumerate(picture.rows):
        for lane in (*picture.shared, *row.given):
            if row.writer is not None and lane in row.boxes:
                right = picture.lanes.index(row.writer) < picture.lanes.index(lane)
                sides = ("e", "w") if right else ("w", "e")
                lines.append(dot.edge(f"{row.writer}/{number}", f"{lane}/{number}", look, sides))
    return lines


def _loop_cell(picture: Grid, number: int) -> dict[str, str]:
    first, last = picture.loop_rows
    style = {"style": "filled", "color": INK} if first <= number <= last else {"style": "invis"}
    return {"group": "loop", "shape": "point", "width": DOT, "penwidth": "0", **style}


def _bracket(picture: Grid) -> list[str]:
    """The way back of a lasso, beside the step numbers: from the row that mentions it up to the first step that
    repeats.

    Its vertical part is a piece of the column's chain: a second edge between two nodes would be drawn as an arc.
    """
    if not picture.loop_rows:
        return []
    first, last = picture.loop_rows
    nodes = [f"/loop/{row}" for row in range(len(picture.rows))]
    ink = {"color": INK, "class": "loop"}
    side = {**ink, "constraint": "false"}
    return [
        dot.chain(nodes[: first + 1], {"style": "invis", "weight": "1000"}),
        dot.chain(nodes[first : last + 1], {**ink, "arrowhead": "none", **UPRIGHT}),
        dot.edge(f"/loop/{last}", f"/step/{last}", {**side, "dir": "none", "tailclip": "false"}, ("", "w")),
        dot.edge(f"/loop/{first}", f"/step/{first}", {**side, "tailclip": "false"}, ("", "w")),
    ]


_STYLES: dict[str, dict[str, str]] = {
    "message": {},
    "lost": {"color": VIOLATION, "style": "dashed", "arrowhead": "none"},
    "copied": {"arrowhead": "none", "penwidth": "1.2"},
    "in flight": {"style": "dotted", "arrowhead": "empty", "penwidth": "1.2"},
    "dropped": {"color": VIOLATION, "penwidth": "1.2", "arrowhead": "tee"},
}


def _message(arrow: Arrow) -> str:
    values = {
        "constraint": "false",
        **_STYLES[arrow.kind],
        "class": f"message {arrow.kind.replace(' ', '-')} from{arrow.tail_row} to{arrow.head_row}",
        "edgetooltip": arrow.tooltip,
    }
    return dot.edge(f"{arrow.tail}/{arrow.tail_row}", f"{arrow.head}/{arrow.head_row}", values, arrow.sides)
