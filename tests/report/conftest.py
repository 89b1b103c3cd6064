"""The hand-made traces, by name."""

from collections.abc import Iterator

import pytest

from checker.trace.trace import Trace
from tests.report import runs


@pytest.fixture(params=list(runs.ALL))
def trace(request: pytest.FixtureRequest) -> Iterator[Trace]:
    """Each hand-made trace in turn."""
    yield runs.ALL[request.param]()
