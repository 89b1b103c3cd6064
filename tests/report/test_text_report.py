"""The text report tells what failed, and step by step only what changed."""

import io
from pathlib import Path

import pytest
from attrs import evolve
from rich.console import Console

from checker.analysis.check import check
from checker.cli.output import Output
from checker.language import Int, Model, action, invariant, quiescent, require, var
from checker.report.checked import check_lines
from checker.report.lines import plain
from checker.report.text import report_lines, text_report
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, Multiset, Rec, is_blank
from tests.report import runs

TOTAL_ORDER = """\
TotalOrder violated at step 9 of 9
p2 delivered m1 before m2, but p3 delivered m2 before m1.
CAUSE, step 3, deliver(p3): p1 and p2 have not acknowledged m2: an earlier timestamp may still
  arrive

  model: lamport:DeliverOwnAtOnce(processes=3, workload=[1, 0, 1], crashes=0)
  edit: deliver the own message at once
  search: breadth-first, no shorter trace exists
  replay: checker replay trace.itf.json

 1 p1  multicast m1   multicast(p1)
         send m1 to p2 and p3
         p1.clock: 0 → 1
         p1.queue: [] → [m1]
 2 p3  multicast m2   multicast(p3)
         send m2 to p1 and p2
         p3.clock: 0 → 1
         p3.queue: [] → [m2]
 3 p3  deliver m2   deliver(p3)   CAUSE: not allowed before the edit
         p3.delivered: [] → [m2]
         p1 and p2 have not acknowledged m2: an earlier timestamp may still arrive
"""


def test_the_report_opens_with_property_and_witness_and_goes_on_with_changes_only() -> None:
    """The whole beginning of a report, word by word."""
    assert text_report(runs.total_order()).startswith(TOTAL_ORDER)


def test_the_contradicting_values_stand_below_each_other() -> None:
    """The last lines hold the value of each lane at the end; the guilty ones are pointed at."""
    text = text_report(runs.total_order())
    assert "  p2  delivered [m1, m2]  <-\n  p3  delivered [m2, m1]  <-\n" in text
    assert "p1  delivered []\n" in text
    assert text.endswith("  still in flight: m2 p3 → p1\n")


def test_a_crash_inside_a_multicast_says_who_was_not_reached() -> None:
    """The sends that happened come first, then the crash with the destinations it missed."""
    assert "send m1 to p2\n         crash: p3 and p4 not reached\n" in text_report(runs.crash_in_multicast())


def test_a_crash_before_a_send_says_what_was_not_sent() -> None:
    """And before it what was."""
    assert (" 1 p1  say   say(p1)\n         send m1 to p2\n         crash: before sending m1 to p3\n") in text_report(
        runs.crash_before_a_send()
    )


def test_each_sender_of_a_step_is_told_for_itself() -> None:
    """Equal messages of two processes are two lines, with the processes that send them; one process with several
    destinations is one."""
    assert ("         p2: send ack to p3\n         p3: send ack to p2 and p3\n") in text_report(
        runs.crash_before_a_send()
    )


def test_the_command_to_replay_is_told_only_for_a_run_that_is_stored() -> None:
    """With the file's name as a shell takes it; else how to keep the run."""
    trace = runs.lasso()
    assert "  replay: checker replay 'my runs/trace.itf.json'\n" in text_report(trace, "my runs/trace.itf.json")
    assert "  replay: --out DIR keeps the run for `checker replay`\n" in text_report(trace, None)


def test_loss_and_duplication_name_the_copy() -> None:
    """The network's steps belong to no lane; a copy is traced back to its duplication."""
    text = text_report(runs.crash_in_multicast())
    assert " 4 -   m2 lost on the way to p4   lose\n" in text
    assert "from p2, duplicated at step 5" in text


def test_the_start_shows_only_what_is_not_blank() -> None:
    """What every lane has in common is one line."""
    text = text_report(runs.crash_in_multicast())
    assert "at the start; everything else is empty, 0, false or none\n    every alive: true\n" in text


def test_a_lasso_says_where_it_repeats() -> None:
    """The title names the repeating steps, a line stands before the first of them."""
    text = text_report(runs.lasso())
    assert text.startswith("WaitingLeadsToToken violated: steps 4 to 7 repeat for ever\n")
    assert "from here on, for ever:\n 4 p2" in text
    assert "enabled but never taken: hand_over(p2, p3)" in text


