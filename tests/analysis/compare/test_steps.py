"""Steps compared one by one: where two protocols part, and when one refines the other."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check
from checker.analysis.compare.side import Side
from checker.analysis.compare.steps import step_difference
from checker.language.model import Model
from checker.models.basic_multicast import Acknowledged, AcknowledgeOnce
from checker.models.fifo_multicast import FifoMulticast
from checker.models.isis import CountProposals, Isis, NoTieBreak, ServeOnce
from checker.report.compare.steps import step_lines
from checker.report.lines import plain
from checker.results.comparison import StepDifference
from tests.analysis.compare import lock


def steps(
    before: type[Model], after: type[Model], seconds: float = 30.0, engine: str = "interpreter", **constants: Any
) -> StepDifference:
    """The comparison of two models with the same variables."""
    sides = Side(before, before.__name__, constants), Side(after, after.__name__, constants)
    found = step_difference(*sides, seconds, engine)
    assert found is not None
    return found


def calls(found: StepDifference) -> tuple[list[str], list[str]]:
    """Actions of the two runs on which the models part."""
    return tuple([s.action for s in trace.steps] if trace else [] for trace in (found.added, found.removed))  # type: ignore[return-value]


def test_protocols_that_do_the_same_share_every_step() -> None:
    """All states of the one are those of the other."""
    found = steps(lock.Lock, lock.Same)
    assert (found.added, found.removed, found.complete) == (None, None, True)
    assert found.states == check(lock.Lock, "Lock", engine="interpreter").distinct


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


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_a_step_that_leads_elsewhere_is_one_that_both_can_take(engine: str) -> None:
    """Both give the lock back; only what is noted of it differs."""
    added, first = (cls.give.__code__.co_firstlineno for cls in (lock.TakenBack, lock.Lock))
    why = (
        f"give(p1) does nothing more after it sets holder to none (lock.py:{added + 4}); "
        f"before the edit it does done.add(p1) (lock.py:{first + 5})"
    )
    found = steps(lock.Lock, lock.TakenBack, engine=engine)
    assert [plain(line) for line in step_lines(found)] == [
        (
            f"{sign} both can take give(p1), after a run of 1 step that both can take, and no fewer, but in the "
            f"{side} it leads to another state{note}"
        )
        for sign, side, note in (("+", "edit", f": {why}; after this step in Lock done is {{p1}}"), ("-", "base", ""))
    ]
    assert found.elsewhere == (True, True) and steps(lock.Lock, lock.FirstOnly, engine=engine).elsewhere == (
        False,
        False,
    )


@pytest.mark.parametrize("edit", [lock.Counted, lock.Stranger])
def test_models_with_other_variables_are_not_compared_step_by_step(edit: type[Model]) -> None:
    """A state of the one is none of the other."""
    assert step_difference(Side(lock.Lock, "a"), Side(edit, "b"), 1.0) is None


@pytest.mark.parametrize(
    ("before", "after", "constants"),
    [
        *(
            (lock.Lock, edit, {})
            for edit in (lock.Same, lock.FirstOnly, lock.NoGuard, lock.OneWorks, lock.Forgetful, lock.Open)
        ),
        (Isis, ServeOnce, {"workload": (1, 1)}),
        (Isis, NoTieBreak, {"workload": (1, 1)}),
        (Isis, CountProposals, {"workload": (1, 1)}),
        (FifoMulticast, FifoMulticast, {"workload": (2, 0), "losses": 1}),
        (Acknowledged, AcknowledgeOnce, {"workload": (1, 0), "crashes": 1}),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_compiled_code_and_the_interpreters_part_at_the_same_step(
    before: type[Model], after: type[Model], constants: dict[str, Any], turned: bool
) -> None:
    """As many common states, and runs of the same length on which they part, with networks, choices, crashes and
    losses."""
    pair = (after, before) if turned else (before, after)
    native, interpreted = (
        steps(*pair, engine=engine, seconds=120, **constants) for engine in ("native", "interpreter")
    )
    assert (native.complete, [len(c) for c in calls(native)]) == (
        interpreted.complete,
        [len(c) for c in calls(interpreted)],
    )
    assert (native.states == interpreted.states) or not native.complete


def test_a_large_difference_is_found_far_from_the_start() -> None:
    """The tie decides at the fifteenth step, among thousands of common states."""
    found = steps(Isis, NoTieBreak, engine="native", seconds=60, workload=(1, 1, 0))
    assert found.added is not None and found.states > 2000
    assert [s.number for s in found.added.steps if s.cause] == [len(found.added.steps)]


def test_without_time_nothing_is_claimed() -> None:
    """Stopped at once, the comparison is not complete."""
    assert not steps(lock.Lock, lock.Same, 0.0).complete
