"""docs/findings.md: each of its commands is one of the command line, and ends as the page says behind it.

By default those of small models are run, as printed; the others are run by the thorough tests (the models' own
expectations hold the same verdicts in `checker verify`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from checker.cli import commands
from tests.cli.commands import Ran

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "findings.md").read_text(encoding="utf-8")
BLOCKS = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
LINE = re.compile(r"^ *(checker check [^\n#]*?)(?: *# ([^\n]*))?$", re.MULTILINE)
CHECKS = [(m[1], m[2] or "violated") for m in LINE.finditer(BLOCKS)]
WITHIN = re.findall(r"`(checker [^`]*)`", PAGE.replace("\n", " "))
QUICK = (
    "learners",
    "configuration_change -D synchrony",
    "waiting_for_instances",
    "sequencer ",
    "isis -D workload=1,0 ",
)
QUICKLY = [c for c in CHECKS if c[0].removeprefix("checker check ").startswith(QUICK)]


def as_said(said: str, ran: Ran) -> bool:
    """The verdict is the one that stands behind the command, with as many states or steps."""
    if said.startswith("holds"):
        states = re.search(r"([\d,]+) states", said)
        return ran.code == 0 and (states is None or f" {states[1]} states" in ran.out)
    steps = re.search(r"violated in (\d+) steps", said)
    return ran.code == 1 and (steps is None or f" in {steps[1]} steps" in ran.out.splitlines()[-1])


@pytest.mark.parametrize("line", sorted({line for line, _ in CHECKS} | set(WITHIN)))
def test_a_command_of_the_page_is_one_of_the_command_line(line: str) -> None:
    """Its options exist."""
    words = shlex.split(line)[1:]
    assert commands.command(words[0]).make_context(words[0], words[1:]).params


def test_the_page_has_commands() -> None:
    """The patterns find them, with what they end with."""
    assert len(CHECKS) > 80 and len(QUICKLY) >= 10
    assert ("checker check causal_broadcast -D workload=3,0", "holds: 388 states") in CHECKS


@pytest.mark.parametrize(("line", "said"), QUICKLY)
def test_a_quick_command_ends_as_the_page_says(checker: Callable[..., Ran], line: str, said: str) -> None:
    """Run as printed."""
    assert as_said(said, checker(*shlex.split(line)[1:]))


@pytest.mark.thorough
@pytest.mark.parametrize(("line", "said"), [c for c in CHECKS if c not in QUICKLY])
def test_every_other_command_ends_as_the_page_says(checker: Callable[..., Ran], line: str, said: str) -> None:
    """Run as printed."""
    assert as_said(said, checker(*shlex.split(line)[1:]))


def test_a_wrong_figure_is_noticed() -> None:
    """Neither other states nor other steps pass, nor another verdict."""
    held, broken = Ran(0, "explored  1,388 states\nHOLDS", ""), Ran(1, "VIOLATED  P in 13 steps", "")
    assert not as_said("holds: 388 states", held) and as_said("holds: 1,388 states", held)
    assert not as_said("violated in 3 steps", broken) and as_said("violated in 13 steps", broken)
    assert not as_said("violated", held) and not as_said("holds", broken)
