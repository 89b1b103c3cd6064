"""The space-time diagram: what it says, and that `dot` lays it out as a grid."""

import os
import re
import shutil
import time
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve

from checker.report import dot
from checker.report.arrows import arrows
from checker.report.dot import NotDrawn, escape, font, render, wrap
from checker.report.elision import acting_lanes, shown_lanes, spans
from checker.report.grid import grid
from checker.report.phrases import call_text
from checker.report.space_time import space_time
from checker.report.text import text_report
from checker.report.widths import WIDEST, changes_width, fitted, lane_widths, page_width
from checker.report.wording import guilty_line
from checker.trace.events import Duplicated, Lost, Send
from checker.trace.former import Contrast
from checker.trace.trace import Step, Trace
from tests.report import runs

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="the dot program is not installed")
GOLDEN = Path(__file__).parent / "golden"
Place = tuple[float, float, float, float]
TAKEN = Contrast(
    "is true (a.py:3): 0 is 0",
    "it is false (b.py:4): 0 is not 1",
    "",
    "take(p2)",
    place=("a.py", 3),
    former=("b.py", 4),
)


def with_contrast(trace: Trace, contrast: Contrast) -> Trace:
    """The trace with a CAUSE of these parts."""
    steps = [evolve(s, note=contrast.text) if s.cause else s for s in trace.steps]
    return evolve(trace, steps=steps, contrast=contrast)


def layout(trace: Trace) -> dict[tuple[str, int], Place]:
    """(column, row) -> (x, y, width, height) of every node, as `dot` places it."""
    found = {}
    for line in render(space_time(trace), "plain").decode().splitlines():
        words = line.split()
        if words[0] == "node":
            column, row = words[1].strip('"').rsplit("/", 1)
            found[column, int(row)] = tuple(float(word) for word in words[2:6])
    return found  # type: ignore[return-value]


def arrow_kinds(trace: Trace) -> list[str]:
    """The kinds of the arrows drawn, in order."""
    return [arrow.kind for arrow in arrows(trace, grid(trace))]


@needs_dot
def test_lanes_are_straight_and_rows_level(trace: Trace) -> None:
    """Every node of a lane has one x, every node of a row one y: a grid."""
    places = layout(trace)
    for column in shown_lanes(trace):
        xs = [place[0] for (name, _), place in places.items() if name == column]
        assert max(xs) - min(xs) < 0.02
    for row in {number for _, number in places}:
        ys = [place[1] for (_, number), place in places.items() if number == row]
        assert max(ys) - min(ys) < 0.02


@needs_dot
def test_columns_do_not_overlap(trace: Trace) -> None:
    """The widest box of a lane ends before the widest box of the next begins, whatever their rows."""
    places = layout(trace)
    lanes = shown_lanes(trace)

    def extent(column: str) -> tuple[float, float]:
        cells = [place for (name, _), place in places.items() if name == column]
        return min(x - w / 2 for x, _, w, _ in cells), max(x + w / 2 for x, _, w, _ in cells)

    for left, right in pairwise(["/step", *lanes, "/changes"]):
        assert extent(left)[1] < extent(right)[0]


@needs_dot
def test_no_arrow_passes_behind_a_box_of_its_own_lanes(trace: Trace) -> None:
    """Between the ends of an arrow no box of the sender's or the receiver's lane is wider than the end: it would hide
    where the arrow begins."""
    places, picture = layout(trace), grid(trace)
    for arrow in arrows(trace, picture):
        for lane, row in ((arrow.tail, arrow.tail_row), (arrow.head, arrow.head_row)):
            if lane in picture.lanes and lane in picture.rows[row].boxes:
                between = [
                    places[lane, r][2]
                    for r in range(arrow.tail_row + 1, arrow.head_row)
                    if lane in picture.rows[r].boxes
                ]
                assert max(between, default=0) <= places[lane, row][2] + 0.1


@needs_dot
def test_lanes_are_unbroken() -> None:
    """Pieces of a lane meet in every empty row: an edge ends a point before the middle of a node, whose dot is as large
    as that."""
    svg = render(space_time(runs.total_order())).decode()
    ends = re.findall(
        r"data-name=\"p1/\d+&#45;&gt;p1/\d+\">\n<path [^>]*d=\"M[-\d.]+,([-\d.]+)C.* " r"[-\d.]+,([-\d.]+)\"", svg
    )
    radius = min(float(r) for r in re.findall(r'data-name="p1/\d+">\n<ellipse [^>]*ry="([\d.]+)"', svg))
    assert len(ends) == 10
    assert all(float(below) - float(above) <= 2 * radius for (_, above), (below, _) in pairwise(ends))


