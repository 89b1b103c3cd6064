"""The CAUSE of a violation where steps and the property read an edited rule: a step only if the violation needs one as
after the edit, else what the property reads.
"""

from __future__ import annotations

from checker.analysis.check import check
from checker.language import Bool, Int, action, invariant, require, rule, var
from checker.language.model import Model
from checker.report.wording import guilty_line


class Water(Model):
    """Water rises by 1; a lamp shows whether it is high."""

    level = var(Int(0, 2), 0)
    lamp = var(Bool, False)

    @rule
    def is_high(self) -> bool:
        return self.level >= 3

    @action
    def rise(self) -> None:
        require(self.level < 2)
        self.level += 1
        self.lamp = self.is_high()

    @invariant
    def low(self) -> bool:
        return not self.is_high()

    @invariant
    def dark(self) -> bool:
        return not self.lamp

    @invariant
    def unseen(self) -> bool:
        return not (self.is_high() and self.lamp)

    properties = []


class Sooner(Water):
    """EDIT: 1 is high: all three are violated in 1 step."""

    @rule
    def is_high(self) -> bool:
        return self.level >= 1


def head_of(name: str) -> str:
    report = check(Sooner, "Sooner", engine="interpreter", only=[name])
    (found,) = [p.trace for p in report.properties]
    assert found is not None
    return guilty_line(found)


def line(cls: type[Model]) -> str:
    return f"(test_unneeded.py:{vars(cls)['is_high'].__code__.co_firstlineno + 2})"


BOTH = (
    f"is_high() is true {line(Sooner)}: level = 1 is >= 1; "
    f"before the edit it is false {line(Water)}: level = 1 is not >= 3"
)


def test_where_the_steps_of_the_protocol_before_break_the_edited_property_it_reads_the_cause() -> None:
    """The step differs, as it lights the lamp, which this property does not read."""
    assert head_of("low") == f"CAUSE in what the property reads: {BOTH}"


def test_where_the_property_reads_no_edited_rule_the_step_is_the_cause() -> None:
    assert head_of("dark") == f"CAUSE, step 1, rise: {BOTH}"


def test_where_the_violation_needs_the_step_as_after_the_edit_it_is_the_cause() -> None:
    """Here both matter: without the step the lamp is dark."""
    assert head_of("unseen") == f"CAUSE, step 1, rise: {BOTH}"
