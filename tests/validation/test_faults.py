"""Every fault made on purpose in the lowered model ends a search without a verdict, and the model without a fault has
one."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.models.two_phase_commit import TwoPhaseCommit
from checker.analysis.check import check, examine
from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.kernel import NativeKernel, compile_model
from checker.engines import native
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.language import Int, Model, action, invariant, require, var
from checker.language.define import define
from checker.replay.disagreement import Disagreement
from checker.search.breadth_first import search
from checker.search.improving import Improvement
from checker.validation import lowered, sample
from checker.validation.lowered import validated_lowering
from tests.validation.faults import FAULTS, Fault, in_action, other_constant, predicate_is, without_guard
from tests.validation.jobs import Jobs, WholeRuns

pytestmark = pytest.mark.usefixtures("whole_sample")


class Rare(Jobs):
    """With an action that very few states enable."""

    @action
    def rarely(self):
        require(
            self.urgent
            and self.done == self.most - 1
            and len(self.waiting) == 4
            and self.waiting == self.Client - {self.Client[1], self.Client[3], self.Client[4], self.Client[7]}
        )
        require(self.last is None)
        self.waiting.clear()
        self.last = self.Client[0]


each_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))


def broken(monkeypatch: pytest.MonkeyPatch, fault: Fault) -> None:
    """From here on models are lowered with this fault."""
    monkeypatch.setattr(native, "lower", lambda *args, **options: fault(lower(*args, **options)))


def test_the_model_itself_is_confirmed_in_every_state() -> None:
    """All states of a small search, all steps, all properties."""
    report = check(Jobs, "jobs")
    assert report.verdict == "holds" and report.cut > 0 and report.quiescent > 0
    assert report.validation is not None
    assert (report.validation.states, report.validation.of, report.validation.steps) == (
        report.distinct,
        report.distinct,
        report.transitions,
    )
    assert (
        report.validation.initial,
        report.validation.properties,
        report.validation.actions_not_taken,
        report.validation.ended_by_clock,
    ) == (2, 4, (), False)


@each_fault
def test_a_search_with_a_fault_has_no_verdict(monkeypatch: pytest.MonkeyPatch, fault: Fault) -> None:
    """Whatever the compiled engine would say, violated or not."""
    broken(monkeypatch, fault)
    with pytest.raises(Disagreement):
        check(Jobs, "jobs", stop_at_first=False)


@pytest.mark.parametrize("wrong", ["before", "after"])
def test_both_codes_of_a_search_are_compared(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    """A search that changes over to other code is confirmed in both: a fault in one of them alone ends it."""
    right = compile_model(lower(define(Jobs)), cache=False)
    faulty = compile_model(in_action("serve", other_constant)(right.model), cache=False)
    first, second = (faulty, right) if wrong == "before" else (right, faulty)

    def ready(improvement: Improvement, lasted: float) -> bool:
        improvement._work()
        return True

    monkeypatch.setattr(Improvement, "ready", ready)
    monkeypatch.setattr(native, "improvement", lambda kernel: Improvement(lambda: second))
    result = search(first, improvement=native.improvement(first))
    assert result.sources == (first, second)
    with pytest.raises(Disagreement):
        native.explored(Request(define(Jobs)), result)


@each_fault
def test_a_lowered_model_with_a_fault_proves_nothing(fault: Fault) -> None:
    """What z3 is given is compared with the interpreter."""
    definition = define(Jobs, {})
    model = lower(definition, any_state=True)
    assert validated_lowering(definition, model).states > 20
    with pytest.raises(Disagreement):
        validated_lowering(definition, fault(model))


class Wide(Model):
    """Five thousand steps out of each state."""

    n = var(Int(0, 4999), 0)

    @action
    def up(self, by: Int(0, 4999)):
        self.n = (self.n + by) % 5000

    @invariant
    def low(self):
        return self.n < 5000


def test_a_state_with_many_steps_is_followed_by_some_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compared are all steps of three states; to find these three the interpreter executes few others."""
    executed, definition = [0], define(Wide, {})
    execute = Interpreter._execute

    def counted(*arguments: Any) -> Any:
        executed[0] += 1
        return execute(*arguments)

    monkeypatch.setattr(Interpreter, "_execute", counted)
    monkeypatch.setattr(lowered, "LEAST", 3)
    monkeypatch.setattr(lowered, "ALLOWANCE", 0)
    found = validated_lowering(definition, lower(definition, any_state=True))
    assert (found.states, found.steps) == (3, 15_000)
    assert found.steps < executed[0] <= found.steps + 2 * lowered.FOLLOWED


