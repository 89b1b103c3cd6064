"""Where something that should happen does not, `check` looks for branches that are never executed, unasked."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.vacuity import unasked

EATER = """
from checker.language import Bool, Int, Model, action, const, invariant, quiescent, require, rule, var


class Eater(Model):
    \'\'\'Eats what it gets; a condition that is never true keeps it from being full.\'\'\'

    enough = const(5)
    n = var(Int(0, 6), 0)
    full = var(Bool, False)
    gone = var(Bool, False)

    @action
    def eat(self):
        require(self.n < 5 and not self.gone)
        self.n += 1
        if self.is_enough():
            self.full = True

    @action
    def go(self):
        require(self.n == 0 and not self.gone and self.leaves)
        self.gone = True

    leaves = const(False)

    @rule
    def is_enough(self) -> bool:
        return self.n > self.enough

    @quiescent
    def is_full(self) -> bool:
        return self.full

    @invariant
    def little(self) -> bool:
        return self.n < 5
"""
ALONE = ("--property", "is_full")


def never(checker: Any, *options: str) -> list[str]:
    """The branches that a check of the eater reports."""
    ran = checker("check", "eater.py", *options)
    assert ran.code in (0, 1), ran.err
    return [line for line in ran.out.splitlines() if "[never-executed]" in line]


def test_a_condition_that_is_never_true_stands_before_the_guard_that_is_false(write: Any, checker: Any) -> None:
    """With its line; not if nothing is missing, and not if the condition is true once."""
    write("eater.py", EATER)
    ran = checker("check", "eater.py", *ALONE)
    at = ran.out.index("'is_enough()' is never true")
    assert ran.code == 1 and "eat (eater.py:17)" in ran.out and at < ran.out.index("is_full violated")
    assert never(checker, *ALONE, "-D", "enough=1") == [] == never(checker, "--property", "little")


def test_what_happens_beyond_the_violation_is_executed(write: Any, checker: Any) -> None:
    """The search ends after one step, when the eater has gone; the condition is true after four more."""
    write("eater.py", EATER)
    assert never(checker, *ALONE, "-D", "leaves=true", "-D", "enough=4") == []
    assert len(never(checker, *ALONE, "-D", "leaves=true")) == 1


def test_a_large_graph_is_left_alone(write: Any, checker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not known of all states is not said."""
    write("eater.py", EATER)
    monkeypatch.setattr(unasked, "SMALL_GRAPH", 2)
    assert never(checker, *ALONE) == []


def test_what_holds_names_what_never_happened(write: Any, checker: Any) -> None:
    """A handler that never does anything breaks no invariant; the last line names it, and the exit code stays 0."""
    sober = EATER.replace("self.n < 5\n", "self.n < 7\n").replace("require(self.n < 7", "require(self.n < 5")
    write("eater.py", sober)
    ran = checker("check", "eater.py", "--property", "little")
    assert ran.code == 0
    *_, warning, last = ran.out.splitlines()
    assert warning.startswith("  warning    eat (eater.py:17): 'is_enough()' is never true")
    assert last.startswith(
        "HOLDS, but go was never enabled, eat (eater.py:17): 'is_enough()' is never true; everything"
    )
    healthy = checker("check", "eater.py", "--property", "little", "-D", "enough=1", "-D", "leaves=true")
    assert healthy.out.splitlines()[-1].startswith("HOLDS  everything reachable")


def test_a_branch_that_a_fault_may_execute_is_claimed_only_after_a_search(
    write: Any, checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relay that answers a duplicate does so with duplicates=1; where that search is too long, nothing is claimed."""
    write("relay.py", RELAY)
    assert never_in(checker, "relay.py") == []
    write("deaf.py", RELAY.replace("self.seen > 0", "self.seen > 5"))
    assert len(never_in(checker, "deaf.py")) == 1
    monkeypatch.setattr(unasked, "SMALL_WITH_FAULT", 1)
    assert never_in(checker, "deaf.py") == []


def never_in(checker: Any, name: str) -> list[str]:
    """The branches that a check of a model reports, which holds."""
    ran = checker("check", name)
    assert ran.code == 0, ran.err
    return [line for line in ran.out.splitlines() if "[never-executed]" in line]


def test_verify_counts_the_actions_that_no_expectation_enables(write: Any, checker: Any) -> None:
    """One expectation that enables an action suffices, and so does a search that saw only a part."""
    sober = EATER.replace("self.n < 5\n", "self.n < 7\n").replace("require(self.n < 7", "require(self.n < 5")
    text = sober.replace("invariant, quiescent", "holds, invariant, quiescent")
    idle = "1 action never enabled in any expectation of the model: go (eater.py)"
    little = 'only=("little",)'
    write("eater.py", f"{text}\n    expect = holds({little})\n")
    assert idle in checker("verify", "eater.py").out.splitlines()
    write("both.py", f"{text}\n    expect = holds({little}), holds({little}, at={{'leaves': True}})\n")
    ran = checker("verify", "both.py")
    assert ran.code == 0 and "never enabled" not in ran.out
    assert "never enabled" not in checker("verify", "eater.py", "--max-depth", "1").out


RELAY = """
from checker.language import Bool, Distributed, Int, Network, Process, Record
from checker.language import action, const, invariant, on, require, var


class Relay(Distributed):
    \'\'\'p1 sends one message; who receives it twice notes that.\'\'\'

    processes = const(2)
    Note = Record(number=Int(0, 1))
    net = var(Network[Process, Note])
    sent = var(Bool)
    seen = var(Int(0, 6), 0)
    twice = var(Bool)

    @action
    def start(self, p: Process):
        require(not self.sent and p == self.Process[0])
        self.sent = True
        self.net.send(p, self.Process[1], self.Note(1))

    @on(net)
    def receive(self, p, q, note):
        if self.seen > 0:
            self.twice = True
        self.seen += 1

    @invariant
    def few(self) -> bool:
        return self.seen < 4
"""
