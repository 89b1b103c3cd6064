"""What changed between two states."""

from checker.trace.difference import difference
from checker.trace.values import FrozenMap, Multiset, Rec

LANES = ("p1", "p2")


def texts(before: dict[str, object], after: dict[str, object], **options: object) -> list[str]:
    """The printed changes between two states over the lanes p1 and p2."""
    return [change.text() for change in difference(before, after, LANES, **options)]  # type: ignore[arg-type]


def test_equal_states_differ_in_nothing() -> None:
    """No change, no line."""
    assert texts({"x": 1}, {"x": 1}) == []


def test_a_variable_that_maps_lanes_is_written_from_the_lane() -> None:
    """Only the lane that changed appears, and before its variable."""
    before = {"queue": FrozenMap({"p1": (), "p2": ()})}
    after = {"queue": FrozenMap({"p1": (), "p2": ("m1",)})}
    assert texts(before, after) == ["p2.queue: [] → [m1]"]


def test_only_the_changed_leaf_of_nested_maps_is_shown() -> None:
    """Keys of inner maps stand in brackets."""
    before = {"stamp": FrozenMap({"p1": FrozenMap({"m1": 0, "m2": 0}), "p2": FrozenMap({"m1": 0, "m2": 0})})}
    after = {"stamp": FrozenMap({"p1": FrozenMap({"m1": 0, "m2": 3}), "p2": FrozenMap({"m1": 0, "m2": 0})})}
    assert texts(before, after) == ["p1.stamp[m2]: 0 → 3"]


def test_one_changed_field_is_shown_alone_and_a_whole_new_record_whole() -> None:
    """A record is walked unless all its plain fields changed."""
    stamp = Rec("Stamp", {"time": 1, "by": "p1"})
    assert texts({"s": stamp}, {"s": Rec("Stamp", {"time": 2, "by": "p1"})}) == ["s.time: 1 → 2"]
    assert texts({"s": stamp}, {"s": Rec("Stamp", {"time": 2, "by": "p2"})}) == ["s: Stamp(1, p1) → Stamp(2, p2)"]


def test_another_tag_is_one_change() -> None:
    """Members of a tagged union have different fields, so they are compared whole."""
    assert texts({"v": Rec("Working")}, {"v": Rec("Decided", {"value": 1})}) == ["v: Working → Decided(1)"]


def test_changes_are_grouped_by_lane() -> None:
    """The reader follows processes: p1's changes, then p2's, then what belongs to no process."""
    before = {"clock": 0, "a": FrozenMap({"p1": 0, "p2": 0}), "b": FrozenMap({"p1": 0, "p2": 0})}
    after = {"clock": 1, "a": FrozenMap({"p1": 1, "p2": 1}), "b": FrozenMap({"p1": 1, "p2": 0})}
    assert texts(before, after) == ["p1.a: 0 → 1", "p1.b: 0 → 1", "p2.a: 0 → 1", "clock: 0 → 1"]


def test_ignored_variables_are_left_out() -> None:
    """Networks are told by events instead."""
    assert texts({"net": Multiset()}, {"net": Multiset(["m"])}, ignore=("net",)) == []


def test_long_collections_show_what_came_and_went() -> None:
    """A reader does not compare two long lists."""
    many = frozenset(f"m{i}.{j}" for i in range(4) for j in range(4))
    assert texts({"seen": many}, {"seen": many | {"m9.9"}}) == ["seen: + m9.9"]
    assert texts({"net": Multiset(many)}, {"net": Multiset(sorted(many - {"m1.1"}) + ["x", "x"])}) == [
        "net: + x, x; - m1.1"
    ]
    log = tuple(sorted(many))
    assert texts({"log": log}, {"log": (*log, "m9.9")}) == ["log: ... → [..., m9.9]"]


def test_a_key_on_one_side_only_is_new_or_absent() -> None:
    """Maps are total in models, but a trace of another tool may differ."""
    assert texts({"f": FrozenMap({1: 1})}, {"f": FrozenMap({1: 1, 2: 1})}) == ["f[2]: 1"]
    assert texts({"f": FrozenMap({1: 1, 2: 1})}, {"f": FrozenMap({1: 1})}) == ["f[2]: 1 → absent"]


def test_the_difference_from_nothing_is_the_whole_state() -> None:
    """An initial state is written in the same form as a change."""
    assert texts({}, {"x": 1, "q": FrozenMap({"p1": (), "p2": 0})}) == ["p1.q: []", "p2.q: 0", "x: 1"]
