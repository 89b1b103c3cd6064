"""The order of types in which locals are inferred, and the intervals of arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from checker.frontend import kinds, lattice
from checker.frontend.lower import lower
from checker.ir import build
from checker.ir import types as t
from checker.language import Int, action, var
from checker.language import Model as Protocol
from checker.language.define import define

P = t.Ids("P", ("p1", "p2"))
bounds = st.integers(-20, 20)
intervals = st.tuples(bounds, bounds).map(lambda b: t.Int(min(b), max(b)))
scalars = st.one_of(intervals, st.just(t.Bool()), st.just(P), st.just(lattice.NOTHING))
types = st.recursive(
    scalars,
    lambda inner: st.one_of(
        inner.filter(lambda x: not isinstance(x, t.Optional)).map(t.Optional),
        inner.map(t.Set),
        st.builds(t.Seq, inner, st.integers(0, 5)),
        st.lists(inner, min_size=1, max_size=3).map(lattice.tuple_type),
    ),
    max_leaves=4,
)

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
}


@given(st.sampled_from(sorted(OPERATIONS)), intervals, intervals, st.data())
def test_results_lie_in_the_interval_of_the_operator(op: str, a: t.Int, b: t.Int, data: st.DataObject) -> None:
    """Whatever the operands, the result is inside; division by zero has none."""
    x, y = data.draw(st.integers(a.lo, a.hi)), data.draw(st.integers(b.lo, b.hi))
    if y == 0 and op in ("//", "%"):
        return
    result = build.interval(op, a, b)
    assert result.lo <= OPERATIONS[op](x, y) <= result.hi


@given(types, types)
def test_a_join_holds_both_types(a: t.Type, b: t.Type) -> None:
    """What fits either fits the join, and the order of joining does not matter."""
    both = lattice.join(a, b)
    other = lattice.join(b, a)
    assert (both is None) == (other is None)
    if both is not None and not isinstance(both, t.Optional):
        assert lattice.contains(both, a) and lattice.contains(both, b)


@given(types)
def test_nothing_is_below_every_type(a: t.Type) -> None:
    """The join with Nothing is the type itself."""
    assert lattice.join(a, lattice.NOTHING) == a == lattice.join(a, a)


@given(st.lists(intervals, min_size=1, max_size=30))
def test_widening_ends(steps: list[t.Int]) -> None:
    """An interval can be widened only twice: once at each end."""
    current, changes = t.Int(0, 0), 0
    for step in steps:
        joined = lattice.join(current, step)
        assert isinstance(joined, t.Int)
        following = lattice.widen(current, joined)
        changes += following != current
        assert isinstance(following, t.Int)
        current = following
    assert changes <= 2


@given(types)
def test_known_types_have_no_unknown_part(a: t.Type) -> None:
    """What never holds a value is given some type, so that back ends see no Nothing."""
    assert not lattice.unknown(lattice.known(a))


def test_unlike_types_have_no_join() -> None:
    """Identities of different families, numbers and identities, sets and sequences."""
    q = t.Ids("Q", ("q1",))
    assert lattice.join(P, q) is None
    assert lattice.join(t.Int(0, 1), P) is None
    assert lattice.join(t.Set(P), t.Seq(P, 2)) is None
    assert lattice.join(t.Bool(), t.Int(0, 1)) is None


def test_a_type_is_symmetric_if_any_part_of_it_is() -> None:
    """Wherever the identities stand: keys, values, fields, items."""
    same, number = t.Ids("S", ("s1", "s2"), True), t.Int(0, 3)
    mixed = t.Record("R", (("a", number), ("b", same)))
    apart = t.Record("R", (("a", number), ("b", P)))
    for type in (
        same,
        mixed,
        t.Optional(same),
        t.Set(mixed),
        t.Seq(same, 2),
        t.Bag(same, 2),
        t.Map(same, number),
        t.Map(number, same),
        t.Union("U", (apart, mixed)),
    ):
        assert lattice.symmetric(type), type
    for type in (P, number, apart, t.Set(apart), t.Map(P, number), t.Union("U", (apart,))):
        assert not lattice.symmetric(type), type


def test_kinds_are_left_out_of_types_wherever_they_stand() -> None:
    """The intermediate representation knows no kinds."""
    number = t.Int(0, 3)
    listed, seq = kinds.as_kind(t.Seq(number, 2), kinds.Kind.TUPLE), t.Seq(number, 2)
    assert listed != seq
    for make in (
        lambda x: x,
        t.Optional,
        t.Set,
        lambda x: t.Seq(x, 2),
        lambda x: t.Bag(x, 2),
        lambda x: t.Map(number, x),
        lambda x: t.Record("R", (("a", x),)),
        lambda x: t.Union("U", (t.Record("R", (("a", x),)),)),
    ):
        assert kinds.plain(make(listed)) == make(seq)


def test_a_capacity_is_widened_once() -> None:
    """A list that outgrew what it had may have CAPACITY items; one that had as many grows no further."""
    item, most = t.Int(0, 3), lattice.CAPACITY
    assert lattice.widen(t.Seq(item, 4), t.Seq(item, 5)) == t.Seq(item, most)
    for had in (most, most + 44):
        assert lattice.widen(t.Seq(item, had), t.Seq(item, had + 1)) == t.Seq(item, had)


class Appending(Protocol):
    """A local list gets two items more than it begins with."""

    n = var(Int(0, 9), 0)

    @action
    def go(self) -> None:
        x = [self.n]
        x.append(1)
        x.append(2)
        self.n = len(x)


def test_a_local_list_has_room_for_what_is_appended_and_no_more() -> None:
    """So a step needs no more memory, and a proof no more unknowns, than the list can fill."""
    (go,) = lower(define(Appending)).actions
    assert [p.type.capacity for p in go.locals if isinstance(p.type, t.Seq)] == [3]
