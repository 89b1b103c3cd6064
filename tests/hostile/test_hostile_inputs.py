"""No input leads to a traceback, an internal error, a signal or a wait without end: what is wrong is named in one
message, with a documented exit code."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.hostile.inputs import Input, faults, inputs, pristine, run, shown

SLICE = 10
PIECES = 8


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that inputs name."""
    return pristine(tmp_path_factory.mktemp("hostile"))


def found(some: list[Input], place: Path) -> list[str]:
    """Inputs that ended as none may, each with what is wrong and the end of what it said."""
    return [
        f"{shown(words)}: {', '.join(wrong)}: {ended.err[-300:]}"
        for words, ended in zip(some, run(some, place))
        if (wrong := faults(words, ended))
    ]


def test_a_slice_of_the_hostile_inputs_that_turns_from_day_to_day(place: Path) -> None:
    """Ten of some thousands, others each day."""
    every = inputs()
    first = date.today().toordinal() * SLICE % len(every)
    assert found((every + every)[first : first + SLICE], place) == []


@pytest.mark.thorough
@pytest.mark.parametrize("piece", range(PIECES))
def test_all_hostile_inputs(place: Path, piece: int) -> None:
    """In pieces."""
    assert found(inputs()[piece::PIECES], place) == []


def test_what_is_wrong_is_found() -> None:
    """The judge is not blind: an internal error, a signal, two messages and a flood are faults."""
    from tests.damage.forked import Ended

    def ended(code: int, err: str) -> Ended:
        return Ended((0, code), "", err, None, ())

    words = ("check", "x")
    assert faults(words, ended(2, "error: no\n")) == []
    assert faults(words, ended(70, "internal error: x")) == ["exit code 70", "internal error"]
    assert faults(words, ended(-14, "")) == ["exit code -14"]
    assert faults(words, ended(2, "error: a\nerror: b\n")) == ["2 messages"]
    assert faults(words, ended(1, "Traceback (most recent call last):")) == ["Traceback"]
    assert faults(words, ended(0, "x" * 10_000)) == ["10,000 characters of errors"]