@needs_dot
def test_time_runs_downwards(trace: Trace) -> None:
    """Each row lies below the one before it."""
    rows = {number: place[1] for (name, number), place in layout(trace).items() if name == "/step"}
    assert all(rows[number] > rows[number + 1] for number in range(len(rows) - 1))


def test_the_same_trace_gives_the_same_text(trace: Trace) -> None:
    """Reviewers compare diagrams byte by byte."""
    assert space_time(trace) == space_time(trace)


@pytest.mark.parametrize("name", ["total_order", "crash_in_multicast", "lasso"])
def test_the_diagram_is_the_one_that_was_looked_at(name: str) -> None:
    """The golden files were rendered and judged by eye; look again before replacing one."""
    assert space_time(runs.ALL[name]()) == (GOLDEN / f"{name}.dot").read_text(encoding="utf-8")


def test_every_received_message_is_one_arrow_between_facing_sides() -> None:
    """Send at p1 leaves to the east, receipt at p2 enters from the west; p3 to p2 the other way round."""
    drawn = arrows(runs.total_order(), grid(runs.total_order()))
    ends = [(a.kind, a.tail, a.tail_row, a.head, a.head_row, a.sides) for a in drawn]
    assert ends == [
        ("message", "p1", 1, "p2", 4, ("e", "w")),
        ("message", "p1", 1, "p3", 8, ("e", "w")),
        ("in flight", "p3", 2, "p1", 10, ("w", "e")),
        ("message", "p3", 2, "p2", 6, ("w", "e")),
    ]


def test_loss_duplication_and_a_dead_receiver_have_their_own_lines() -> None:
    """Each fate of a copy is told by its line style."""
    assert sorted(arrow_kinds(runs.crash_in_multicast())) == [
        "copied",
        "dropped",
        "dropped",
        "lost",
        "message",
        "message",
        "message",
    ]


def test_the_key_explains_only_what_occurs() -> None:
    """A legend of things that are not there costs the reader time."""
    plain, full = space_time(runs.total_order()), space_time(runs.crash_in_multicast())
    assert "dashed: lost" not in plain and "dashed: lost" in full
    assert "still in flight" in plain and "still in flight" not in full


def test_a_message_to_oneself_has_no_arrow_but_names_its_step() -> None:
    """An arrow along the own lane would look like part of the lane."""
    trace = runs.own_messages()
    assert all(arrow.tail != arrow.head for arrow in arrows(trace, grid(trace)))
    assert "own, sent at step 1" in space_time(trace)
    assert grid(trace).rows[-1].changes[0].text.endswith("not drawn: ack(m1) from p2 to itself")


def test_a_crash_inside_a_multicast_is_one_box_with_what_it_reached() -> None:
    """The box keeps the multicast, the inverse part names reached and unreached destinations."""
    box = grid(runs.crash_in_multicast()).rows[2].boxes["p1"]
    assert [line.text for line in box.lines] == ["multicast m1"]
    assert [line.text for line in box.crash] == ["crash", "after sending to p2", "p3 and p4 not reached"]


@needs_dot
def test_an_arrow_can_be_followed_behind_the_boxes_it_passes() -> None:
    """m1 goes from p1 to p3 while p2 stands in between: a pale line over that box, in the arrow's own colour, says that
    the message goes on."""
    run = runs.Script(3, delivered=())
    run.cast("p1", "m1", ("p3",))
    run.step("idle", "p2", "a step of p2 alone")
    run.take("p3", "m1")
    svg = render(space_time(run.trace())).decode()
    box = re.search(r'data-name="p2/2">.*?points="([^"]*)"', svg, re.DOTALL)
    (line,) = re.findall(r'd="([^"]*)"', svg[svg.index('class="passing"') :])
    assert box is not None
    xs, ys = zip(*(map(float, point.split(",")) for point in box[1].split()), strict=True)
    for x, y in re.findall(r"([-\d.]+),([-\d.]+)", line):
        assert min(xs) - 0.1 <= float(x) <= max(xs) + 0.1 and min(ys) - 0.1 <= float(y) <= max(ys) + 0.1


