"""The hand-made traces, by name, and the browser that pages are read with."""

from collections.abc import Iterator

import pytest

from checker.trace.trace import Trace
from tests.report import runs
from tests.report.browser import CHROMIUM, Browser


@pytest.fixture(params=list(runs.ALL))
def trace(request: pytest.FixtureRequest) -> Iterator[Trace]:
    """Each hand-made trace in turn."""
    yield runs.ALL[request.param]()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The one of this process."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    running = Browser()
    yield running
    running.close()
