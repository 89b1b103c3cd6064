"""What holds for all tests: searches are validated with a smaller sample, which no clock ends; and fixtures that
several folders need.

Thousands of searches are made here, and most tests compare with the interpreter, counts or verdicts anyway.  The tests
of validation itself (`whole_sample`) use the sample of the command line.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests import dear
from tests.cli.commands import checker, here, lock, write
from tests.forgotten import forgetting
from tests.rows import left_to_thorough
from tests.search.spark import sessions

__all__ = [
    "checker",
    "eight",
    "executor",
    "executors",
    "here",
    "lock",
    "small_sample",
    "spark",
    "whole_sample",
    "write",
]

SMALL = 10_000
"""Of validation.ALLOWANCE: some ten milliseconds for a search."""
ENDLESS = 3600.0
"""Of the clocks of validation, in seconds: what is compared is counted, so a slow machine compares the same."""
YOUNG = 1_000_000
"""New objects after which those that are new are looked through for garbage."""
PATIENT = 4.0
"""Seconds that a search lasts at least before its code is optimised."""

# a busy machine is no reason for a test to fail
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure() -> None:
    """Ctrl-C reaches the tests and the commands that they start.  A shell starts a background job (`pytest &`) with
    SIGINT ignored, and children inherit that: a command that a test interrupts would run for ever."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()


def pytest_collection_finish() -> None:
    """Modules and thousands of collected tests stay to the end: they are never garbage, and not looked at again.  While
    they are made nothing is collected, a third of the time that it takes, and later old objects are seldom looked at: a
    test drops little that only a collection finds.  A fork that runs tests (tests/mutation) has what its parent
    froze."""
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()
        # Frozen objects can be freed when Python ends, or the libraries that are bound with nanobind print a hundred
        # lines about objects that are left.  Not earlier: pytest's last collections would go through all of them, and
        # in a fork copy the pages that they lie on.
        atexit.register(gc.unfreeze)
    gc.set_threshold(YOUNG, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def small_sample() -> Iterator[int]:
    """Less is executed by the interpreter in each search; gives what a search of the command line is allowed."""
    from checker.validation import lowered, validation

    usual, clocks = validation.ALLOWANCE, (validation.SECONDS, lowered.SECONDS)
    validation.ALLOWANCE, validation.SECONDS, lowered.SECONDS = SMALL, ENDLESS, ENDLESS
    yield usual
    validation.ALLOWANCE, (validation.SECONDS, lowered.SECONDS) = usual, clocks


@pytest.fixture(scope="session", autouse=True)
def quick_code() -> Iterator[None]:
    """A search begins to optimise its code later than on the command line: most would end before it is used, and all
    processors are busy with tests.  The change from one code to the other has tests of its own, which ask for it
    (tests/search/test_improving.py).  Shards on Spark would compile optimised code before they begin, each process its
    own; those of a command in a process of its own do."""
    from checker.engines import spark
    from checker.search import improving

    usual, improving.PATIENCE, spark.QUICK = improving.PATIENCE, PATIENT, True
    yield
    improving.PATIENCE, spark.QUICK = usual, False


@pytest.fixture(scope="session", autouse=True)
def no_fault_is_passed_over() -> Iterator[tuple[type[Exception], ...]]:
    """A fault in what seeks the reasons of a violation fails a test; gives the kinds of errors that a command passes
    over (tests/replay/test_sought.py)."""
    from checker.replay import sought

    usual, sought.FAULTS = sought.FAULTS, ()
    yield usual
    sought.FAULTS = usual


@pytest.fixture(scope="session", autouse=True)
def each_lowered_once() -> Iterator[None]:
    """A model of the same class and constants is lowered by the first test of a process that needs it."""
    from tests.frontend.lowered_once import lowered_once

    with lowered_once():
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_held_before() -> Iterator[None]:
    """This process holds more than a command does before its search; a limit of memory counts from there."""
    from checker.engines import whole_process

    usual, reserved, whole_process.resident = whole_process.resident, whole_process.RESERVED, lambda: 0
    least, whole_process.RESERVED, whole_process.LEAST = whole_process.LEAST, 0, 1
    yield
    whole_process.resident, whole_process.RESERVED, whole_process.LEAST = usual, reserved, least


@pytest.fixture(scope="session", autouse=True)
def quick_disk() -> Iterator[None]:
    """Files are not waited for until they are on the disk: no power is lost here."""
    usual, os.fsync = os.fsync, lambda _: None
    yield
    os.fsync = usual


@pytest.fixture(scope="session", autouse=True)
def code_stays() -> Iterator[None]:
    """A shard in this process gives no code back when it is built: the system lists a thousand mappings for that, and
    the next test reads the code again.  Processes of Spark do it (tests/search/spark/test_release.py)."""
    from checker.search.spark import job

    usual, job.release_code = job.release_code, lambda: 0
    yield
    job.release_code = usual


@pytest.fixture(autouse=True)
def own_models_forgotten(request: pytest.FixtureRequest) -> Iterator[None]:
    """Models in the directory of a test end with it."""
    if "tmp_path" not in request.fixturenames:
        yield
        return
    with forgetting(request.getfixturevalue("tmp_path")):
        yield


@pytest.fixture
def whole_sample(small_sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the command line."""
    from checker.validation import validation

    monkeypatch.setattr(validation, "ALLOWANCE", small_sample)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of long tables some rows are left (`tests.rows`), of a run of all tests some that take long (`tests.dear`).
    Tests that need Spark come first: see `tests.search.spark.sessions`."""
    left_to_thorough(items)
    if dear.is_whole(config.args):
        dear.left_to_other_builds(items, dear.part_of(config.rootpath), dear.listed())
    sessions.first_with_spark(items)


@pytest.fixture(scope="session", autouse=True)
def spark_sessions() -> Iterator[None]:
    """Java starts quickly in all tests, and what was started in this process is ended."""
    sessions.quick_java()
    yield
    sessions.end()


@pytest.fixture
def spark() -> str:
    """The master of a running session with two tasks at once."""
    return sessions.session_on(sessions.MASTERS["spark"])


@pytest.fixture
def eight() -> str:
    """The master of a running session with eight tasks at once."""
    return sessions.session_on(sessions.MASTERS["eight"])


@pytest.fixture
def executor() -> str:
    """The master of a running session with one executor: a process that shares nothing with this one but the disk."""
    return sessions.session_on(sessions.MASTERS["executor"])


@pytest.fixture
def executors() -> str:
    """The master of a running session with two executors of one task each: processes that share nothing with this one
    but the disk."""
    return sessions.session_on(sessions.MASTERS["executors"])
