"""All engines agree on models nobody wrote: counts, action counts, findings, and the states that lead to them."""

from __future__ import annotations

import importlib.util
import itertools
from pathlib import Path
from random import Random
from typing import Any

import pytest

from checker.engines.explored import Explored
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.define import define
from checker.search.limits import Limits
from tests.language.random_source import random_model

LIMITS = Limits(max_depth=2, max_states=200)
"""Some of these models have thousands of states within two steps."""
_numbers = itertools.count()


def load(text: str, folder: Path) -> Any:
    """The model class of a text."""
    path = folder / f"generated_{next(_numbers)}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Generated


def summary(explored: Explored) -> dict[str, Any]:
    """What must not depend on the engine."""
    found = {}
    for f in explored.found:
        name = (f.shown.kind, f.shown.line) if f.shown.kind in ("error", "assert") else (f.shown.kind, f.shown.name)
        found.setdefault(name, (f.steps, f.path()))
    return {
        "distinct": explored.distinct,
        "transitions": explored.transitions,
        "depth": explored.depth,
        "quiescent": explored.quiescent,
        "cut": explored.cut,
        "actions": explored.actions,
        "levels": explored.levels,
        "found": found,
    }


def agree(text: str, folder: Path) -> None:
    """Interpreter and native kernel explore the model alike."""
    definition = define(load(text, folder))
    expected = summary(explore(Request(definition, engine="interpreter", limits=LIMITS, stop_at_first=False)))
    got = summary(explore(Request(definition, limits=LIMITS, stop_at_first=False)))
    for key, value in expected.items():
        assert got[key] == value, f"{key}:\n interpreter {value}\n native      {got[key]}\n{text}"


@pytest.mark.parametrize("seed", range(1000, 1010))
def test_engines_agree_on_random_models(seed: int, tmp_path: Path) -> None:
    """Python running the text and the compiled kernel find the same states, in the same order."""
    agree(random_model(Random(seed)), tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(400))
def test_engines_agree_on_many_random_models(seed: int, tmp_path: Path) -> None:
    """The same, over more models."""
    agree(random_model(Random(seed)), tmp_path)


BOUNDS = (Limits(), Limits(max_depth=0), Limits(max_depth=2), *(Limits(max_states=n) for n in (1, 5, 17)))


@pytest.mark.parametrize("seed", range(2))
def test_engines_end_at_the_same_state(seed: int, tmp_path: Path) -> None:
    """A bound on depth or states, and the first violation, end both searches with the same counts, findings and
    coverage."""
    definition = define(load(random_model(Random(seed)), tmp_path))
    complete = set()
    for limits, stop_at_first in itertools.product(BOUNDS, (False, True)):
        interpreted = explore(Request(definition, engine="interpreter", limits=limits, stop_at_first=stop_at_first))
        native = explore(Request(definition, limits=limits, stop_at_first=stop_at_first))
        assert summary(interpreted) == summary(native), (limits, stop_at_first)
        bounds = [(e.bound, e.complete, e.coverage) for e in (interpreted, native)]
        assert bounds[0] == bounds[1], (limits, stop_at_first)
        complete.add(interpreted.complete)
    assert complete == {True, False}


def test_the_interpreter_ends_in_time(tmp_path: Path) -> None:
    """Limits on seconds and memory hold for it too, and it says how far it is."""
    definition = define(load(random_model(Random(0)), tmp_path))
    for limits, bound in ((Limits(max_seconds=1e-9), "seconds"), (Limits(max_memory=1), "memory")):
        explored = explore(Request(definition, engine="interpreter", limits=limits, stop_at_first=False))
        assert (explored.bound, explored.complete, explored.transitions) == (bound, False, 0)