@needs_dot
def test_an_arrow_between_neighbours_passes_nothing() -> None:
    """Nor is an arrow drawn over the boxes at which it begins and ends."""
    run = runs.Script(2, delivered=())
    run.cast("p1", "m1")
    run.take("p2", "m1")
    assert "passing" not in render(space_time(run.trace())).decode()


@pytest.mark.parametrize(
    ("lanes", "lines"),
    [(2, ["receive Proposal(m1.1, Stamp(1, p1))"]), (3, ["receive", "Proposal(m1.1, Stamp(1, p1))"])],
)
def test_a_text_is_broken_only_where_lanes_are_many(lanes: int, lines: list[str]) -> None:
    """Beside one other lane a box may be wider: each line less makes the picture shorter."""
    run = runs.Script(lanes, delivered=())
    run.step("receive", "p1", "receive Proposal(m1.1, Stamp(1, p1))")
    run.step("receive", "p2", "")
    run.step("receive", "p3" if lanes == 3 else "p2", "")
    text = space_time(run.trace())
    assert all(f">{line}<" in text for line in lines)


def test_a_long_name_is_broken_between_its_words() -> None:
    """A word longer than a line is broken behind a bracket, a dot or an underscore if it has one, and nothing is
    lost."""
    assert wrap("receive Order(transfer_with_a_long_name, 0)", 20) == [
        "receive",
        "Order(transfer_with_",
        "a_long_name, 0)",
    ]
    assert wrap("x" * 25, 20) == ["x" * 20, "x" * 5]


def test_a_crash_before_a_send_says_what_was_not_sent() -> None:
    """After what was sent before it in the same step."""
    box = grid(runs.crash_before_a_send()).rows[1].boxes["p1"]
    assert [line.text for line in box.crash] == ["crash", "after sending to p2", "before sending m1 to p3"]


@needs_dot
def test_texts_stand_in_the_middle_of_their_boxes() -> None:
    """Whatever width `dot` thinks they have; the column of changes keeps its left edge."""
    svg = render(space_time(runs.total_order())).decode()
    lane = re.search(r'data-name="p1/1">(.*?)</g>', svg, re.DOTALL)
    changes = re.search(r'data-name="/changes/1">(.*?)</g>', svg, re.DOTALL)
    assert lane and changes
    edges = [float(x) for points in re.findall(r'points="([^"]*)"', lane[1]) for x in re.findall(r"([-\d.]+),", points)]
    middles = {float(x) for x in re.findall(r'text-anchor="middle" x="([-\d.]+)"', lane[1])}
    assert middles == {(min(edges) + max(edges)) / 2} and "start" not in lane[1]
    assert "middle" not in changes[1] and changes[1].count('text-anchor="start"') == 2


@needs_dot
def test_lines_of_state_changes_and_the_remark_below_them_keep_apart(trace: Trace) -> None:
    """Letters of 9 points need more than 10 from line to line, in italics too."""
    svg = render(space_time(trace)).decode()
    for node in re.findall(r'data-name="/changes/\d+">(.*?)</g>', svg, re.DOTALL):
        heights = [float(y) for y in re.findall(r' y="([-\d.]+)"', node)]
        assert all(below - above > 10 for above, below in pairwise(heights))


def test_a_lane_is_dotted_below_its_crash() -> None:
    """Solid down to the crash, dotted from there."""
    text = space_time(runs.crash_in_multicast())
    assert re.search(r'"p1/0" -> "p1/1" -> "p1/2" \[[^\]]*penwidth="1.2"', text)
    assert re.search(r'"p1/2" -> "p1/3".* \[[^\]]*style="dotted"', text)


def test_the_violation_is_marked_by_word_frame_and_tint() -> None:
    """Emphasis must survive greyscale printing."""
    text = space_time(runs.total_order())
    assert text.count(">VIOLATION<") == 1 and text.count(">CAUSE<") == 1
    assert 'BORDER="3" COLOR="#A33B00" BGCOLOR="#FFE0CC"' in text


