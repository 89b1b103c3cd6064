"""docs/findings.md and the pages behind it: each command of these pages, in blocks and in running text, is one of the
command line, and ends as the page says behind `#`.

By default each third of those that take less than about a second is run, as printed; the others are run by the thorough
tests (the models' own expectations hold the same verdicts in `checker verify`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

import pytest

from checker.cli import commands
from tests.cli.commands import Ran
from tests.documentation.documents import FINDINGS

PAGE = "\n".join(page.read_text(encoding="utf-8") for page in FINDINGS)
BLOCKS = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
WITHIN = [" ".join(text.split()) for text in re.findall(r"`(checker [^`]*)`", PAGE)]
LINE = re.compile(r"^ *(checker check [^\n#]*?)(?: *# ([^\n]*))?$", re.MULTILINE)
CHECKS = list(dict.fromkeys((m[1], m[2] or "violated") for m in LINE.finditer("\n".join([BLOCKS, *WITHIN]))))
NAMED = {"checker latency NAME", "checker verify", "checker verify --thorough"}  # not to be run as they stand
OTHERS = sorted({line.split("#")[0].strip() for line in WITHIN} - {line for line, _ in CHECKS} - NAMED)
# those that take longer than about a second when their kernels are there
LONG = (
    "causal_broadcast -D workload=1,1,1 --property CausalOrder",
    "causal_broadcast -D workload=2,1,0",
    "causal_broadcast:Retested -D workload=2,1,1 --property",
    "sequencer:StartAtMinusOne -D workload=2,1,0",
    "isis:TieBySender -D channels=fifo",
    "optimistic_destinations:SentToAll",
    "vote_vectors:",
    "two_views:",
    "configuration_change:ToToChange",
    "configuration_join -D workload=1,1,1,1",
    "optimistic_multicast_1:OwnGroupIsNoBarrier -D workload=2",
    "optimistic_multicast_3",
    "optimistic_multicast_paxos:ThreeLeaders",
    "optimistic_requests",
)
QUICKLY = [c for c in CHECKS if "--max-states" not in c[0] and not c[0].removeprefix("checker check ").startswith(LONG)]


def as_said(said: str, ran: Ran) -> bool:
    """The verdict is the one that stands behind the command, with as many states or steps."""
    if said.startswith("holds"):
        states = re.search(r"([\d,]+) states", said)
        return ran.code == 0 and (states is None or f" {states[1]} states" in ran.out)
    if said.startswith("not decided"):
        return ran.code == 4
    steps = re.search(r"violated in (\d+) steps", said)
    return ran.code == 1 and (steps is None or f" in {steps[1]} steps" in ran.out.splitlines()[-1])


@pytest.mark.parametrize("line", sorted({line for line, _ in CHECKS} | set(OTHERS)))
def test_a_command_of_the_page_is_one_of_the_command_line(line: str) -> None:
    """Its options exist."""
    words = shlex.split(line)[1:]
    assert commands.command(words[0]).make_context(words[0], words[1:]).params


def test_the_page_has_commands() -> None:
    """The patterns find them, with what they end with."""
    assert len(CHECKS) > 120 and 80 < len(QUICKLY) < len(CHECKS) and len(OTHERS) >= 6
    assert ("checker check causal_broadcast -D workload=3,0", "holds: 388 states") in CHECKS


def test_a_command_in_running_text_says_how_it_ends() -> None:
    """As those of the blocks do, or it leaves a report of a violation."""
    assert [c for c in WITHIN if c.startswith("checker check ") and "#" not in c] == []


@pytest.mark.parametrize(
    ("line", "said"), [pytest.param(*c, marks=pytest.mark.thorough if i % 3 else ()) for i, c in enumerate(QUICKLY)]
)
def test_a_quick_command_ends_as_the_page_says(checker: Callable[..., Ran], line: str, said: str) -> None:
    """Run as printed."""
    assert as_said(said, checker(*shlex.split(line)[1:]))


@pytest.mark.thorough
@pytest.mark.parametrize("line", OTHERS)
def test_a_command_of_another_kind_ends_well(checker: Callable[..., Ran], line: str) -> None:
    """What is verified is as expected, what is compared has the same outcomes, and delays are measured."""
    ran = checker(*shlex.split(line)[1:])
    assert ran.code == 0
    assert not line.startswith("checker compare") or "the same 27" in ran.out


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
    assert as_said("not decided", Ran(4, "INCONCLUSIVE", "")) and not as_said("not decided", held)
