"""Bounded model checking finds what breadth-first search finds, at the same depth; a proof is never of something
false."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from checker.analysis.check import check
from checker.analysis.prove.prove import INDUCTION, prove
from checker.cli.program import run
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.models.isis import Isis
from tests.analysis.compare import lock
from tests.analysis.prove import proof_models as models

FILE = Path(models.__file__)


@pytest.mark.parametrize("cls", [models.TwoTurns, models.Hourglass, models.Overflowing, lock.NoGuard])
def test_the_shortest_violation_has_the_depth_of_the_search(cls: type[Model]) -> None:
    """Steps of the first violation, model errors included, and the run is one of the interpreter."""
    report = check(cls, cls.__name__, engine="interpreter")
    steps = min(
        p.steps
        for p in report.properties
        if p.verdict == "violated" and p.steps is not None and p.kind in ("invariant", "step", "error")
    )
    proof = prove(cls, cls.__name__, depth=8, induction=False)
    assert proof.verdict == "violated"
    assert proof.depth in (steps, steps - 1)  # an error shows on a step beyond the last state
    assert proof.trace is not None and len(proof.trace.steps) == steps
    assert proof.exit_code == 1


def test_what_is_done_before_an_action_is_left_is_not_undone() -> None:
    """What a step breaks is not proved, though what follows the return would repair it; what follows breaks nothing for
    those that have left."""
    broken = prove(models.LeavesEarly, "LeavesEarly", properties=["never_one"])
    assert broken.verdict == "violated" and broken.trace is not None and len(broken.trace.steps) == 1
    assert prove(models.LeavesEarly, "LeavesEarly", properties=["never_two"]).verdict == "proved"


def test_a_loop_that_is_only_left_from_within_is_unrolled_to_a_bound() -> None:
    """What holds within the bound is not called proved."""
    proof = prove(models.LoopsForever, "LoopsForever", depth=1)
    assert (proof.verdict, proof.left_out, proof.exit_code) == ("proved", True, 4)


def test_an_inductive_invariant_is_proved_for_every_length() -> None:
    """Exclusion of two turns is kept by every step from any state that has it."""
    proof = prove(models.Turns, "Turns", properties=["exclusion"])
    assert (proof.verdict, proof.depth, proof.exit_code) == ("proved", 1, 0)
    assert check(models.Turns, "Turns", engine="interpreter").verdict == "holds"


def test_runs_of_different_states_prove_what_a_loop_reached_from_nowhere_would_spoil() -> None:
    """Without that the states differ, a run around the loop leads to seven after any number of steps."""
    proof = prove(models.Detour, "Detour", properties=["never_seven"], using=["never_beyond"], depth=6)
    assert (proof.verdict, proof.exit_code) == ("proved", 0)
    assert check(models.Detour, "Detour", engine="interpreter").verdict == "holds"


def test_a_violation_comes_with_the_steps_without_one() -> None:
    """One less than its own."""
    proof = prove(models.Overflowing, "Overflowing", depth=8, induction=False)
    assert proof.verdict == "violated" and proof.base == proof.depth - 1


def test_an_invariant_that_is_not_inductive_comes_with_two_states() -> None:
    """The first satisfies it, the second does not; the first need not be reachable, and here is not."""
    proof = prove(models.Evens, "Evens", properties=["never_seven"], depth=0)
    assert (proof.verdict, proof.exit_code) == ("open", 4)
    assert proof.trace is not None
    assert [s["count"] for s in proof.trace.states] == [5, 7]
    assert proof.trace.claim == INDUCTION


def test_a_second_invariant_makes_it_inductive() -> None:
    """Proved together with it, or with it assumed: even numbers never come to seven."""
    assert prove(models.Evens, "Evens", properties=["never_seven", "even"]).verdict == "proved"
    assumed = prove(models.Evens, "Evens", properties=["never_seven"], using=["even"])
    assert assumed.verdict == "proved"
    assert assumed.conditions == ("given that even hold",)


def test_longer_induction_proves_what_one_step_does_not() -> None:
    """From 5 on a run of different states has 3 and 1 before it, and nothing before 1: three good states in a row
    suffice."""
    proof = prove(models.Evens, "Evens", properties=["never_seven"], depth=4)
    assert proof.verdict == "proved"
    assert proof.depth > 1


def test_a_step_invariant_is_proved() -> None:
    """The count never falls."""
    assert prove(models.Evens, "Evens", properties=["rising"]).verdict == "proved"


def test_what_was_only_looked_for_up_to_a_depth_is_not_decided() -> None:
    """No violation within so many steps is no proof."""
    proof = prove(models.Evens, "Evens", depth=2, induction=False)
    assert (proof.verdict, proof.base, proof.exit_code) == ("bounded", 2, 4)


def test_no_step_leaves_a_state_that_a_constraint_cuts() -> None:
    """The error lies beyond the fence: neither the search nor the proof looks there."""
    assert check(models.Fenced, "Fenced", engine="interpreter").verdict == "holds"
    assert prove(models.Fenced, "Fenced", depth=6, induction=False).verdict == "bounded"


def test_a_property_that_might_fail_but_does_not_is_violated_by_its_value() -> None:
    """p2 comes: false, and no error."""
    proof = prove(models.Held, "Held", depth=2, induction=False)
    assert proof.trace is not None
    assert (proof.verdict, proof.trace.kind, len(proof.trace.steps)) == ("violated", "invariant", 1)


def test_no_time_decides_nothing() -> None:
    """A timeout is inconclusive, never success; and nothing is compared, which could take much longer."""
    proof = prove(models.Evens, "Evens", timeout=1e-9)
    assert (proof.verdict, proof.exit_code, proof.base, proof.validation) == ("timeout", 4, -1, None)


@pytest.mark.parametrize("vacuity", [0.0, 5.0])
def test_nothing_goes_on_once_the_time_is_over(vacuity: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes a hundredth of a second: the formulas of ISIS need thousands, and after the
    hundredth hardly another is taken."""
    looks = itertools.count()
    monkeypatch.setattr("checker.backends.smt.clock.time", SimpleNamespace(monotonic=lambda: next(looks) / 100))
    proof = prove(Isis, "isis", properties=["NoDuplication"], timeout=1.0, vacuity=vacuity)
    assert (proof.verdict, proof.exit_code) == ("timeout", 4)
    assert 100 <= next(looks) < 115
    assert proof.warnings == (
        ("not everything that could make this vacuous was looked at in the time left (--timeout)",) if vacuity else ()
    )


