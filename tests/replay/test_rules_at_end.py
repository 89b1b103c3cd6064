"""Where a property reads no variable of a process, the rules that it asks of one are shown at the end."""

from __future__ import annotations

from checker.analysis.check import check
from checker.language import Ids, Int, Map, Model, action, invariant, require, rule, var
from checker.report.ends import end_texts
from checker.trace.trace import Trace


class Prices(Model):
    """All shops compute their price from one number; the last that raised it is noted."""

    Shop = Ids("s", 3)
    number = var(Int(0, 3), 1)

    @action
    def raise_it(self, s: Shop):
        require(self.number < 3)
        self.number += 1

    @rule
    def price(self, s: Shop) -> int:
        return 1 if s == self.Shop[1] else self.number

    @rule
    def share(self, s: Shop) -> int:
        """The first has none."""
        return 6 // s.index

    @rule
    def cheap(self, s: Shop) -> bool:
        return self.price(s) < 4

    @invariant
    def alike(self) -> bool:
        """No price is above another one."""
        return all(
            self.price(s) <= self.price(t) or not self.cheap(s) or self.share(t) > 6
            for s in self.Shop
            for t in self.Shop
            if s.index == 0 and t.index == 1
        )

    properties = []


class Noted(Prices):
    """The same with a variable of each shop, which the property reads."""

    raised = var(Map[Prices.Shop, Int(0, 3)], 0)

    @invariant
    def alike(self) -> bool:
        return all(self.price(s) <= self.price(t) + self.raised[s] for s in self.Shop for t in self.Shop)


def traced(cls: type[Model]) -> Trace:
    (found,) = [p.trace for p in check(cls, cls.__name__, engine="interpreter").properties]
    assert found is not None
    return found


def test_a_process_without_a_value_has_those_of_the_rules_that_the_property_asks_of_it() -> None:
    """Truths are left out, and a rule that has no value there; the third shop is not in the contradiction."""
    assert end_texts(traced(Prices)) == {"s1": "price 2", "s2": "price 1, share 6"}


def test_a_process_with_a_value_has_no_rules() -> None:
    assert end_texts(traced(Noted)) == {"s1": "raised 0", "s2": "raised 0", "s3": "raised 0"}
