"""Which expressions may be evaluated once more while a step is executed."""

from __future__ import annotations

import ast

import pytest

from checker.frontend.changes import OPERATION
from checker.replay.scope import Scope
from checker.replay.statement_text import is_pure


@pytest.mark.parametrize("call", [f"q.{name}(1)" for name in OPERATION] + ["q.sort()", "q.reverse()", "choose(q)"])
def test_what_changes_a_collection_or_chooses_is_not_evaluated(call: str) -> None:
    """Operations of the language by its own table, and those of Python that the language does not have."""
    for q in ([3, 1], {3, 1}):
        before = list(q)
        assert not is_pure(ast.parse(call, mode="eval").body, Scope({"q": q}, "self"))
        assert list(q) == before


@pytest.mark.parametrize("text", ["q.index(1)", "q.count(3)", "len(q) + q[0]", "sorted(q)", "any(x > 2 for x in q)"])
def test_what_only_reads_is_evaluated(text: str) -> None:
    """With its value in the words of the report."""
    assert is_pure(ast.parse(text, mode="eval").body, Scope({"q": [3, 1]}, "self"))
