"""Every picture of the gallery, measured: what a reader would stumble over is found without looking."""

from __future__ import annotations

import re
import shutil
from itertools import combinations
from pathlib import Path

import pytest

from checker.report.dot import render
from checker.report.space_time import space_time
from checker.trace.read_itf import read_trace

GALLERY = Path(__file__).resolve().parents[3] / "counterexamples"
RUNS = sorted(GALLERY.glob("*/*.itf.json"))
Frame = tuple[float, float, float, float]
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(shutil.which("dot") is None, reason="the dot program is not installed"),
]


def frames(svg: str) -> dict[str, Frame]:
    """The outline (left, top, right, bottom) of every node that has one."""
    found = {}
    for name, body in re.findall(r'<g id="node\d+"[^>]*data-name="([^"]*)">(.*?)</g>\n', svg, re.DOTALL):
        points = [p.split(",") for each in re.findall(r'<polygon [^>]*points="([^"]*)"', body) for p in each.split()]
        if points:
            xs, ys = [float(x) for x, _ in points], [float(y) for _, y in points]
            found[name] = (min(xs), min(ys), max(xs), max(ys))
    return found


def lane(node: str) -> str:
    """The lane of a node, whose name ends in its row."""
    return node.rsplit("/", 1)[0]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.parent.name}/{run.name}")
def test_boxes_keep_apart_lanes_are_straight_and_arrows_begin_in_the_open(run: Path) -> None:
    """No two frames overlap, the frames of a lane have one middle, and no arrow passes behind a box of a lane that it
    begins or ends at."""
    svg = render(space_time(read_trace(run))).decode()
    boxes = frames(svg)
    assert [(a, b) for (a, f), (b, g) in combinations(boxes.items(), 2) if inside(f, g)] == []
    for name in {lane(node) for node in boxes if not node.startswith("/")}:
        middles = [(f[0] + f[2]) / 2 for node, f in boxes.items() if lane(node) == name]
        assert max(middles) - min(middles) < 1.5
    ends = (
        r'data-name="([^":]+):[ew]&#45;&gt;([^":]+):[ew]">.*?<path [^>]*d="M([-\d.]+),([-\d.]+)C[^"]* '
        r'([-\d.]+),([-\d.]+)"'
    )
    for tail, head, *numbers in re.findall(ends, svg, re.DOTALL):
        x1, y1, x2, y2 = map(float, numbers)
        own = [f for node, f in boxes.items() if lane(node) in (lane(tail), lane(head)) and node not in (tail, head)]
        points = [(x1 + (x2 - x1) * i / 20, y1 + (y2 - y1) * i / 20) for i in range(1, 20)]
        assert not any(inside((x, y, x, y), f) for x, y in points for f in own), f"{tail} to {head}"


def inside(a: Frame, b: Frame) -> bool:
    """Whether two frames share more than a margin of one point; a point is a frame without extent."""
    margin = 1 if a[0] < a[2] else -1e-9
    return min(a[2], b[2]) - max(a[0], b[0]) > margin and min(a[3], b[3]) - max(a[1], b[1]) > margin