def test_the_network_acts_beside_the_lanes_whatever_it_names() -> None:
    """A loss has the sender among its arguments; the sender does nothing at that step."""
    rows = grid(runs.network_faults()).rows
    assert not rows[2].boxes and rows[2].changes[0].text == "m1 lost on the way to p2"
    assert [line.text for line in rows[4].changes] == ["log m1", "7: decide"]


def test_an_action_keeps_its_name_beside_what_it_delivers() -> None:
    """Only a multicast or a receipt replaces the name of an action without a label."""
    assert [line.text for line in grid(runs.network_faults()).rows[4].boxes["p1"].lines] == ["flush", "deliver m1"]


def test_a_violation_by_the_network_is_marked_beside_the_lanes() -> None:
    """No lane acts, so no box can carry the word."""
    row = grid(runs.network_breaks()).rows[2]
    assert not row.boxes and row.changes[0].text == "VIOLATION"


def test_texts_are_escaped() -> None:
    """A witness may hold any sign; an empty text is no empty font element."""
    assert escape('<a & "b">') == "&lt;a &amp; &quot;b&quot;&gt;"
    assert escape("a\x00b\nc") == "a b c"
    assert font("", size=9) == ""
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt; &quot;nobody&quot;" in space_time(runs.crash_in_multicast())


def test_up_to_forty_steps_are_all_shown() -> None:
    """Nothing is folded that fits a page."""
    assert all(not span.folded for span in spans(runs.many_steps(40, 4)))


@pytest.mark.parametrize("steps", [41, 60, 200])
def test_a_long_trace_is_folded_without_losing_a_step(steps: int) -> None:
    """The rows cover all steps once, at most forty of them, and the last twelve are never folded."""
    parts = spans(runs.many_steps(steps, 4))
    covered = [number for span in parts for number in range(span.first, span.last + 1)]
    assert covered == list(range(1, steps + 1))
    assert len(parts) <= 40
    assert not any(span.folded and span.last > steps - 12 for span in parts)


def test_folding_is_said() -> None:
    """The caption gives the number of steps left out, the row what they were."""
    picture = grid(runs.many_steps(60, 4))
    folded = [row for row in picture.rows if row.folded]
    assert any("of 60 steps are left out" in note for note in picture.notes)
    assert folded and all("steps left out: " in row.changes[0].text for row in folded)


def test_what_does_not_fit_a_row_is_counted() -> None:
    """Many changes, or one with a very long value, say how much is not shown."""
    many = {f"x{i}": 0 for i in range(20)}
    trace = Trace(
        model="m",
        property="P",
        kind="invariant",
        steps=[Step(1, "a"), Step(2, "b")],
        states=[many, dict.fromkeys(many, 1), {**dict.fromkeys(many, 1), "x0": "y" * 300}],
    )
    rows = grid(trace).rows
    assert rows[1].changes[-1].text == "and 14 more changes"
    assert rows[2].changes[-1].text.endswith("y ... (108 more characters)")


def test_idle_lanes_are_left_out_and_named() -> None:
    """Among many lanes, one that takes no step is dropped with its messages, never silently."""
    trace = runs.eight_lanes()
    assert "p6" not in shown_lanes(trace) and "p6" not in acting_lanes(trace)
    assert "p6 took no step; 2 messages from or to it not drawn" in grid(trace).notes
    steps = [evolve(trace.steps[0], lane=None), *trace.steps[1:]]
    notes = grid(evolve(trace, steps=steps)).notes  # a step of no lane may be one of p6
    assert any(note.startswith("p6 not drawn") or ", p6" in note for note in notes) and "p6 took" not in str(notes)


def test_a_guilty_lane_is_never_left_out() -> None:
    """It may be guilty by doing nothing: the process that never delivers."""
    assert "p4" in shown_lanes(runs.crash_in_multicast())


def test_a_lasso_has_a_bracket_from_its_last_step_to_its_first() -> None:
    """Steps 4 to 7 repeat: the bracket leaves the row "back to 4" and enters row 4."""
    assert grid(runs.lasso()).loop_rows == (4, 8)
    text = space_time(runs.lasso())
    assert '"/loop/8" -> "/step/8":w' in text and '"/loop/4" -> "/step/4":w' in text
    assert "repeats" in text and "back to 4" in text


