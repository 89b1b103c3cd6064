"""A search that changes over from quickly compiled to optimised code finds what it finds without, wherever it does."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from checker.backends.native.kernel import NativeKernel, compile_model
from checker.search import improving
from checker.search.breadth_first import search
from checker.search.improving import Improvement
from checker.search.result import SearchResult
from tests.backends.native_models import ewd840, two_phase_commit


class _After(Improvement):
    """An improvement that is ready at the n-th batch."""

    def __init__(self, kernel: NativeKernel, batches: int) -> None:
        super().__init__(kernel.optimised)
        self.left = batches

    def ready(self, worked: float) -> bool:
        self.left -= 1
        if self.left == 0:
            self._work()
        return super().ready(0.0)


def _found(result: SearchResult) -> tuple[object, ...]:
    return (
        result.counts(),
        result.levels,
        result.actions,
        result.violations,
        result.witnesses,
        result.states().tobytes(),
        np.asarray(result.quiescent_indices).tolist(),
    )


@pytest.fixture(scope="module", params=["two-phase commit", "EWD 840"])
def quick(request: pytest.FixtureRequest) -> NativeKernel:
    model = two_phase_commit(4) if request.param == "two-phase commit" else ewd840(3)
    kernel = compile_model(model, cache=False, quick=True)
    assert kernel.quick
    return kernel


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("batches", [1, 2, 5, 9])
def test_results_do_not_depend_on_when_the_code_changes(quick: NativeKernel, threads: int, batches: int) -> None:
    """States in order, counts and findings are those of a search with optimised code, for each number of threads."""
    improvement = _After(quick, batches)
    found = search(quick, threads=threads, stop_at_first=False, improvement=improvement)
    assert improvement.left <= 0 and not improvement.code[0].quick
    assert _found(found) == _found(search(quick.optimised(), stop_at_first=False))


def test_a_short_search_optimises_nothing(quick: NativeKernel) -> None:
    """A search that is over before it has lasted as long as optimising would does not begin it."""
    asked: list[NativeKernel] = []
    improvement = Improvement(lambda: asked.append(quick) or quick, seconds=3600.0)
    search(quick, stop_at_first=False, improvement=improvement)
    assert not asked


def test_a_process_does_not_fork_while_code_is_optimised(quick: NativeKernel) -> None:
    """LLVM is not left locked in a child: a fork waits for what is being compiled."""
    go, ended = threading.Event(), threading.Event()

    def compiled() -> NativeKernel:
        go.wait(10)
        ended.set()
        return quick

    improvement = Improvement(compiled)
    assert not improvement.ready(improving.PATIENCE)
    threading.Timer(0.1, go.set).start()
    child = os.fork()
    if child == 0:
        os._exit(0 if ended.is_set() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_search_ends_as_it_began_if_optimising_fails(quick: NativeKernel, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is printed, and the result is that of the quick code."""

    def compiled() -> NativeKernel:
        raise MemoryError

    improvement = Improvement(compiled)
    assert not improvement.ready(improving.PATIENCE)
    improving._settle()
    assert not improvement.ready(improving.PATIENCE) and capfd.readouterr() == ("", "")
    assert _found(search(quick, stop_at_first=False, improvement=improvement)) == _found(
        search(quick, stop_at_first=False)
    )
