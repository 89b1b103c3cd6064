"""The cause of a violation is the first step that the protocol before the edit does not allow."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.cli.program import run
from checker.language import (
    Bool,
    Ids,
    Int,
    Map,
    Process,
    action,
    choose,
    const,
    invariant,
    quiescent,
    require,
    rule,
    var,
)
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.expectation import holds, violates
from checker.language.model import Model
from checker.replay.base import base_of
from checker.replay.cause import cause
from checker.report.wording import guilty_line
from checker.trace.itf import to_itf
from checker.trace.read_itf import from_itf
from checker.trace.trace import Trace
from tests.analysis.compare import lock


def trace(cls: type[Model], name: str, base: type[Model] | None = None) -> Trace:
    """The trace of a violated property, whether or not the base breaks it too."""
    report = check(cls, cls.__name__, engine="interpreter", stop_at_first=False, base=base, broken_before={})
    found = next(p.trace for p in report.properties if p.name.startswith(name))
    assert found is not None
    return found


def causes(found: Trace) -> list[int]:
    """Numbers of the steps marked as cause."""
    return [step.number for step in found.steps if step.cause]


class Shared(Model):
    """What models share: a variable and a rule, and no action."""

    n = var(Int(0, 3), 0)

    @rule
    def below(self) -> bool:
        return self.n < 3


class Counts(Shared):
    """A protocol made from it."""

    @action
    def up(self) -> None:
        require(self.below())
        self.n += 1


class CountsOn(Counts):
    """EDIT: it goes on."""


def test_a_class_without_an_action_is_no_protocol_that_another_class_edits() -> None:
    """It would be said that it has not the action of each step."""
    assert base_of(Counts) is None and base_of(CountsOn) is Counts


def test_the_base_of_an_edit_is_its_nearest_model_in_the_same_file() -> None:
    """An edit of a protocol is compared with that protocol; the protocol itself with nothing."""
    assert base_of(lock.NoGuard) is lock.Lock
    assert base_of(lock.Lock) is None


def test_a_step_that_was_not_enabled_before_is_the_cause() -> None:
    """The second take is what the guard forbade."""
    found = trace(lock.NoGuard, "exclusion")
    assert [s.action for s in found.steps] == ["take", "take"]
    assert causes(found) == [2]
    (file, line) = found.steps[1].rule or ("", 0)
    assert file.endswith("lock.py") and line > 0
    assert found.steps[1].note == (
        f"may_take(p2) is true (lock.py:{line}): p2 is not in inside = {{p1}}; before "
        "the edit it is false (lock.py:56): holder = p1 is not none; in Lock this step is not enabled"
    )


def test_a_protocol_allows_all_its_own_steps() -> None:
    """Followed in the model it comes from, a trace has no cause."""
    found = trace(lock.NoGuard, "exclusion", base=lock.NoGuard)
    assert causes(found) == []
    assert cause(found, define(lock.NoGuard), lock.NoGuard).step is None


def test_an_edit_that_stops_early_has_allowed_steps_only_and_the_note_says_how_the_base_goes_on() -> None:
    """Nothing forbidden happens where only p1 works: the protocol would have gone on with p2."""
    found = trace(lock.FirstOnly, "everybody_worked")
    assert causes(found) == []
    assert found.cause.startswith("at the end, take(p2): ") and "lock.py:" in found.cause
    assert "before the edit it is" in found.cause and guilty_line(found) == f"CAUSE {found.cause}"


def test_variables_of_the_edit_alone_are_left_out() -> None:
    """A counter that the base does not have is no reason; the take that it lets through is."""
    found = trace(lock.Counted, "exclusion")
    assert causes(found) == [2]


def test_a_step_into_a_model_error_is_the_cause_where_the_base_does_not_fail() -> None:
    """Using none as a value fails at once; the base takes that step."""
    report = check(lock.Unsafe, "Unsafe", engine="interpreter")
    found = next(p.trace for p in report.properties if p.kind == "error")
    assert found is not None
    assert found.kind == "error"
    assert causes(found) == [1]
    assert found.steps[0].note.endswith("in Lock this step does not fail")


def test_a_start_that_the_base_does_not_have_is_the_cause() -> None:
    """The variable with both values, and where it is declared."""
    found = trace(lock.Open, "exclusion")
    assert causes(found) == []
    assert found.cause.startswith("in the initial state: ") and "lock.py:" in found.cause
    assert "; before the edit it is " in found.cause and from_itf(to_itf(found)) == found


def test_a_base_with_further_variables_may_take_steps_that_only_they_see() -> None:
    """Asking changes nothing that the edit knows: the base may ask before each take, and forbids the second take for
    the lock's sake."""
    found = trace(lock.NoGuard, "exclusion")
    followed = cause(found, define(lock.NoGuard), lock.Asking)
    assert followed.step == 2
    assert followed.note == "in Asking this step is not enabled"


