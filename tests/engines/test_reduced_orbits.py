"""Symmetry together with stubborn sets: the set of the state that stands for its orbit is taken.  States at rest, their
distances and verdicts are those of the search that merges alone, and so those of the model."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from checker.analysis.check import check
from checker.backends.native.kernel import InitialError, NativeKernel, compile_model
from checker.catalogue import find
from checker.engines.reduced import reduction
from checker.frontend.lower import lower
from checker.frontend.refusal import Refused
from checker.ir.footprints.effort import TooMany
from checker.ir.model import Model as Lowered
from checker.language import Bool, Int, Map, action, invariant, quiescent, require, var
from checker.language.constants import const
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.errors import UsageError
from checker.language.types import Ids
from checker.results.verdict import Verdict
from checker.search.breadth_first import search
from checker.search.limits import Limits
from checker.search.result import SearchResult
from tests.engines.full_and_reduced import at_rest, cyclic, distances, judged, shown
from tests.engines.test_symmetry import TWO_PHASE_COMMIT, Handover, Hello
from tests.language.random_symmetric import random_distributed, random_symmetric
from tests.language.test_random_models import load


def searched(model: Lowered, reduce: bool, most: int = 200_000) -> tuple[SearchResult, NativeKernel]:
    kernel = compile_model(model, quick=True, reduction=reduction(model) if reduce else None)
    return search(kernel, limits=Limits(max_states=most), stop_at_first=False), kernel


MODELS: list[tuple[Any, dict[str, Any], int]] = [
    (Hello, {}, 40),
    (Hello, {"processes": 2, "crashes": 1}, 100),
    (Hello, {"processes": 2, "losses": 1}, 200),
    (Handover, {}, 100),
    (find(TWO_PHASE_COMMIT).cls, {"managers": 4}, 200),
]


@pytest.mark.parametrize(("cls", "constants", "most"), MODELS)
def test_orbits_at_rest_are_those_of_the_model(cls: Any, constants: dict[str, Any], most: int) -> None:
    """Merged and reduced: the same states at rest, as far away, and the same violations as merged alone; and each
    stands for one of the model."""
    models = [judged(lower(define(cls, {**constants, "symmetry": s}), {"net": 48})) for s in (False, True)]
    plain, merged = (searched(m, False)[0] for m in models)
    both, kernel = searched(models[1], True)
    assert distances(both) == distances(merged) and both.distinct <= min(merged.distinct, most)
    assert cyclic(kernel, both) or shown(both) == shown(merged) == shown(plain)
    resting = kernel.canonical(plain.states()[plain.quiescent_indices])
    assert {row.tobytes() for row in resting} == at_rest(both)
    assert np.array_equal(kernel.canonical(both.states()), both.states())


@pytest.mark.parametrize("seeds", [range(24), pytest.param(range(24, 240), marks=pytest.mark.thorough)], ids=str)
def test_random_symmetric_models_are_reduced_soundly(tmp_path: Path, seeds: range) -> None:
    """Whatever their steps do: orbits at rest as far away as ever; without a cycle, the same violations and errors."""
    tried = 0
    for seed in seeds:
        text = (random_distributed if seed % 2 else random_symmetric)(Random(seed))
        try:
            model = judged(lower(define(load(text, tmp_path), {"symmetry": True})))
            if model.symmetry is None or model.constraints:
                continue
            both, kernel = searched(model, True, 3_000)
        except (Refused, UsageError, TooMany, InitialError):  # the last: an error in an initial state
            continue
        merged = searched(model, False, 3_000)[0]
        if merged.bound is None and not merged.small:
            tried += 1
            assert distances(both) == distances(merged), seed
            assert cyclic(kernel, both) or shown(both) == shown(merged), seed
    assert tried >= len(seeds) / 8


class Elect(Distributed):
    """Each process prepares, then one may lead; nothing says which."""

    processes = const(4, "processes")
    Process = Ids("p", processes, symmetric=True)
    ready = var(Map[Process, Int(0, 2)], 0)
    leads = var(Map[Process, Bool], False)

    @action
    def prepare(self, p: Process):
        require(self.ready[p] < 2)
        self.ready[p] += 1

    @action
    def lead(self, p: Process):
        require(self.ready[p] == 2 and not self.leads[p])
        self.leads[p] = True

    @invariant
    def one_leads(self) -> bool:
        return all(p == q for p in self.Process for q in self.Process if self.leads[p] and self.leads[q])

    @quiescent
    def some_lead(self) -> bool:
        return any(self.leads[p] for p in self.Process)


def test_the_counterexample_of_an_orbit_is_that_of_the_ordinary_search() -> None:
    """The same run, with the same counts, as without --reduce."""
    plain, reduced = (check(Elect, "Elect", {"symmetry": True}, reduce=r) for r in (False, True))
    assert plain.verdict is reduced.verdict is Verdict.VIOLATED
    assert [p.trace for p in plain.properties] == [p.trace for p in reduced.properties]
    assert (plain.distinct, plain.levels) == (reduced.distinct, reduced.levels) and not reduced.reduced


def test_orbits_and_reduction_together_have_fewer_states_than_either() -> None:
    """Without the property that is violated: 256 states, 35 orbits, 13 states of a reduced graph, 13 orbits of it."""
    found = {
        (s, r): check(Elect, "Elect", {"symmetry": s}, only=["some_lead"], reduce=r)
        for s in (False, True)
        for r in (False, True)
    }
    assert {r.verdict for r in found.values()} == {Verdict.HOLDS}
    assert {key: r.distinct for key, r in found.items()} == {
        (False, False): 256,
        (True, False): 35,
        (False, True): 13,
        (True, True): 13,
    }


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_counts_of_reduced_orbits_are_the_same_for_all_threads(threads: int) -> None:
    """The set is a function of the state that stands for the orbit."""
    model = judged(lower(define(Hello, {"symmetry": True}), {"net": 32}))
    kernel = compile_model(model, quick=True, reduction=reduction(model))
    first, again = (search(kernel, threads=n, stop_at_first=False) for n in (1, threads))
    assert (first.distinct, first.transitions, first.levels) == (again.distinct, again.transitions, again.levels)
