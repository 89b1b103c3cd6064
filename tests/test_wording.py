"""Counts in sentences: one of anything is in the singular."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checker.analysis.since import Touched
from checker.wording import bytes_of, counted, size_of

CHECKER = Path(__file__).parents[1] / "checker"
NOUNS = "expectations|states|steps|transitions|configurations|properties|files|rows|items|arguments|outcomes"
NEVER_ONE = {
    "proof.py",
    "summary.py",
    "profile.py",
    "gallery_pages.py",
    "trace.py",
    "explore.py",
    "made.py",
    "lowered.py",
    "answers.py",
    "tables.py",
}
"""Their numbers are above some limit, or are of an error of the checker itself."""


@pytest.mark.parametrize(
    "number, noun, text",
    [
        (0, "step", "0 steps"),
        (1, "expectation", "1 expectation"),
        (1200, "state", "1,200 states"),
        (1, "property", "1 property"),
        (2, "property", "2 properties"),
        (2, "process", "2 processes"),
    ],
)
def test_a_count_agrees_with_its_noun(number: int, noun: str, text: str) -> None:
    """Also a noun that ends in y or s."""
    assert counted(number, noun) == text


@pytest.mark.parametrize("size, text", [(1, "1"), (1024, "1K"), (1536, "1536"), (3 << 19, "1536K"), (4 << 30, "4G")])
def test_a_size_is_shown_as_it_is_read(size: int, text: str) -> None:
    """No digit is lost: a message repeats the size that was given."""
    assert size_of(size) == text and bytes_of(text) == size


@pytest.mark.parametrize("untouched, said", [(1, "1 expectation is not"), (2, "2 expectations are not")])
def test_a_verb_agrees_with_the_count(untouched: int, said: str) -> None:
    """In the line that says what a change does not touch."""
    assert next(Touched((), {}, untouched).texts("main")).startswith(f"{said} touched")


def test_counts_in_sentences_are_made_by_one_function() -> None:
    """No text puts a number before a plural itself, but where the number is never one."""
    pattern = re.compile(rf"(?<!last )(?<!all )\{{(?:len\([^}}]*\)|[\w.]*[a-z][a-z_]*)(?::,)?\}} (?:{NOUNS})\b")
    found = [
        f"{file.name}: {hit[0]}"
        for file in sorted(CHECKER.rglob("*.py"))
        if file.name not in NEVER_ONE
        for hit in pattern.finditer(file.read_text(encoding="utf-8"))
    ]
    assert found == []
