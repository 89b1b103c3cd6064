"""Plain values: how they print and in which order."""

import pytest

from checker.trace.values import FrozenMap, Multiset, Rec, natural_key, ordered, show


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (True, "true"),
        (-3, "-3"),
        ("p1", "p1"),
        ("", '""'),
        ((), "[]"),
        (("a", "b"), "[a, b]"),
        (frozenset({"m1.10", "m1.2"}), "{m1.2, m1.10}"),
        (FrozenMap({"p2": 1, "p1": 0}), "{p1: 0, p2: 1}"),
        (Rec("", {"time": 3, "by": "p1"}), "(time: 3, by: p1)"),
        (Rec("Stamp", {"time": 3, "by": "p1"}), "Stamp(3, p1)"),
        (Rec("Commit"), "Commit"),
        (
            Multiset([Rec("Message", {"source": "p1", "target": "p2", "body": Rec("Ack", {"n": 3})})]),
            "{Ack(3) p1 → p2}",
        ),
        (Rec("Message", {"sender": "p1", "number": 2}), "Message(p1, 2)"),
        (Multiset(["b", "a", "b"]), "{a, b × 2}"),
        (FrozenMap({"p1": frozenset({None, 1})}), "{p1: {none, 1}}"),
    ],
)
def test_a_value_prints_as_written_on_a_blackboard(value: object, text: str) -> None:
    """Each kind of value has one short conventional text."""
    assert show(value) == text


def test_a_number_that_python_does_not_write_is_told_by_its_size() -> None:
    """An expression given by hand may have any value; Python refuses to write more than some thousand digits."""
    assert show((2**20_000, 1)) == "[a number of 20,001 binary digits, 1]"


def test_a_foreign_type_is_refused() -> None:
    """A list is no plain value: it has slipped past the decoding of the engine."""
    with pytest.raises(TypeError, match="list"):
        show([1])  # type: ignore[arg-type]


def test_digits_of_names_count_as_numbers() -> None:
    """Natural order: m1.2 stands before m1.10, p9 before p10."""
    assert sorted(["m1.10", "p10", "m1.2", "p9"], key=natural_key) == ["m1.2", "m1.10", "p9", "p10"]


def test_values_of_different_types_can_be_ordered() -> None:
    """A set may hold none beside numbers, names and records; its printing order is still fixed."""
    values = [Rec("A", {"x": 2}), Rec("A", {"x": 1}), ("a",), "a", 1, None, False, Multiset(["a"]), frozenset({"b"})]
    assert ordered(values) == ordered(reversed(values))
    assert ordered(values)[0] is None


def test_the_order_of_items_does_not_tell_maps_apart() -> None:
    """Equal functions are equal keys, however they were built."""
    first, second = FrozenMap({"a": 1, "b": 2}), FrozenMap({"b": 2, "a": 1})
    assert first == second
    assert {first: "seen"}[second] == "seen"


def test_a_multiset_counts_equal_values() -> None:
    """Two equal messages under way are two messages; a count of zero is no message."""
    assert Multiset(["m", "m"]) != Multiset(["m"])
    assert len(Multiset({"m": 2, "x": 0})) == 2
    assert Multiset({"x": 0}) == Multiset()
    with pytest.raises(ValueError, match="-1"):
        Multiset({"m": -1})
