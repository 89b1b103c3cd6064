"""Hollow verdicts and profiles: what a search never put to the test is named, and what made it large is counted."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from checker.analysis.check import examine
from checker.analysis.vacuity.states import with_states
from checker.catalogue import find
from checker.language.errors import Undecided
from checker.replay.disagreement import Disagreement
from checker.search.limits import Limits
from tests.cli import protocols
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

UNTESTED = ("hollow", "of_no_step", "before_the_end")
SHELF = '''"""Books are put on a shelf, one after the other."""

from checker.language import Ids, Int, Model, Set, action, const, invariant, quiescent, require, step_invariant, var


class Shelf(Model):
    """After k steps the first k books are on the shelf."""

    books = const(3, "how many there are")
    Book = Ids("b", books)
    n = var(Int(0, 9), 0)
    shelf = var(Set[Book])

    @action
    def put(self):
        require(self.n < self.books)
        self.shelf.add(self.Book[self.n])
        self.n += 1

    @invariant
    def over_a_collection(self) -> bool:
        return all(b.index < self.n for b in self.shelf)

    @invariant
    def with_a_condition(self) -> bool:
        return all(b in self.shelf for b in self.Book if self.n > b.index + 1)

    @invariant
    def nested(self) -> bool:
        return all(all(a == b for b in self.shelf if b.index == a.index) for a in self.shelf if a.index == 2)

    @invariant
    def implication(self) -> bool:
        return not self.n > 1 or len(self.shelf) > 1

    @invariant
    def choice(self) -> bool:
        return len(self.shelf) == 3 if self.n == 3 else True

    @invariant
    def early(self) -> bool:
        if self.n < 2:
            return True
        return len(self.shelf) >= 2

    @invariant
    def hollow(self) -> bool:
        return all(b in self.shelf for b in self.Book if self.n > 4)

    @invariant
    def never(self) -> bool:
        return all(False for b in self.shelf if b.index >= self.n)

    @invariant
    def plain(self) -> bool:
        return self.n <= 3

    @invariant
    def cases(self) -> bool:
        return self.n < 3 or len(self.shelf) == 3

    @step_invariant
    def of_steps(self) -> bool:
        return all(b in self.shelf for b in self.before.shelf if self.n == 3)

    @step_invariant
    def of_no_step(self) -> bool:
        return not self.before.n == 3 or self.n == 3

    @quiescent
    def at_the_end(self) -> bool:
        return all(b in self.shelf for b in self.Book if self.n == 3)

    @quiescent
    def before_the_end(self) -> bool:
        return all(b not in self.shelf for b in self.Book if self.n == 1)
'''

WATCHED = '''"""Two observers that see nothing, and one that sees something."""

from checker.language import Bool, Int, Invariant, Model, action, var


class Deaf(Invariant):
    """Watches for what nobody emits."""

    seen = var(Bool)

    def on_thunder(self, n):
        self.seen = True

    def holds(self) -> bool:
        return not self.seen


class Unmoved(Invariant):
    """Watches, but only for the seventh."""

    seen = var(Bool)

    def on_knock(self, n):
        self.seen = self.seen or n == 7

    def holds(self) -> bool:
        return not self.seen


class Counting(Invariant):
    """Counts knocks."""

    count = var(Int(0, 9), 0)

    def on_knock(self, n):
        self.count = n

    def holds(self) -> bool:
        return self.count <= self.n


class Door(Model):
    """Somebody knocks three times."""

    n = var(Int(0, 3), 0)

    @action
    def knock(self):
        if self.n < 3:
            self.n += 1
        self.emit.knock(self.n)

    properties = [Deaf, Unmoved, Counting]
'''


@pytest.fixture
def shelf(write: Write) -> str:
    """The file of the shelf."""
    return write("shelf.py", SHELF)


def conditions(ran: Ran) -> dict[str, int | None]:
    """For each property with a condition when it was first true."""
    return {c["property"]: c["first_steps"] for c in ran.json()["conditions"]}


def findings(ran: Ran) -> set[tuple[str, str]]:
    """Kind and subject of each finding."""
    return {(f["kind"], f["subject"]) for f in ran.json()["findings"]}


def test_the_condition_of_a_property_is_first_true_where_the_property_first_says_something(
    checker: Checker, shelf: str
) -> None:
    """Read off loops, conditions, implications, conditional expressions and early returns; other shapes have none."""
    assert conditions(checker("check", shelf, "--coverage", "--json", "-")) == {
        "over_a_collection": 1,
        "with_a_condition": 2,
        "nested": 3,
        "implication": 2,
        "choice": 3,
        "early": 2,
        "hollow": None,
        "of_steps": 3,
        "of_no_step": None,
        "at_the_end": 3,
        "before_the_end": None,
    }


def test_a_condition_that_is_never_true_is_a_finding(checker: Checker, shelf: str) -> None:
    """For a quiescence property only quiescent states count, for a step invariant only steps."""
    ran = checker("check", shelf, "--coverage", "--json", "-")
    assert findings(ran) == {("never-tested", name) for name in UNTESTED}
    assert ran.code == 0


@pytest.mark.parametrize(("condition", "never"), [("self.n > 4", True), ("self.n > 2", False)])
def test_an_implication_may_be_written_with_if(condition: str, never: bool, checker: Checker, write: Write) -> None:
    """`if a: return b` before `return True` says what `not a or b` says."""
    early = "if self.n < 2:\n            return True\n        return len(self.shelf) >= 2"
    written = f"if {condition}:\n            return len(self.shelf) == 3\n        return True"
    assert early in SHELF
    ran = checker("check", write("if.py", SHELF.replace(early, written)), "--property", "early", "--json", "-")
    assert findings(ran) == ({("never-tested", "early")} if never else set())


def test_strict_makes_a_hollow_verdict_vacuous(checker: Checker, shelf: str) -> None:
    """Exit code 3 instead of 0, and the finding in the text."""
    ran = checker("check", shelf, "--strict")
    assert ran.code == 3
    assert "the antecedent of hollow is never satisfied: no reachable state has b in Book with n > 4" in ran.out
    assert checker("check", shelf, "--strict", "--property", "plain,nested").code == 0


def test_an_ordinary_check_names_the_properties_that_were_never_tested(checker: Checker, shelf: str) -> None:
    """They hold, exit code 0; the last line says it, and no list of conditions is printed."""
    ran = checker("check", shelf, "--json", "-")
    assert findings(ran) == {("never-tested", name) for name in UNTESTED}
    assert (ran.code, ran.json()["verdict"], "conditions" in ran.json()) == (0, "holds", False)
    last = checker("check", shelf).out.splitlines()[-1]
    assert (
        last.startswith(f"HOLDS, but the antecedents of {UNTESTED[0]}, ") and "are never satisfied; everything" in last
    )


def test_a_large_graph_is_not_asked_without_a_request(
    checker: Checker, shelf: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more than SMALL_GRAPH states."""
    monkeypatch.setattr("checker.analysis.vacuity.unasked.SMALL_GRAPH", 3)
    assert findings(checker("check", shelf, "--json", "-")) == set()


