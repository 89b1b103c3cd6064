"""Additions to the SVG text of a picture after `dot` has drawn it.

The layout stays that of `dot`.  The additions have no attribute in Graphviz: texts are centred in their frames whatever
the font is, the part of an arrow behind a box is visible, and there is a title and a description for readers who do not
see the picture, where `dot` writes internal names that a tooltip would show.  A picture in another format than SVG has
none of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

Point = tuple[float, float]
Box = tuple[float, float, float, float]

PALE = "0.3"  # opaque enough to be followed, too pale to hide a letter
CORNER = 4  # points: an arrow that only touches the corner of a box needs no way through it


def centred(svg: str) -> str:
    """The picture with centred texts in framed nodes.

    dot gives each text a left edge, from its own estimate of the font's widths; with a narrower font texts would be off
    centre.
    """
    return re.sub(r'<g id="node\d+".*?</g>\n', lambda node: _centred_node(node[0]), svg, flags=re.DOTALL)


def _centred_node(node: str) -> str:
    box = _extent(node)
    if box is None:
        return node
    middle = f'text-anchor="middle" x="{(box[0] + box[2]) / 2:g}"'
    return re.sub(r'text-anchor="start" x="[^"]*"', middle, node)


def passing(svg: str) -> str:
    """The picture with a pale line over each box behind which a message passes: without it the arrow would seem to end
    there, and another to begin.
    """
    nodes = re.findall(r'<g id="node\d+".*?</g>\n', svg, flags=re.DOTALL)
    boxes = [box for box in (_extent(node) for node in nodes if _framed(node)) if box is not None]
    edges = re.findall(r'<g id="edge\d+" class="edge message.*?(<path [^>]*/>)', svg, flags=re.DOTALL)
    lines = [line for path in edges for line in _ways(path, boxes)]
    if not lines:
        return svg
    end = svg.rindex("</g>\n</svg>")
    group = [f'<g class="passing" opacity="{PALE}" pointer-events="none">', *lines, "</g>"]
    return svg[:end] + "\n".join(group) + "\n" + svg[end:]


def described(svg: str, title: str, description: str, tips: Mapping[str, str]) -> str:
    """The picture with a title and a description; the names of nodes and edges are kept as data, and each node has its
    tooltip.
    """

    def told(found: re.Match[str]) -> str:
        tip = tips.get(unescape(found[2]))
        return f'{found[1]} data-name="{found[2]}">' + (f"\n<title>{escape(tip)}</title>" if tip else "")

    named = re.sub(r'(<g id="(?:node|edge)\d+"[^>]*)>\n<title>([^<]*)</title>', told, svg)
    words = f"<title>{escape(title)}</title>\n" + (f"<desc>{escape(description)}</desc>\n" if description else "")
    whole = re.sub(r"<title>[^<]*</title>\n", lambda _: words, named, count=1)
    return whole.replace(" viewBox=", ' role="img" viewBox=', 1)


def _framed(node: str) -> bool:
    return re.search(r'<polygon [^>]*stroke="(?!transparent|none)', node) is not None


def _extent(node: str) -> Box | None:
    """Left, top, right and bottom of all that is filled or framed in a node."""
    corners = _points(" ".join(re.findall(r'<polygon [^>]*points="([^"]*)"', node)))
    if not corners:
        return None
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _points(text: str) -> list[Point]:
    return [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+),([-\d.]+)", text)]


def _ways(path: str, boxes: list[Box]) -> list[str]:
    """The pieces of a straight path inside boxes, in its own style."""
    points = _points(path.split(' d="')[1])
    ways = []
    for box in boxes:
        piece = _inside(points[0], points[-1], box)
        if piece is not None:
            (x, y), (u, v) = piece
            ways.append(re.sub(r' d="[^"]*"', f' d="M{x:.2f},{y:.2f}L{u:.2f},{v:.2f}"', path))
    return ways


def _inside(start: Point, end: Point, box: Box) -> tuple[Point, Point] | None:
    """The part of a line within a box (Liang and Barsky 1984), None if it is empty or too short to draw."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    first, last = 0.0, 1.0
    for step, room in ((-dx, x - box[0]), (dx, box[2] - x), (-dy, y - box[1]), (dy, box[3] - y)):
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            first = max(first, room / step)
        else:
            last = min(last, room / step)
    if (last - first) * (dx * dx + dy * dy) ** 0.5 < CORNER:
        return None
    return (x + first * dx, y + first * dy), (x + last * dx, y + last * dy)