def test_a_proof_that_leaves_messages_out_is_not_decided() -> None:
    """With room for one message in flight the relation has no step that sends a second."""
    proof = prove(models.Talk, "Talk", network=1)
    assert (proof.verdict, proof.left_out, proof.exit_code) == ("proved", True, 4)
    assert "at most 1 message in flight on each network" in proof.conditions[0]


def test_a_property_that_follows_from_the_types_alone_is_named() -> None:
    """Proved, but hollow: a count of 0..9 is never negative."""
    assert prove(models.Hollow, "Hollow", properties=["not_negative"]).warnings == (
        "not_negative follows from the types alone: it says nothing about the protocol",
        "action jump is enabled in no state of the types",
        "action jump: 'count < 3' (line 92) is false in every state of the types in which it is asked: "
        "nothing passes it",
    )
    assert prove(models.Evens, "Evens", properties=["even"]).warnings == ()


def test_guards_and_rules_that_say_nothing_are_named() -> None:
    """A part of a guard that the one before implies, one that contradicts it, and a rule that is true wherever the
    count is."""
    assert prove(models.Idle, "Idle", properties=["never_seven"], depth=1).warnings == (
        "action up: 'count < 9' (line 106) is true in every state of the types in which it is asked: it guards nothing",
        "action down is enabled in no state of the types",
        "action down: 'count > 5' (line 113) is false in every state of the types in which it is asked: "
        "nothing passes it",
        "rule within is true in every state of the types, with these constants",
    )


def test_a_condition_that_no_short_run_meets_is_named() -> None:
    """Three steps lead to six and not to eight; four do."""
    assert prove(models.Late, "Late", depth=3, induction=False).warnings == (
        "the antecedent of late is not satisfied within 3 steps: no state has not (count != 8)",
    )
    assert prove(models.Late, "Late", depth=4, induction=False).warnings == ()


