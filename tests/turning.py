"""A slice of the thorough tests that turns with the commit: `pytest -p tests.turning -m thorough --turning 1200`.

The thorough tests take hours, a build has minutes.  So each build begins at another place of the list, which its commit
decides, and goes on until the time is over; what was run is printed, and what was left is counted.  Repeating a commit
repeats its slice.

Of a whole folder the tests APART are left out, each for its reason; where they are named they run.

A test that has begun, and the fixtures that it needs, have GRACE more: then it is stopped and named, neither passed nor
failed, so that a build knows when it ends.  What it cleans up is stopped again every AGAIN seconds.  REST later the run
ends whatever runs: compiled code is not stopped before it returns.  What takes minutes (SLOW) begins long before it.

With `-n 2 --maxschedchunk 1` both processes take the next tests of the same list; without it each begins at a place of
its own.  Where it stops: of a run that is ended whatever runs, a failure that was not reported yet is lost.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]
LEFT = "left for another commit"
STOPPED = "stopped, the slice is over"
GRACE = 300.0
"""Seconds that the last test may take after the slice is over."""
LONG = "one test is longer than a slice: before a release"
REST = 90.0
"""Seconds after the grace when the run ends, for reports and what sessions clean up."""
AGAIN = 20.0
"""Seconds after which a test that was stopped, and waits for what it has started, is stopped again."""
CLUSTER = "starts, stops and kills processes of clusters, and waits for clocks that a busy machine delays"
APART = {
    "tests/models/test_expectations.py": "`checker verify` verifies them; what it leaves out takes minutes",
    "tests/models/test_sweeps.py::test_a_declared_one_gives_its_result": LONG,
    "tests/mutation/": LONG,
    "tests/search/spark/test_faults.py": CLUSTER,
    "tests/search/spark/test_limits_and_silence.py": CLUSTER,
    "tests/search/spark/test_places.py": CLUSTER,
    "tests/search/spark/test_random_kills.py": CLUSTER,
    "tests/search/spark/test_standalone.py": CLUSTER,
}
"""Tests that are in a slice only where their file or folder is named, and why."""
SLOW = {
    "tests/analysis/compare/test_vote_vectors.py": 240.0,
    "tests/language/test_random_protocols.py": 240.0,
    "tests/engines/spark/": 60.0,
    "tests/search/spark/": 60.0,
}
"""Seconds that must be left of a slice for a thorough test of a file or folder to begin: it takes minutes, or waits for
other processes, which no alarm ends at once."""


def turned(items: Sequence[T], commit: str) -> list[T]:
    """The items in the order of a commit: from the place that its hash names, round the end."""
    first = int(commit, 16) % len(items) if items else 0
    return [*items[first:], *items[:first]]


def scattered(items: Sequence[T], parts: int = 16) -> list[T]:
    """The items with neighbours far apart: every 16th, then those beside them.  A slice then meets many files."""
    return [item for part in range(parts) for item in items[part::parts]]


def apart(named: Iterable[str]) -> dict[str, str]:
    """What is left out of a slice of these places, and why: all that none of them is in."""
    places = [name.partition("::")[0] for name in named]
    return {
        part: why
        for part, why in APART.items()
        if not any(part.partition("::")[0].rstrip("/") in inside(place) for place in places)
    }


def inside(place: str) -> set[str]:
    """A place relative to the project, and the folders that it is in."""
    path = Path(place).resolve()
    return {each.relative_to(ROOT).as_posix() for each in (path, *path.parents) if each.is_relative_to(ROOT)}


def commit_of(directory: Path) -> str:
    """The commit that is checked out, in hexadecimal digits.  RuntimeError outside a repository."""
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=directory, capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(f"the order of the thorough tests comes from the commit: {found.stderr.strip()}")
    return found.stdout.strip()


def needs(name: str) -> float:
    """Seconds that must be left for a test to begin."""
    return max((seconds for place, seconds in SLOW.items() if name.startswith(place)), default=0.0)


def stop(number: int, frame: object) -> None:
    """The handler of the alarm: the test that runs counts as skipped."""
    pytest.skip(STOPPED)


def started_by(process: int) -> Iterator[int]:
    """The processes that a process started, and those that they started.  None where the system does not list them."""
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = listed.read_text(encoding="ascii").split()
        except OSError:  # it has ended
            continue
        for child in map(int, children):
            yield child
            yield from started_by(child)


class Turning:
    """The order of one run, its end, and what was run in it."""

    def __init__(self, until: float, commit: str, apart: Mapping[str, str], grace: float) -> None:
        self.until, self.commit, self.apart, self.grace = until, commit, apart, grace
        self.ran: list[str] = []
        self.running: dict[str, None] = {}
        self.failures: list[str] = []
        self.left = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Turn the list, after everything else has chosen from it."""
        left = tuple(self.apart)
        items[:] = turned(scattered([i for i in items if not i.nodeid.startswith(left)]), self.commit)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Leave what does not begin in time."""
        if time.time() + needs(item.nodeid) > self.until:
            pytest.skip(LEFT)

    @pytest.hookimpl(wrapper=True, specname="pytest_runtest_setup")
    def pytest_runtest_setup_in_time(self, item: pytest.Item) -> Iterator[None]:
        """Stop fixtures that do not end in time."""
        with self.alarm():
            yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Stop what does not end in time."""
        with self.alarm():
            yield

    @contextmanager
    def alarm(self) -> Iterator[None]:
        """Within this, what runs when the grace is over is stopped, and again if it goes on."""
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, max(self.until + self.grace - time.time(), 0.001), AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note what runs, in whatever process."""
        self.running[nodeid] = None

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """It ended."""
        self.running.pop(nodeid, None)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what was run and what was left; of preparing and clearing up only what fails."""
        if report.failed:
            self.failures.append(f"{report.nodeid}\n{report.longreprtext}")
        reason = str(report.longrepr) if report.skipped else ""
        if LEFT in reason:
            self.left += 1
        elif report.when == "call" or report.failed or STOPPED in reason:
            outcome = "stopped" if STOPPED in reason else report.outcome
            self.ran.append(f"{outcome} {report.nodeid} {report.duration:.0f} s")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what was run."""
        terminalreporter.section(f"thorough tests of commit {self.commit[:12]}")
        for line in self.ran:
            terminalreporter.line(line)
        terminalreporter.line(f"{len(self.ran)} run, {self.left} left for other commits")
        for part, why in self.apart.items():
            terminalreporter.line(f"without {part}: {why}")

    def end(self, terminalreporter: pytest.TerminalReporter) -> None:
        """End this process and all that it started, although tests run; the exit code is that of those that ended."""
        capture = terminalreporter.config.pluginmanager.get_plugin("capturemanager")
        if capture is not None:  # without -n the test runs in this process, and its output is kept
            capture.suspend_global_capture(in_=True)
        for failure in self.failures:
            terminalreporter.line(failure)
        self.pytest_terminal_summary(terminalreporter)
        for name in self.running:
            terminalreporter.line(f"not finished, no time left: {name}")
        terminalreporter.flush()
        for process in reversed(list(started_by(os.getpid()))):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        os._exit(1 if self.failures else 0)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare --turning."""
    parser.addoption("--turning", type=float, metavar="SECONDS", help="begin tests for so long, in the commit's order")
    parser.addoption("--turning-grace", type=float, default=GRACE, help="seconds that the last test may take more")
    parser.addoption("--turning-rest", type=float, default=REST, help="seconds after which the run ends whatever runs")
    parser.addoption("--turning-began", type=float, default=time.time(), help="when the time began (Unix time)")


def pytest_configure(config: pytest.Config) -> None:
    """Turn the order where --turning asks for it."""
    seconds = config.getoption("--turning")
    if seconds is not None:
        began, grace = config.getoption("--turning-began"), config.getoption("--turning-grace")
        turning = Turning(began + seconds, commit_of(config.rootpath), apart(config.args), grace)
        config.pluginmanager.register(turning, "turning")


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Set the clock that ends the run, in the process that has all reports."""
    turning = session.config.pluginmanager.get_plugin("turning")
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if turning is not None and reporter is not None and not hasattr(session.config, "workerinput"):
        latest = turning.until + turning.grace + session.config.getoption("--turning-rest")
        clock = threading.Timer(max(latest - time.time(), 0.0), turning.end, [reporter])
        clock.daemon = True
        clock.start()
