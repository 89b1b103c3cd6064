"""Which limit ends a search between two batches, in every engine."""

from __future__ import annotations

import time

import pytest

from checker.search.limits import NO_LIMITS, Bound, Limits

OVER = time.perf_counter() - 10.0
EACH = Limits(max_states=5, max_memory=100, max_seconds=1.0, began=OVER)


@pytest.mark.parametrize(
    ("interrupted", "memory", "distinct", "bound"),
    [
        (True, 101, 5, "interrupted"),
        (False, 101, 5, "states"),
        (False, 101, 4, "memory"),
        (False, 100, 4, "seconds"),
        (False, 0, -1, "seconds"),
    ],
)
def test_ctrl_c_comes_first_then_states_memory_and_time(
    interrupted: bool, memory: int, distinct: int, bound: Bound
) -> None:
    """Of several limits one is named, the same in each engine; memory may be used up to its limit."""
    assert EACH.reached(interrupted, memory, distinct) == bound


def test_a_search_goes_on_within_its_limits() -> None:
    """And without limits, however far it is; states that are not counted here reach no limit, not even of none."""
    within = Limits(max_states=5, max_memory=100, max_seconds=3600.0).begun()
    assert within.reached(False, 100, 4) is None and NO_LIMITS.reached(False, 1 << 60, 1 << 60) is None
    assert Limits(max_states=0).reached(False) is None and Limits(max_states=0).reached(False, distinct=0) == "states"
