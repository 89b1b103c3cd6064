"""What an expectation says of a counterexample that there is not."""

from __future__ import annotations

from attrs import evolve

from checker.analysis.check import check
from checker.analysis.verify import mismatches
from checker.language import Int, Model, action, reachable, require, var, violates
from checker.language.expectation import expectations


class Never(Model):
    """The number never reaches two."""

    x = var(Int(0, 2), 0)

    @action
    def rise(self):
        require(self.x < 1)
        self.x += 1

    @reachable
    def two(self) -> bool:
        return self.x == 2

    expect = violates("two")


def test_what_is_unreachable_has_no_number_of_steps() -> None:
    """It has no run: an expectation that says how long that is, is not met."""
    report = check(Never, "never", {}, engine="interpreter")
    (expected,) = expectations(Never)
    assert list(mismatches(expected, report)) == []
    (said,) = mismatches(evolve(expected, steps=3), report)
    assert str(said) == "the shortest counterexample should have 3 steps, but there is none to count"
