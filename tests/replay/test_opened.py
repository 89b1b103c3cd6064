"""A guard on an empty collection says which element the filter of its comprehension left out."""

from __future__ import annotations

from checker.backends.interpreter.interpreter import Interpreter
from checker.language import Ids, Map, Set, action, require, rule, var
from checker.language.define import define
from checker.language.model import Model
from checker.language.start import starts
from checker.replay.refusals import explain


class Kitchen(Model):
    """Dishes are served that are cooked."""

    Dish = Ids("d", 4)
    cooked = var(Set[Dish])
    seasoned = var(Map[Dish, bool])

    @rule
    def done(self, d: Dish) -> bool:
        return d in self.cooked

    @action
    def serve(self):
        ready = {d for d in self.Dish if self.done(d)}
        require(len(ready) > 0)
        self.cooked.remove(min(ready))

    @action
    def serve_sorted(self):
        ready: list = sorted(d for d in self.Dish if self.done(d))
        require(ready != [])
        self.cooked.remove(ready[0])

    @action
    def clear(self, d: Dish):
        found = self.cooked
        require(len(found) > 0)
        self.cooked.remove(d)


def refused(action: str, *witness: str) -> list[str]:
    """The reasons why an action is disabled in the initial state."""
    interpreter = Interpreter(define(Kitchen))
    state = next(iter(starts(interpreter.model)))
    return [r.reason for r in explain(interpreter, state, action, witness).refused]


def test_the_element_of_the_witness_alone_is_told() -> None:
    """With the rule that leaves it out, its line and its values."""
    line = Kitchen.done.__code__.co_firstlineno + 2
    assert refused("serve", "d3") == [
        f"len(ready) = 0 is not > 0: for d = d3: done(d3) is false (test_opened.py:{line}): d3 is not in cooked = {{}}"
    ]


def test_without_a_witness_the_first_elements_are_told() -> None:
    """And how many more there are."""
    (reason,) = refused("serve")
    assert reason.startswith("len(ready) = 0 is not > 0: for d = d1: done(d1) is false")
    assert "for d = d2: " in reason and "d3" not in reason and reason.endswith("; and 2 more")


def test_a_collection_without_a_filter_is_told_by_its_length() -> None:
    """Nothing was left out of it."""
    assert set(refused("clear")) == {"len(found) = 0 is not > 0"}