@pytest.mark.parametrize("when", [True, False], ids=["when", "then"])
@pytest.mark.parametrize("value", [True, False])
def test_a_predicate_of_whole_runs_with_a_fault_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, when: bool, value: bool
) -> None:
    """The kernel of labelled steps is compiled apart, so it is compared apart."""
    broken(monkeypatch, predicate_is(when, value))
    with pytest.raises(Disagreement, match="predicates of leads-to"):
        check(WholeRuns, "jobs:WholeRuns")


def test_whole_runs_are_confirmed() -> None:
    """The extent names the states whose labelled steps were compared."""
    report = check(WholeRuns, "jobs:WholeRuns")
    assert report.verdict == "holds"
    assert report.validation is not None and report.validation.whole_runs == report.distinct


def test_states_that_stand_for_others_are_compared_up_to_permutation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The successors of both sides are represented before they are compared; a fault is found there too."""
    constants = {"managers": 4, "symmetry": True}
    report = check(TwoPhaseCommit, "two_phase_commit", constants)
    assert report.merged and report.validation is not None and report.validation.states > 50
    broken(monkeypatch, in_action("rm_choose_to_abort", without_guard))
    with pytest.raises(Disagreement):
        check(TwoPhaseCommit, "two_phase_commit", constants)


def test_a_wrong_representative_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where compiled code would take another state of the class than the one that stands for it."""
    monkeypatch.setattr(NativeKernel, "canonical", lambda self, states: states)
    with pytest.raises(Disagreement):
        check(TwoPhaseCommit, "two_phase_commit", {"managers": 3, "symmetry": True})


def test_a_difference_shows_both_answers_and_what_they_are_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Model, file, constants, state, and what each side has; and that it is to be reported."""
    broken(monkeypatch, in_action("ask", without_guard))
    with pytest.raises(Disagreement) as found:
        check(Jobs, "jobs", {"clients": 1})
    text = str(found.value)
    for part in (
        "Jobs of ",
        "jobs.py",
        "clients=1 most=3",
        "waiting={c1}",
        "interpreter",
        "compiled code",
        "number 1 of",
    ):
        assert part in text, text
    assert "report" in found.value.remedy


@pytest.mark.parametrize("threads", [1, 3])
def test_the_sample_is_the_same_in_every_run(threads: int) -> None:
    """Whatever the threads."""
    found = [
        examine(Jobs, "jobs", {"clients": 8, "most": 7}, threads=n, traces=False).report.validation
        for n in (1, threads)
    ]
    assert found[0] == found[1] and found[0] is not None and 20 < found[0].states < found[0].of


def test_a_rare_action_is_in_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action that one state in thousands enables is looked for where the search first took it, so a fault in it is
    found."""
    constants: dict[str, Any] = {"clients": 8, "most": 7}
    report = check(Rare, "jobs", constants)
    assert (
        report.validation is not None
        and report.validation.actions_not_taken == ()
        and report.validation.states < report.distinct
    )
    rare = next(a for a in report.actions if a.name == "rarely")
    assert 0 < rare.enabled * 300 < report.distinct
    with monkeypatch.context() as unaided:
        unaided.setattr(sample, "_rare", lambda *_: [])
        found = check(Rare, "jobs", constants).validation
        assert found is not None and found.actions_not_taken == ("rarely",) and "rarely" in found.text()
    broken(monkeypatch, in_action("rarely", lambda body: body[:-1]))
    with pytest.raises(Disagreement):
        check(Rare, "jobs", constants)


def test_the_clock_ends_a_comparison_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the interpreter is slow beyond expectation."""
    from checker.validation import validation

    monkeypatch.setattr(validation, "SECONDS", 0.0)
    monkeypatch.setattr(validation, "SHARE", 0.0)
    report = check(Jobs, "jobs")
    assert report.validation is not None and report.validation.ended_by_clock
    assert report.validation.states >= 1 and "ended by the clock" in report.validation.text()
