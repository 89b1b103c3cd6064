"""What a box and a row of a diagram contain: events in the order of the step, the message that is lost, values that go
with a crash; and lines that are broken between values, not inside them."""

from __future__ import annotations

from checker.report.dot import wrap
from checker.report.grid import Grid, grid
from checker.report.mermaid import mermaid
from checker.report.phrases import message_in_short
from checker.report.space_time import space_time
from checker.report.text import text_report
from checker.trace.events import Crash, Deliver, Emit, Lost, Note, Receive
from checker.trace.trace import Trace
from tests.report.runs import Script


def box(picture: Grid, row: int, lane: str) -> list[str]:
    return [line.text for line in picture.rows[row].boxes[lane].lines]


def test_events_stand_in_the_order_in_which_the_step_has_them() -> None:
    """What is delivered before an acknowledgement is sent stands above it; neighbours of one kind share a line."""
    run = Script(3, delivered=())
    run.cast("p1", "m1")
    run.take("p2", "m1", Deliver("p2", "m1"), run.send("p2", "p1", "ack"), Deliver("p2", "m2"), Deliver("p2", "m3"))
    run.take("p3", "m1", run.send("p3", "p1", "ack"), run.send("p3", "p2", "nack"), Emit("decide", "p3", (1,)))
    run.step("wait", "p2", "wait", Note("p2", "late"), Deliver("p2", "m4"), run.send("p2", "p1", "ack"))
    picture = grid(run.trace())
    assert box(picture, 2, "p2") == ["receive m1", "deliver m1", "send ack", "deliver m2, m3"]
    assert box(picture, 3, "p3") == ["receive m1", "send ack, nack", "decide 1"]
    assert box(picture, 4, "p2") == ["wait", "late", "deliver m4", "send ack"]


def test_only_deliveries_share_the_line_of_a_delivery() -> None:
    """An event of the model whose name is `deliver` too has a line of its own."""
    run = Script(2, delivered=())
    run.step("wait", "p1", "wait", Emit("deliver", "p1", ("batch",)), Deliver("p1", "m1"), Deliver("p1", "m2"))
    assert box(grid(run.trace()), 1, "p1") == ["wait", "deliver batch", "deliver m1, m2"]


def test_a_sequence_diagram_has_the_changes_that_only_name_what_was_added() -> None:
    """Of a large set, without an arrow between two values; notes beside a step are no changes."""
    run = Script(1, held=frozenset(f"message {n}" for n in range(9)))
    more = run.state["held"]["p1"] | {"message 9"}
    run.step("take", "p1", "take", changes={("p1", "held"): more}, note="seen before: ignored")
    (taken,) = (line for line in mermaid(run.trace(), changes=True).splitlines() if "take" in line)
    assert "p1.held: + message 9" in taken and " → " not in taken and "seen" not in taken


def test_of_a_step_with_an_event_the_event_is_bold_and_not_what_the_step_is_called() -> None:
    """Unless the step is called as its event is, or has no line for it."""
    run = Script(2, delivered=())
    run.step("read", "p1", "read the log", Emit("decide", "p1", (1,)))
    run.step("decide", "p2", "decide 2", Emit("decide", "p2", (2,)))
    rows = grid(run.trace()).rows
    assert [(line.text, line.bold) for line in rows[1].boxes["p1"].lines] == [
        ("read the log", False),
        ("decide 1", True),
    ]
    assert [(line.text, line.bold) for line in rows[2].boxes["p2"].lines] == [("decide 2", True)]


def test_the_mark_of_a_loss_names_the_message_that_is_lost() -> None:
    """Another arrow may pass beside the mark; a long message has its first field alone."""
    run = Script(2, delivered=())
    run.cast("p1", "Data(m1.1, 0, {p1: -1})")
    run.step("lose", None, "", Lost(1), fault=True)
    (stop,) = grid(run.trace()).rows[2].stops
    assert stop.text == "Data(m1.1, ...)" and ">Data(m1.1, ...)</FONT>" in space_time(run.trace())
    assert [message_in_short(text) for text in ("m1.1", "Nack(p1, 0)", "[m1.1, m1.2, m1.3, m1.4]")] == [
        "m1.1",
        "Nack(p1, 0)",
        "[m1.1, m1.2, m1.3, m1.4]",
    ]


def crashed() -> Trace:
    run = Script(2, left=(), busy=False)
    run.step("begin", "p1", "begin", changes={("p1", "left"): ("p2",), ("p1", "busy"): True})
    run.step("crash", "p1", "crash", Crash("p1"), fault=True, changes={("p1", "left"): (), ("p1", "busy"): False})
    run.step("begin", "p2", "begin", changes={("p2", "left"): ("p1",)})
    run.step("end", "p2", "end", changes={("p2", "left"): ()})
    return run.trace()


def test_what_a_process_loses_in_its_crash_is_not_done() -> None:
    """The values that a crash wipes are those with which it crashes; a truth value is set by the crash itself."""
    rows = grid(crashed()).rows
    assert [line.text for line in rows[2].changes] == ["p1.left: [p2], gone with the crash", "p1.busy: true → false"]
    assert [line.text for line in rows[4].changes] == ["p2.left: [p1] → []"]
    assert text_report(crashed()).count("gone with the crash") == 1


def test_an_own_message_is_received_before_it_is_delivered() -> None:
    """With the step in which it was sent."""
    run = Script(1, delivered=())
    run.step("multicast", "p1", "multicast m1", run.send("p1", "p1", "m1"))
    run.step("receive", "p1", "receive m1", Receive(1, "p1"), Deliver("p1", "m1"))
    assert box(grid(run.trace()), 2, "p1") == ["receive m1", "own, sent at step 1", "deliver m1"]


def test_a_line_is_not_broken_inside_a_value_in_brackets() -> None:
    """Unless the value is longer than a line."""
    assert wrap("fr_deliver n2.1.1, Stamp(1, 0)", 20) == ["fr_deliver n2.1.1,", "Stamp(1, 0)"]
    assert wrap("Entry(m1.1, Stamp(1, 0), false)", 18) == ["Entry(m1.1,", "Stamp(1, 0),", "false)"]
    assert wrap("Stamp(1, 2, 3, 4, 5)", 10) == ["Stamp(1,", "2, 3, 4,", "5)"]