def test_the_wording_of_a_step_that_leads_elsewhere_names_what_differs() -> None:
    """Where the base takes the same step to another state, the difference is told."""
    found = trace(lock.NoGuard, "exclusion")
    assert cause(found, define(lock.NoGuard), lock.Forgetful).note == "after this step in Forgetful inside is {}"


@pytest.mark.parametrize("processes", [2, 3])
def test_constants_of_the_edit_hold_for_the_base_too(processes: int) -> None:
    """The base is followed with the same number of processes."""
    report = check(lock.NoGuard, "NoGuard", {"processes": processes}, engine="interpreter", stop_at_first=False)
    found = next(p.trace for p in report.properties if p.name == "exclusion")
    assert found is not None
    assert causes(found) == [2]


class WrongBase(Model):
    """Wrong as written: a method does not know the type Bool."""

    done = var(Bool)

    @action
    def finish(self):
        self.done = choose(Bool)

    @invariant
    def open(self) -> bool:
        return not self.done


class RightEdit(WrongBase):
    """EDIT: what was wrong is overridden."""

    @action
    def finish(self):
        self.done = choose([False, True])


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_an_edit_is_judged_though_its_base_is_wrong_as_written(engine: str) -> None:
    """The verdict is that of the edit; the note names the line of the base."""
    (broken,) = check(RightEdit, "", engine=engine).properties
    assert broken.verdict == "violated" and broken.trace is not None and causes(broken.trace) == []
    note = broken.trace.steps[-1].note
    assert note.startswith("WrongBase cannot be followed, as it is wrong itself: ")
    assert re.search(r"test_cause\.py:\d+: Bool is a type, which a method cannot use$", note)


WRONG = {
    "a rule with another parameter": "    @rule\n    def may(self, n, m):\n        return True",
    "a rule by an action": "    @action\n    def may(self, n):\n        pass",
    "an action by a rule": "    @rule\n    def up(self):\n        return True",
    "a constant by a method": "    def most(self):\n        return 3",
    "a method by a constant": "    may = const(3, '')",
    "a variable by a value": "    x = 3",
    "an action with a parameter without a type": "    def up(self, n):\n        self.x += 1",
    "a rule left out": "    may = None",
    "a property of another kind": "    @quiescent\n    def fine(self) -> bool:\n        return True",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=list(WRONG))