def test_a_step_that_repeats_for_ever_has_a_bracket_too() -> None:
    """One step leads back to itself: the bracket spans its row and the row that says so, and no two edges join the same
    nodes in an arc."""
    trace = evolve(runs.lasso(), loop=6)
    assert grid(trace).loop_rows == (7, 8)
    chains = [line for line in space_time(trace).splitlines() if '"/loop/7" -> "/loop/8"' in line]
    assert len(chains) == 1 and 'class="loop"' in chains[0]


def test_where_no_process_acts_there_are_no_lanes() -> None:
    """Empty lanes say nothing: steps and changes remain, and at the end the values that the witness speaks of."""
    trace = evolve(runs.no_lanes(), lanes=("p1", "p2"), witness="inside has two members.")
    picture = grid(trace)
    assert picture.lanes == () and picture.notes == ("no step is that of a process: there are no lanes",)
    assert [line.text for line in picture.rows[-1].changes] == ["inside: {1, 2}"]


def test_where_no_lane_has_values_of_its_own_the_end_has_those_the_witness_speaks_of() -> None:
    """A guilty lane alone does not contradict anything: the last row says what does."""
    trace = evolve(runs.no_lanes(), lanes=("p1", "p2"), witness="for q = p2: inside has two members.", guilty=("p2",))
    end = grid(trace).rows[-1]
    assert [line.text for line in end.boxes["p2"].lines] == ["p2"]
    assert [line.text for line in end.changes] == ["inside: {1, 2}"]


def test_beside_the_lanes_the_end_has_what_the_witness_speaks_of_and_nobody_owns() -> None:
    """One side of a contradiction may be a value that all share; what stands in a lane is not told twice."""
    trace = evolve(
        runs.no_lanes(),
        lanes=("p1", "p2"),
        witness="p2 is outside, but inside is {1, 2}.",
        guilty=("p2",),
        final_values={"p2": "outside"},
    )
    end = grid(trace).rows[-1]
    assert [line.text for line in end.boxes["p2"].lines] == ["outside"]
    assert [line.text for line in end.changes] == ["inside: {1, 2}"]
    owned = grid(evolve(trace, final_values={"p2": "inside"})).rows[-1]
    assert not owned.changes
    lasso = runs.lasso()
    assert "token" in lasso.witness and not grid(lasso).rows[-1].changes  # each process has its own


def test_each_value_at_the_end_has_its_own_line() -> None:
    """Contradicting values are compared line by line, so commas inside a value do not break it."""
    values = {"p2": "delivered [m1, m2], last {m1: (1, p1), m2: 0}", "p3": "delivered []"}
    boxes = grid(evolve(runs.total_order(), final_values=values)).rows[-1].boxes
    assert [line.text for line in boxes["p2"].lines] == ["delivered [m1, m2]", "last {m1: (1, p1), m2: 0}"]
    assert [line.text for line in boxes["p3"].lines] == ["delivered []"]


def test_the_caption_is_as_wide_as_the_picture() -> None:
    """One lane or five: a title that fits stands in one line."""
    title = "steps 4 to 7 repeat for ever"
    assert title in space_time(runs.lasso())
    assert "nothing more can happen after step 8" in space_time(runs.crash_in_multicast())


def test_without_dot_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the program and where it comes from."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotDrawn, match="'dot' is not on PATH"):
        render("digraph {}")


@needs_dot
def test_what_dot_refuses_is_said() -> None:
    """A fault in the text is an error with dot's own words, not an empty picture."""
    with pytest.raises(NotDrawn, match="failed .exit code 1.: .*syntax error"):
        render("digraph {")


def test_a_dot_that_fails_or_hangs_costs_the_picture_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends before it has read its input, prints nothing, cannot be run, or does not end: then it is killed with
    what it has started, and later pictures wait less."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(dot, "_limits", [0.2])
    program, noted = tmp_path / "dot", tmp_path / "noted"
    for text, reason in [
        ("#!/bin/sh\nexit 3\n", "the program 'dot' failed .exit code 3.: without a message"),
        ("#!/bin/sh\necho warning >&2\n", "failed .exit code 0.: warning"),
        (f"#!/bin/sh\nsleep 1000 &\necho $! > {noted}\nwait\n", "has not ended in 0.2 seconds"),
    ]:
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
        with pytest.raises(NotDrawn, match=f"no diagram drawn: .*{reason}"):
            render("digraph {" + "a;" * 100_000 + "}")
    assert dot._limits == [0.2, dot.AGAIN]
    program.write_text("no program", encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotDrawn, match="the program 'dot' cannot run: Exec format error"):
        render("digraph {}")
    state = Path(f"/proc/{noted.read_text().strip()}/stat")
    for _ in range(200):  # a killed process ends when it is scheduled again
        if not state.exists() or state.read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError(state.read_text())


