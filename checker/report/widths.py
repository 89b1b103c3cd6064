"""How wide the boxes of a diagram are drawn, in points, before `dot` lays them out.

The widths are those of a wide font, so that boxes keep their distance whatever Helvetica is mapped to: no box is drawn wider than is computed here.
An arrow runs straight from the edge of one box to the edge of another. Were a box between the two, in the lane of either, wider than that end, the
arrow would pass behind it and seem to begin there. So the ends of an arrow are at least as wide as what stands between them in their own lanes.
Boxes of the lanes in between may still hide a piece of an arrow: they stand in its way wherever it begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.report import dot
from checker.report.arrows import Arrow
from checker.report.boxes import Box
from checker.report.grid import Grid

BOX_LETTERS = 28
NARROWEST = 80
POINTS_PER_LETTER = 0.6
SURELY_WIDER = 0.8  # of two boxes whose computed widths differ by more than this, the wider one is wider in any font

Cell = tuple[str, int]


def box_lines(text: str) -> list[str]:
    """A text broken for a box: after its verb if that is enough, so that a message stays in one piece."""
    verb, _, message = text.partition(" ")
    if len(text) > BOX_LETTERS >= len(message) > 0:
        return [verb, message]
    return dot.wrap(text, BOX_LETTERS)


def lane_widths(picture: Grid) -> dict[str, int]:
    """Room for the widest box of each lane: boxes of neighbouring lanes must not overlap, even in different rows."""
    return {
        lane: max([NARROWEST, *(_natural(row.boxes[lane]) for row in picture.rows if lane in row.boxes)]) for lane in picture.lanes
    }  # fmt: skip


def arrow_ends(picture: Grid, drawn: Sequence[Arrow]) -> dict[Cell, int]:
    """The width of each box (lane, row) that an arrow begins or ends at with boxes in between that may be wider; the others are as wide as their text."""
    widths = {(lane, number): _natural(box) for number, row in enumerate(picture.rows) for lane, box in row.boxes.items()}
    ends: dict[Cell, int] = {}
    grown = True
    while grown:
        grown = False
        for arrow in drawn:
            for cell in ((arrow.tail, arrow.tail_row), (arrow.head, arrow.head_row)):
                between = max((widths.get((cell[0], row), 0) for row in range(arrow.tail_row + 1, arrow.head_row)), default=0)
                if cell in widths and between > SURELY_WIDER * widths[cell] and (cell not in ends or between > widths[cell]):
                    widths[cell] = ends[cell] = max(widths[cell], between)
                    grown = True
    return ends


def _natural(box: Box) -> int:
    texts = [(9 if line.small else 11, text) for line in (*box.lines, *box.crash) for text in box_lines(line.text)]
    return max((round(POINTS_PER_LETTER * size * len(text)) + 6 for size, text in texts), default=0)