def test_without_time_nothing_is_called_hollow() -> None:
    """What was not looked for is not claimed."""
    assert prove(models.Hollow, "Hollow", properties=["not_negative"], vacuity=0).warnings == ()
    assert prove(models.Evens, "Evens", properties=["even"], vacuity=1e-6).warnings == (
        "not everything that could make this vacuous was looked at in 1e-06 s (--vacuity)",
    )


@pytest.mark.parametrize("cls", [lock.FirstOnly, lock.OneWorks, lock.Forgetful, models.Deaf])
def test_a_quiescent_state_that_violates_is_found_at_the_depth_of_the_search(cls: type[Model]) -> None:
    """Nothing is enabled there, for no parameter, message or choice: the interpreter confirms it."""
    constants = {"processes": 2}
    report = check(cls, cls.__name__, constants, engine="interpreter")
    name, steps = next(
        (p.name, p.steps) for p in report.properties if p.verdict == "violated" and p.kind == "quiescence"
    )
    proof = prove(cls, cls.__name__, constants, properties=[name], depth=6, induction=False)
    assert proof.trace is not None
    assert (proof.verdict, proof.trace.kind, len(proof.trace.steps), proof.exit_code) == (
        "violated",
        "quiescence",
        steps,
        1,
    )


@pytest.mark.parametrize("cls", [lock.Lock, models.Post])
def test_a_quiescence_property_that_holds_has_no_counterexample_in_runs(cls: type[Model]) -> None:
    """As far as the runs go that were looked at."""
    name = next(p.name for p in check(cls, cls.__name__, engine="interpreter").properties if p.kind == "quiescence")
    proof = prove(cls, cls.__name__, properties=[name], depth=6, induction=False)
    assert (proof.verdict, proof.base, proof.exit_code) == ("bounded", 6, 4)


def test_a_quiescence_property_is_proved_by_induction() -> None:
    """Whoever takes the lock can give it back, and whoever gives it lets the others take it: no step leads to a bad
    end."""
    proof = prove(lock.Lock, "Lock", properties=["everybody_worked"])
    assert (proof.verdict, proof.exit_code) == ("proved", 0)


def test_an_end_that_may_be_bad_from_a_state_that_is_not_reached_is_not_proved() -> None:
    """From a state in which nothing is in flight any more, the last message may have been lost: it need not be so in
    any run."""
    proof = prove(models.Post, "Post", properties=["both_heard"], depth=1)
    assert (proof.verdict, proof.exit_code) == ("open", 4)
    assert proof.trace is not None and proof.trace.claim == INDUCTION


def test_other_kinds_of_properties_are_refused() -> None:
    """What speaks of whole runs is no property of states; the message says what decides it."""
    with pytest.raises(UsageError, match="answered is of kind leads-to, which speaks of whole fair runs") as error:
        prove(models.Asked, "Asked", properties=["answered"])
    assert "`checker check` decides it" in str(error.value)
    with pytest.raises(UsageError, match="Lock has no property speed"):
        prove(lock.Lock, "Lock", properties=["speed"])


def test_the_command_prints_and_writes_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit codes 0, 1 and 4."""
    assert run(["prove", f"{FILE}:Turns", "--property", "exclusion", "--json", str(tmp_path / "p.json")]) == 0
    assert json.loads((tmp_path / "p.json").read_text())["verdict"] == "proved"
    assert run(["prove", f"{FILE}:TwoTurns", "--out", str(tmp_path / "out")]) == 1
    assert (tmp_path / "out" / "proof_models-TwoTurns-exclusion" / "trace.itf.json").exists()
    assert run(["prove", f"{FILE}:Evens", "--property", "never_seven", "--depth", "0"]) == 4
    printed = capsys.readouterr().out
    assert "PROVED  exclusion" in printed and "NOT DECIDED  never_seven" in printed
    proved, undecided = printed.split("NOT DECIDED")[0].split("proof_models.py:Evens", 1)
    assert "  next " not in proved and "  next       for these constants `checker check " in undecided
    assert "if no run leads to the first state shown" in undecided and "--assuming NAME" in undecided
