"""What a model declares of its pictures is drawn, told in the text and kept in the trace file, in the same words."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from checker.analysis.check import check
from checker.language import Distributed, Int, Map, Process, Seq, Set, action, draw, invariant, require, var
from checker.language.define import define
from checker.report.grid import grid
from checker.report.pictured import at_the_end
from checker.report.space_time import space_time
from checker.report.text import text_report
from checker.trace.itf import to_itf, write_trace
from checker.trace.read_itf import read_trace
from checker.trace.trace import Trace


class _Shared(Distributed):
    """Processes write their names into a log that all share."""

    log = var(Seq[Process, 3])
    now = var(Int(0, 3), 0)
    turns = var(Map[Process, Int(0, 3)], 0)
    bad = var(Set[Process])
    noise = var(Int(0, 3), 0)

    @action
    def pass_time(self):
        require(self.now == len(self.log) and self.now < 2)
        self.now += 1

    @action
    def write(self, p: Process):
        require(self.now > len(self.log))
        self.log.append(p)
        self.turns[p] += 1
        self.noise = self.turns[p]
        self.emit.wrote(p)

    @invariant
    def short(self) -> bool:
        return len(self.log) < 2


class Shared(_Shared):
    """The same, as it wants to be drawn."""

    picture = [
        draw.lane("log", "shared log", "place {0}: {value}"),
        draw.clock("now"),
        draw.clock("turns"),
        draw.badge("bad", "traitor"),
        draw.step("write", "write turn {turns[p]} of {p.index} at {len(before.log)}"),
        draw.aside("noise", "wrote"),
    ]


def run_of(cls: type[Distributed]) -> Trace:
    """The shortest run in which the log gets long."""
    report = check(cls, cls.__name__, {"processes": 2}, engine="interpreter")
    found = report.properties[0].trace
    assert found is not None
    return found


@pytest.fixture(scope="module")
def drawn() -> Trace:
    return run_of(Shared)


def test_a_shared_variable_has_a_lane_with_its_entries_and_its_writer(drawn: Trace) -> None:
    """The log is no line of the state changes, but a lane; its writer is joined to each entry."""
    diagram = space_time(drawn)
    assert "shared log" in diagram and "place 0: p1" in diagram and "place 1: p1" in diagram
    assert '"p1/2":e -> "shared log/2":w' in diagram
    assert "log: []" not in diagram


def test_what_the_property_reads_comes_first_in_a_shared_lane_at_the_end(drawn: Trace) -> None:
    """Where a lane has more entries than a row has room for, the others are left out."""
    together = evolve(drawn, shared={"turns": ("all", ""), "noise": ("all", ""), "log": ("all", "")})
    assert at_the_end(together)["all"][:2] == ["log[0]: p1", "log[1]: p1"]


def test_every_change_of_a_value_in_the_last_row_is_bold_at_the_violation(drawn: Trace) -> None:
    """Not only that of the first value of a lane; a variable that the last row does not have is not bold."""
    shown = evolve(drawn, clocks=(), aside=(), final_values={"p1": "log [p1], turns 2", "now": "2"})
    lines = {line.text.partition(":")[0]: line.bold for line in grid(shown).rows[-2].changes}
    assert lines["p1.turns"] and lines["noise"] is False


def test_words_of_a_step_have_the_values_before_and_after_it(drawn: Trace) -> None:
    """{x} is after the step, {before.x} before it; diagram and text have the same words."""
    words = "write turn 2 of 0 at 1"
    assert drawn.steps[-1].label == words
    assert words in space_time(drawn) and words in text_report(drawn)


def test_what_is_put_aside_is_in_the_text_only(drawn: Trace) -> None:
    """A variable and an event that the diagram leaves out stay in the text."""
    assert "noise" not in space_time(drawn) and "wrote" not in space_time(drawn)
    assert "noise: 1 → 2" in text_report(drawn) and "wrote" in text_report(drawn)


def test_clocks_stand_beside_the_step_and_in_the_box(drawn: Trace) -> None:
    """A clock of everybody is no state change; that of a process is in the box of the step that moves it."""
    diagram = space_time(drawn)
    assert "now 1" in diagram and "now: 0" not in diagram
    assert "turns 2" in diagram and "p1.turns" not in diagram


def test_a_picture_changes_no_step_and_no_state(drawn: Trace) -> None:
    """The run is that of the model without its picture."""
    plain = run_of(_Shared)
    assert plain.states == drawn.states
    assert [(s.action, s.args) for s in plain.steps] == [(s.action, s.args) for s in drawn.steps]


def test_a_picture_is_in_the_trace_file(drawn: Trace, tmp_path: Path) -> None:
    """The file alone gives the same diagram."""
    again = read_trace(write_trace(drawn, tmp_path / "trace.itf.json"))
    assert space_time(again) == space_time(drawn) and to_itf(again) == to_itf(drawn)


class Elsewhere(Shared):
    """EDIT: the log is left out, the noise has a lane, and time is a lane instead of a clock."""

    picture = [draw.aside("log"), draw.lane("noise", "noises"), draw.lane("now")]


def test_the_last_entry_of_a_variable_counts() -> None:
    """It has one place in a picture: what a base says of it is replaced, whichever kind of entry that was."""
    picture = define(Elsewhere, {"processes": 2}).picture
    assert list(picture.lanes) == ["noise", "now"]
    assert picture.clocks == ("turns",) and picture.aside == ("log",)
