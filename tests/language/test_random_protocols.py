"""What a protocol does, compiled, is what Python does: random statements between processes that send, receive, crash
and are observed."""

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
from tests.language.random_protocols import HEADER, random_protocol
from tests.language.test_random_models import load, summary
from tests.language.test_random_statements import lowered_alike

LIMITS = Limits(max_depth=2, max_states=120)


@pytest.mark.parametrize("first", [0, pytest.param(15, marks=pytest.mark.thorough)])
def test_lowered_protocols_do_what_python_does(first: int, tmp_path: Path) -> None:
    """Successor by successor, crashes at each send, losses, copies, splits and observers included."""
    assert sum(lowered_alike(random_protocol(Random(seed)), tmp_path, 8) for seed in range(first, first + 15)) > 4


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 5000, 200))
def test_many_lowered_protocols_do_what_python_does(first: int, tmp_path: Path) -> None:
    """The same of thousands."""
    assert sum(lowered_alike(random_protocol(Random(seed)), tmp_path, 30) for seed in range(first, first + 200)) > 80


def compiled_alike(seed: int, folder: Path) -> bool:
    """Whether a random protocol of two actions is in the language; AssertionError if the kernel explores it otherwise
    than the interpreter."""
    text = random_protocol(Random(seed), actions=2)
    try:
        definition = define(load(text, folder))
        found = summary(explore(Request(definition, limits=LIMITS, stop_at_first=False)))
    except (Refused, UsageError):
        return False
    for key, value in summary(
        explore(Request(definition, engine="interpreter", limits=LIMITS, stop_at_first=False))
    ).items():
        assert found[key] == value, (
            f"seed {seed}, {key}:\n interpreter {value}\n native      {found[key]}\n{text[len(HEADER) :]}"
        )
    return True


def test_compiled_protocols_do_what_python_does(tmp_path: Path) -> None:
    """Counts, levels, errors and the states that lead to them."""
    assert sum(compiled_alike(seed, tmp_path) for seed in range(6)) >= 2


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(100, 500, 40))
def test_many_compiled_protocols_do_what_python_does(first: int, tmp_path: Path) -> None:
    """The same of hundreds."""
    assert sum(compiled_alike(seed, tmp_path) for seed in range(first, first + 40)) > 10