def test_first_in_first_out_needs_two_messages_of_one_sender(checker: Checker) -> None:
    """One message of each process puts FIFO order to no test; a second of one does."""
    assert ("never-tested", "FifoOrder") in findings(
        checker("check", "fifo_multicast", "-D", "workload=1,1", "--coverage", "--json", "-")
    )
    assert ("never-tested", "FifoOrder") not in findings(
        checker("check", "fifo_multicast", "-D", "workload=2,0", "--coverage", "--json", "-")
    )


def test_an_observer_that_saw_nothing_is_a_finding(checker: Checker, write: Write) -> None:
    """Because nothing emits its events, or because no event changed what it remembers."""
    ran = checker("check", write("door.py", WATCHED), "--strict", "--json", "-")
    assert findings(ran) == {("no-event", "Deaf"), ("no-event", "Unmoved")}
    assert ran.code == 3


def test_verify_strict_holds_every_expectation_to_more_than_a_hollow_verdict(checker: Checker, write: Write) -> None:
    """Nowhere is `hollow` put to the test. `with_a_condition` is not where only one book is put, but elsewhere. An
    expected violation is no claim that could be hollow."""
    said = """
    expect = [holds(only=["plain", "nested", "hollow"]), holds(at={"books": 1}, only=["with_a_condition"]), holds(only=["with_a_condition"]), violates("broken", only=["broken", "hollow"])]

    @invariant
    def broken(self) -> bool:
        return self.n < 3
"""  # noqa: E501
    path = write("shelf.py", SHELF.replace("import Ids", "import holds, violates, Ids") + said)
    assert checker("verify", path).code == 0
    ran = checker("verify", path, "--strict", "--json", "found.json", "--junit", "j.xml")
    assert ran.code == 3 and "4 expectations, 1 met only vacuously" in ran.out
    results = json.loads(Path("found.json").read_text(encoding="utf-8"))["results"]
    assert [[(f["kind"], f["subject"]) for f in r["hollow"]] for r in results] == [
        [("never-tested", "hollow")],
        [],
        [],
        [],
    ]
    assert all(r["met"] for r in results)
    assert (
        "the antecedent of hollow is never satisfied: no reachable state has b in Book with n > 4  [never-tested]"
        in ran.out
    )
    assert Path("j.xml").read_text(encoding="utf-8").count("<error") == 1


def test_verify_strict_names_what_no_stated_configuration_puts_to_the_test(checker: Checker, write: Write) -> None:
    """A property that only a smaller configuration states, or that is hollow in each, stays a finding."""
    said = (
        '\n    expect = [holds(only=["plain"]), holds(at={"books": 1}, only=["with_a_condition"]), '
        'holds(at={"books": 0}, only=["with_a_condition"])]\n'
    )
    path = write(
        "shelf.py", SHELF.replace("import Ids", "import holds, Ids").replace('Ids("b", books)', 'Ids("b", 3)') + said
    )
    checker("verify", path, "--strict", "--json", "found.json")
    results = json.loads(Path("found.json").read_text(encoding="utf-8"))["results"]
    hollow = [{(f["kind"], f["subject"]) for f in r["hollow"]} for r in results]
    assert hollow == [set(), {("never-tested", "with_a_condition")}, {("never-tested", "with_a_condition")}]


def test_verify_strict_puts_what_differs_before_what_is_hollow(checker: Checker, write: Write) -> None:
    """An expectation that is not met is the worse result, for the interpreter too."""
    path = write(
        "shelf.py",
        SHELF.replace("import Ids", "import holds, Ids")
        + ('\n    expect = [holds(distinct=5, only=["hollow"]), holds(only=["hollow"])]\n'),
    )
    ran = checker("verify", path, "--strict")
    assert ran.code == 1 and "2 expectations, 1 not met, 1 met only vacuously" in ran.out
    by_hand = checker("verify", path, "--strict", "--engine", "interpreter")
    assert by_hand.code == 1 and "2 expectations, 1 not met, 1 met only vacuously" in by_hand.out


