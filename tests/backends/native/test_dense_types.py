"""Types whose packed form is the place of the value, so that a place needs no calculation."""

from __future__ import annotations

import pytest

from checker.backends.native.codec import pack
from checker.backends.native.packing import dense
from checker.ir import types as t
from checker.ir.values import values

BIT, TWO, THREE, FOUR = t.Bool(), t.Int(0, 1), t.Int(5, 7), t.Int(-1, 2)
ONE = t.Int(2, 2)


def record(*fields: t.Type) -> t.Record:
    """Fields a, b, c, ..."""
    return t.Record("R", tuple(zip("abc", fields)))


@pytest.mark.parametrize(
    "type",
    [
        BIT,
        TWO,
        THREE,
        FOUR,
        ONE,
        t.Optional(ONE),
        t.Optional(TWO),
        record(BIT, FOUR),
        record(THREE, FOUR),
        record(FOUR, THREE),
        record(THREE, t.Optional(BIT)),
        t.Map(BIT, TWO),
        t.Map(BIT, THREE),
        t.Map(BIT, t.Int(0, 5)),
        t.Map(BIT, t.Int(0, 7)),
        t.Map(THREE, FOUR),
        t.Map(ONE, THREE),
        t.Map(BIT, t.Optional(BIT)),
        t.Set(THREE),
        t.Set(BIT),
        t.Union("U", (record(BIT), t.Record("S", ()))),
    ],
    ids=str,
)
def test_a_type_is_dense_only_if_every_value_is_packed_as_its_place(type: t.Type) -> None:
    """In the canonical order."""
    packed = [pack(type, value) for value in values(type)]
    assert not dense(type) or packed == list(range(len(packed)))


def test_common_types_are_dense() -> None:
    """Numbers, and records and maps of as many values as their bits allow."""
    for type in (
        BIT,
        THREE,
        FOUR,
        record(THREE, FOUR),
        t.Map(BIT, TWO),
        t.Map(THREE, FOUR),
        t.Map(BIT, t.Int(0, 7)),
        t.Map(ONE, THREE),
    ):
        assert dense(type), type
    for type in (record(FOUR, THREE), t.Map(BIT, THREE), t.Map(BIT, t.Int(0, 5))):
        assert not dense(type), type
