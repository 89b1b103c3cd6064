"""The symbolic back end gives each construct of the language the successors and errors of the lowered model."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.backends.smt import statements
from checker.frontend.lower import lower
from tests.backends.smt.test_smt_agreement import compare
from tests.language.construct import FILES, definition

ROOM = 4
"""Messages in flight here: each is a few unknowns more."""

ENOUGH = {"while_loop": 10}
"""Rounds to which `while True` is unrolled here, where a usual 60 take z3 seconds; the loop ends after seven."""

each_file = pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])
third = pytest.mark.parametrize(
    "file", [pytest.param(f, marks=() if i % 3 == 0 else pytest.mark.thorough, id=f.stem) for i, f in enumerate(FILES)]
)


def _compared(file: Path, most: int) -> int:
    defined = definition(file)
    return compare(lower(defined, dict.fromkeys((v.name for v in defined.variables if v.network), ROOM)), most)


@third
def test_relation_and_evaluator_agree_on_each_construct(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an initial state and one that follows."""
    monkeypatch.setattr(statements, "KNOWN_ROUNDS", ENOUGH.get(file.stem, statements.KNOWN_ROUNDS))
    assert _compared(file, 2) > 0


@pytest.mark.thorough
@each_file
def test_they_agree_on_more_states_of_each_construct(file: Path) -> None:
    """The first ten."""
    assert _compared(file, 10) > 0
