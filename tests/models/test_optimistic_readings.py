"""Facts of optimistic atomic multicast that a verdict does not show: how long a window is, and what an empty message is
for."""

import pytest

from checker.analysis.check import check
from checker.models.optimistic_delivery import LATE, OptimisticDelivery
from checker.models.optimistic_delivery import ShortWindow as ShortWindowRaised
from checker.models.optimistic_multicast_2 import GROUP, AtLeast, LooseBarrier, OptimisticMulticast2
from checker.models.optimistic_multicast_3 import Proposed, Repaired
from checker.models.stale_discard import StaleDiscard
from checker.properties.optimistic import TimestampsKept

DRAINED = {"delivery": "drained"}  # fewer states for the interpreter
SMALL = [
    pytest.param(OptimisticMulticast2, DRAINED, marks=pytest.mark.thorough),
    (Repaired, DRAINED),
    pytest.param(OptimisticDelivery, LATE, marks=pytest.mark.thorough),
]


@pytest.mark.parametrize(("cls", "constants"), SMALL)
def test_both_engines_agree(cls: type, constants: dict[str, object]) -> None:
    """Distinct states, transitions and verdicts of the compiled search are those of the interpreter."""
    native, meaning = (
        check(cls, "", constants, engine=e, traces=False, stop_at_first=False) for e in ("native", "interpreter")
    )
    assert (native.distinct, native.transitions) == (meaning.distinct, meaning.transitions)
    assert {(p.name, p.verdict) for p in native.properties} == {(p.name, p.verdict) for p in meaning.properties}


@pytest.mark.parametrize("constants", [{}, GROUP])
def test_a_loose_barrier_needs_fewer_empty_messages(constants: dict[str, object]) -> None:
    """With <= in line 31 a run needs fewer steps until everything is delivered."""
    strict, loose = (check(c, "", constants, traces=False) for c in (AtLeast, LooseBarrier))
    assert strict.depth is not None and loose.depth is not None
    assert loose.depth < strict.depth


def test_discarding_keeps_the_first_timestamps() -> None:
    """Raised timestamps and discarded messages differ: after discarding, the order is that of the first timestamps,
    whatever the delays."""

    def kept(cls: type) -> str:
        result = check(cls, "", LATE, traces=False, stop_at_first=False)
        return next(p.verdict for p in result.properties if p.name == TimestampsKept.__name__)

    assert kept(OptimisticDelivery) == "violated"
    assert kept(StaleDiscard) == "holds"


def test_the_window_of_the_text_is_the_shortest() -> None:
    """One unit less lets a timestamp be raised."""
    assert all(
        p.verdict == "holds" for p in check(OptimisticDelivery, "", {}, traces=False, stop_at_first=False).properties
    )
    assert any(
        p.verdict == "violated" for p in check(ShortWindowRaised, "", {}, traces=False, stop_at_first=False).properties
    )


def test_proposing_the_empty_messages_is_not_enough() -> None:
    """Algorithm 3 with line 20 repaired alone still ends without delivering."""
    result = check(Proposed, "", {}, traces=False, stop_at_first=False)
    assert next(p.verdict for p in result.properties if p.name == "Termination") == "violated"
