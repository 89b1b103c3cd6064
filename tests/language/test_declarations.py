"""What a class body may not declare; each with a message that says what and where."""

from __future__ import annotations

from typing import Any

import pytest

from checker.language import Bool, Ids, Int, Map, Model, Optional, Seq, Set, UsageError, initial, var
from checker.language.define import define


def declared(**body: Any) -> type[Model]:
    """A model class with this body."""
    return type("Declared", (Model,), body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"x": var(Optional[Optional[Bool]])}, "two kinds of None"),
        ({"x": var(Int(3, 1), 3)}, "is empty"),
        ({"x": var(Ids("p", 0))}, "is empty"),
        ({"x": var(Ids("p", ["a", "a"]))}, "two members of the same name"),
        ({"x": var(Int(0, 3), 7)}, "initial value of Declared.x does not fit"),
        ({"x": var(Int(0, 3))}, "needs an initial value"),
        ({"x": var(Set[Seq[Bool, 2]])}, "must be of an enumerable type"),
        ({"x": var(Map[Seq[Bool, 2], Bool])}, "must be of an enumerable type"),
        ({"x": var(7)}, "is a value, not a type"),
        ({"emit": var(Bool)}, "used by every model object"),
        ({}, "has no state variables"),
    ],
)
def test_a_wrong_declaration_is_refused(body: dict[str, Any], message: str) -> None:
    """Nothing runs before the declarations make sense."""
    with pytest.raises(UsageError, match=message):
        define(declared(**body))


def test_an_initial_method_that_leaves_its_types_is_refused() -> None:
    """There is no trace to show before the first state: the model is wrong as written."""

    class Leaving(Model):
        x = var(Int(0, 3), 3)

        @initial
        def start(self) -> None:
            self.x += 1

    with pytest.raises(UsageError, match="@initial method goes wrong: 4 is out of range"):
        Leaving()
