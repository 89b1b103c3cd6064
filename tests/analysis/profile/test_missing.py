"""What the advice of an undecided search says first: the reduction, and how many states are missing."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

from checker.analysis.profile.profile import missing_states
from checker.results.profile import Profile

ROWS = [(20, 12), (20, 16), (30, 18), (12, 9)]


@pytest.mark.parametrize(("n", "known"), ROWS)
def test_levels_that_rise_and_fall_like_a_bell_are_continued(n: int, known: int) -> None:
    """Binomial coefficients: the estimate is at most twice or half of what is left."""
    levels = [comb(n, k) for k in range(n + 1)]
    begun = levels[known] // 2
    left = sum(levels[known:]) - begun
    found = missing_states(levels[:known], begun)
    assert found is not None and left / 2 <= found <= left * 2, (found, left)


def test_levels_that_do_not_shrink_are_continued_by_nobody() -> None:
    """Nor are too few of them; a steady rate is a geometric series."""
    assert missing_states([1, 2, 4, 8, 16], 3) is None
    assert missing_states([16, 16, 16, 16, 16], 3) is None
    assert missing_states([8, 4, 2], 0) is None
    assert missing_states([800, 400, 200, 100], 20) == 79


def made(**fields: Any) -> str:
    return Profile((1,), None, 1, False, (), (), **fields).advice


def test_the_advice_names_the_reduction_and_what_is_missing_before_constants() -> None:
    """Each where it applies."""
    constants = "no constant that could be lowered by one makes a difference"
    assert made() == constants
    assert made(reducible=True).startswith("add --reduce, which leaves out") and made(reducible=True).endswith(
        constants
    )
    assert made(missing=1300) == (
        f"a higher limit may suffice: if the levels go on to shrink, about 1,300 states are left; {constants}"
    )


@pytest.mark.parametrize(
    ("options", "advised"),
    [((), True), (("--all",), False), (("--reduce",), False), (("--engine", "interpreter"), False)],
)
def test_the_reduction_is_advised_where_it_applies(checker: Any, options: tuple[str, ...], advised: bool) -> None:
    """Not to a search that goes on after a violation, that is reduced, or by another engine."""
    ran = checker("check", "causal_vector_clock", "--max-states", "20", *options, "--json", "-")
    assert ran.code == 4 and ("add --reduce" in ran.json()["profile"]["advice"]) is advised
