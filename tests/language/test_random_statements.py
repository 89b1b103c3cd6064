"""What a statement does, compiled, is what Python does: nobody's statements, in the interpreter, lowered, and in native
code."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from checker.engines.registry import explore
from checker.engines.request import Request
from checker.frontend.refusal import Refused
from checker.language.define import define
from checker.language.errors import UsageError
from checker.search.limits import Limits
from tests.language.construct import disagreement
from tests.language.random_statements import HEADER, random_statements
from tests.language.test_random_models import load, summary

MOST = 40
"""States that are compared for each model."""


def lowered_alike(text: str, folder: Path, most: int = MOST) -> bool:
    """Whether a random model is in the language; AssertionError if it has other successors than its methods give, the
    names of errors aside."""
    try:
        different = disagreement(define(load(text, folder)), most, names=False)
    except (Refused, UsageError):
        return False
    assert different is None, f"{different}\n{text}"
    return True


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(50, 300, 50))])
def test_lowered_statements_do_what_python_does(first: int, tmp_path: Path) -> None:
    """Successor by successor, errors and their lines included; three of four are in the language."""
    inside = sum(lowered_alike(random_statements(Random(seed)), tmp_path) for seed in range(first, first + 50))
    assert inside > 35


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 9000, 500))
def test_many_lowered_statements_do_what_python_does(first: int, tmp_path: Path) -> None:
    """The same of thousands."""
    assert sum(lowered_alike(random_statements(Random(seed)), tmp_path) for seed in range(first, first + 500)) > 350


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(2, 6))])
def test_compiled_statements_do_what_python_does(seed: int, tmp_path: Path) -> None:
    """Eight actions in one model, two levels deep: counts, levels, errors and the states that lead to them."""
    random, text = Random(seed), HEADER
    for number in range(8):
        while not lowered_alike(random_statements(Random(chosen := random.randrange(10**9))), tmp_path):
            pass
        text += random_statements(Random(chosen))[len(HEADER) :].replace("def act(", f"def act{number}(")
    definition, limits = define(load(text, tmp_path)), Limits(max_depth=2, max_states=300)
    expected = summary(explore(Request(definition, engine="interpreter", limits=limits, stop_at_first=False)))
    found = summary(explore(Request(definition, limits=limits, stop_at_first=False)))
    for key, value in expected.items():
        assert found[key] == value, f"{key}:\n interpreter {value}\n native      {found[key]}\n{text[len(HEADER) :]}"