def test_a_guilty_lane_without_a_value_of_its_own_ends_with_the_one_that_the_witness_names() -> None:
    """A frame around a name alone contradicts nothing."""
    witness = "For q = p2: eligible(p2) = {m1.1, m2.1} is not decided = {m1.1}."
    trace = evolve(runs.no_lanes(), lanes=("p1", "p2"), witness=witness, guilty=("p2",))
    assert [line.text for line in grid(trace).rows[-1].boxes["p2"].lines] == ["eligible(p2) = {m1.1, m2.1}"]
    indexed = evolve(trace, witness="For q = p2: sent[p1] = 3 is not < seen[p2] = 2.")
    assert [line.text for line in grid(indexed).rows[-1].boxes["p2"].lines] == ["seen[p2] = 2"]


def test_the_row_of_a_cause_refers_to_the_head_that_has_what_decides() -> None:
    """The text says all; a row of the diagram would grow by lines.  What has no line of source stands in the row."""
    trace = runs.total_order()
    marked = with_contrast(trace, evolve(TAKEN, then="in Lock this step is not enabled"))
    row = next(row for row in grid(marked).rows if "CAUSE" in row.marks.values())
    assert row.changes[-1].text == "see above: a.py:3, b.py:4"
    assert evolve(TAKEN, then="").text in guilty_line(marked)
    alone = with_contrast(trace, Contrast(then="after this step in Lock holder is none"))
    row = next(row for row in grid(alone).rows if "CAUSE" in row.marks.values())
    assert row.changes[-1].text == "after this step in Lock holder is none"


def test_what_a_step_sets_at_others_stands_in_their_lanes() -> None:
    """With a thin arrow from who sets it, and no longer among the changes; what it only resets is a change."""
    script = runs.Script(3, told=None, seen=True)
    script.step("tell", "p2", "tell", changes={("p1", "told"): "yes", ("p3", "told"): "no", ("p3", "seen"): False})
    trace = script.trace(guilty=("p1", "p3"))
    row = grid(trace).rows[1]
    assert {lane: [line.text for line in box.lines] for lane, box in row.boxes.items()} == {
        "p2": ["tell"],
        "p1": ["told yes"],
        "p3": ["told no"],
    }
    assert row.given == ("p1", "p3") and [line.text for line in row.changes] == ["p3.seen: true → false"]
    source = space_time(trace)
    assert '"p2/1":w -> "p1/1":e' in source and '"p2/1":e -> "p3/1":w' in source
    assert "what a step of another process sets here" in source
    assert "what a step of another process sets here" not in space_time(runs.total_order())


def test_a_step_that_no_process_takes_alone_has_a_box_at_each_that_it_changes() -> None:
    """A round of all: who takes part is seen."""
    script = runs.Script(3, phase=0)
    script.step("begin_round", None, "begin a round", changes={("p1", "phase"): 1, ("p3", "phase"): 1})
    row = grid(script.trace(guilty=script.lanes)).rows[1]
    assert {lane: box.lines[0].text for lane, box in row.boxes.items()} == dict.fromkeys(("p1", "p3"), "begin a round")
    assert [line.text for line in row.changes] == ["p1.phase: 0 → 1", "p3.phase: 0 → 1"]


def test_without_a_cause_the_violation_names_the_line_of_its_action() -> None:
    """With one, the line that decides is there."""
    run = runs.total_order()
    last = evolve(run.steps[-1], source=("models/protocol.py", 12))
    placed = evolve(run, steps=[*(evolve(s, cause=False) for s in run.steps[:-1]), last])
    where = f"{last.action}({', '.join(map(str, last.args.values()))}) (protocol.py:12)"
    assert grid(placed).rows[len(run.steps)].changes[-1].text == "see above: protocol.py:12"
    assert where in guilty_line(placed) and where in text_report(placed)
    steps = [evolve(placed.steps[0], cause=True), *placed.steps[1:]]
    caused = with_contrast(evolve(placed, steps=steps), Contrast("is true (old.py:3)", place=("old.py", 3)))
    assert where not in text_report(caused)


