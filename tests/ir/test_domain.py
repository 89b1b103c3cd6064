"""How many values a type has."""

from __future__ import annotations

import pytest

from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.values import values

ONE, FEW, MANY = t.Int(3, 3), t.Int(-1, 1), t.Int(1, 256)
RECORD = t.Record("R", (("a", FEW), ("b", t.Bool())))
ENUMERATED = [
    t.Bool(),
    ONE,
    FEW,
    t.Int(1, 0),
    t.Enum("E", ("a", "b")),
    t.Ids("P", ("p", "q", "r")),
    t.Optional(FEW),
    RECORD,
    t.Union("U", (RECORD, t.Record("S", ()))),
    t.Set(FEW),
    t.Map(FEW, t.Bool()),
    t.Map(FEW, ONE),
]


@pytest.mark.parametrize("type", ENUMERATED, ids=str)
def test_the_size_of_a_type_is_the_number_of_its_values(type: t.Type) -> None:
    """Listed one by one."""
    assert size(type) == len(list(values(type)))


def test_what_has_no_values_to_list_has_no_size() -> None:
    """Lists, bags, and sets and maps of too many: more than 20 members, more than 2 ** 30 maps."""
    assert size(t.Seq(FEW, 2)) is None and size(t.Bag(FEW, 2)) is None and size(t.Optional(t.Seq(FEW, 2))) is None
    assert size(t.Set(t.Int(1, 20))) == 1 << 20 and size(t.Set(t.Int(1, 21))) is None
    assert size(t.Map(FEW, MANY)) == 256**3 and size(t.Map(t.Int(0, 3), MANY)) is None
    assert size(t.Map(t.Int(1, 1000), ONE)) == 1
    assert size(t.Union("U", (RECORD, t.Record("S", (("a", t.Seq(FEW, 2)),))))) is None