def test_constants_that_leave_nothing_to_judge_are_findings(checker: Checker) -> None:
    """One process agrees with itself; one message has no order."""
    assert findings(checker("check", "fifo_multicast", "-D", "workload=2,", "--json", "-")) == {
        ("trivial-constants", "processes")
    }
    found = findings(checker("check", "fifo_multicast", "-D", "workload=0,1", "--json", "-"))
    # the model may have been lowered in another folder, by another test
    assert {(kind, re.sub(r"\(.*/", "(", subject)) for kind, subject in found} == {
        ("trivial-constants", "workload"),
        ("never-executed", "check_queue (fifo_multicast.py:56) then"),
        ("never-tested", "FifoOrder"),
    }


def test_a_constraint_that_cuts_is_a_finding(checker: Checker, write: Write) -> None:
    """What holds within it is not known to hold beyond; --strict does not let that pass."""
    text = SHELF.replace("import Ids", "import constraint, Ids") + (
        "\n    @constraint\n    def short(self) -> bool:\n        return self.n < 3\n"
    )
    ran = checker("check", write("short.py", text), "--strict", "--property", "plain", "--json", "-")
    assert findings(ran) == {("within-constraint", "short")}
    assert (ran.code, ran.json()["cut"]) == (3, 1)


def test_an_expectation_may_mean_the_constraint(checker: Checker, write: Write) -> None:
    """Then its cutting is no finding; one that cuts nothing, or does not exist, is not as expected."""
    cut = SHELF.replace("import Ids", "import constraint, holds, Ids") + (
        "\n    @constraint\n    def short(self) -> bool:\n        return self.n < {}\n    expect = "
        "holds(only=['plain']{})\n"
    )
    meant = ", within=['short']"
    assert checker("verify", write("a.py", cut.format(3, "")), "--strict").code == 3
    assert checker("verify", write("b.py", cut.format(3, meant)), "--strict").code == 0
    ran = checker("verify", write("c.py", cut.format(9, meant)))
    assert ran.code == 1 and "the constraint short should cut off steps, but cuts none" in ran.out
    ran = checker("verify", write("d.py", cut.format(3, ", within=['shrt']")))
    assert (
        ran.code == 2
        and "names the constraint shrt, which Shelf does not have" in ran.out
        and "Did you mean short?" in ran.out
    )


def test_actions_never_enabled_are_findings(checker: Checker, write: Write) -> None:
    """The finding names the action."""
    text = SHELF + "\n    @action\n    def burn(self):\n        require(self.n > 5)\n"
    assert ("never-enabled", "burn") in findings(checker("check", write("fire.py", text), "--json", "-"))


def test_many_actions_never_enabled_are_one_line(checker: Checker, write: Write) -> None:
    """With their number and the first names; the data have all of them."""
    burning = "\n    @action\n    def burn_{}(self):\n        require(self.n > 5)\n"
    text = write("fires.py", SHELF + "".join(burning.format(n) for n in range(7)))
    lines = [line for line in checker("check", text).out.splitlines() if "never enabled" in line]
    told = "7 actions were never enabled: burn_0, burn_1, burn_2, burn_3, burn_4 and 2 more"
    assert len(lines) == 2 and told in lines[0] and lines[1].startswith(f"HOLDS, but {told}, the antecedents of")
    ran = checker("check", text, "--json", "-")
    assert {("never-enabled", f"burn_{n}") for n in range(7)} <= findings(ran)


@pytest.mark.parametrize(("below", "row"), [(9, False), (1, True)])
def test_two_actions_never_enabled_are_one_line_whatever_the_verdict(
    checker: Checker, write: Write, below: int, row: bool
) -> None:
    """No row of the table for each; a violated check has no warnings, and the table names them."""
    idle = "\n    @action\n    def burn_{}(self):\n        require(self.n > 5)\n"
    wrong = f"\n    @invariant\n    def some(self) -> bool:\n        return self.n < {below}\n"
    ran = checker("check", write("idle.py", SHELF + wrong + idle.format(0) + idle.format(1)))
    assert "burn_0  enabled" not in ran.out and "action burn_0 was" not in ran.out
    assert ("never enabled: 2 of" in ran.out) is row and (
        "2 actions were never enabled: burn_0, burn_1  [" in ran.out
    ) is not row


def test_a_violation_is_worse_than_a_hollow_property(checker: Checker, lock: str) -> None:
    """--strict changes nothing about a violated model."""
    assert checker("check", f"{lock}:Careless", "--strict").code == 1


@pytest.mark.parametrize("elsewhere", [["--engine", "interpreter"], ["--workdir", "w"]], ids=lambda options: options[0])
def test_what_looks_at_all_states_is_the_same_wherever_they_were_found(
    checker: Checker, shelf: str, lock: str, elsewhere: list[str]
) -> None:
    """The interpreter keeps no packed states: they are found once more by compiled code. Complete searches, violated
    ones and those a limit ended."""
    for arguments in (
        [shelf, "--strict"],
        [lock, "--coverage", "--profile"],
        [f"{lock}:Careless", "--coverage"],
        [shelf, "--max-depth", "2", "--profile"],
    ):
        here, there = (checker("check", *arguments, *more, "--json", "-") for more in ([], elsewhere))
        assert here.code == there.code
        for key in ("conditions", "guards", "profile", "findings", "verdict"):
            assert here.json().get(key) == there.json().get(key)
        shutil.rmtree("w", ignore_errors=True)


def test_a_search_that_was_taken_up_can_be_asked_too(checker: Checker, lock: str) -> None:
    """What was kept are the levels; the states are found once more."""
    checker("check", lock, "--workdir", "w", "--max-depth", "1")
    here, there = (
        checker("check", lock, "--coverage", "--json", "-"),
        checker("resume", "w", "--coverage", "--json", "-"),
    )
    assert here.code == there.code == 0 and here.json()["guards"] == there.json()["guards"] != []


