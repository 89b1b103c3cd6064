"""The native kernel has the counts of the reference models, whose encodings are in benchmarks/models, and agrees with
the evaluator on them."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.models.bakery import Bakery
from benchmarks.models.chang_roberts import ChangRoberts
from benchmarks.models.filter_lock import FilterLock
from benchmarks.models.lamport_mutex import LamportMutex
from benchmarks.models.paxos import Paxos
from checker.backends.native.kernel import compile_model
from checker.frontend.lower import lower
from checker.language.define import define
from checker.language.model import Model as LanguageModel
from tests.backends.agreement import compare
from tests.backends.explore import explore

CASES: list[tuple[type[LanguageModel], dict[str, Any], int, int]] = [
    (Paxos, {"ballots": 1}, 3_921, 23_466),
    (LamportMutex, {"clock": 3}, 10_209, 41_532),
    (ChangRoberts, {"nodes": 5}, 5_455, 15_081),
    (FilterLock, {"processes": 4}, 5_744, 15_848),
    (Bakery, {"processes": 3, "tickets": 3}, 2_357, 5_774),
]


@pytest.mark.parametrize(
    ("model", "constants", "distinct", "transitions"), CASES, ids=lambda v: getattr(v, "__name__", "")
)
def test_reference_model_has_its_published_counts(
    model: type[LanguageModel], constants: dict[str, Any], distinct: int, transitions: int
) -> None:
    """Distinct states and transitions agree with TLC, SPIN or Rumur; nothing is violated."""
    found = explore(compile_model(lower(define(model, constants)), cache=False))
    assert (found.distinct, found.transitions) == (distinct, transitions)
    assert not found.found


@pytest.mark.parametrize("model", [Paxos, LamportMutex, ChangRoberts], ids=lambda m: m.__name__)
def test_kernel_and_evaluator_agree_on_reference_models(model: type[LanguageModel]) -> None:
    """Large sets, queues of unions, a state constraint: state by state."""
    assert compare(lower(define(model, {})), 60) == 60
