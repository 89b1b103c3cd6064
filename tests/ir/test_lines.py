"""Where a node of the intermediate representation comes from: a line of the model's file, or 0 for none."""

from __future__ import annotations

import attrs
import pytest

from checker.ir import expressions as e
from checker.ir import statements as s


def with_a_default() -> list[type]:
    """The nodes that may be made without saying where they stand."""
    kinds = [k for module in (e, s) for k in vars(module).values() if isinstance(k, type) and attrs.has(k)]
    return [k for k in kinds for a in attrs.fields(k) if a.name == "line" and a.default is not attrs.NOTHING]


@pytest.mark.parametrize("kind", with_a_default())
def test_a_node_that_stands_nowhere_has_line_0(kind: type) -> None:
    """0 is the line that no message shows; every other number would be printed as a line of the model."""
    assert attrs.fields_dict(kind)["line"].default == 0