def test_a_limit_that_ends_a_search_taken_up_has_a_profile(checker: Checker, shelf: str) -> None:
    """Unasked, and the same as one that was asked for: so few states are all explored once more."""
    found = []
    for asked in ([], ["--profile"]):
        shutil.rmtree("w", ignore_errors=True)
        checker("check", shelf, "--workdir", "w", "--max-depth", "1")
        ran = checker("resume", "w", "--max-depth", "2", *asked, "--json", "-")
        assert ran.code == 4
        found.append(profile(ran))
    assert found[0] == found[1] and found[0]["over"] == sum(found[0]["levels"]) == 3


def test_a_profile_of_the_first_states_says_so(checker: Checker, shelf: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels are those of the search, variables and steps those of as many states as are explored once more: n was 0 or
    1 in the first two."""
    monkeypatch.setattr("checker.analysis.vacuity.states.FIRST_STATES", 2)
    checker("check", shelf, "--workdir", "w", "--max-depth", "1")
    ran = checker("resume", "w", "--max-depth", "2", "--json", "found.json")
    assert (
        "profile    variables and steps are those of the first 2 states of the search, explored once more in "
        "this process"
    ) in ran.out
    found = json.loads(Path("found.json").read_text(encoding="utf-8"))["profile"]
    assert (found["over"], found["levels"]) == (2, [1, 1, 1])
    assert {v["name"]: v["values"] for v in found["variables"]} == {"n": 2, "shelf": 2}


@pytest.mark.parametrize("limit", [("--max-states", "70"), ("--max-depth", "5")], ids=lambda words: words[0])
def test_what_is_said_of_states_is_said_of_those_that_were_reported(checker: Checker, limit: tuple[str, str]) -> None:
    """A second search goes no further than the first: guards and profile are those of a search that had its states at
    hand."""
    for more in ([], ["--engine", "interpreter"]):
        found = checker("check", "isis", *limit, "--coverage", "--profile", *more, "--json", "-").json()
        assert found["profile"]["over"] == found["distinct"] == sum(found["levels"])
        assert [a["transitions"] for a in found["profile"]["actions"]] == [a["fired"] for a in found["actions"]]
    checker("check", "isis", "--workdir", "w", "--max-depth", "4")
    found = checker("resume", "w", *limit, "--coverage", "--profile", "--json", "-").json()
    assert found["profile"]["over"] == found["distinct"] and [
        a["transitions"] for a in found["profile"]["actions"]
    ] == [a["fired"] for a in found["actions"]]


def test_the_advice_says_what_was_not_tried(checker: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no time, nothing is known of a constant."""
    monkeypatch.setattr("checker.analysis.coverage.TRYING_SECONDS", -1)
    found = profile(checker("check", "fifo_multicast", "-D", "workload=2,1", "--max-depth", "4", "--json", "-"))
    assert (found["lowering"], found["untried"]) == ([], ["processes", "workload"])
    assert found["advice"] == "there was no time to try processes, workload: --profile takes longer"


def test_ctrl_c_leaves_the_profile_out_and_keeps_the_report(
    checker: Checker, shelf: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search was over: what it found is told."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("checker.analysis.coverage.lowerings", interrupted)
    ran = checker("check", shelf, "--max-depth", "2", "--json", "-")
    assert ran.code == 4 and ran.json()["distinct"] == 3 and "profile" not in ran.json()


def test_a_limit_that_ends_a_search_by_the_interpreter_has_a_profile(checker: Checker, shelf: str) -> None:
    """As one of the native engine has."""
    here, there = (
        checker("check", shelf, "--max-states", "2", *more, "--json", "-").json()["profile"]
        for more in ([], ["--engine", "interpreter"])
    )
    assert here == there


def test_a_second_search_that_a_limit_ends_is_said() -> None:
    """What was asked for cannot be answered: inconclusive, and why. Where both searches are complete they must count
    alike."""
    examined = examine(
        find("basic_multicast").cls, "basic_multicast", {"processes": 2}, engine="interpreter", stop_at_first=False
    )
    with pytest.raises(Undecided, match="stopped by the limit on states"):
        with_states(evolve(examined, request=evolve(examined.request, limits=Limits(max_states=3))))
    wrong = evolve(examined, explored=evolve(examined.explored, transitions=1))
    with pytest.raises(Disagreement):
        with_states(wrong)


def test_what_each_part_of_a_guard_blocked_is_told_in_every_form(checker: Checker, lock: str, here: Path) -> None:
    """Three states: while one client has the lock the other may not take it, and who is outside may not leave. That it
    is free already says that nobody is inside."""
    ran = checker("check", lock, "--coverage", "--markdown", "summary.md", "--json", "found.json")
    found = json.loads((here / "found.json").read_text(encoding="utf-8"))["guards"]
    assert [(g["action"], g["condition"], g["blocked_alone"]) for g in found] == [
        ("take", "free()", 2),
        ("take", "c not in inside", 0),
        ("leave", "c in inside", 4),
    ]
    assert (
        "take: 'free()' alone blocked 2 steps" in ran.out and "take: 'c not in inside' never blocked alone" in ran.out
    )
    summary = (here / "summary.md").read_text(encoding="utf-8")
    assert "What guards blocked in lock.py" in summary and "- leave: 'c in inside' alone blocked 4 steps" in summary
    checker("check", f"{lock}:Careless", "--coverage", "--out", "out")
    assert "<li>leave: &#x27;c in inside&#x27; alone blocked" in next(here.rglob("trace.html")).read_text(
        encoding="utf-8"
    )
    assert "guards" not in checker("check", lock, "--json", "-").json()


def test_guards_of_a_search_that_was_cut_short_are_counted_over_what_was_expanded(checker: Checker, lock: str) -> None:
    """At the start nobody is inside: only `leave` is blocked, for both clients."""
    found = checker("check", lock, "--coverage", "--max-depth", "1", "--json", "-").json()
    assert {g["condition"]: g["blocked_alone"] for g in found["guards"]} == {
        "free()": 0,
        "c not in inside": 0,
        "c in inside": 2,
    }


# Profile


def profile(ran: Ran) -> Any:
    """The profile in the JSON report."""
    return ran.json()["profile"]


def test_duplicates_of_an_action_are_its_steps_to_known_states(checker: Checker, lock: str) -> None:
    """Taking the lock leads to new states, giving it back never does. A violated model is profiled as far as it was
    explored."""
    ran = checker("check", lock, "--profile", "--json", "-")
    assert [(a["name"], a["transitions"], a["duplicates"]) for a in profile(ran)["actions"]] == [
        ("take", 2, 0),
        ("leave", 2, 2),
    ]
    ran = checker("check", f"{lock}:Careless", "--profile", "--all", "--json", "-")
    assert sum(a["transitions"] - a["duplicates"] for a in profile(ran)["actions"]) == ran.json()["distinct"] - 1


def test_values_and_bits_of_variables(checker: Checker, shelf: str) -> None:
    """Four states: n takes 0..3 in the bits of 0..9, the shelf a set of each size."""
    found = {
        v["name"]: (v["values"], v["bits"])
        for v in profile(checker("check", shelf, "--profile", "--json", "-"))["variables"]
    }
    assert found == {"n": (4, 4), "shelf": (4, 3)}


def test_the_advice_is_the_constant_that_leaves_fewest_states(checker: Checker) -> None:
    """Each is lowered by one and searched: the first has the fewest states within the same steps, which are those of a
    search of the lower model."""
    found = profile(checker("check", "fifo_multicast", "--profile", "-D", "workload=2,1", "--json", "-"))["lowering"]
    assert [r["after"] for r in found] == sorted(r["after"] for r in found)
    workload = next(r for r in found if r["name"] == "workload")
    assert workload["new"] == [1, 1]
    lower = checker("check", "fifo_multicast", "-D", "workload=1,1", "--json", "-").json()
    assert workload["after"] == sum(lower["levels"][: workload["steps"] + 1])


def test_the_advice_names_the_constants_that_change_together(checker: Checker) -> None:
    """A workload has an entry for each process: with one process less, and the old workload, the model is refused."""
    found = profile(checker("check", "fifo_multicast", "--profile", "-D", "workload=2,1,1", "--json", "-"))
    fewer = next(r for r in found["lowering"] if r["name"] == "processes")
    assert (fewer["new"], fewer["along"]) == (2, [["workload", [2, 1]]])
    assert found["advice"].startswith("lower processes first: processes=2 instead of 3, with workload=2,1 leaves")
    assert checker("check", "fifo_multicast", "-D", "processes=2", "-D", "workload=2,1").code == 0


def test_the_advice_is_never_a_trivial_check(checker: Checker) -> None:
    """One process, or one message, would be the smallest of all and say nothing."""
    found = profile(checker("check", "fifo_multicast", "--profile", "-D", "workload=1,1", "--json", "-"))
    assert (found["lowering"], found["advice"]) == ([], "no constant that could be lowered by one makes a difference")


def test_a_search_that_a_limit_ended_is_profiled(checker: Checker, shelf: str, here: Path) -> None:
    """Without being asked, and with what was explored until then."""
    ran = checker("check", shelf, "--max-depth", "2", "--json", "found.json")
    found = json.loads((here / "found.json").read_text(encoding="utf-8"))
    assert ran.code == 4 and found["profile"]["levels"] == found["levels"] == [1, 1, 1]
    assert "  advice     no constant" in ran.out
    assert "profile" not in checker("check", shelf, "--json", "-").json()


def test_a_search_that_ended_before_its_first_state_is_not_one_without_initial_states(
    checker: Checker, shelf: str
) -> None:
    """Nothing is known of the model, and one level is too short for advice."""
    ran = checker("check", shelf, "--max-memory", "1K", "--max-disk", "0", "--json", "-")
    assert ran.code == 4 and findings(ran) == set() and ran.json()["bound"] == "memory"
    assert profile(checker("check", shelf, "--max-depth", "0", "--json", "-"))["advice"] == (
        "the search was too short to tell which constant to lower"
    )


def test_models_without_initial_state_have_no_profile_to_speak_of(checker: Checker, write: Write) -> None:
    """Nothing is counted, and nothing fails."""
    ran = checker("check", write("nothing.py", protocols.NOTHING), "--profile", "--strict", "--json", "-")
    assert ran.code == 3 and profile(ran)["levels"] == []


LAMP = '''"""A lamp that is switched on and off."""

from checker.language import Bool, LeadsTo, Model, action, const, require, var


class Burns(LeadsTo):
    """Whoever asks for light gets it."""

    def when(self) -> bool:
        return self.asked

    def then(self) -> bool:
        return self.on


class Lamp(Model):
    """Asks only if somebody is at home."""

    home = const(False, "is somebody at home")
    asked = var(Bool)
    on = var(Bool)

    @action
    def ask(self):
        require(self.home and not self.asked)
        self.asked = True

    @action
    def light(self):
        require(not self.on)
        self.on = True

    properties = [Burns]
'''


def test_a_run_property_that_nothing_calls_for_is_a_finding(checker: Checker, write: Write) -> None:
    """Leads-to holds trivially where its first part never does."""
    lamp = write("lamp.py", LAMP)
    assert ("never-tested", "Burns") in findings(checker("check", lamp, "--coverage", "--json", "-"))
    assert conditions(checker("check", lamp, "-D", "home=true", "--strict", "--json", "-")) == {"Burns": 1}


MISSPELT = '''"""A counter."""

from checker.language import Int, Model, action, holds, require, rule, var


class Counter(Model):
    """Counts to three."""

    n = var(Int(0, 3), 0)

    @action
    def count(self):
        require(self.may_count())
        self.n += 1

    @rule
    def may_count(self):
        return self.n < 3


class Misspelt(Counter):
    """EDIT: stop at two."""

    def may_cuont(self):
        return self.n < 2
'''


def test_a_method_of_an_edit_that_changes_nothing_is_a_finding(checker: Checker, write: Write) -> None:
    """A misspelt override leaves the protocol as it was: the verdict would be that of the original."""
    path = write("counter.py", MISSPELT)
    assert ("misspelt-rule", "may_cuont") in findings(checker("check", f"{path}:Misspelt", "--json", "-"))
    assert ("misspelt-rule", "may_cuont") not in findings(checker("check", path, "--json", "-"))


def test_a_rule_that_overrides_nothing_is_meant_to_be_no_action(checker: Checker, write: Write) -> None:
    """The name of an action may be nearer than that of the rule."""
    text = '''"""Doubts."""
from checker.language import Int, Model, action, require, rule, var


class Doubt(Model):
    n = var(Int(0, 3), 0)

    @rule
    def doubtful(self):
        return self.n < 3

    @action
    def time_out(self):
        require(self.doubtful())
        self.n += 1


class Edited(Doubt):
    @rule
    def in_doubt(self):
        return self.n < 2
'''
    ran = checker("check", f"{write('doubts.py', text)}:Edited")
    assert "did you mean doubtful?" in ran.out and "did you mean time_out?" not in ran.out


def test_a_misspelt_rule_of_an_edit_stands_first_and_what_holds_is_vacuous(checker: Checker, write: Write) -> None:
    """Not what was meant was checked; a method that is like none of the base's is a warning as before."""
    path = write("counter.py", MISSPELT)
    ran = checker("check", f"{path}:Misspelt")
    first, last = ran.out.splitlines()[0], ran.out.splitlines()[-1]
    assert ran.code == 3 and last.startswith("VACUOUS  nothing is violated, but: misspelt-rule may_cuont")
    assert first == (
        f"warning  may_cuont (counter.py:{MISSPELT.splitlines().index('    def may_cuont(self):') + 1}) overrides "
        "nothing and nothing calls it, so Misspelt changes nothing there; did you mean may_count?  [misspelt-rule]"
    )
    other = write("other.py", MISSPELT.replace("may_cuont", "below_two"))
    ran = checker("check", f"{other}:Misspelt")
    assert ran.code == 0 and "below_two overrides nothing and nothing calls it  [never-called]" in ran.out
    right = write("right.py", MISSPELT.replace("may_cuont", "may_count"))
    assert checker("check", f"{right}:Misspelt").code == 0


def test_a_misspelt_rule_does_not_meet_an_expectation(checker: Checker, write: Write) -> None:
    """Else a build stays green after a slip of the pen; a violation is one all the same."""
    stated = MISSPELT.replace('"""EDIT: stop at two."""', '"""EDIT: stop at two."""\n\n    expect = holds()')
    path = write("counter.py", stated)
    ran = checker("verify", f"{path}:Misspelt")
    assert ran.code == 1 and "the check is vacuous: may_cuont (" in ran.out


IDLE = '''
from checker.language import Int, Model, action, invariant, require, var


class Idle(Model):
    """A counter with what has no effect."""

    n = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.n < 3)
        self.n += 1
        next = self.n + 1

    def down(self):
        self.n -= 1

    @invariant
    def bounded(self):
        return self.limit() == 3

    @invariant
    def within(self):
        return self.n <= self.limit()

    def limit(self):
        return 3
'''


def test_what_has_no_effect_is_a_finding(checker: Checker, write: Write) -> None:
    """A local that nothing reads, a procedure that no action calls, a property that reads no variable; a helper that a
    property calls is none of them."""
    found = findings(checker("check", write("idle.py", IDLE), "--json", "-"))
    assert found == {("never-read", "next"), ("never-called", "down"), ("reads-nothing", "bounded")}


MISNAMED = '''
from checker.language import Int, LeadsTo, Model, action, require, var


class Full(LeadsTo):
    """Once begun, it fills."""

    def When(self):
        return self.n == 1

    def then(self):
        return self.n == 3


class Filling(Model):
    """A counter."""

    n = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.n < 3)
        self.n += 1

    properties = [Full]
'''


def test_a_misspelt_part_of_a_property_is_a_finding(checker: Checker, write: Write) -> None:
    """Without its condition a property says something else."""
    assert findings(checker("check", write("filling.py", MISNAMED), "--json", "-")) == {("never-called", "Full.When")}


FORGOTTEN = '''
from checker.language import Int, Invariant, Model, action, const, invariant, require, rule, var


class Low(Invariant):
    """A property with a helper that nothing calls, and a handler of a misspelt event."""

    n = var(Int(0, 3), 0)

    def on_wnet(self, x):
        self.n = x

    def on_went(self, x):
        self.n = x

    def small(self):
        return self.n < 3

    def holds(self):
        return self.n < 4


class Up(Model):
    """A counter."""

    most = const(3, "the most")
    spare = const(2, "read nowhere")
    TOP = 3
    x = var(Int(0, 3), 0)
    properties = [Low]

    @action
    def up(self):
        require(self.x < self.most)
        self.x += 1
        self.emit.went(self.x)

    def below(self) -> bool:
        return self.x < 2

    @rule
    def unused(self, n):
        return n

    @invariant
    def bounded(self) -> bool:
        return self.x < 4
'''


def test_what_nothing_calls_or_reads_is_a_finding_of_every_check(checker: Checker, write: Write) -> None:
    """A method that looks like a property without its decorator, a rule and a helper that nothing calls, a misspelt
    event, a constant and a value that nothing reads; exit code 3 with --strict."""
    path = write("forgotten.py", FORGOTTEN)
    found = findings(checker("check", path, "--json", "-"))
    assert found == {
        ("never-called", "below"),
        ("never-called", "unused"),
        ("never-called", "Low.small"),
        ("never-called", "Low.on_wnet"),
        ("never-read", "spare"),
        ("never-read", "TOP"),
    }
    ran = checker("check", path)
    assert ran.code == 0 and "nothing calls below: is @invariant, @quiescent or @reachable missing above it?" in ran.out
    assert "nothing emits wnet, which Low.on_wnet watches for; did you mean on_went?" in ran.out
    assert checker("check", path, "--strict").code == 3


BEGUN = '''
from checker.language import Int, Invariant, Model, action, initial, require, var


class NotBelowTheStart(Invariant):
    """x is never less than it was at the start."""

    first = var(Int(0, 3), 0)

    @initial
    def begin(self):
        self.first = self.x

    def holds(self):
        return self.x >= self.first


class Up(Model):
    """A counter."""

    x = var(Int(0, 3), 1)
    properties = [NotBelowTheStart]

    @action
    def up(self):
        require(self.x < 3)
        self.x += 1
'''


def test_a_history_of_the_start_that_never_changes_is_no_finding(checker: Checker, write: Write) -> None:
    """What an @initial method of a property remembers stays as it is: that does not say that the property saw
    nothing."""
    assert findings(checker("check", write("begun.py", BEGUN), "--coverage", "--json", "-")) == set()


UNRECEIVED = '''
from checker.language import Distributed, Model, Network, Process, Record, Union, Bool, action, invariant, on, require, var


class Deaf(Distributed):
    """Asks, and does not hear the answer."""

    Wire = Union(Ask=Record(), Answer=Record(), Later=Record())
    net = var(Network[Process, Wire])
    asked = var(Bool)

    @action
    def ask(self, p: Process):
        require(not self.asked)
        self.asked = True
        self.net.send(p, self.Process[0], self.Wire.Ask())

    @on(net, Wire.Ask)
    def answer(self, p, q):
        self.net.send(p, q, self.Wire.Answer())

    @invariant
    def few(self):
        return len(self.net) < 3


class Still(Model):
    """Nothing happens."""

    done = var(Bool)

    def finish(self):
        self.done = True

    @invariant
    def open(self):
        return not self.done
'''  # noqa: E501


def test_messages_that_nobody_receives_and_models_without_actions_are_findings(checker: Checker, write: Write) -> None:
    """An answer for which the handler was forgotten; a variant that is never sent is none."""
    path = write("deaf.py", UNRECEIVED)
    assert findings(checker("check", path, "--json", "-")) == {("never-received", "Answer")}
    assert findings(checker("check", f"{path}:Still", "--json", "-")) == {
        ("no-actions", "Still"),
        ("never-called", "finish"),
    }


NEIGHBOURS = '''"""Who is told by a neighbour, and what is said of those who have seen one."""

from checker.language import Distributed, Process, Set, action, choose, const, invariant, quiescent, require, rule, step_invariant, var


class Neighbours(Distributed):
    """Each process is told once, and nobody sees anything."""

    rounds = const(0, "how often")
    told = var(Set[Process])
    seen = var(Set[Process])

    @action
    def tell(self, p: Process):
        require(p not in self.told and self.first(p))
        require(not any(k > 3 for k in range(self.rounds)))
        for q in self.others(p):
            self.seen.discard(q)
        if self.rounds > 0:
            for k in range(self.rounds - 1):
                self.told.discard(p)
        self.told.add(p)

    @action
    def see(self, p: Process):
        require(len(self.told) == 5)
        q = choose(self.others(p))
        self.seen.add(q)

    def others(self, p: Process):
        return {q for q in self.Process if q != p}

    @rule
    def first(self, p: Process):
        return all(q in self.told for q in self.Process if q.index < p.index)

    @invariant
    def denied(self) -> bool:
        return not any(q not in self.told for q in self.seen)

    @invariant
    def asserted(self) -> bool:
        return any(q in self.told for q in self.seen) or len(self.told) < 9

    @invariant
    def looped(self) -> bool:
        for p in self.told:
            for q in self.seen:
                if q not in self.told:
                    return False
        return True

    @invariant
    def a_case(self) -> bool:
        return any(p in self.told for p in self.Process) or not any(q in self.told for q in self.seen)

    @invariant
    def a_case_that_never_comes(self) -> bool:
        return all(p not in self.seen for p in self.Process) or not any(q in self.told for q in self.seen)

    @invariant
    def through_a_rule(self) -> bool:
        return self.covered(self.seen)

    @invariant
    def through_the_same_rule(self) -> bool:
        return self.covered(self.seen | self.told)

    @quiescent
    def at_the_end(self) -> bool:
        return not any(q in self.seen for q in self.Process if q not in self.told)

    @quiescent
    def until_the_end(self) -> bool:
        return not any(q in self.told for q in self.told if q in self.seen) or True

    @step_invariant
    def of_steps(self) -> bool:
        return not any(q not in self.told for q in self.before.told)

    @step_invariant
    def of_no_step(self) -> bool:
        return not any(q not in self.seen for q in self.before.seen)

    def covered(self, s: Set[Process]):
        return all(q in self.told for q in s)
'''  # noqa: E501


def empty(ran: Ran) -> set[str]:
    """The subjects of the findings of empty domains."""
    return {subject for kind, subject in findings(ran) if kind == "empty-domain"}


def test_a_claim_about_the_members_of_what_has_none_is_a_finding(checker: Checker, write: Write) -> None:
    """Denied, in a loop, in one of several cases, through a rule, of steps. Not: what is asserted of some member, a
    case that never comes, a rule that elsewhere has members."""
    ran = checker("check", write("n.py", NEIGHBOURS), "-D", "processes=2", "-D", "rounds=1", "--strict", "--json", "-")
    assert ran.code == 3
    assert {s for s in empty(ran) if s.partition(":")[0] not in ("tell", "see", "first", "others")} == {
        "denied: q in seen",
        "looped: q in seen",
        "a_case: q in seen",
        "through_a_rule: q in s",
        "of_no_step: q in before.seen",
        "at_the_end: q in Process with not (q in told)",
    }
    text = checker("check", "n.py", "-D", "processes=2", "--coverage").out
    assert "denied is vacuous for q in seen: that is empty wherever it is evaluated  [empty-domain]" in text
    assert "through_a_rule is vacuous in covered for q in s: that is empty" in text


def test_what_types_and_constants_leave_empty_is_a_finding(checker: Checker, write: Write) -> None:
    """A loop, a quantifier in a guard, a rule, a choice: nobody else with one process, no round. With two processes and
    a round there is nothing to be found; what constants switch off is not looked at."""
    write("n.py", NEIGHBOURS)
    alone = ["check", "n.py", "--property", "asserted", "--coverage", "--json", "-", "-D", "processes=1"]
    others = {"tell: q in others(p)", "see: choose(others(p))", "first: q in Process if q.index < p.index"}
    assert empty(checker(*alone)) == others | {"tell: k in range(rounds)"}
    assert empty(checker(*alone, "-D", "rounds=1")) == others | {"tell: k in range(rounds - 1)"}
    assert empty(checker(*alone[:-1], "processes=2", "-D", "rounds=2")) == set()
    ran = checker(*alone[:-3], "processes=1")
    assert (
        "in tell (n.py:16) nothing is ever looked at: k in range(rounds) is empty with these types and constants "
        " [empty-domain]"
    ) in ran.out


def test_an_empty_domain_needs_no_complete_search(checker: Checker, write: Write) -> None:
    """Types and constants are known from the start."""
    ran = checker(
        "check", write("n.py", NEIGHBOURS), "-D", "processes=1", "--max-depth", "0", "--coverage", "--json", "-"
    )
    assert ran.code == 4 and "tell: q in others(p)" in empty(ran) and "denied: q in seen" not in empty(ran)


def test_another_expectation_clears_an_empty_domain(checker: Checker, write: Write) -> None:
    """Where another number of processes has others, a loop over them is owed to the constants."""
    said = (
        '\n    expect = [holds(at={"processes": 1, "rounds": 1}, only=["asserted"]), holds(at={"processes": 2, '
        '"rounds": 2}, only=["asserted"])]\n'
    )
    text = (
        NEIGHBOURS.replace("import Distributed", "import holds, Distributed").replace(
            "len(self.told) == 5", "len(self.told) == 1"
        )
        + said
    )
    results = checker("verify", write("n.py", text), "--strict", "--json", "-").json()["results"]
    assert [{f["kind"] for f in r["hollow"]} for r in results] == [set(), set()]
    text = text.replace('"rounds": 2}', '"rounds": 1}')
    results = checker("verify", write("once.py", text), "--strict", "--json", "-").json()["results"]
    assert [[f["subject"] for f in r["hollow"]] for r in results] == [["tell: k in range(rounds - 1)"]] * 2


def test_what_an_edit_inherits_is_cleared_by_the_model_it_edits(checker: Checker, write: Write) -> None:
    """A rule or action that it leaves as it is, where the base has another configuration; not one that it writes
    anew."""
    said = '\n    expect = holds(at={"processes": 2, "rounds": 2}, only=["asserted"])\n'
    edit = """

class Edited(Neighbours):
    \"\"\"EDIT: nobody is first.\"\"\"

    @rule
    def first(self, p):
        return True

    expect = holds(at={"processes": 2, "rounds": 1}, only=["asserted"])
"""
    text = (
        NEIGHBOURS.replace("import Distributed", "import holds, Distributed").replace(
            "len(self.told) == 5", "len(self.told) == 1"
        )
        + said
    )
    assert checker("verify", write("e.py", text + edit), "--strict").code == 0
    own = edit.replace("return True", "return not any(k > 3 for k in range(self.rounds - 1))")
    results = checker("verify", write("f.py", text + own), "--strict", "--json", "-").json()["results"]
    found = ["first: k in range(rounds - 1)", "first: k > 3"]
    assert [[f["subject"] for f in r["hollow"]] for r in results] == [[], found]


@pytest.mark.parametrize("condition", ["self.n > self.top", "self.n > 0 and self.top > 5", "self.top > 5"])
def test_a_when_that_the_constants_make_false_is_cited(checker: Checker, write: Write, condition: str) -> None:
    """As the model has it: with these constants it is only False."""
    text = '''"""A counter to the top."""

from checker.language import Int, LeadsTo, Model, action, const, require, var


class Stops(LeadsTo):
    def when(self) -> bool:
        return CONDITION

    def then(self) -> bool:
        return self.n == 3


class Counter(Model):
    top = const(3, "the top")
    n = var(Int(0, 3), 0)
    properties = [Stops]

    @action
    def up(self):
        require(self.n < self.top)
        self.n += 1
'''
    ran = checker("check", write("counter.py", text.replace("CONDITION", condition)), "--coverage")
    words = condition.replace("self.", "")
    assert f"never satisfied: no reachable state has {words}  [never-tested]" in ran.out
    assert f"tested     Stops: never  {words}" in ran.out
