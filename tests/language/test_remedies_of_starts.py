"""The remedy for a variable without an initial value is accepted when it is written."""

from __future__ import annotations

from enum import Enum

import pytest

from checker.language import Bag, Bool, Ids, Int, Map, Model, Optional, Record, Seq, Set, UsageError, var
from checker.language.define import define


class Colour(Enum):
    red = 0
    green = 1


P = Ids("p", 2)
R = Record(n=Int(1, 3), votes=Map[P, Bool], s=Set[P], q=Seq[P, 1], o=Optional[P], b=Bag[P, 1], c=Colour)
TYPES = {
    "Int": Int(2, 3),
    "Enum": Colour,
    "Record": R,
    "of one field": Record(n=Int(2, 3)),
    "Map of records": Map[P, R],
    "Record of records": Record(a=R, b=Map[P, Int(1, 2)]),
}


@pytest.mark.parametrize("type", TYPES.values(), ids=list(TYPES))
def test_the_example_in_the_remedy_is_accepted(type: object) -> None:
    """What stands behind `For example` is a start of the type."""
    with pytest.raises(UsageError) as caught:
        define(_model(var(type)))
    assert caught.value.remedy is not None and caught.value.remedy.startswith("For example x = var(")
    shown = caught.value.remedy.removeprefix("For example x = var(").partition("). Or assign")[0]
    value = shown[_split(shown) + 1 :].strip()
    assert define(_model(var(type, eval(value, {"Colour": Colour}))))


def _split(shown: str) -> int:
    """Where the type ends: at the first comma outside all brackets."""
    depth = 0
    for place, character in enumerate(shown):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            return place
    raise AssertionError(shown)


def _model(declared: object) -> type[Model]:
    return type("Declared", (Model,), {"x": declared})