def test_a_wrong_override_is_refused_by_compare_as_by_check(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both name the same line with the same words, and end with exit code 2."""
    base = (
        "from checker.language import Int, Model, action, const, invariant, quiescent, require, rule, var\n\n\n"
    ) + inspect.getsource(Counter)
    file = tmp_path / "wrong.py"
    file.write_text(f'{base}\n\nclass Edited(Counter):\n    """EDIT: wrong."""\n\n{text}\n', encoding="utf-8")
    told = []
    for arguments in (
        ["check", f"{file}:Edited"],
        ["compare", f"{file}:Edited"],
        ["compare", str(file), f"{file}:Edited"],
    ):
        assert run(arguments) == 2
        told.append(capsys.readouterr().err)
    assert "wrong.py:" in told[0] and len(set(told)) == 1


class Counter(Model):
    """Counts."""

    most = const(3, "")
    x = var(Int(0, 3), 0)

    @rule
    def may(self, n):
        return n < self.most

    @action
    def up(self):
        require(self.may(self.x))
        self.x += 1

    @invariant
    def fine(self) -> bool:
        return self.x < 4


class Moves(Model):
    at = var(Int(0, 2), 0)

    @action
    def move(self, start: Int(0, 2), end: Int(0, 2)):
        require(self.at == start and end == start + 1)
        self.at = end

    @invariant
    def near(self):
        return self.at < 2


class MovesBack(Moves):
    """EDIT: with other names, and elsewhere."""

    @action
    def move(self, a: Int(0, 2), b: Int(0, 2)):
        require(self.at == a and b == a + 1)
        self.at = 2


def test_a_step_is_the_same_whatever_an_edit_calls_its_parameters() -> None:
    """It is enabled in the base, where it leads elsewhere; compared by names it would not be found there."""
    report = check(MovesBack, "x", {}, base=Moves, broken_before={})
    (near,) = report.properties
    assert near.trace is not None
    assert "after this step in Moves at is 1" in near.trace.steps[-1].note


class Slots(Model):
    """One slot after the other is taken."""

    Slot = Int(0, 1)
    taken = var(Map[Slot, Bool], False)

    @action
    def take(self, s: Slot):
        self.taken[s] = True

    @invariant
    def some_are_free(self) -> bool:
        return not self.taken[1]


class MoreSlots(Slots):
    """EDIT: two slots more."""

    Slot = Int(0, 3)


def test_a_variable_with_more_entries_is_told_with_the_type_that_adds_them() -> None:
    """They have no value before the edit; what was edited is the type."""
    found = trace(MoreSlots, "some_are_free")
    here, there = (inspect.getsourcelines(c)[1] + 3 for c in (MoreSlots, Slots))
    assert found.cause == (
        f"in the initial state: Slot (test_cause.py:{here}) has values that add taken[2] and 1 more; before the "
        f"edit it is without them (test_cause.py:{there})"
    )


class Ledger(Distributed):
    """A process enters each item once."""

    processes = const(1, "number of processes")
    Item = Ids("i", 2)
    value = var(Map[Item, Int(0, 2)], 0)

    @action
    def enter(self, p: Process, i: Item):
        require(self.value[i] == 0)
        self.value[i] = self.worth(i)

    @rule
    def worth(self, i: Item) -> int:
        return 1

    @quiescent
    def second_is_entered_once(self) -> bool:
        return all(self.value[i] < 2 for i in self.Item if i != self.Item[0])


class Twice(Ledger):
    """EDIT: an item counts twice."""

    @rule
    def worth(self, i):
        return 2


def test_of_several_steps_that_the_base_does_not_allow_the_one_about_the_witness_is_the_cause() -> None:
    """Both entries are new; the property speaks of the second item."""
    found = trace(Twice, "second_is_entered_once")
    assert [dict(step.args) for step in found.steps] == [{"p": "p1", "i": "i1"}, {"p": "p1", "i": "i2"}]
    assert found.witness_values["i"] == "i2" and causes(found) == [2]
    assert "worth(i2) is always 2" in found.steps[1].note or "worth(i2) is 2" in found.steps[1].note


class Climber(Model):
    """Climbs to two."""

    n = var(Int(0, 9), 0)
    others = var(Map[Int(0, 2), Int(0, 3)], 0)

    @rule
    def free(self) -> bool:
        return self.n < 2

    @action
    def up(self):
        require(self.free())
        self.n += 1

    @invariant
    def low(self) -> bool:
        return self.n <= 2


class Wrong(Climber):
    """EDIT: climbs higher, which it expects."""

    expect = violates("low")

    @rule
    def free(self) -> bool:
        return self.n < 3


class Promised(Climber):
    """EDIT: climbs higher, and expects that nothing is broken."""

    expect = holds()

    @rule
    def free(self) -> bool:
        return self.n < 3


class Started(Climber):
    """EDIT: starts elsewhere, and expects that nothing is broken."""

    n = var(Int(0, 9), 3)
    others = var(Map[Int(0, 2), Int(0, 3)], 1)
    expect = holds()


@pytest.mark.parametrize(("cls", "where"), [(Wrong, "before the edit"), (Promised, "in Climber")])
def test_an_edit_that_is_expected_to_keep_the_property_is_not_the_edit_that_is_spoken_of(
    cls: type[Model], where: str
) -> None:
    """Another edit broke it; the protocol with which the run is compared is named."""
    found = trace(cls, "low")
    assert causes(found) == [3]
    assert f"; {where} it is false" in next(step.note for step in found.steps if step.cause)


def test_of_many_values_that_differ_at_the_start_the_number_of_the_others_is_said() -> None:
    """And what these are."""
    cause = trace(Started, "low").cause
    assert re.fullmatch(
        r"in the initial state: n is 3 \(.*\); in Climber it is 0 \(.*\), and 3 more values differ", cause
    )
