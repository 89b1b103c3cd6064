"""A slice of the thorough tests that turns with the commit: `pytest -p tests.turning -m thorough --turning 1200`.

The thorough tests take hours, a build has minutes.  So each build begins at another place of the list, which its commit
decides, and goes on until the time is over; what was run is printed, and what was left is counted.  Repeating a commit
repeats its slice.  Where it stops: a test that has begun is not ended, so the slice may take as long as its last test
more.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
LEFT = "left for another commit"


def turned(items: Sequence[T], commit: str) -> list[T]:
    """The items in the order of a commit: from the place that its hash names, round the end."""
    first = int(commit, 16) % len(items) if items else 0
    return [*items[first:], *items[:first]]


def scattered(items: Sequence[T], parts: int = 16) -> list[T]:
    """The items with neighbours far apart: every 16th, then those beside them.  A slice then meets many files."""
    return [item for part in range(parts) for item in items[part::parts]]


def commit_of(directory: Path) -> str:
    """The commit that is checked out, in hexadecimal digits.  RuntimeError outside a repository."""
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=directory, capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(f"the order of the thorough tests comes from the commit: {found.stderr.strip()}")
    return found.stdout.strip()


class Turning:
    """The order of one run, its end, and what was run in it."""

    def __init__(self, seconds: float, commit: str, began: float) -> None:
        self.until, self.commit = began + seconds, commit
        self.ran: list[str] = []
        self.left = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Turn the list, after everything else has chosen from it."""
        items[:] = turned(scattered(items), self.commit)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Leave what does not begin in time."""
        if time.time() > self.until:
            pytest.skip(LEFT)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what was run and what was left."""
        if report.when == "setup" and report.skipped and LEFT in str(report.longrepr):
            self.left += 1
        elif report.when == "call":
            self.ran.append(f"{report.outcome} {report.nodeid} {report.duration:.0f} s")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what was run."""
        terminalreporter.section(f"thorough tests of commit {self.commit[:12]}")
        for line in self.ran:
            terminalreporter.line(line)
        terminalreporter.line(f"{len(self.ran)} run, {self.left} left for other commits")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare --turning."""
    parser.addoption("--turning", type=float, metavar="SECONDS", help="begin tests for so long, in the commit's order")
    parser.addoption("--turning-began", type=float, default=time.time(), help="when the time began (Unix time)")


def pytest_configure(config: pytest.Config) -> None:
    """Turn the order where --turning asks for it."""
    seconds = config.getoption("--turning")
    if seconds is not None:
        turning = Turning(seconds, commit_of(config.rootpath), config.getoption("--turning-began"))
        config.pluginmanager.register(turning, "turning")
