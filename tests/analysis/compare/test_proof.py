"""Configurations in which every step of base and edit is the same, known without a search: by the lowered models, and
by z3 for rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.analysis.compare import several
from checker.analysis.compare.comparison import compare
from checker.analysis.compare.pair import configured, silent
from checker.analysis.compare.proof import Proved, proofs
from checker.analysis.compare.several import compare_family
from checker.analysis.compare.side import Side
from checker.backends.smt.environment import ROUNDS
from checker.frontend.lower import lower
from checker.language import Int, Model, Network, Process, action, const, invariant, on, require, rule, var
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.errors import UsageError
from checker.report.compare.configurations import verdict_text
from checker.report.compare.data import family_data
from checker.report.compare.summary import summary
from checker.results.configurations import FamilyComparison
from tests.analysis.compare import counter, lock
from tests.analysis.compare.brute_force import Graph, TooLarge
from tests.analysis.compare.test_random_edits import GIVEN, written


def proved(base: type[Model], edit: type[Model], **given: object) -> Proved | None:
    """The proof with these constants."""
    return proofs([configured(Side(base, "a"), Side(edit, "b"), given)], 10.0, silent).get(0)


def family(edit: type[Model], *wanted: dict[str, object], **options: float) -> FamilyComparison:
    """The lock and an edit of it."""
    return compare_family(Side(lock.Lock, "a"), Side(edit, "b"), wanted, engine="interpreter", **options)


class Waiting(Distributed):
    """A process sends up to six messages, and a rule counts those in flight; another counts in a loop without a known
    end."""

    processes = const(2, "number of processes")
    net = var(Network[Process, Int(0, 6)])
    sent = var(Int(0, 6), 0)

    @action
    def send(self, p: Process):  # type: ignore[no-untyped-def]
        require(self.sent < 6 and self.quiet() and self.slow(self.sent) < 40)
        self.sent += 1
        self.net.send(p, p, self.sent)

    @on(net)
    def receive(self, p, q, n):  # type: ignore[no-untyped-def]
        pass

    @rule
    def quiet(self) -> bool:
        return True

    @rule
    def slow(self, n) -> Int(0, 40):  # type: ignore[no-untyped-def, valid-type]
        return 0


class Full(Waiting):
    """EDIT: nothing is sent while five are in flight."""

    @rule
    def quiet(self) -> bool:
        return len(self.net) < 5


class Slow(Waiting):
    """EDIT: forty is reached from six on, after more rounds than z3 looks at."""

    @rule
    def slow(self, n):  # type: ignore[no-untyped-def]
        most, k = 30 + n * 2, 0
        while k < most:
            k += 1
        return k if k >= 40 else 0


class Stepping(lock.Lock):
    """With a property of steps that asks the rule before a step."""

    @invariant
    def known(self) -> bool:
        return all(self.may_take(p) or p in self.done or self.holder is not None for p in self.Process)


class SteppingSame(Stepping):
    """EDIT: the same in other words."""

    @rule
    def may_take(self, p):  # type: ignore[no-untyped-def]
        return not (p in self.done or self.holder is not None)


class NeverMisspelt(lock.Lock):
    """EDIT: of nothing."""

    @rule
    def may_taek(self, p: lock.Lock.Process) -> bool:
        return True


def test_rules_of_equal_value_make_every_step_the_same() -> None:
    """The rules are named; a rule that differs somewhere, an edited action and one more property are no such edit."""
    found = proved(lock.Lock, lock.Same)
    assert found is not None and found.same == ("may_take",) and found.rules[0].proved_same
    assert proved(Stepping, SteppingSame) is not None
    for edit in (lock.NoGuard, lock.Cautious, lock.Unsafe, lock.Polite, lock.Watched, lock.Counted, lock.Open):
        assert proved(lock.Lock, edit) is None, edit
    assert proved(counter.Counter, counter.ForThree) is None


def test_models_that_differ_in_nothing_that_is_read_need_no_rules() -> None:
    """A misspelt rule, a repeated one, a rule that nothing calls, and the base beside itself."""
    for base, edit in ((lock.Lock, NeverMisspelt), (lock.Lock, lock.Repeated), (lock.Same, lock.Same)):
        assert proved(base, edit) == Proved((), ()), edit
    found = proved(counter.Counter, counter.OtherUnasked)
    assert found is not None and found.same == () and [rule.relation for rule in found.rules] == ["weaker"]


def test_what_z3_does_not_see_whole_proves_nothing() -> None:
    """A network with more messages than four, and a loop longer than it is unrolled: rules that z3 calls the same."""
    assert ROUNDS < 30
    for edit in (Full, Slow):
        sides = configured(Side(Waiting, "a"), Side(edit, "b"), {})
        found = compare(sides.before, sides.after, {}, step_seconds=0)
        assert [r.relation for r in found.rules if r.name in ("quiet", "slow")] == ["equivalent"]
        assert not any(r.proved_same for r in found.rules)
        assert proved(Waiting, edit) is None
        assert found.base.distinct != found.edit.distinct


def test_few_states_are_explored_and_every_form_has_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the default constants; the verdict counts all configurations."""
    monkeypatch.setattr(several, "FEW_INTERPRETED", 3)
    found = family(lock.Same, {"processes": 3}, {"processes": 4}, {})
    assert found.verdict == "same" and found.exit_code == 0 and found.place == 0
    assert [row.proved for row in found.looked] == [True, True, True]
    assert [row.states for row in found.looked] == [(3, 3), (0, 0), (0, 0)]
    assert verdict_text(found) == "in 3 configurations (every step is the same)"
    texts = {key: text for key, text, _ in summary(found.shown)}
    assert texts["changed"] == "rule may_take (the same in every state in all 3 configurations)"
    assert texts["proved"].startswith("in all 3 configurations every step of base and edit is the same")
    assert "may_take has the same value in every state of the types" in texts["proved"]
    assert texts["breaks"] == "nothing new: 2 properties are in common"
    assert texts["cost"] == "3 states, as before; no more were explored"
    assert not any("stopped" in text for text in found.shown.warnings) and found.shown.undecided == ()
    data = family_data(found)
    assert data["proof"]["rules"] == ["may_take"] and len(data["proof"]["configurations"]) == 3
    assert [row["proved"] for row in data["configurations"]] == [True] * 3