def test_a_cause_without_a_line_of_its_own_has_that_of_its_action() -> None:
    """As where the base has no such step at all."""
    run = runs.total_order()
    steps = [evolve(s, cause=s.number == 3, source=("models/protocol.py", 7), note="") for s in run.steps]
    placed = evolve(run, steps=steps)
    found = [row.changes[-1].text for row in grid(placed).rows if row.changes and "protocol.py" in row.changes[-1].text]
    assert found == [f"{steps[2].action}({', '.join(map(str, steps[2].args.values()))}) (protocol.py:7)"]


@needs_dot
def test_a_pointer_is_told_step_process_and_call() -> None:
    """Each box has a title in words; the names that Graphviz gives nodes are data."""
    trace = runs.total_order()
    svg = render(space_time(trace)).decode()
    told = re.findall(r'data-name="([^"]*)">\n<title>([^<]*)</title>', svg)
    expected = {f"{s.lane}/{n}": f"Step {n}, {s.lane}: {s.action}({s.lane})" for n, s in enumerate(trace.steps, 1)}
    assert {name: words for name, words in told if name in expected} == expected
    assert svg.count("<title>") == 1 + len(told) and not re.search(r"<title>[^<]*(&#45;&gt;|/\d)", svg)
    assert 'role="img"' in svg and "<desc>" in svg


def test_many_lanes_are_narrow_enough_for_a_page() -> None:
    """Lines in boxes are shorter where the picture would be too wide to be read 900 pixels wide."""
    script = runs.Script(5, delivered=())
    for lane in script.lanes:
        script.step("read", lane, f"read the log of {lane} and fr_deliver m1.1")
    picture = fitted(grid(script.trace()))
    assert page_width(picture, lane_widths(picture)) + changes_width(picture) <= WIDEST
    assert max(len(line.text) for row in picture.rows for box in row.boxes.values() for line in box.lines) <= 24


def test_the_picture_names_the_constants_that_are_not_as_by_default() -> None:
    """Those that nobody set say nothing about the run; the text and the stored run have all."""
    trace = evolve(runs.total_order(), constants={"processes": 3, "losses": 0, "crashes": 1}, usual=("losses",))
    picture = space_time(trace)
    assert "(processes=3, crashes=1, other constants as by default)" in picture and "losses=0" not in picture
    assert "losses=0" in text_report(trace)
    usual = evolve(trace, usual=("processes", "losses", "crashes"))
    assert "(constants as by default)" in space_time(usual)


def test_the_step_that_decides_and_its_line_stand_above_the_picture() -> None:
    """Who looks for the guilty line need not look for the row: the CAUSE, else the step that breaks the property."""
    trace = runs.total_order()
    marked = with_contrast(trace, evolve(TAKEN, then="in Lock this step is not enabled"))
    number, call = next((s.number, call_text(s)) for s in trace.steps if s.cause)
    assert guilty_line(marked) == f"CAUSE, step {number}, {call}: {TAKEN.text}"
    head = space_time(marked).partition("subgraph")[0]
    assert head.index("a.py:3") < head.index("model: ")
    last = trace.steps[-1]
    plain = [evolve(s, cause=False, note="", source=("models/lock.py", 7)) for s in trace.steps]
    where = f"VIOLATION, step {last.number}, {call_text(last)} (lock.py:7)"
    assert guilty_line(evolve(trace, steps=plain)) == where
    assert guilty_line(evolve(trace, steps=plain, kind="quiescence")) == ""


def test_what_the_network_does_to_a_message_to_oneself_stands_in_the_lane() -> None:
    """It has no arrow that could end or divide."""
    sent = Step(1, "start", lane="p1", events=[Send(1, "p1", "p1", "m1"), Send(2, "p1", "p1", "m2")])
    copied = Step(2, "duplicate_net", fault=True, events=[Duplicated(1, 3)])
    lost = Step(3, "lose_net", fault=True, events=[Lost(2)])
    states = [{"x": 0}] * 4
    drawn = space_time(
        Trace(model="m", property="p", kind="reachable", states=states, steps=[sent, copied, lost], lanes=["p1"])
    )
    assert "own m1 + copy" in drawn and "own m2 × lost" in drawn
