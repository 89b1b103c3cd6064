"""What holds for all tests: searches are validated with a smaller sample; and fixtures that several folders need.

Thousands of searches are made here, and most tests compare with the interpreter, counts or verdicts anyway.  The tests
of validation itself (`whole_sample`) use the sample of the command line.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.commands import checker, here, lock, write

__all__ = ["checker", "here", "lock", "small_sample", "spark", "whole_sample", "write"]

SMALL = 10_000
"""Of validation.ALLOWANCE: some ten milliseconds for a search."""


@pytest.fixture(scope="session", autouse=True)
def small_sample() -> Iterator[int]:
    """Less is executed by the interpreter in each search; gives what a search of the command line is allowed."""
    from checker.validation import validation

    usual = validation.ALLOWANCE
    validation.ALLOWANCE = SMALL
    yield usual
    validation.ALLOWANCE = usual


@pytest.fixture
def whole_sample(small_sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the command line."""
    from checker.validation import validation

    monkeypatch.setattr(validation, "ALLOWANCE", small_sample)


@pytest.fixture(scope="session")
def spark() -> Iterator[str]:
    """The master of a running session with two tasks at once; one for all tests, because starting it takes seconds."""
    pytest.importorskip("pyspark")
    from checker.search.spark.cluster import connect

    tasks = connect("local[2]")
    yield "local[2]"
    tasks.session.stop()
