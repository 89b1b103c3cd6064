"""docs/sweeps.md: each sweep it declares gives what stands below it."""

from __future__ import annotations

import re

import pytest

from benchmarks.declared_sweeps import OUTCOMES, PAGE, declared, result, table, with_result

TEXT = PAGE.read_text("utf-8")
DECLARED = declared(TEXT)


def test_the_page_declares_a_sweep_for_each_command() -> None:
    """No command stands without its result, and none twice."""
    assert len(DECLARED) == TEXT.count("\nchecker sweep ") == len({command for command, _ in DECLARED}) > 100
    assert all(lines is not None for _, lines in DECLARED)


def number(text: str) -> int:
    """A number as it is printed."""
    return int(text.replace(",", ""))


def test_each_property_is_accounted_for_in_each_configuration() -> None:
    """What is violated, holds, was never put to the test and is not decided is all there is: no configuration was passed over."""
    for command, lines in DECLARED:
        *sentences, last = (lines or "").splitlines()
        for sentence in sentences:
            told = [number(n) for n in re.findall(rf"(?:{OUTCOMES}) in ([\d,]+)", sentence)]
            assert sum(told) == number(last.split()[0]), (command, sentence)


def test_the_table_counts_what_stands_below() -> None:
    """A line for each protocol."""
    assert table(TEXT) in TEXT


def test_a_result_is_written_below_the_command_that_gave_it() -> None:
    """Whether it had one before or not; what stands around it stays."""
    page = "Before.\n\n```sh\nchecker sweep a -D n=1\n```\n\n```sh\nchecker sweep b -D n=1\n```\n\n```text\n1 configuration\n```\n\nBehind.\n"
    assert declared(page) == [("checker sweep a -D n=1", None), ("checker sweep b -D n=1", "1 configuration")]
    page = with_result(with_result(page, "checker sweep a -D n=1", "3 configurations"), "checker sweep b -D n=1", "2 configurations")
    assert declared(page) == [("checker sweep a -D n=1", "3 configurations"), ("checker sweep b -D n=1", "2 configurations")]
    assert page.startswith("Before.\n") and page.endswith("\nBehind.\n")


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "expected"), DECLARED, ids=[c.split()[2] for c, _ in DECLARED])
def test_a_declared_sweep_gives_its_table(command: str, expected: str) -> None:
    """The same number of configurations, and the same first violation of each property."""
    assert result(command) == expected
