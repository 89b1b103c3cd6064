"""A run in another order: the steps of each process stand together as far as they commute, and it shows the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.analysis.stored_trace import regrouped, replay
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.language import (
    Ids,
    Int,
    LeadsTo,
    Map,
    Model,
    Seq,
    action,
    const,
    constraint,
    invariant,
    quiescent,
    require,
    rule,
    step_invariant,
    var,
)
from checker.language.define import define
from checker.replay.grouped import KEPT, REORDERED
from checker.replay.replay import Replay
from checker.replay.traced import Shown
from checker.trace.itf import to_itf
from checker.trace.trace import Trace
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
ISIS = Path(__file__).resolve().parents[2] / "counterexamples" / "isis" / "NoTieBreak-TotalOrder.itf.json"


class Rooms(Model):
    """Guests walk through rooms, each on its own."""

    guests = const(2, "how many guests")
    Guest = Ids("g", guests)
    room = var(Map[Guest, Int(0, 3)], 0)

    @action
    def enter(self, g: Guest):
        require(self.room[g] == 0)
        self.room[g] = 1

    @action
    def leave(self, g: Guest):
        require(0 < self.room[g] < 3)
        self.room[g] += 1

    @invariant
    def somebody_stays(self) -> bool:
        return any(self.room[g] < 2 for g in self.Guest)


class Book(Rooms):
    """Each guest signs one book, so the order is seen for ever."""

    signed = var(Seq[Rooms.Guest, 8])

    @action
    def enter(self, g: Rooms.Guest):
        require(self.room[g] == 0)
        self.room[g] = 1
        self.signed.append(g)

    @action
    def leave(self, g: Rooms.Guest):
        require(self.room[g] == 1)
        self.room[g] = 2
        self.signed.append(g)


class Together(Rooms):
    """Nobody goes out before the other has come in; and not both may be out."""

    @invariant
    def in_step(self) -> bool:
        return {self.room[g] for g in self.Guest} not in ({0, 2}, {2})

    @step_invariant
    def by_turns(self) -> bool:
        before, after = ({room[g] for g in self.Guest} for room in (self.before.room, self.room))
        return (before, after) != ({0, 1}, {0, 2}) and after != {2}


class Narrow(Rooms):
    """States in which one is out and the other has not come in are not looked at."""

    @constraint
    def near(self) -> bool:
        return {self.room[g] for g in self.Guest} != {0, 2}


class Doors(Rooms):
    """A door further on, which is closed, and one back."""

    @rule
    def far(self, g: Rooms.Guest) -> bool:
        return False

    @action
    def jump(self, g: Rooms.Guest):
        require(self.far(g) and self.room[g] < 2)
        self.room[g] = 3

    @action
    def back(self, g: Rooms.Guest):
        require(self.room[g] == 3)
        self.room[g] = 2

    @invariant
    def ahead(self) -> bool:
        return {self.room[g] for g in self.Guest} != {2, 3} or self.room[self.Guest[0]] == 2


class Open(Doors):
    """EDIT: the door is open."""

    @rule
    def far(self, g: Rooms.Guest) -> bool:
        return True


class ComesBack(LeadsTo):
    """Everybody comes back."""

    def when(self) -> bool:
        return any(self.room[g] == 1 for g in self.Guest)

    def then(self) -> bool:
        return all(self.room[g] == 0 for g in self.Guest)


class TooFar(Rooms):
    """A guest may leave the last room, too."""

    @action
    def leave(self, g: Rooms.Guest):
        require(self.room[g] > 0 and all(self.room[h] > 0 for h in self.Guest))
        self.room[g] += 1


class NoWayOut(Rooms):
    """The last room has no door."""

    properties = [ComesBack]

    @quiescent
    def out(self) -> bool:
        return all(self.room[g] == 0 for g in self.Guest)


def calls(trace: Trace) -> list[str]:
    """The steps of a trace: enter g1."""
    return [" ".join([s.action, *map(str, s.args.values())]) for s in trace.steps]


def run(cls: type[Model], property: str, kind: str, *wanted: str, base: type[Model] | None = None) -> Trace:
    """The trace of these calls, grouped."""
    interpreter = Interpreter(define(cls, {}, [property]))
    states: list[Raw] = [interpreter.initial()[0]]
    for call in wanted:
        found = {f"{s.action.name} {s.arguments[0][1]}": s.after for s in interpreter.steps(states[-1])}
        after = found[call]
        assert after is not None
        states.append(after)
    return Replay(interpreter, cls.__name__, "interpreter", base, group=True).trace(states, Shown(kind, property))


WALK = ("enter g1", "enter g2", "leave g1", "leave g2")
ALONE = ["enter g1", "leave g1", "enter g2", "leave g2"]  # two stretches
INSIDE = ["enter g2", "enter g1", "leave g1", "leave g2"]  # three: both are in before one goes out


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_the_steps_of_a_process_stand_together_if_asked_for(engine: str) -> None:
    """Same length, same end, one change of process where there were three; without being asked the order stays."""
    found, plain = (
        next(p.trace for p in check(Rooms, "Rooms", engine=engine, group=group).properties if p.trace)
        for group in (True, False)
    )
    assert (calls(plain), calls(found)) == ([*WALK], ALONE)
    assert found.states[-1] == plain.states[-1] and found.witness == plain.witness
    assert found.verdicts["somebody_stays"] == (True, True, True, True, False)
    assert found.claim == f"{plain.claim}; {REORDERED}"


def test_steps_that_do_not_commute_keep_their_order() -> None:
    """Another order would end in another state; the claim says that the order is the one found."""
    found = run(Book, "somebody_stays", "invariant", *WALK)
    assert calls(found) == [*WALK]
    assert found.claim is not None and found.claim.startswith(KEPT)


@pytest.mark.parametrize("property, kind", [("in_step", "invariant"), ("by_turns", "step")])
def test_the_property_shows_no_earlier_than_at_the_last_step(property: str, kind: str) -> None:
    """The order that another property allows would pass through a state, or take a step, that breaks this one."""
    assert calls(run(Together, "somebody_stays", "invariant", *WALK)) == ALONE
    assert calls(run(Together, property, kind, *WALK)) == INSIDE


def test_no_state_in_between_is_cut_off_by_a_constraint() -> None:
    """A search with the constraint would not have that run."""
    assert calls(run(Narrow, "somebody_stays", "invariant", *WALK)) == INSIDE


def test_the_last_step_stays_the_last() -> None:
    """The steps before it are brought to it instead: g2's to its last, past g1's."""
    found = run(Rooms, "somebody_stays", "invariant", "enter g2", "enter g1", "leave g1", "leave g2")
    assert calls(found) == ALONE


def test_a_run_into_an_error_is_reordered_up_to_the_step_that_fails() -> None:
    """Found, and read from a file: that step has no state behind it, and stays the last."""
    report = check(TooFar, f"{__file__}:TooFar", only=[], engine="interpreter")
    found = next(p.trace for p in report.properties if p.trace is not None)
    assert found.kind == "error" and calls(found)[-1] == "leave g1"
    again = regrouped(found)
    assert [s.lane for s in again.steps] == ["g2", "g1", "g1", "g1", "g1"]
    assert again.steps[-1].note == found.steps[-1].note != "" and replay(again).confirmed


def test_the_cause_stays_with_its_step() -> None:
    """g1's jump is not put before g2's, which is the CAUSE: that would mark another, as one jump is enough, and two
    more steps replace either of them.  g2's jump may be put first."""
    walked = ("enter g1", "jump g2", "jump g1", "back g2")
    assert calls(run(Open, "ahead", "invariant", *walked)) == ["enter g1", "jump g1", "jump g2", "back g2"]
    found = run(Open, "ahead", "invariant", *walked, base=Doors)
    assert calls(found) == ["jump g2", "enter g1", "jump g1", "back g2"]
    assert [s.number for s in found.steps if s.cause] == [1]


