"""The earlier step at which a class that repairs the property takes another way."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.analysis.stored_trace import explained_again
from checker.language import Int, Map, Set, action, holds, invariant, require, rule, var, violates
from checker.language.model import Model
from checker.report.directory import stored
from checker.report.wording import guilty_line
from checker.trace.trace import Trace

GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"


class Guest(Enum):
    """Who comes."""

    g1 = 0
    g2 = 1


class Counter(Model):
    """Guests take numbers at a counter, and may be served: two with one number are served in 4 steps."""

    number = var(Map[Guest, Int(0, 2)], 0)
    served = var(Set[Guest])

    @rule
    def next_number(self) -> int:
        """What the next guest gets."""
        return 1

    @action(fair=False)
    def take(self, g: Guest) -> None:
        require(self.number[g] == 0)
        self.number[g] = self.next_number()

    @action(fair=False)
    def serve(self, g: Guest) -> None:
        require(self.number[g] > 0 and g not in self.served)
        self.served.add(g)

    @invariant
    def different(self) -> bool:
        """Guests who are served have different numbers."""
        return all(g == h or self.number[g] != self.number[h] for g in self.served for h in self.served)

    expect = violates("different")


class Counted(Counter):
    """REPAIR: the next number is one more."""

    @rule
    def next_number(self) -> int:
        return 1 + sum(1 for g in Guest if self.number[g] > 0)

    expect = holds()


class Till(Counter):
    """The same at a till, which nothing repairs."""

    @rule
    def next_number(self) -> int:
        return 2

    expect = violates("different")


def line(method: object, number: int = 2) -> str:
    return f"(test_other_path.py:{method.__code__.co_firstlineno + number})"  # type: ignore[attr-defined]


def run_of(cls: type[Model]) -> Trace:
    report = check(cls, f"{__file__}:{cls.__name__}", engine="interpreter", only=["different"])
    found = report.properties[0].trace
    assert found is not None
    return found


def test_the_step_that_the_repair_does_not_allow_is_named_with_both_values_of_its_rule() -> None:
    """The condition of the last step is right: the number was wrong since step 2."""
    run = run_of(Counter)
    was = f"next_number() is always 1 {line(Counter.next_number, 3)}"
    now = f"in Counted, where different holds, it is 2 {line(Counted.next_number)}: "
    assert run.settles.startswith(f"EARLIER, step 2, take(g2): {was}; {now}"), run.settles
    assert run.earlier == 2 and run.settled is None and 2 not in run.opposite and run.mended
    assert run.settles in guilty_line(run)


def test_a_repair_of_the_model_before_it_counts_too() -> None:
    """Till gives every guest the number 2."""
    run = run_of(Till)
    assert run.earlier == 1 and "in Counted, where different holds, it is 1 " in run.settles


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("isis/NoDuplication", "; in Recognized, where NoDuplication holds, it finds held[p1][m1.1] is none (isis.py:"),
        (
            "causal_broadcast/WholeHandler-NoDuplication",
            "; it finds retest is false (causal_broadcast.py:99) with retest = false (causal_broadcast.py:37); in "
            "Retested, where NoDuplication holds, it finds retest is true",
        ),
    ],
)
def test_what_the_repair_does_in_the_violating_step_is_said_behind_it(name: str, told: str) -> None:
    again = explained_again(stored(str(GALLERY / f"{name}.itf.json")))
    assert told in again.decides and told in guilty_line(again)


def test_in_the_settling_step_the_rule_is_its_condition() -> None:
    again = explained_again(stored(str(GALLERY / "byzantine_generals" / "ThreeByTable-integrity.itf.json")))
    head = (
        "SETTLED, step 2, ordered(p2, p1, w): sends Relay(v) to p3 (byzantine_generals.py:81), because sayable(p2, w) "
    )
    assert again.settles.startswith(f"{head}is {{v, w}} (byzantine_generals.py:") and again.settled == 2
    assert again.mended
    assert "; in ThreeSigned, where integrity holds, it is {none, w} (byzantine_generals.py:" in again.settles


def test_a_protocol_that_takes_its_steps_in_other_portions_names_no_earlier_step() -> None:
    """Retested serves what is received in the same step."""
    again = explained_again(stored(str(GALLERY / "causal_broadcast" / "NoDuplication.itf.json")))
    assert again.earlier is None and again.settled is None and "where NoDuplication holds" not in guilty_line(again)


@pytest.mark.parametrize("name", ["token_ring/CausalOrder", "token_ring/FifoOrder"])
def test_a_step_that_the_repair_rejects_is_named_rather_than_one_that_prepares_this(name: str) -> None:
    """Since step 2 the token counts its moves in the repair; there the old token of step 5 is thrown away."""
    again = explained_again(stored(str(GALLERY / f"{name}.itf.json")))
    head = "EARLIER, step 5, get(p2, p1, 0, 0): taken(p2, 1) is always true (token_ring.py:"
    assert again.earlier == 5 and again.settles.startswith(head)
    assert " holds, after the same steps it is false (token_ring.py:" in again.settles
    assert again.settles.endswith(": moves = 1 is not > moves[p2] = 1")
