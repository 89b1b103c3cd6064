"""Values made by `checker.frozen.frozen` are those that attrs makes."""

from __future__ import annotations

import pickle

import attrs
import pytest
from attrs import field

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import types as t

BYTE = t.Int(0, 255)


def test_values_are_equal_by_their_class_and_fields() -> None:
    """A subclass with the same fields is another value, as is another class."""
    assert e.Local(BYTE, "x") == e.Local(t.Int(0, 255), "x") != e.Local(BYTE, "y")
    assert e.Local(BYTE, "x") != e.Const(BYTE, 1) and t.Bool() == t.Bool() != t.Type()
    assert len({e.Local(BYTE, "x"), e.Local(t.Int(0, 255), "x"), e.Local(BYTE, "y")}) == 2


def test_a_value_is_shown_as_attrs_shows_it() -> None:
    """With the names of its fields; a value of one field, of none, and a tuple in a field."""
    assert repr(e.Local(BYTE, "x")) == "Local(type=Int(lo=0, hi=255), name='x')"
    assert repr(t.Bool()) == "Bool()" and repr(t.Set(t.Bool())) == "Set(item=Bool())"
    assert repr(t.Enum("E", ("a",))) == "Enum(name='E', members=('a',))"

    @frozen
    class Held:
        items: tuple[int, ...]

    assert repr(Held((1, 2))) == "Held(items=(1, 2))"


def test_fields_that_are_not_compared_or_shown_stay_out() -> None:
    """As `field(eq=False, repr=False)` asks."""

    @frozen
    class Noted:
        value: int
        note: list[int] = field(eq=False, repr=False)

    assert Noted(1, [1]) == Noted(1, [2]) and hash(Noted(1, [1])) == hash(Noted(1, [2]))
    assert repr(Noted(1, [1])) == "Noted(value=1)"


def test_what_a_class_defines_itself_stays() -> None:
    """Its own comparison, hash and text; a class that is compared by identity."""

    @frozen
    class Own:
        value: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    @frozen(eq=False)
    class Single:
        value: int

    assert Own(1) == Own(2) and hash(Own(1)) == 7 and repr(Own(1)) == "own"
    assert Single(1) != Single(1) and repr(Single(1)) == "Single(value=1)"


def test_values_do_not_change_and_can_be_copied() -> None:
    """Assignment is refused; attrs and pickle treat them as any of attrs' classes."""
    local = e.Local(BYTE, "x")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        local.name = "y"  # type: ignore[misc]
    assert attrs.evolve(local, name="y") == e.Local(BYTE, "y")
    assert pickle.loads(pickle.dumps(local)) == local and not hasattr(local, "__dict__")


def test_exceptions_are_compared_by_identity() -> None:
    """Two failures with the same fields are two."""

    @frozen
    class Failed(Exception):
        line: int

    assert Failed(1) != Failed(1) and Failed(1).line == 1