def test_a_run_that_breaks_a_leads_to_is_not_reordered() -> None:
    """It says so; one to a quiescent state of the same model is reordered."""
    report = check(NoWayOut, "NoWayOut", engine="interpreter", group=True, stop_at_first=False)
    found = {p.kind: p.trace for p in report.properties if p.trace is not None}
    claim = found["leads-to"].claim
    assert claim is not None and claim.startswith(f"{KEPT}a run that breaks a leads-to")
    assert [s.lane for s in found["quiescence"].steps] == ["g1"] * 3 + ["g2"] * 3


def test_a_stored_run_in_another_order_is_confirmed_by_replay(checker: Checker, here: Path) -> None:
    """Of a protocol with messages: twelve stretches become five, the CAUSE stays with its step, and doing it again
    changes nothing."""
    ran = checker("replay", str(ISIS), "--group", "--json", "-").json()
    assert ran["confirmed"] and ran["exit_code"] == 0
    assert REORDERED in checker("replay", str(ISIS), "--group").out
    assert checker("explain", str(ISIS), "--group", "--step", "3", "--out", "again").code == 0
    assert checker("replay", "again").out.startswith("CONFIRMED")
    from checker.report.directory import stored

    before, after = stored(str(ISIS)), stored("again")
    assert sorted(calls(before)) == sorted(calls(after)) and calls(before)[-1] == calls(after)[-1]
    assert (stretches(before), stretches(after)) == (12, 5)
    assert [calls(t)[s.number - 1] for t in (before, after) for s in t.steps if s.cause] == [cause(before)] * 2
    assert to_itf(regrouped(after)) == to_itf(after)


def stretches(trace: Trace) -> int:
    """How often the process changes, and one."""
    lanes = [s.lane for s in trace.steps]
    return 1 + sum(a != b for a, b in zip(lanes, lanes[1:]))


def cause(trace: Trace) -> str:
    """The step marked CAUSE."""
    return next(calls(trace)[s.number - 1] for s in trace.steps if s.cause)
