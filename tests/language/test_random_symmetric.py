"""Random models with symmetric identities: what the front end accepts is symmetric, and merging finds one state of each
class.

Much of what is generated is refused; the share that is accepted is looked at too, or the test would say nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from attrs import define

from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.errors import UsageError
from checker.search.limits import Limits
from tests.language.random_symmetric import random_distributed, random_symmetric
from tests.language.symmetric_agreement import Symmetric
from tests.language.test_random_models import load, summary

KINDS = {"identities": random_symmetric, "processes": random_distributed}


@define
class Tried:
    """What was found in a range of seeds."""

    accepted: int = 0
    refused: int = 0
    merged: int = 0


def drawn(make: Callable[[Random], str], seed: int, folder: Path) -> Symmetric | None:
    """The model of a seed; None if it is refused."""
    try:
        return Symmetric.of(load(make(Random(seed)), folder))
    except UsageError:
        return None


def tried(make: Callable[[Random], str], seeds: range, folder: Path, samples: int, merge_each: int) -> Tried:
    """Every accepted model is symmetric in samples of all its states; some are searched in full and merged."""
    found = Tried()
    for seed in seeds:
        model = drawn(make, seed, folder)
        if model is None:
            found.refused += 1
            continue
        found.accepted += 1
        rng = Random(seed)
        for _ in range(samples):
            difference = model.asymmetry(model.random_state(rng), rng)
            assert difference is None, f"seed {seed}: {difference}"
        if seed % merge_each == 0:
            difference = model.mismerged(most=60)
            assert difference is None, f"seed {seed}: {difference}"
            found.merged += 1
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_accepted_models_are_symmetric(kind: str, tmp_path: Path) -> None:
    """A permuted state has the permuted steps, and its properties say the same."""
    found = tried(KINDS[kind], range(12), tmp_path, samples=12, merge_each=4)
    assert found.accepted >= 3


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_many_accepted_models_are_symmetric(kind: str, first: int, tmp_path: Path) -> None:
    """The same, over more models and states; at least a fifth of each fifty is accepted."""
    found = tried(KINDS[kind], range(first, first + 50), tmp_path, samples=80, merge_each=5)
    assert found.accepted >= 10


def engines_agree(make: Callable[[Random], str], seed: int, folder: Path) -> bool:
    """Whether the model of a seed was accepted; interpreter and native kernel must merge its states alike."""
    model = drawn(make, seed, folder)
    if model is None:
        return False
    limits = Limits(max_depth=2, max_states=60)
    expected = summary(explore(Request(model.merging, engine="interpreter", limits=limits, stop_at_first=False)))
    assert summary(explore(Request(model.merging, limits=limits, stop_at_first=False))) == expected
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_engines_merge_a_random_model_alike(kind: str, tmp_path: Path) -> None:
    """The first model that is accepted: the same counts, findings and states."""
    assert any(engines_agree(KINDS[kind], seed, tmp_path) for seed in range(50))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(100, 140))
def test_engines_merge_many_random_models_alike(kind: str, seed: int, tmp_path: Path) -> None:
    """The same, over more models."""
    engines_agree(KINDS[kind], seed, tmp_path)
