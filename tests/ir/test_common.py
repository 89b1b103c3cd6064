"""The values that two types have in common."""

from __future__ import annotations

import pytest

from checker.ir import types as t
from checker.ir.common import common

LOW, HIGH, FAR, MIDDLE = t.Int(0, 4), t.Int(2, 9), t.Int(20, 30), t.Int(2, 4)


def record(name: str, **fields: t.Type) -> t.Record:
    """A record with these fields."""
    return t.Record(name, tuple(fields.items()))


CASES = {
    "numbers": (LOW, HIGH, MIDDLE),
    "numbers that share one": (LOW, t.Int(4, 9), t.Int(4, 4)),
    "numbers apart": (LOW, FAR, None),
    "a type and itself": (t.Bool(), t.Bool(), t.Bool()),
    "kinds apart": (t.Bool(), LOW, None),
    "both may be None": (t.Optional(LOW), t.Optional(HIGH), t.Optional(MIDDLE)),
    "one may be None": (t.Optional(LOW), HIGH, MIDDLE),
    "the other may be None": (LOW, t.Optional(HIGH), MIDDLE),
    "None alone is no type": (t.Optional(LOW), t.Optional(FAR), None),
    "sets": (t.Set(LOW), t.Set(HIGH), t.Set(MIDDLE)),
    "sets of numbers apart": (t.Set(LOW), t.Set(FAR), None),
    "lists": (t.Seq(LOW, 3), t.Seq(HIGH, 2), t.Seq(MIDDLE, 2)),
    "bags": (t.Bag(LOW, 2), t.Bag(HIGH, 3), t.Bag(MIDDLE, 2)),
    "lists of items apart": (t.Seq(LOW, 3), t.Seq(FAR, 2), None),
    "a list and a bag": (t.Seq(LOW, 3), t.Bag(LOW, 3), None),
    "maps": (t.Map(t.Bool(), LOW), t.Map(t.Bool(), HIGH), t.Map(t.Bool(), MIDDLE)),
    "maps of other keys": (t.Map(t.Bool(), LOW), t.Map(LOW, LOW), None),
    "maps of values apart": (t.Map(t.Bool(), LOW), t.Map(t.Bool(), FAR), None),
    "records": (record("R", a=LOW, b=LOW), record("R", a=HIGH, b=LOW), record("R", a=MIDDLE, b=LOW)),
    "records of other names": (record("R", a=LOW), record("S", a=LOW), None),
    "records of other fields": (record("R", a=LOW), record("R", b=LOW), None),
    "records with one field apart": (record("R", a=LOW, b=LOW), record("R", a=LOW, b=FAR), None),
    "unions": (
        t.Union("U", (record("A", a=LOW), record("B", b=LOW))),
        t.Union("U", (record("A", a=HIGH), record("B", b=LOW))),
        t.Union("U", (record("A", a=MIDDLE), record("B", b=LOW))),
    ),
    "unions of other names": (t.Union("U", (record("A", a=LOW),)), t.Union("V", (record("A", a=LOW),)), None),
    "unions of other variants": (t.Union("U", (record("A", a=LOW),)), t.Union("U", (record("B", a=LOW),)), None),
    "unions with one variant apart": (
        t.Union("U", (record("A", a=LOW), record("B", b=LOW))),
        t.Union("U", (record("A", a=LOW), record("B", b=FAR))),
        None,
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_the_common_type_holds_what_both_hold(what: str) -> None:
    """Whichever comes first."""
    one, other, both = CASES[what]
    assert common(one, other) == both == common(other, one)
