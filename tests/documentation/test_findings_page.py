"""docs/findings.md and the pages behind it: each command of these pages, in blocks and in running text, is one of the
command line, and ends as the page says behind `#`.

By default each eighth of those that take less than about a second is run, as printed; the thorough tests run the others
(the models' own expectations hold the same verdicts in `checker verify`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

import pytest

from checker.cli import commands
from checker.results.verdict import Verdict
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
    "optimistic_multicast_1 -D workload=2,1,1,0",
    "optimistic_multicast_3",
    "optimistic_multicast_paxos:ThreeLeaders",
    "optimistic_requests",
    "parallel_leaders",
)
MANY = 100_000  # states that take longer, too


def is_long(command: str, said: str) -> bool:
    """Whether a command is left to the thorough tests."""
    states = re.search(r"([\d,]+) states", said)
    many = states is not None and int(states[1].replace(",", "")) > MANY
    return many or "--max-" in command or command.removeprefix("checker check ").startswith(LONG)


# the commands that end a section are thorough: most are expectations of the models, which `checker verify` holds
QUICKLY = [c for c in checks(MORE.sub("", PAGE)) if not is_long(*c)]
# the greatest delay (none: nothing is delivered), and the messages for each multicast where the page says them
MEASURED = [
    (m[1].strip(), m[2], m[3])
    for m in re.finditer(
        r"^(checker latency [^\n#]*)# (?:at most (\d+)|never)(?:, (\S+) messages)?$", BLOCKS, re.MULTILINE
    )
]
COUNTED = [m for m in MEASURED if m[2] is not None]


# the first page: what holds in a row of a table, of properties that the command names
TESTED = [
    line
    for line, said in checks(FINDINGS[0].read_text(encoding="utf-8"))
    if "--property" in line and said.startswith("holds") and not is_long(line, said)
]


def untested(line: str, out: str) -> set[str]:
    """The properties that a command names, and that its result calls never tested."""
    named = line.partition("--property ")[2].split(" ")[0].split(",")
    return set(named) & set(re.findall(r"never-tested (\w+)", out))


def as_said(said: str, ran: Ran) -> bool:
    """The verdict is the one that stands behind the command, with as many states or steps."""
    if said.startswith("holds"):
        states = re.search(r"([\d,]+) states", said)
        return ran.code == 0 and (states is None or f" {states[1]} states" in ran.out)
    if said.startswith("not decided"):
        return ran.code == 4
    steps = re.search(r"violated in (\d+ steps?)", said)
    return ran.code == 1 and (steps is None or re.search(rf" in {steps[1]}\b", ran.out.splitlines()[-1]) is not None)


@pytest.mark.parametrize("line", sorted({line for line, _ in CHECKS} | set(OTHERS)))
def test_a_command_of_the_page_is_one_of_the_command_line(line: str) -> None:
    """Its options exist."""
    words = shlex.split(line)[1:]
    assert commands.command(words[0]).make_context(words[0], words[1:]).params


def test_the_page_has_commands() -> None:
    """The patterns find them, with what they end with."""
    assert len(CHECKS) > 300 and 200 < len(QUICKLY) < len(CHECKS) and len(OTHERS) >= 6 and len(MEASURED) >= 4
    assert ("checker check causal_broadcast -D workload=3,0", "holds: 388 states") in CHECKS


def test_each_command_says_how_it_ends() -> None:
    """With the number of states or steps, in the blocks and in running text."""
    assert [c for c in WITHIN if c.startswith("checker check ") and "#" not in c] == []
    figures = re.compile(r"holds: [\d,]+ states|violated in \d+ steps?|not decided")
    assert [line for line, said in CHECKS if not figures.fullmatch(said)] == []


@pytest.mark.parametrize(
    ("line", "said"), [pytest.param(*c, marks=pytest.mark.thorough if i % 8 else ()) for i, c in enumerate(QUICKLY)]
)
def test_a_quick_command_ends_as_the_page_says(checker: Callable[..., Ran], line: str, said: str) -> None:
    """Run as printed."""
    assert as_said(said, checker(*shlex.split(line)[1:]))


@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=pytest.mark.thorough if i % 8 else ()) for i, line in enumerate(TESTED)]
)
def test_a_property_of_a_table_is_tested_where_it_holds(checker: Callable[..., Ran], line: str) -> None:
    """A row does not rest on a configuration in which the antecedent of its property is never satisfied."""
    assert untested(line, checker(*shlex.split(line)[1:], "--strict").out) == set()


@pytest.mark.parametrize(
    ("line", "most", "messages"),
    [
        pytest.param(*m, marks=pytest.mark.thorough if m in COUNTED and COUNTED.index(m) % 6 != 2 else ())
        for m in MEASURED
    ],
)
def test_a_delay_is_the_one_that_the_page_says(
    checker: Callable[..., Ran], line: str, most: str | None, messages: str | None
) -> None:
    """The greatest delay of the last delivery, and the messages for each multicast."""
    ran = checker(*shlex.split(line)[1:])
    assert ran.code == 0 and measured(ran.out)[0] == most and (messages is None or measured(ran.out)[1] == messages)


def measured(out: str) -> tuple[str | None, str | None]:
    """Of a measurement: the greatest delay of the last delivery, and the messages for each multicast."""
    delay = re.search(r"delay of the last delivery +\d+ +(\d+)", out)
    messages = re.search(r"messages for each multicast +(\S+)", out)
    return delay and delay[1], messages and messages[1]


def test_each_row_of_the_measured_repairs_has_its_commands() -> None:
    """As many pairs of delay and messages in the table as commands, and each is the outcome of one."""
    page = next(p for p in FINDINGS if p.name == "delays.md").read_text(encoding="utf-8")
    table = page.partition("## What the repairs cost, measured")[2].partition("```sh")[0]
    cells = re.findall(r"\| \**(?:\d\.\.(\d)|never); ([\d.]+?)\** (?=\|)", table)
    given = {(most or "", messages) for _, most, messages in COUNTED}
    assert len(cells) == len(COUNTED) and set(cells) == given


@pytest.mark.thorough
@pytest.mark.parametrize("line", OTHERS)
def test_a_command_of_another_kind_ends_well(checker: Callable[..., Ran], line: str) -> None:
    """What is verified is as expected, what is compared has the same outcomes, and delays are measured; a sweep that is
    asked where its property is tested says where it is not."""
    ran = checker(*shlex.split(line)[1:])
    assert ran.code == (Verdict.VACUOUS.exit_code if "--strict" in line else 0)
    assert ("vacuous in" in ran.out) == ("--strict" in line)
    assert not line.startswith("checker compare") or "the same 27" in ran.out


@pytest.mark.thorough
@pytest.mark.parametrize(("line", "said"), [c for c in CHECKS if c not in QUICKLY])
def test_every_other_command_ends_as_the_page_says(checker: Callable[..., Ran], line: str, said: str) -> None:
    """Run as printed."""
    assert as_said(said, checker(*shlex.split(line)[1:]))


def test_a_property_that_is_never_tested_is_noticed() -> None:
    """If the command names it, and not if another property is never tested."""
    out = "VACUOUS  nothing is violated, but: never-tested FifoOrder, never-tested Validity"
    assert untested("checker check a --property TotalOrder,FifoOrder -D x=1", out) == {"FifoOrder"}
    assert untested("checker check a --property TotalOrder", out) == set()
    assert len(TESTED) > 8


def test_a_wrong_figure_is_noticed() -> None:
    """Neither other states nor other steps pass, nor another verdict."""
    held, broken = Ran(0, "explored  1,388 states\nHOLDS", ""), Ran(1, "VIOLATED  P in 13 steps", "")
    assert not as_said("holds: 388 states", held) and as_said("holds: 1,388 states", held)
    assert not as_said("violated in 3 steps", broken) and as_said("violated in 13 steps", broken)
    assert not as_said("violated", held) and not as_said("holds", broken)
    assert as_said("not decided", Ran(4, "INCONCLUSIVE", "")) and not as_said("not decided", held)
