"""docs/sweeps.md: each sweep it declares gives what stands below it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from checker.cli import run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sweeps.md"
BLOCK = re.compile(r"^```sh\n(checker sweep .*?)\n```\n\n```text\n(.*?)\n```", re.MULTILINE | re.DOTALL)
DECLARED = BLOCK.findall(PAGE.read_text("utf-8"))
OUTCOMES = "violated|holds|implied|never put to the test|not decided"


def summary(printed: str) -> list[str]:
    """The lines below the table: what became of each property, and how many configurations there were; no times."""
    lines = printed.splitlines()
    kept = [line for line in lines if re.search(r" (is first violated at|holds in|never put to the test in|not decided in|violated in) ", line)]
    return [*kept, re.sub(r" in [\d.]+ s$", "", lines[-1])]


def test_the_page_declares_a_sweep_for_each_command() -> None:
    """No command stands without its result."""
    assert len(DECLARED) == PAGE.read_text("utf-8").count("\nchecker sweep ") > 5


def number(text: str) -> int:
    """A number as it is printed."""
    return int(text.replace(",", ""))


def test_each_property_is_accounted_for_in_each_configuration() -> None:
    """What is violated, holds, was never put to the test and is not decided is all there is: no configuration was passed over."""
    for command, result in DECLARED:
        *sentences, last = result.splitlines()
        for sentence in sentences:
            told = [number(n) for n in re.findall(rf"(?:{OUTCOMES}) in ([\d,]+)", sentence)]
            assert sum(told) == number(last.split()[0]), (command, sentence)


def counted(section: str) -> tuple[int, int, int, int, int]:
    """Sweeps of everything together in a section, those over all distributions, their configurations, and the verdicts on properties: decided, and not."""
    swept = [(command, text.splitlines()) for command, text in BLOCK.findall(section) if "--implied" in command]
    whole, each = sum("1..4 over 2..4" in command for command, _ in swept), [number(lines[-1].split()[0]) for _, lines in swept]
    undecided = sum(number(n) for _, lines in swept for n in re.findall(r"not decided in ([\d,]+)", "\n".join(lines)))
    return len(swept), whole, sum(each), sum(n * (len(lines) - 1) for n, (_, lines) in zip(each, swept)) - undecided, undecided


def test_the_table_counts_what_stands_below() -> None:
    """A line for each protocol with a network, but for the early delivery rules."""
    sections = {part.splitlines()[0]: counted(part) for part in PAGE.read_text("utf-8").split("\n## ")[1:]}
    lines = re.findall(r"^\| (\w[^|]*) " + 5 * r"\| ([\d,]+) " + r"\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(lines) == 8
    for name, *numbers in lines:
        assert sections[name] == tuple(map(number, numbers)), name


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "expected"), DECLARED, ids=[c.split()[2] for c, _ in DECLARED])
def test_a_declared_sweep_gives_its_table(command: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same number of configurations, and the same first violation of each property."""
    run(shlex.split(command)[1:])
    assert summary(capsys.readouterr().out) == expected.splitlines()
