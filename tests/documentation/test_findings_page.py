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
LINE = re.compile(r"^ *(checker check [^\n#]*?)(?: *# ([^\n]*))?$", re.MULTILINE)
MORE = re.compile(r"^More commands for this section:\n\n```sh\n.*?```", re.MULTILINE | re.DOTALL)


def blocks(text: str) -> str:
    """The commands of the blocks."""
    return "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))


def within(text: str) -> list[str]:
    """The commands in running text."""
    return [" ".join(found.split()) for found in re.findall(r"`(checker [^`]*)`", text)]


def checks(text: str) -> list[tuple[str, str]]:
    """Each `checker check`, with how it ends."""
    every = "\n".join([blocks(text), *within(text)])
    return list(dict.fromkeys((m[1], m[2] or "violated") for m in LINE.finditer(every)))


BLOCKS, WITHIN, CHECKS = blocks(PAGE), within(PAGE), checks(PAGE)
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
MANY = 100_000  # states that take longer, too


def is_long(command: str, said: str) -> bool:
    """Whether a command is left to the thorough tests."""
    states = re.search(r"([\d,]+) states", said)
    many = states is not None and int(states[1].replace(",", "")) > MANY
    return many or "--max-" in command or command.removeprefix("checker check ").startswith(LONG)


# the commands that end a section are thorough: most are expectations of the models, which `checker verify` holds
QUICKLY = [c for c in checks(MORE.sub("", PAGE)) if not is_long(*c)]
MEASURED = [
    (m[1].strip(), int(m[2])) for m in re.finditer(r"^(checker latency [^\n#]*)# at most (\d+)$", BLOCKS, re.MULTILINE)
]


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
    assert len(CHECKS) > 300 and 200 < len(QUICKLY) < len(CHECKS) and len(OTHERS) >= 6 and len(MEASURED) >= 4
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


@pytest.mark.parametrize(("line", "most"), MEASURED)
def test_a_delay_is_the_one_that_the_page_says(checker: Callable[..., Ran], line: str, most: int) -> None:
    """The greatest delay of the last delivery."""
    ran = checker(*shlex.split(line)[1:])
    found = re.search(r"delay of the last delivery +\d+ +(\d+)", ran.out)
    assert ran.code == 0 and found is not None and int(found[1]) == most


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
