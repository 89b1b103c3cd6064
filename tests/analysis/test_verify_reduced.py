"""`checker verify --reduce`: the same expectations are met, and what needs the full graph is searched in full."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from checker.analysis.verify import verify_one
from checker.catalogue import find
from checker.language import Int, Model, action, invariant, var
from checker.language.expectation import Expectation
from checker.results.verified import COUNTING, IRREDUCIBLE, VIOLATING, Case
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
SMALL = {"workload": (1, 1)}
WITH_CRASH = {"workload": (1, 1), "crashes": 1}


@pytest.mark.parametrize(
    ("reference", "expectation", "reason"),
    [
        ("isis", Expectation((), SMALL), ""),
        ("isis", Expectation((), WITH_CRASH, only=("TotalOrder",)), ""),
        ("isis", Expectation((), {"workload": (1, 0), "losses": 1}, only=("TotalOrder",)), ""),
        ("isis", Expectation((), {"workload": (1, 0), "duplicates": 1}, only=("TotalOrder",)), ""),
        ("isis", Expectation((), SMALL, distinct=5), COUNTING),
        ("isis:NoTieBreak", Expectation(("TotalOrder",), SMALL, steps=3), VIOLATING),
        ("isis:NoTieBreak", Expectation((), SMALL), VIOLATING),
        ("isis:NoTieBreak", Expectation((), SMALL, only=("NoDuplication",)), ""),
        ("reliable_multicast", Expectation((), SMALL), ""),
    ],
)
def test_what_is_met_is_met_without(reference: str, expectation: Expectation, reason: str) -> None:
    """Each property has the verdict and the steps of a full search, and each difference the same words."""
    entry = find(reference)
    case = Case(reference, entry.cls, entry.file, expectation)
    full, reduced = (verify_one(case, traces=False, reduce=r) for r in (False, True))
    assert (full.mismatches, full.undecided, full.exit_code) == (
        reduced.mismatches,
        reduced.undecided,
        reduced.exit_code,
    )
    assert full.report is not None and reduced.report is not None
    assert full.report.properties == reduced.report.properties
    assert (reduced.in_full, full.in_full) == (reason, "")
    assert bool(reduced.report.reduced) == (not reason)
    if reason:
        assert reduced.report.distinct == full.report.distinct


class Turning(Model):
    """A number that goes round for ever."""

    n = var(Int(0, 2), 0)

    @action
    def go(self):
        self.n = (self.n + 1) % 3

    @invariant
    def small(self) -> bool:
        return self.n <= 2


def test_a_search_that_cannot_be_reduced_is_made_in_full() -> None:
    """The reduced graph has a cycle."""
    case = Case("turning", Turning, Path(__file__), Expectation((), {}))
    found = verify_one(case, traces=False, reduce=True)
    assert found.met and found.in_full == IRREDUCIBLE and found.report is not None and not found.report.reduced


def test_the_summary_says_how_many_were_searched_in_full(checker: Checker) -> None:
    """Of one model; without the option nothing of it is said."""
    ran = checker("verify", "basic_multicast:BasicMulticast", "--reduce", "--jobs", "1")
    assert ran.code == 0
    assert " in a reduced graph" in ran.out and " in full, since " in ran.out
    assert "reduced" not in checker("verify", "basic_multicast:BasicMulticast", "--jobs", "1").out


@pytest.mark.parametrize("option", [("--strict",), ("--max-depth", "3")], ids=lambda o: o[0])
def test_what_asks_about_every_state_is_refused(checker: Checker, option: tuple[str, ...]) -> None:
    ran = checker("verify", "isis", "--reduce", *option)
    assert ran.code == 2 and option[0] in ran.err