def test_without_the_time_for_rules_everything_is_explored() -> None:
    """`--rules 0`."""
    found = family(lock.Same, {"processes": 3}, {}, rule_seconds=0.0)
    assert [row.proved for row in found.looked] == [False, False] and found.shown.proof is None
    assert verdict_text(found) == "in 2 configurations (verdicts, outcomes, steps)"


class FirstTwo(lock.Lock):
    """EDIT: the third process takes the lock without looking."""

    @rule
    def may_take(self, p):  # type: ignore[no-untyped-def]
        return p not in self.done and p not in self.inside and (self.holder is None or p.index >= 2)


class FirstTwoBase(lock.Lock):
    """The same for two."""

    @rule
    def may_take(self, p):  # type: ignore[no-untyped-def]
        return p not in self.done and p not in self.inside and self.holder is None


def test_if_the_largest_configuration_is_not_proved_all_are_explored() -> None:
    """The edit is the same with two processes alone; nothing is said to be the same that was not looked at."""
    sides = Side(FirstTwoBase, "a"), Side(FirstTwo, "b")
    found = compare_family(*sides, [{"processes": 2}, {"processes": 3}], engine="interpreter")
    assert found.verdict == "broken" and [row.proved for row in found.looked] == [False, False]
    assert proved(FirstTwoBase, FirstTwo, processes=2) is not None


def test_configurations_without_a_proof_are_explored_beside_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when z3 has too little time for one."""
    order = []

    def some(wanted, seconds, announce):  # type: ignore[no-untyped-def]
        order.extend(wanted)
        return {1: proofs([wanted[1]], seconds, announce)[0]}

    monkeypatch.setattr(several, "proofs", some)
    found = family(lock.Same, {"processes": 2}, {"processes": 3})
    assert [(row.given["processes"], row.proved) for row in found.looked] == [(2, False), (3, True)]
    assert found.place == 0 and found.shown.proof is None
    assert verdict_text(found) == ("in 2 configurations (in 1 every step is the same, verdicts, outcomes, steps)")


def same_by_search(seed: int, folder: Path) -> bool:
    """Whether a random edit is proved to have the same steps; two searches of the interpreter find no difference."""
    module, text = written(seed, folder)
    sides = (module.Edit, module.Base) if seed % 2 else (module.Base, module.Edit)
    given = GIVEN[seed % len(GIVEN)]
    try:
        for cls in sides:
            lower(define(cls, given))
            Graph(define(cls, given, []), 60)
    except (UsageError, TooLarge):
        return False
    if proved(*sides, **given) is None:
        return False
    found = compare(
        *(Side(cls, "one") for cls in sides),
        given,
        engine="interpreter",
        event_seconds=20,
        step_seconds=20,
        rule_seconds=0,
    )
    assert found.verdict == "same", text
    assert (found.base.distinct, found.base.transitions) == (found.edit.distinct, found.edit.transitions), text
    return True


def test_random_edits_with_a_proof_differ_in_nothing(tmp_path: Path) -> None:
    """By rules (32), and because nothing is read (6, 9)."""
    assert all([same_by_search(seed, tmp_path) for seed in (6, 9, 32)])


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2000, 2400, 20))
def test_many_random_edits_with_a_proof_differ_in_nothing(seed: int, tmp_path: Path) -> None:
    """Twenty at a time."""
    for number in range(seed, seed + 20):
        same_by_search(number, tmp_path)
