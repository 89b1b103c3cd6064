"""Expectations of the shipped models that each build need not verify are thorough tests."""

from __future__ import annotations

import pytest

FILE = "tests/models/test_expectations.py"


@pytest.hookimpl(tryfirst=True)  # before the tests that -m asks for are chosen
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them."""
    verified = [i for i in items if isinstance(i, pytest.Function) and i.nodeid.startswith(f"{FILE}::test_models[")]
    if not verified:
        return
    from tests.models.each_build import each_build

    cases = [item.callspec.params["case"] for item in verified]
    chosen = each_build(cases)
    for item, case in zip(verified, cases):
        if case not in chosen:
            item.add_marker("thorough")
