"""The properties of single protocols, ISIS, early delivery and optimistic multicast: each fails where it should and
holds where it should, on every engine."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check
from checker.language.properties import Property
from checker.properties import agreed_timestamps, atomic_multicast, early_delivery, optimistic
from tests.properties import guesses, queues, timestamps

CASES = [*timestamps.CASES, *guesses.CASES, *queues.CASES]


@pytest.mark.parametrize("engine", ["interpreter", "native"])
@pytest.mark.parametrize(("name", "breaks", "keeps"), CASES)
def test_a_property_tells_a_model_that_breaks_it_from_one_that_keeps_it(
    name: str, breaks: Any, keeps: Any, engine: str
) -> None:
    """The first model violates the property, and says so in a sentence; the second does not."""
    broken, kept = (
        next(
            p
            for p in check(cls, cls.__name__, {"workload": cls.workload.default}, only=[name], engine=engine).properties
            if p.name == name
        )
        for cls in (breaks, keeps)
    )
    assert (broken.verdict, kept.verdict) == ("violated", "holds")
    trace = broken.trace
    assert trace is not None and trace.witness.endswith(".") and not trace.witness.startswith("False for")


def test_every_property_of_these_modules_has_a_case() -> None:
    """None is left without a model that breaks it."""
    classes = [
        c
        for module in (agreed_timestamps, atomic_multicast, early_delivery, optimistic)
        for c in vars(module).values()
        if isinstance(c, type)
    ]
    own = {c.__name__ for c in classes if issubclass(c, Property) and c.__module__.startswith("checker.properties.")}
    assert {name for name, *_ in CASES} == own
