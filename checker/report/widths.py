"""The widths of the boxes of a diagram, in points, computed before `dot` lays them out, and where their texts are
broken.

Texts are broken to fit a page in portrait: with fewer lanes lines are longer, because each line makes the diagram
higher. The widths are those of a wide font, so that boxes keep their distance whatever font replaces Helvetica: no box
is drawn wider than computed here. An arrow is straight, from the edge of one box to the edge of another. If a box
between the two, in the lane of either, is wider than that end, the arrow passes behind this box and seems to begin
there. The ends of an arrow are therefore at least as wide as the boxes between them in their own lanes. Boxes of other
lanes in between may still hide a part of an arrow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve

from checker.report import dot
from checker.report.arrows import Arrow
from checker.report.boxes import Box, Line
from checker.report.grid import Grid, Row

BOX_LETTERS, BOX_LETTERS_OF_TWO = 28, 36
# as long as a page of PAGE_POINTS has room, within these bounds
CHANGE_LETTERS, LONGEST_CHANGE, CHANGE_SIZE = 40, 64, 9
NARROW_CHANGES = 35
FEWER_LETTERS = ((24, CHANGE_LETTERS), (20, CHANGE_LETTERS), (20, NARROW_CHANGES), (16, NARROW_CHANGES))
"""Of a line in a box, and at least of a line of state changes, where the page would be wider than WIDEST."""
WIDEST = 900  # points: shown 900 pixels wide, its letters of 9 points have 9 pixels
PAGE_POINTS, STEP_POINTS = 860, 60
NARROWEST = 80
POINTS_PER_LETTER, POINTS_PER_CAPITAL = 0.6, 0.66
SURELY_WIDER = 0.8  # of two boxes whose computed widths differ by more than this, the wider one is wider in any font

Cell = tuple[str, int]


def fitted(picture: Grid) -> Grid:
    """The same diagram with the texts of its boxes and state changes broken into lines that fit."""
    start = BOX_LETTERS_OF_TWO if len(picture.lanes) <= 2 else BOX_LETTERS
    longest_change = max((len(line.text) for row in picture.rows for line in row.changes), default=0)
    for letters, least in ((start, CHANGE_LETTERS), *FEWER_LETTERS):
        narrow = _with_boxes(picture, letters)
        changes = min(least, longest_change) * POINTS_PER_LETTER * CHANGE_SIZE
        if page_width(narrow, lane_widths(narrow)) + changes <= WIDEST:
            break
    room = (PAGE_POINTS - page_width(narrow, lane_widths(narrow))) / (POINTS_PER_LETTER * CHANGE_SIZE)
    longest = min(max(int(room), least), LONGEST_CHANGE)
    return evolve(
        narrow,
        rows=tuple(
            evolve(row, changes=_lines(row.changes, lambda line: dot.wrap(line.text, longest))) for row in narrow.rows
        ),
    )


def _with_boxes(picture: Grid, letters: int) -> Grid:
    """The diagram with lines of at most this many letters in its boxes."""
    rows = [evolve(row, boxes={lane: _broken(box, letters) for lane, box in row.boxes.items()}) for row in picture.rows]
    return evolve(picture, rows=tuple(rows))


def _broken(box: Box, letters: int) -> Box:
    def broken(line: Line) -> list[str]:
        return dot.wrap(line.text, letters) if line.small else _box_lines(line.text, letters)

    return evolve(box, lines=_lines(box.lines, broken), crash=_lines(box.crash, broken))


def _lines(lines: Sequence[Line], broken: Callable[[Line], list[str]]) -> tuple[Line, ...]:
    return tuple(evolve(line, text=text) for line in lines for text in broken(line))


def _box_lines(text: str, letters: int) -> list[str]:
    """A text broken for a box: after its verb if that is sufficient, so that a message stays in one piece."""
    verb, _, message = text.partition(" ")
    if len(text) > letters >= len(message) > 0:
        return [verb, message]
    return dot.wrap(text, letters)


def spread(picture: Grid) -> float:
    """The least distance of two columns, in inches."""
    return 0.6 if len(picture.lanes) <= 4 else 0.4 if len(picture.lanes) <= 5 else 0.3


def page_width(picture: Grid, lanes: Mapping[str, int]) -> int:
    """The width of a diagram with lanes of these widths, without its column of state changes."""
    return STEP_POINTS + sum(lanes.values()) + round(72 * spread(picture)) * (len(lanes) + 1)


def changes_width(picture: Grid) -> int:
    """The width of the column of state changes."""
    longest = max((len(line.text) for row in picture.rows for line in row.changes), default=0)
    return round(POINTS_PER_LETTER * CHANGE_SIZE * longest) + 4


def lane_widths(picture: Grid) -> dict[str, int]:
    """Room for the widest box of each lane: boxes of neighbouring lanes must not overlap, even in different rows."""
    return {
        lane: max([NARROWEST, *(_natural(row, lane) for row in picture.rows if lane in row.boxes)])
        for lane in picture.lanes
    }


def arrow_ends(picture: Grid, drawn: Sequence[Arrow]) -> dict[Cell, int]:
    """The width of each box (lane, row) at which an arrow begins or ends, if boxes in between may be wider; the others
    are as wide as their text.
    """
    widths = {(lane, number): _natural(row, lane) for number, row in enumerate(picture.rows) for lane in row.boxes}
    ends: dict[Cell, int] = {}
    grown = True
    while grown:
        grown = False
        for arrow in drawn:
            for cell in ((arrow.tail, arrow.tail_row), (arrow.head, arrow.head_row)):
                rows = range(arrow.tail_row + 1, arrow.head_row)
                between = max((widths.get((cell[0], row), 0) for row in rows), default=0)
                wider = cell in widths and between > SURELY_WIDER * widths[cell]
                if wider and (cell not in ends or between > widths[cell]):
                    widths[cell] = ends[cell] = max(widths[cell], between)
                    grown = True
    return ends


def _natural(row: Row, lane: str) -> int:
    """The width of a box, and of the mark above its lines."""
    box, mark = row.boxes[lane], row.marks.get(lane, "")
    lines = (*box.lines, *box.crash)
    texts = (round(POINTS_PER_LETTER * (9 if line.small else 11) * len(line.text)) for line in lines)
    return max([*texts, round(POINTS_PER_CAPITAL * 9 * len(mark))]) + 6
