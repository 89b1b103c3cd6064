"""One Spark session for all tests: starting it takes seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def spark() -> Iterator[str]:
    """The master of a running session with two tasks at once."""
    pytest.importorskip("pyspark")
    from checker.search.spark.cluster import connect

    tasks = connect("local[2]")
    yield "local[2]"
    tasks.session.stop()
