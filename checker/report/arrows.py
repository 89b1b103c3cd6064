"""The arrows of a space-time diagram: from which cell to which cell, at which sides, in which style.

An arrow leaves its box at the side that faces the target and enters on the facing side, so that two copies of one
multicast do not coincide and an arrow that passes behind a third lane does not look like a relay. A message of a
process to itself has no arrow, which would run along the lane; the receiving box names the sending step instead.
"""

from __future__ import annotations

from attrs import evolve, frozen

from checker.report.grid import Grid
from checker.trace.messages import Message, messages
from checker.trace.trace import Trace


@frozen
class Arrow:
    """One line. `kind` is "message", "lost", "copied", "in flight" or "dropped"; `sides` are compass points."""

    kind: str
    tail: str
    tail_row: int
    head: str
    head_row: int
    sides: tuple[str, str]
    tooltip: str


def arrows(trace: Trace, picture: Grid) -> list[Arrow]:
    """The arrows between shown lanes. A message of a process to itself, or between two folded rows, has none.

    Where a folded row makes several messages coincide, one arrow stands for all of them.
    """
    sent = messages(trace)
    drawn: list[Arrow] = []
    for message in sent.values():
        if message.source == message.target or not {message.source, message.target} <= set(picture.lanes):
            continue
        first = None if message.copy_of is None else _way_to_copy(picture, message, sent[message.copy_of])
        drawn += filter(None, (first, _arrow(picture, message)))
    return list({evolve(arrow, tooltip=""): arrow for arrow in drawn}.values())


def _arrow(picture: Grid, message: Message) -> Arrow | None:
    tail, tail_row, side = _origin(picture, message)
    enter = "w" if _to_right(picture, message) else "e"
    kind, head, head_row = "message", message.target, 0
    if message.received is not None:
        head_row = picture.row_of[message.received]
    elif message.lost is not None:
        kind, head_row = "lost", picture.row_of[message.lost]
        if not picture.rows[head_row].folded:
            head, enter = f"/lost/{message.id}", ""
    elif message.dropped is not None:
        kind, head_row = "dropped", picture.row_of[message.dropped]
        if message.dropped == message.born:
            head_row += 1
    elif picture.drawn_to_end:
        kind, head_row = "in flight", len(picture.rows) - 1
    else:
        return None
    if picture.rows[head_row].folded and picture.rows[tail_row].folded:
        return None
    tooltip = f"{message.text}, {message.made} by {message.source}{_fate(message)}"
    return Arrow(kind, tail, tail_row, head, head_row, (side, enter), tooltip)


def _fate(message: Message) -> str:
    """What happened to a copy, in words."""
    if message.received is not None:
        return f", received by {message.target} at step {message.received}"
    if message.lost is not None:
        return f" to {message.target}, lost at step {message.lost}"
    return f" to {message.target}, {'which has crashed' if message.dropped is not None else 'still in flight'}"


def _origin(picture: Grid, message: Message) -> tuple[str, int, str]:
    """The node a copy comes from, its row and the side it leaves at."""
    row = picture.row_of[message.born]
    if message.copy_of is not None and not picture.rows[row].folded:
        return f"/copied/{message.id}", row, ""
    return message.source, row, "e" if _to_right(picture, message) else "w"


def _to_right(picture: Grid, message: Message) -> bool:
    return picture.lanes.index(message.source) < picture.lanes.index(message.target)


def _way_to_copy(picture: Grid, message: Message, first: Message) -> Arrow | None:
    """The line from the first sending to the place of duplication."""
    row = picture.row_of[message.born]
    if picture.rows[row].folded:
        return None
    tail, tail_row, side = _origin(picture, first)
    tooltip = f"{message.text}: duplicated on the way to {message.target}"
    return Arrow("copied", tail, tail_row, f"/copied/{message.id}", row, (side, ""), tooltip)
