"""The form of docs/findings.md and the pages behind it: each verdict of a table has its commands below the table, each
row that holds names a space, and each count of states or steps in a text is the outcome of a command of the same
section.

`test_findings_page.py` runs the commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from benchmarks.spaces import FILE, Space, described, spaces
from tests.documentation.documents import FINDINGS, ROOT

PAGE = FINDINGS[0].read_text(encoding="utf-8")
CLAIMS = PAGE.partition("## What each source claims")[2].partition("\n## ")[0]
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
CELL = re.compile(r"(?<!\\)\|")
COUNT = re.compile(r"(?<![\d,.])(\d{1,3}(?:,\d{3})+)(?![\d,])|(?<![\d,.])(\d+) states")
WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
DEPTH = re.compile(rf"\b(\d+|{'|'.join(WORDS)})(?: and (\d+|{'|'.join(WORDS)}))? steps\b", re.IGNORECASE)
OTHERWISE = {"delays.md", "examinations.md", "four_processes.md", "spaces.md"}
"""Pages whose numbers are not outcomes of commands: counts of messages, of verdicts of explorers, and limits."""
NOT_OF_A_CHECK = {
    ("lecture_and_slides.md", "21,229,360"),  # the result of a sweep
    ("optimistic_times.md", "292,100"),  # the largest copy that `checker latency` explores for the table
    ("optimistic_multicast.md", "163,608"),  # configurations that tests/models/test_algorithm_3_printed.py decides
}

SPACES = spaces(FILE.read_text(encoding="utf-8"))
REACHED = re.compile(r"\b(all \d+|\d+ of \d+)(?:, then (\d+(?:,\d+)+))?(?!\d|,\d)")
NO_SPACE = {
    "a thread for each reception",  # the row is about a reading that fails
    "R-IP-multicast",  # likewise
    "Byzantine generals",  # the cell names the numbers of generals
    "6",  # one graph
    "7",  # a measurement
}
"""Rows with a verdict that holds, for which a space of configurations says nothing."""


@frozen
class Row:
    """A row of a table: its name, which is the first cell (with the second if the first is not unique), the verdict and
    the last cell."""

    name: str
    verdict: str
    last: str


@frozen
class Source:
    """The rows of one source, and the commands below its table by the names above them."""

    heading: str
    rows: tuple[Row, ...]
    commands: tuple[tuple[str, tuple[str, ...]], ...]


def sources(claims: str) -> Iterator[Source]:
    """The sections of the page that have a table."""
    for section in re.split(r"^### ", claims, flags=re.MULTILINE)[1:]:
        lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
        cells = [[LINK.sub(r"\1", cell).strip() for cell in CELL.split(line)[1:-1]] for line in lines]
        firsts = [first for first, *_ in cells]
        names = [c[0] if firsts.count(c[0]) == 1 else f"{c[0]}; {c[1]}" for c in cells]
        block = section.partition("<summary>A command for each row</summary>\n\n```sh\n# ")[2].partition("\n```")[0]
        parts = [part.splitlines() for part in block.split("\n# ") if part]
        yield Source(
            section.partition(":")[0].splitlines()[0],
            tuple(Row(name, c[2], c[-1]) for name, c in zip(names, cells)),
            tuple((head, tuple(commands)) for head, *commands in parts),
        )


def lacking(source: Source) -> list[str]:
    """The rows without a command that states their verdict."""
    given = dict(source.commands)
    return [row.name for row in source.rows if not stated(row.verdict, given.get(row.name, ()))]


def stated(verdict: str, commands: tuple[str, ...]) -> bool:
    """A verdict that fails has a command that ends with a violation, or that measures more than the source claims; one
    that holds has a command that holds, or runs something other than a check."""
    fails = any("# violated" in c or "# at most" in c for c in commands)
    holds = any("# holds" in c or not c.startswith("checker check ") for c in commands)
    return bool(commands) and (fails or "**fail" not in verdict) and (holds or not verdict.startswith("hold"))


@pytest.mark.parametrize("source", list(sources(CLAIMS)), ids=lambda source: source.heading.split()[0])
def test_each_verdict_of_a_table_has_its_commands(source: Source) -> None:
    """In the order of the rows, and no command is without a row."""
    assert lacking(source) == []
    assert [name for name, _ in source.commands] == [row.name for row in source.rows]


def test_the_page_has_a_table_for_each_source() -> None:
    """The five sources, with what they claim."""
    assert [len(source.rows) > 7 for source in sources(CLAIMS)] == [True] * 5


def test_a_row_without_its_command_is_noticed() -> None:
    """Whether all of its commands are missing, or only those with the outcome that the verdict states."""
    table = "### S: x\n\n| line | claim | verdict | smallest |\n|---|---|---|---|\n| 2 | a | **fails** | 1, 1 |\n"
    block = "<summary>A command for each row</summary>\n\n```sh\n# 2\nchecker check a  # {}\n```\n"
    assert [lacking(s) for s in sources(table)] == [["2"]]
    assert [lacking(s) for s in sources(table + block.format("holds"))] == [["2"]]
    assert [lacking(s) for s in sources(table + block.format("violated in 3 steps"))] == [[]]
    assert not stated("holds", ("checker check a  # violated",)) and stated("holds", ("checker check a  # holds",))


def test_each_row_that_holds_names_where() -> None:
    """A configuration, or the space in which no violation exists."""
    assert [
        row.name for s in sources(CLAIMS) for row in s.rows if row.verdict.startswith("hold") and not row.last
    ] == []


def test_each_row_that_holds_says_how_far_it_was_searched() -> None:
    """By a space of a class of its commands: how many configurations are decided, and the first that is not."""
    assert [
        (row.name, row.last)
        for s in sources(CLAIMS)
        for row in s.rows
        if "hold" in row.verdict and row.name not in NO_SPACE and not REACHED.search(row.last)
    ] == []
    assert [(name, bad) for name, last, classes in reaches() for bad in unreached(last, classes)] == []


def reaches() -> Iterator[tuple[str, str, set[str]]]:
    """Of each row: its name, its last cell and the classes of its commands."""
    for source in sources(CLAIMS):
        commands = dict(source.commands)
        for row in source.rows:
            yield row.name, row.last, {line.split()[2] for line in commands[row.name] if line.startswith("checker ")}


def unreached(last: str, classes: set[str]) -> list[str]:
    """What a cell says of spaces and no space of these classes has as its result."""
    found = {(described(s).partition(":")[0], first(s)) for s in SPACES if s.model in classes}
    return [m[0] for m in REACHED.finditer(last) if (m[1], m[2] or "") not in found]


def first(space: Space) -> str:
    """The workload of the first configuration that is not decided; empty if every one is, or there is no workload."""
    options = "" if space.result is None else space.result.first or ""
    return options.partition("workload=")[2].partition(" ")[0]


def test_a_cell_that_says_more_than_its_space_is_noticed() -> None:
    """Another number, another configuration, or a space of another class."""
    assert unreached("2, 2; the repair holds: 38 of 39, then 1,1,1,1", {"causal_broadcast:WaitFirst"}) == []
    wrong = ["38 of 39, then 2,1,1,0", "39 of 39, then 1,1,1,1", "38 of 39", "all 39"]
    assert [unreached(text, {"causal_broadcast:WaitFirst"}) for text in wrong] == [[text] for text in wrong]
    assert unreached("38 of 39, then 1,1,1,1", {"isis"}) == ["38 of 39, then 1,1,1,1"]


@pytest.mark.parametrize("page", [p for p in FINDINGS[1:] if p.name not in OTHERWISE], ids=lambda page: page.stem)
def test_each_count_of_states_is_the_outcome_of_a_command_of_its_section(page: Path) -> None:
    """So the command that gives the count stands beside it, and a test runs it."""
    parts = re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    missing = [number for part in parts for number in uncommanded(part)]
    assert [number for number in missing if (page.name, number) not in NOT_OF_A_CHECK] == []


@pytest.mark.parametrize("page", [p for p in FINDINGS if p.name not in OTHERWISE], ids=lambda page: page.stem)
def test_each_depth_is_the_outcome_of_a_command_of_its_section(page: Path) -> None:
    """In figures or in words: six steps, three and five steps."""
    parts = re.split(r"^(?=##+ )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [depth for part in parts for depth in depths_without_command(part)] == []


def depths_without_command(section: str) -> list[str]:
    """The depths of a section that no command in it ends with."""
    code, rest = apart(section)
    given = set(re.findall(r"violated in (\d+) steps?", code))
    depths = [depth for found in DEPTH.findall(LINK.sub(r"\1", rest)) for depth in found if depth]
    return [d for d in depths if (d if d.isdigit() else str(WORDS.index(d.lower()) + 1)) not in given]


def apart(section: str) -> tuple[str, str]:
    """The commands of a section, in blocks and in running text, and its text without them."""
    inline = [" ".join(found.split()) for found in re.findall(r"`(checker [^`]*)`", section)]
    code = "\n".join([*re.findall(r"```sh\n(.*?)```", section, re.DOTALL), *inline])
    return code, re.sub(r"```.*?```|`checker [^`]*`", "", section, flags=re.DOTALL)


def uncommanded(section: str) -> list[str]:
    """The counts of a section that no command in it ends with."""
    code, rest = apart(section)
    counts = [large or small for large, small in COUNT.findall(LINK.sub(r"\1", rest))]
    given = set(re.findall(r"([\d,]+) states", code))
    return [number for number in dict.fromkeys(counts) if number not in given]


def test_a_count_without_its_command_is_noticed() -> None:
    """In a sentence or a table; numbers of links and commands are none."""
    assert uncommanded("## A\n\nIt holds (1,234 states), and 12 states.\n") == ["1,234", "12"]
    assert uncommanded("## A\n\nIt holds (1,234 states).\n\n```sh\nchecker check a  # holds: 1,234 states\n```\n") == []
    assert uncommanded("## A\n\n`checker check a  # holds: 1,234 states`; [run](a/1,000.md)\n") == []


def test_a_depth_without_its_command_is_noticed() -> None:
    """A command that ends with another depth does not count."""
    block = "\n```sh\nchecker check a  # violated in {} steps\n```\n"
    assert depths_without_command("## A\n\nIt fails in six steps, or 17 and 14 steps.\n") == ["six", "17", "14"]
    assert depths_without_command("## A\n\nSix steps.\n" + block.format(6)) == []
    assert depths_without_command("## A\n\nSix steps.\n" + block.format(16)) == ["Six"]


def test_other_commands_of_the_blocks_name_files_that_exist() -> None:
    """A test or a measurement beside a row for which no check exists."""
    others = [
        c for s in sources(CLAIMS) for _, commands in s.commands for c in commands if not c.startswith("checker ")
    ]
    files = [word for command in others for word in command.split() if word.endswith(".py")]
    modules = [c.split()[-1].replace(".", "/") + ".py" for c in others if c.startswith("python -m ")]
    assert others and [name for name in (*files, *modules) if not (ROOT / name).exists()] == []
