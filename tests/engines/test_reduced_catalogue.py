"""Every shipped class, with every budget of faults: a reduced search concludes what the full one does."""

from __future__ import annotations

import pytest

from checker.catalogue import catalogue
from checker.language.model import Model
from tests.engines.reduced_catalogue import FAULTS, chosen, compared

CLASSES = {entry.reference: entry.cls for entry in catalogue().entries}


def differences(cls: type[Model], fault: str, turn: int) -> list[str] | None:
    """What differs in the first configuration that is small enough; None if there is none."""
    for constants in chosen(cls, fault, turn):
        if found := compared(cls, constants):
            return [f"{constants}: {x.differs}" for x in found if x.differs]
    return None


@pytest.mark.parametrize("fault", ["no fault", "a crash", "a loss", "a duplicate"])
def test_an_example_is_reduced_soundly_with_one_fault(fault: str) -> None:
    """One that is small enough with each; of every class, the thorough test below."""
    assert differences(CLASSES["basic_multicast"], fault, 0) == []


@pytest.mark.thorough
@pytest.mark.parametrize("turn", [0, 1, 2])
@pytest.mark.parametrize("reference", sorted(CLASSES))
def test_every_class_is_reduced_soundly_with_every_fault(reference: str, turn: int) -> None:
    """States at rest with their distances, violations and errors; what cannot be lowered so small is left out."""
    found = {fault: differences(CLASSES[reference], fault, turn) for fault in FAULTS}
    if all(each is None for each in found.values()):
        pytest.skip("constraints, or no configuration that is small enough")
    assert {fault: each for fault, each in found.items() if each} == {}
