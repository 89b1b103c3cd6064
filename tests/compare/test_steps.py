"""Steps compared one by one: where two protocols part, and when one refines the other."""

from __future__ import annotations

import pytest

from checker.check import check
from checker.compare.steps import StepDifference, step_difference
from checker.language.model import Model
from tests.compare import lock


def steps(before: type[Model], after: type[Model], seconds: float = 30.0) -> StepDifference:
    """The comparison of two models with the same variables."""
    found = step_difference(before, after, ({}, {}), (before.__name__, after.__name__), seconds)
    assert found is not None
    return found


def calls(found: StepDifference) -> tuple[list[str], list[str]]:
    """Actions of the two runs on which the models part."""
    return tuple([s.action for s in trace.steps] if trace else [] for trace in (found.added, found.removed))  # type: ignore[return-value]


def test_protocols_that_do_the_same_share_every_step() -> None:
    """All states of the one are those of the other."""
    found = steps(lock.Lock, lock.Same)
    assert (found.added, found.removed, found.complete) == (None, None, True)
    assert found.looked == check(lock.Lock, "Lock", engine="interpreter").distinct


def test_an_edit_that_only_forbids_refines_the_base() -> None:
    """Each run with p1 alone is a run of the lock; not the other way round."""
    found = steps(lock.Lock, lock.FirstOnly)
    assert found.complete and found.added is None
    assert calls(found) == ([], ["take"])


def test_the_shortest_run_on_which_they_part_ends_in_the_step_of_one_side() -> None:
    """The second take; the base's own steps stay allowed, so nothing is lost."""
    found = steps(lock.Lock, lock.NoGuard)
    assert calls(found) == (["take", "take"], [])
    assert found.added is not None and [s.number for s in found.added.steps if s.cause] == [2]


@pytest.mark.parametrize("edit", [lock.Counted, lock.Stranger])
def test_models_with_other_variables_are_not_compared_step_by_step(edit: type[Model]) -> None:
    """A state of the one is none of the other."""
    assert step_difference(lock.Lock, edit, ({}, {}), ("a", "b"), 1.0) is None


def test_without_time_nothing_is_claimed() -> None:
    """Stopped at once, the comparison is not complete."""
    assert not steps(lock.Lock, lock.Same, 0.0).complete
