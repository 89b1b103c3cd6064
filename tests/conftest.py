"""What holds for all tests: searches are validated with a smaller sample.

Thousands of searches are made here, and most tests compare with the interpreter, counts or verdicts anyway.  The tests
of validation itself (`whole_sample`) use the sample of the command line.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

SMALL = 10_000
"""Of validation.ALLOWANCE: some ten milliseconds for a search."""


@pytest.fixture(scope="session", autouse=True)
def small_sample() -> Iterator[int]:
    """Less is executed by the interpreter in each search; gives what a search of the command line is allowed."""
    from checker.engines import validation

    usual = validation.ALLOWANCE
    validation.ALLOWANCE = SMALL
    yield usual
    validation.ALLOWANCE = usual


@pytest.fixture
def whole_sample(small_sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the command line."""
    from checker.engines import validation

    monkeypatch.setattr(validation, "ALLOWANCE", small_sample)
