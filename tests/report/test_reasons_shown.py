"""Which of the reasons "why not" stand above a diagram: one reason is not said twice."""

from __future__ import annotations

from attrs import evolve

from checker.report.wording import shown_blocked
from checker.trace.reasons import Reason
from checker.trace.trace import Step, Trace

IDLE = Reason("nothing in flight to p2 for: receive", "idle")
FIRST, SECOND, THIRD = (
    Reason(f"p{n} crashes at step {n} (model.py:{n}) before it sends to p2", "crash", (n,)) for n in (1, 2, 3)
)


def shown(*blocked: str, cause: int = 0, decides: str = "") -> tuple[str, ...]:
    """The reasons shown for a run of three steps, one of them the CAUSE."""
    steps = [Step(n, "send", {}, f"p{n}", cause=n == cause) for n in (1, 2, 3)]
    trace = Trace(model="m", property="P", kind="quiescence", states=[{}] * 4, steps=steps)
    return shown_blocked(evolve(trace, blocked=blocked, decides=decides))


def test_nothing_in_flight_is_shown_where_no_other_reason_is() -> None:
    """A message that was lost or not sent is the reason why nothing is in flight."""
    assert shown(IDLE) == (IDLE,)
    assert shown(IDLE, FIRST) == (FIRST,)
    assert shown(IDLE, FIRST, SECOND, THIRD) == (FIRST, SECOND)
    assert shown(IDLE, decides=FIRST) == ()


def test_a_reason_at_the_step_of_the_cause_stands_alone() -> None:
    """What happens without the edit too does not compete with it."""
    assert shown(IDLE, FIRST, SECOND, cause=2) == (SECOND,)
    assert shown(IDLE, FIRST, SECOND, cause=3) == (FIRST, SECOND)
