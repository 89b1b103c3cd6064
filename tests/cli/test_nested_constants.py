"""-D takes lists of lists, `(0,1),(1,2)`, and messages and reports write them so that -D takes them again."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.sweep.choices import choices_of
from checker.cli.arguments import CONSTANT
from checker.language import Int, Model, UsageError, const, var
from checker.language.constants import written
from checker.language.define import define


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2,1,0", (2, 1, 0)),
        ("2,", (2,)),
        ("2", 2),
        ("(0,1),(1,2)", ((0, 1), (1, 2))),
        ("((0,1),(1,2))", ((0, 1), (1, 2))),
        ("(0,1),", ((0, 1),)),
        ("()", ()),
        ("(),(1,)", ((), (1,))),
        ("(a,1), (b,2)", (("a", 1), ("b", 2))),
        ("(0,1)", (0, 1)),
        ("((0,1),)", ((0, 1),)),
        ("((1,2),3),(4,)", (((1, 2), 3), (4,))),
        ("true,false", (True, False)),
    ],
)
def test_a_value_is_read_and_written_back(text: str, value: Any) -> None:
    """What is written stands for the same value."""
    assert CONSTANT.convert(f"edges={text}", None, None) == ("edges", value)
    assert CONSTANT.convert(f"edges={written(value)}", None, None) == ("edges", value)


@pytest.mark.parametrize("text", ["(0,1", "0,1)", ")(", "(0,1),(1", "(0;1)", "((0,1)"])
def test_parentheses_that_do_not_match_are_refused(text: str) -> None:
    """A usage error that says how lists of lists are written."""
    with pytest.raises(UsageError) as caught:
        CONSTANT.convert(f"edges={text}", None, None)
    assert "(0,1),(1,2)" in str(caught.value.remedy)


def test_a_sweep_takes_graphs_as_alternatives() -> None:
    """Alternatives are separated by |."""
    assert choices_of(["edges=(0,1),|(0,1),(1,2)"]) == [("edges", (((0, 1),), ((0, 1), (1, 2))))]


class Graph(Model):
    """Has edges."""

    edges = const(((0, 1), (1, 2)), "the edges")
    x = var(Int(0, 3), 0)


@pytest.mark.parametrize("given", [(0, 1), ((0, True),), ((0, "x"),), ((0, 1), 2), (((0,), 1),)])
def test_a_value_of_another_kind_is_refused(given: Any) -> None:
    """Tuples of tuples of numbers, whatever their number."""
    with pytest.raises(UsageError, match="a list of lists such as"):
        define(Graph, {"edges": given})
    assert define(Graph, {"edges": ((2, 0),)}).constants["edges"] == ((2, 0),)
