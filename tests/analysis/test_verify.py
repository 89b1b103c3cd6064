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


def test_what_is_said_of_a_property_is_told_from_what_is_said_of_a_count() -> None:
    """The property has the name of a count; each sentence bears the kind and the name of what it is about."""

    class Depth(Never):
        depth = Never.two

    report = check(Depth, "depth", {}, only=["depth"], engine="interpreter")
    (expected,) = expectations(Never)
    said = list(mismatches(evolve(expected, violated=(), depth=9), report))
    assert [(str(remark), remark.of) for remark in said] == [
        ("depth should hold, but is unreachable", ("reachable", "depth")),
        ("depth should be 9, but is 2", None),
    ]
