"""A search that changes over from quickly compiled to optimised code finds what it finds without, wherever it does."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from checker.backends.native.kernel import NativeKernel, compile_model
from checker.contract import States
from checker.search import improving
from checker.search.breadth_first import Look, search
from checker.search.deadline import OutOfTime
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


@pytest.mark.parametrize("fails", [False, True])
def test_a_search_waits_for_its_code_where_others_use_the_processors(
    quick: NativeKernel, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is compiled once, by the thread of the search, and is there at once; if that fails, the quick code stays."""
    threads: list[threading.Thread] = []

    def compiled() -> NativeKernel:
        threads.append(threading.current_thread())
        if fails:
            raise MemoryError
        return quick

    monkeypatch.setattr(improving, "_in_turn", False)
    improving.optimise_in_turn()
    improvement = Improvement(compiled)
    assert not improvement.ready(improving.PATIENCE / 2) and not threads
    assert improvement.ready(improving.PATIENCE) is not fails
    assert improvement.ready(improving.PATIENCE) is not fails
    assert threads == [threading.current_thread()]


def test_seconds_of_an_equal_search_count(quick: NativeKernel) -> None:
    """A search that goes on where another one ended optimises as soon as both together worked long enough."""
    compiled: list[int] = []
    had = Improvement(lambda: compiled.append(1) or quick, seconds=5.0, had=3.0)
    had.ready(1.9)
    assert not had._begun
    had.ready(2.1)
    improving._settle()
    assert had._begun and compiled == [1]


def test_a_search_that_will_probably_be_long_begins_with_optimised_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where it would wait for its code anyway."""
    monkeypatch.setattr(improving, "_in_turn", False)
    assert not improving.is_worth(10.0, 1.0)
    improving.optimise_in_turn()
    assert improving.is_worth(1.0, 4.0)
    assert not improving.is_worth(1.0, 4.1)


# ---- a look at the first states


@pytest.mark.parametrize("threads", [1, 2])
def test_a_look_sees_the_first_states_and_changes_nothing(quick: NativeKernel, threads: int) -> None:
    """It sees as many states as it asks for, once, in the order of discovery; the search then finds what it finds."""
    seen: list[bytes] = []
    plain = search(quick, stop_at_first=False)
    look = Look(plain.distinct // 2, lambda states: bool(seen.append(states.tobytes())))
    found = search(quick, threads=threads, stop_at_first=False, look=look)
    assert _found(found) == _found(plain)
    assert seen == [plain.states()[: look.after].tobytes()]


def test_a_look_may_end_the_search(quick: NativeKernel) -> None:
    """The search ends where it is, and is not complete."""
    plain = search(quick, stop_at_first=False)
    found = search(quick, stop_at_first=False, look=Look(plain.distinct // 2, lambda states: True))
    assert found.bound == "states" and not found.complete
    assert plain.distinct // 2 <= found.distinct < plain.distinct


def test_a_look_at_more_states_than_there_are_is_not_taken(quick: NativeKernel) -> None:
    plain = search(quick, stop_at_first=False)
    look = Look(plain.distinct + 1, lambda states: pytest.fail("there are not so many"))
    assert _found(search(quick, stop_at_first=False, look=look)) == _found(plain)


def test_a_limit_on_time_ends_a_search_during_its_look(quick: NativeKernel) -> None:
    """What the look does may raise OutOfTime or KeyboardInterrupt: the search ends with what it has."""
    for error, bound in ((OutOfTime("looking"), "seconds"), (KeyboardInterrupt(), "interrupted")):

        def late(states: States, error: BaseException = error) -> bool:
            raise error

        found = search(quick, stop_at_first=False, look=Look(1, late))
        assert found.bound == bound and not found.complete
