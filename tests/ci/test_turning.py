"""The slice of the thorough tests in continuous integration turns, so that all have their turn."""

from __future__ import annotations

from tests.turning import scattered, turned


def test_each_commit_has_all_tests_in_an_order_of_its_own() -> None:
    """Nothing is left out for ever, and the same commit gives the same order."""
    items = list(range(50))
    orders = [turned(scattered(items), commit) for commit in ("0a", "0b", "1f")]
    assert all(sorted(order) == items for order in orders)
    assert orders[0] != orders[1] != orders[2]
    assert turned(scattered(items), "0a") == orders[0]


def test_every_test_is_first_for_some_commit() -> None:
    """The place where a slice begins goes over the whole list."""
    items = list(range(7))
    assert {turned(items, f"{commit:x}")[0] for commit in range(7)} == set(items)


def test_no_thorough_test_gives_an_empty_order() -> None:
    """Where nothing is collected nothing is turned."""
    assert turned(scattered([]), "ff") == []
