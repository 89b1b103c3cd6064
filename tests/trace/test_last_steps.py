"""The last step of a trace, and the events that a model names on the way."""

from __future__ import annotations

from checker.check import check
from checker.language import Ids, Int, Model, action, constraint, invariant, var
from checker.trace.events import Emit


class Climbs(Model):
    """The state that breaks the invariant is beyond the constraint, and a step before it stays within."""

    P = Ids("p", 2)
    n = var(Int(0, 9), 0)

    @constraint
    def low(self) -> bool:
        return self.n < 3

    @action
    def fall(self):
        self.n = 0

    @action
    def climb(self, p: P):
        self.n += 1
        self.emit.climbed(p, self.n)

    @invariant
    def below(self) -> bool:
        return self.n < 3


def test_a_violation_beyond_the_constraint_is_shown_by_the_step_that_leads_there() -> None:
    """Not by a step from the same state that stays within it; each event is in the trace with its process and
    values."""
    report = check(Climbs, "climbs")
    (trace,) = (p.trace for p in report.properties)
    assert report.verdict == "violated" and trace is not None
    steps = trace.steps
    assert [step.action for step in steps][-3:] == ["climb"] * 3
    assert [event for step in steps for event in step.events] == [Emit("climbed", "p1", (n,)) for n in (1, 2, 3)]