def test_a_violation_at_the_start_shows_the_start() -> None:
    """Without steps the whole initial state is the counterexample, zeros included."""
    assert "  p1.clock: 0\n  p2.clock: 0\n" in text_report(runs.initial())


def test_a_witness_that_was_asked_for_is_no_violation() -> None:
    """Reachability is worded as success."""
    text = text_report(runs.own_messages())
    assert text.startswith("Decided reached at step 4 of 4\n")
    assert "VIOLATION" not in text and "violated" not in text


def test_printing_to_a_file_gives_the_plain_text(trace: Trace) -> None:
    """Emphasis degrades: without a terminal not one escape code is written, and no line is broken; the stored text has
    the same words."""
    out = io.StringIO()
    Output(console=Console(file=out, width=40)).print(report_lines(trace, None))
    assert out.getvalue().splitlines() == [plain(line) for line in report_lines(trace, None)]
    assert out.getvalue().split() == text_report(trace, file=None).split()


@pytest.mark.parametrize("width", [40, 80, 140])
def test_lines_are_wrapped_to_the_terminal(width: int) -> None:
    """What goes on stands further to the right than its beginning, and no word is lost; a long word stays whole."""
    out, note = io.StringIO(), f"receive(p2) does {'taken[p2].append(1) ' * 9}(new.py:43); {'x' * 60}"
    lines = [(("      ", ""), (note, "italic")), (("short", ""),)]
    Output(console=Console(file=out, force_terminal=True, width=width, color_system=None, _environ={})).print(lines)
    *first, last = out.getvalue().splitlines()
    assert last == "short" and " ".join(first).split() == note.split() and len(first) > 1
    assert all(line.startswith(" " * 8) and line[8] != " " for line in first[1:])
    assert all(len(line) <= width or "x" * 60 in line for line in first)


def test_a_stored_text_is_wrapped_at_a_hundred_columns() -> None:
    """As a note is that has the values of two versions of a rule."""
    run = runs.total_order()
    note = f"deliverable(p2, m1) is true (new.py:3): {'mine is not none and ' * 9}done; before the edit it is false"
    text = text_report(evolve(run, steps=[*run.steps[:-1], evolve(run.steps[-1], cause=True, note=note)]))
    assert max(map(len, text.splitlines())) <= 100 and " ".join(note.split()) in " ".join(text.split())


def test_emphasis_in_a_terminal_does_not_change_the_words() -> None:
    """Brackets in values are no markup for rich."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=200, color_system="standard", _environ={})
    Output(console=console).print(report_lines(runs.total_order(), None))
    assert "\x1b[1;31m" in out.getvalue()
    assert "[m1, m2]" in out.getvalue()


def test_blank_values_say_nothing() -> None:
    """Empty, zero, false and none are blank; a tag never is."""
    blank = [0, False, None, "", (), frozenset(), Multiset(), FrozenMap({"p": 0}), Rec("", {"a": 0})]
    assert all(is_blank(value) for value in blank)
    assert not any(is_blank(value) for value in [1, True, "m", (0,), Rec("Idle"), FrozenMap({"p": 1})])


class Lost(Model):
    """A number that stops at one, which two properties forbid; a third is broken by the first step."""

    number = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.number < 2)
        self.number += 1

    @quiescent
    def arrives(self) -> bool:
        return self.number == 3

    @quiescent
    def is_odd(self) -> bool:
        return self.number % 2 == 1

    @invariant
    def stays(self) -> bool:
        return self.number == 0


def test_steps_that_break_several_properties_are_printed_once() -> None:
    """Each violation keeps its title and its reason; a file of its own is named."""
    report = check(Lost, "Lost", engine="interpreter", stop_at_first=False)
    text = [plain(line) for line in check_lines(report, {"is_odd": [Path("out/Lost-is_odd/trace.itf.json")]})]
    assert sum(line.strip() == "number: 1 → 2" for line in text) == 1
    at = text.index("is_odd violated: nothing more can happen after step 2")
    assert "  run: the steps of arrives above" in text[at:] and any("out/Lost-is_odd" in line for line in text[at:])
    assert sum("violated" in line for line in text if not line.startswith(" ")) == 3
