"""`checker sweep`: the product of values, what is skipped, and where a property first fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import comb
from pathlib import Path

import pytest

from checker.analysis.sweep.choices import choices_of
from checker.language.errors import UsageError
from checker.report.lines import plain
from checker.report.sweep import lines
from checker.results.sweep import Configuration, Row, Sweep, size
from checker.results.verdict import Swept, Verdict
from tests.cli.commands import Ran

Checker = Callable[..., Ran]

BOX = '''"""Tickets in a box."""

from checker.language import Int, Model, action, const, invariant, require, var
from checker.language.errors import UsageError


class Box(Model):
    """Puts tickets into a box that has room for some."""

    room = const(3, "how many are put")
    limit = const(2, "how many are allowed")

    n = var(Int(0, room), 0)

    @classmethod
    def complete(cls, given):
        if given.get("limit") == 9:
            raise UsageError("nine are never allowed")
        return {}

    @action
    def put(self):
        require(self.n < self.room)
        self.n += 1

    @invariant
    def fits(self) -> bool:
        return self.n <= self.limit

    @invariant
    def whole(self) -> bool:
        return self.n >= 0
'''


@pytest.fixture
def box(here: Path) -> str:
    """The file of a model that fails where room > limit."""
    (here / "box.py").write_text(BOX, encoding="utf-8")
    return "box.py"


def test_values_are_lists_ranges_and_lists_with_ranges() -> None:
    """| separates, a..b is a range, and inside a list a range stands for each of its numbers."""
    assert choices_of(["w=1,1,0|2,1", "crashes=0..2", "mixed=1|4..5", "on=true|false", "t=0..1,1"]) == [
        ("w", ((1, 1, 0), (2, 1))),
        ("crashes", (0, 1, 2)),
        ("mixed", (1, 4, 5)),
        ("on", (True, False)),
        ("t", ((0, 1), (1, 1))),
    ]


def test_a_brief_sweep_prints_what_became_of_each_property_alone(checker: Checker, box: str) -> None:
    """The constants that are alike, the sentences and the number of configurations; the rows are in the Markdown all
    the same."""
    arguments = ("sweep", box, "-D", "room=2..3", "-D", "limit=1|3", "--jobs", "1")
    whole, brief = (checker(*arguments, *more).out.splitlines() for more in ((), ("--brief", "--markdown", "t.md")))
    assert len(whole) == len(brief) - 1 + 5  # the head and four rows, and no file
    assert brief[1] == "fits is first violated at room=2 limit=1 in 2 steps (violated in 2, holds in 2)"
    assert (
        len([line for line in Path("t.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]) == 2 + 4
    )


def distributions(text: str) -> tuple[tuple[int, ...], ...]:
    """What a value stands for."""
    [(_, values)] = choices_of([f"workload={text}"])
    return values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 over 2", {(2, 0), (1, 1), (0, 2)}),
        ("2 over 2 alike", {(2, 0), (1, 1)}),
        ("2 over 3 alike", {(2, 0, 0), (1, 1, 0)}),
        ("2 over 3 alike but p1", {(2, 0, 0), (1, 1, 0), (0, 2, 0), (0, 1, 1)}),
        ("3 over 3 alike if silent", {(3, 0, 0), (2, 1, 0), (1, 2, 0), (1, 1, 1)}),
        ("1..2 over 1..2", {(1,), (2,), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)}),
    ],
)
def test_so_many_messages_over_so_many_processes_are_every_distribution(
    text: str, expected: set[tuple[int, ...]]
) -> None:
    """Each once, fewest processes and messages first."""
    found = distributions(text)
    assert set(found) == expected and len(found) == len(expected)
    assert sorted(found, key=lambda d: (len(d), sum(d))) == list(found)


@pytest.mark.parametrize(("processes", "messages"), [(2, 4), (3, 4), (4, 3), (5, 4)])
def test_distributions_left_out_as_alike_are_renamings_of_those_kept(processes: int, messages: int) -> None:
    """All processes may be renamed, or all but the first, or those that send nothing; all distributions are as many as
    there are ways to choose with repetition."""
    every = distributions(f"{messages} over {processes}")
    assert len(every) == comb(processes + messages - 1, messages)
    assert {tuple(sorted(d)) for d in every} == {
        tuple(sorted(d)) for d in distributions(f"{messages} over {processes} alike")
    }
    assert {(d[0], tuple(sorted(d[1:]))) for d in every} == {
        (d[0], tuple(sorted(d[1:]))) for d in distributions(f"{messages} over {processes} alike but p1")
    }
    assert {tuple(k for k in d if k) for d in every} == {
        tuple(k for k in d if k) for d in distributions(f"{messages} over {processes} alike if silent")
    }
    for kept in ("alike", "alike but p1", "alike if silent"):
        assert set(distributions(f"{messages} over {processes} {kept}")) <= set(every)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("0-1", "Values are written A|B, 0..2 (a range)"),
        ("1 ovr 2", "'1..2 over 2..3' (every distribution of messages over processes)"),
        ("1..2 over", "'1..2 over 2..3' (every distribution of messages over processes)"),
        ("9 over 9", "write alike behind the numbers; else lower them"),
        ("30 over 30 alike if silent", "write alike alone behind the numbers; else lower them"),
        ("30 over 30 alike", "Lower the numbers, or make several sweeps of it."),
    ],
)
def test_what_is_not_read_comes_with_what_is(text: str, remedy: str) -> None:
    """Each form that values may have; of too many distributions the way to fewer that is left."""
    with pytest.raises(UsageError) as error:
        distributions(text)
    assert remedy in str(error.value.remedy)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4 over", "not a value"),
        ("4 over 3 alike but p2", "alike but p1 or alike if silent"),
        ("4..1 over 3", "has an empty range"),
        ("1 over 0..3", "has an empty range"),
        ("1..9 over 9", "more than 1,000 distributions"),
        ("40 over 40 alike", "more than 1,000 distributions"),
        ("40 over 40 alike but p1", "more than 1,000 distributions"),
        ("40 over 40 alike if silent", "more than 1,000 distributions"),
    ],
)
def test_distributions_that_cannot_be_meant_are_refused(text: str, complaint: str) -> None:
    """The form is named, with an example; too many are refused before they are listed."""
    with pytest.raises(UsageError, match=complaint):
        distributions(text)


def test_every_combination_is_searched_in_the_order_of_the_product(checker: Checker, box: str) -> None:
    """Two constants with two values each are four rows; verdicts, steps and counts are those of `check`."""
    ran = checker("sweep", box, "-D", "room=2..3", "-D", "limit=1|3", "--jobs", "1", "--json", "-")
    rows = ran.json()["rows"]
    assert ran.code == 1
    assert [(r["constants"]["room"], r["constants"]["limit"], r["verdict"]) for r in rows] == [
        (2, 1, "violated"),
        (2, 3, "holds"),
        (3, 1, "violated"),
        (3, 3, "holds"),
    ]
    assert [(r["distinct"], r["transitions"], r["depth"]) for r in rows if r["verdict"] == "holds"] == [
        (3, 2, 3),
        (4, 3, 4),
    ]


def test_the_smallest_configuration_that_fails_is_named(checker: Checker, box: str) -> None:
    """Of the violating configurations that with the least numbers is named, wherever it stands in the product."""
    ran = checker("sweep", box, "-D", "room=5|3|2", "-D", "limit=1|2", "--jobs", "1", "--all")
    assert "fits is first violated at room=2 limit=1 in 2 steps (violated in 5, holds in 1)" in ran.out
    assert "whole holds in 6" in ran.out
    assert ran.out.count("  run: ") == 1 and "  run: checker check box.py -D room=2 -D limit=1\n" in ran.out


def test_of_an_edit_the_run_is_shown_beside_its_base(checker: Checker, box: str) -> None:
    """The command that is printed finds the violation; nothing violated, nothing printed."""
    edit = '\n\nclass More(Box):\n    """EDIT: one more."""\n\n    limit = const(1, "how many are allowed")\n'
    Path(box).write_text(BOX + edit, encoding="utf-8")
    ran = checker("sweep", f"{box}:More", "-D", "room=1|2", "--jobs", "1")
    (command,) = (line.partition("run: ")[2] for line in ran.out.splitlines() if "run: " in line)
    assert command == "checker compare box.py:More -D room=2"
    compared = checker(*command.split()[1:])
    assert compared.code in (0, 1) and "fits" in compared.out
    assert "run: " not in checker("sweep", f"{box}:More", "-D", "room=1", "--jobs", "1").out


def test_processes_running_at_once_give_the_same_rows(checker: Checker, box: str) -> None:
    """The table does not depend on how many processes search, but for its times."""

    def rows(jobs: str) -> list[dict[str, object]]:
        found = checker("sweep", box, "-D", "room=1..3", "-D", "limit=1..2", "--jobs", jobs, "--json", "-").json()[
            "rows"
        ]
        return [{k: v for k, v in row.items() if k != "seconds"} for row in found]

    assert rows("1") == rows("2")


def test_a_contradictory_combination_is_skipped_with_its_reason(checker: Checker) -> None:
    """Three processes do not fit a workload of two: no error, but a note."""
    ran = checker("sweep", "fifo_multicast", "-D", "processes=2|3", "-D", "workload=1,1", "--jobs", "1", "--json", "-")
    assert [r["verdict"] for r in ran.json()["rows"]] == ["holds", "skipped"]
    assert "names 2 processes, but processes=3" in ran.json()["rows"][1]["note"]
    assert ran.code == 0


def test_what_is_wrong_as_written_is_counted_apart() -> None:
    """Two of three configurations are no model, for one reason: one line says so, since no sentence about a property
    counts them."""
    wrong = (Swept.ERROR, 2, UsageError("no such name", remedy="more"))
    rows = [
        Row(Configuration({"limit": n}, {"limit": n}), verdict, code, error=error)
        for n, (verdict, code, error) in enumerate([(Verdict.HOLDS, 0, None), wrong, wrong])
    ]
    printed = [plain(line) for line in lines(Sweep("box", {}, ("limit",), tuple(rows), 0.0))]
    assert "wrong as written in 2 configurations: no such name" in printed


def test_a_sweep_of_one_configuration_varies_nothing() -> None:
    """Its line names no constant, and has no empty list of them."""
    row = Row(Configuration({"limit": 1}, {"limit": 1}), Verdict.HOLDS, 0)
    assert repr(Sweep("box", {"limit": 1}, (), (row,), 0.0)) == "<Sweep: box, 1 configuration>"
    assert repr(Sweep("box", {}, ("limit",), (row,), 0.0)) == "<Sweep: box over limit, 1 configuration>"


def test_what_no_combination_can_mean_is_an_error(checker: Checker, box: str) -> None:
    """A constant that does not exist, a name given twice, a range from above."""
    assert checker("sweep", box, "-D", "rom=1..2").code == 2
    assert checker("sweep", box, "-D", "room=1", "-D", "room=2").code == 2
    assert checker("sweep", box, "-D", "room=3..1").code == 2
    assert checker("sweep", box, "-D", "limit=9").code == 2


def test_a_stopped_configuration_says_by_what(checker: Checker, box: str) -> None:
    """A limit holds for each configuration; what it left open is not counted as holding."""
    ran = checker("sweep", box, "-D", "room=1|8", "-D", "limit=9..9|8", "--max-states", "4", "--jobs", "1")
    assert ran.code == 4
    assert "fits holds in 1, not decided in 1" in ran.out
    assert "stopped by" in ran.out


def test_the_table_as_markdown_and_json_files(checker: Checker, box: str, here: Path) -> None:
    """The files hold the rows that are printed."""
    checker("sweep", box, "-D", "room=1..2", "-D", "limit=1", "--jobs", "1", "--markdown", "t.md", "--json", "t.json")
    lines = (here / "t.md").read_text(encoding="utf-8").splitlines()
    assert [line.split("|")[1:4] for line in lines if line.startswith("| 1") or line.startswith("| 2")] == [
        [" 1 ", " holds ", " "],
        [" 2 ", " violated ", " fits (2 steps) "],
    ]
    assert len(json.loads((here / "t.json").read_text(encoding="utf-8"))["rows"]) == 2


def test_size_is_processes_then_messages_then_faults() -> None:
    """Fewer processes are smaller than fewer messages, these than fewer faults."""
    few, many = {"processes": 2, "workload": (3, 3), "crashes": 1}, {"processes": 3, "workload": (1, 0, 0)}
    assert size(few) < size(many)
    assert size({"processes": 2, "workload": (1, 1), "crashes": 1}) < size(
        {"processes": 2, "workload": (2, 1), "crashes": 0}
    )


def test_a_strict_sweep_counts_only_what_was_put_to_the_test(checker: Checker) -> None:
    """FIFO order means something only where a process multicasts twice."""
    arguments = ("sweep", "fifo_multicast", "-D", "workload=1,1|2,0", "--property", "FifoOrder", "--jobs", "1")
    ran = checker(*arguments, "--strict")
    assert ran.code == 3
    assert "FifoOrder holds in 1, vacuous in 1" in ran.out
    assert (checker(*arguments).code, checker(*arguments[:3], "workload=2,0", *arguments[4:], "--strict").code) == (
        0,
        0,
    )


def test_a_sweep_says_how_many_distributions_were_taken_for_alike(checker: Checker) -> None:
    """Three over two processes are kept of (1,0) (0,1) (2,0) (1,1) (0,2); without `alike` nothing is left out."""
    said = "2 distributions left out: taken for alike"
    asked = ("sweep", "fifo_multicast", "-D", "workload=1..2 over 2 alike", "--brief")
    assert said in checker(*asked, "--markdown", "s.md").out and said in Path("s.md").read_text(encoding="utf-8")
    assert checker(*asked, "--json", "-").json()["left_out"] == {"1..2 over 2 alike": 2}
    assert "left out" not in checker("sweep", "fifo_multicast", "-D", "workload=1..2 over 2", "--brief").out
