"""The seconds of searches that are over before optimised code exists are added up from run to run, until a search
begins with optimised code."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from checker.backends.native.kernel import NativeKernel, compile_model
from checker.catalogue import find
from checker.engines import fitting, native
from checker.engines.explored import Explored, Phases
from checker.engines.request import Request
from checker.language.define import define
from checker.search import improving

LONG = 1000.0
"""Seconds that no search of these tests works."""


@pytest.fixture(autouse=True)
def every_search_is_noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(improving, "NOTED", 0.0)
    monkeypatch.setattr(improving, "PATIENCE", LONG)


def _explored() -> tuple[bool, Explored]:
    """Whether a search of a small model used quick code to its end, and what it found."""
    explored = native.explore(Request(define(find("isis").cls, {"workload": (1, 1)})))
    assert explored.packed is not None
    return explored.packed.kernel.quick, explored


def _counts(explored: Explored) -> tuple[object, ...]:
    return explored.distinct, explored.transitions, explored.quiescent, explored.actions, explored.found


def _noted() -> str:
    """The name of the note on the model's quick code."""
    kernel = _kernel()
    return native._worked(kernel.identity)


def _kernel() -> NativeKernel:
    return native.compiled(Request(define(find("isis").cls, {"workload": (1, 1)})), {}, quick=True)


def test_short_searches_are_added_up() -> None:
    """A search begins with optimised code when those before have worked for as long as optimising takes, not before;
    it finds the same, and the code is in the cache for the next."""
    quick, first = _explored()
    assert quick
    improving.add_worked(_noted(), LONG / 2, 1.0)
    quick, second = _explored()
    assert quick
    improving.add_worked(_noted(), LONG / 2, 1.0)
    quick, third = _explored()
    assert not quick and _counts(first) == _counts(second) == _counts(third)
    assert not _explored()[0]


def test_the_time_of_a_search_is_noted() -> None:
    """A search that ends with quick code records how long it worked; one with optimised code does not."""
    _explored()
    first = improving.noted(_noted(), improving._WORK)
    assert first is not None and 0.0 < first.worked < LONG == first.optimising
    _explored()
    second = improving.noted(_noted(), improving._WORK)
    assert second is not None and second.worked > first.worked
    improving.add_worked(_noted(), LONG, 1.0)
    _explored()
    third = improving.noted(_noted(), improving._WORK)
    _explored()
    assert third == improving.noted(_noted(), improving._WORK)


def test_a_search_too_short_is_not_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(improving, "NOTED", LONG)
    _explored()
    assert improving.noted(_noted(), improving._WORK) is None


def test_a_search_that_a_fitted_one_replaced_is_not_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later searches begin with the fitted model, so the code as declared is never optimised for them."""
    monkeypatch.setattr(fitting, "SCOUTED", 100)
    assert _explored()[1].distinct > fitting.SCOUTED
    assert improving.noted(_noted(), improving._WORK) is None
    asked: list[tuple[str, bool]] = []

    def compiled(*arguments: Any, **how: Any) -> NativeKernel:
        asked.append((how["identity"], how["quick"]))
        return compile_model(*arguments, **how)

    as_declared = _kernel().identity
    monkeypatch.setattr(native, "compile_model", compiled)
    monkeypatch.setattr(improving, "PATIENCE", 0.0)
    for _ in range(2):
        _explored()
    assert len(asked) == 4 and [quick for name, quick in asked if name == as_declared] == [True, True]


def test_long_optimising_needs_more() -> None:
    """What optimising takes counts, if that is more than the least."""
    improving.add_worked(_noted(), 2 * LONG, 3 * LONG)
    assert _explored()[0]
    improving.add_worked(_noted(), LONG, 3 * LONG)
    assert not _explored()[0]


def test_a_phase_inside_another_counts_once() -> None:
    """The seconds of all phases add up to no more than passed, also where a search looks at lengths and compiles."""
    phases = Phases()
    began = time.perf_counter()
    with phases("search"):
        time.sleep(0.02)
        with phases("lower"):
            time.sleep(0.03)
            with phases("search"):
                time.sleep(0.02)
        time.sleep(0.02)
    passed = time.perf_counter() - began
    assert sum(phases.seconds.values()) <= passed
    assert phases.seconds["lower"] >= 0.03 and phases.seconds["search"] >= 0.06
