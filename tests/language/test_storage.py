"""The values of a model object: states with equal values of a variable share the conversion, and nothing else."""

from __future__ import annotations

import pytest

from checker.language import Ids, Int, Map, Model, Seq, Set, action, rule, var
from checker.language import storage as stored


class Shelf(Model):
    """A variable of each kind of collection."""

    Place = Ids("p", 2)
    queue = var(Seq[Int(0, 9), 3])
    seen = var(Set[Place])
    rows = var(Map[Place, Seq[Int(0, 9), 3]])

    @action
    def fill(self, p: Place) -> None:  # type: ignore[valid-type]
        """Every variable changes."""
        self.queue.append(1)
        self.seen.add(p)
        self.rows[p].append(2)

    @rule
    def full(self) -> bool:
        """Something was put in."""
        return len(self.queue) > 0


def test_a_change_in_one_state_is_no_change_of_equal_values_in_another() -> None:
    """The raw values are equal and not the same objects: the second state is converted by what the first left."""
    shelf = Shelf()
    empty, same = ((), frozenset(), ((), ())), ((), frozenset(), ((), ()))
    for raw in (empty, same, empty):
        shelf.set_raw_state(raw)
        assert (list(shelf.queue), set(shelf.seen), [list(row) for row in shelf.rows.entries.values()]) == (
            [],
            set(),
            [[], []],
        )
        shelf.fill(shelf.Place[1])
        assert shelf.raw_state() == ((1,), frozenset({1}), ((), (2,)))


def test_values_beyond_those_that_are_kept_are_converted_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many values are kept, and later ones are right too."""
    monkeypatch.setattr(stored, "KNOWN", 2)
    shelf = Shelf()
    for _ in range(2):
        for n in range(5):
            shelf.set_raw_state(((n,), frozenset(), ((), ())))
            assert list(shelf.queue) == [n]
            shelf.fill(shelf.Place[0])
            assert shelf.raw_state() == ((n, 1), frozenset({0}), ((2,), ()))


def test_a_variable_without_access_keeps_its_raw_value() -> None:
    """Only what was accessed is converted back."""
    shelf = Shelf()
    raw = ((3,), frozenset({1}), ((4,), ()))
    shelf.set_raw_state(raw)
    assert shelf.full()
    after = shelf.raw_state()
    assert after == raw
    assert after[2] is raw[2]
