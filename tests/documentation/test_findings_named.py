"""What the pages of the findings name beside a verdict can be run: each run of the gallery that a section links, and
each class that a page names, has a command of the same section or page; `test_findings_page.py` runs the commands."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.documentation.documents import FENCE, FINDINGS, ROOT
from tests.documentation.test_findings_form import CLAIMS, sources

PAGES = [page for page in FINDINGS if page.name not in {"examinations.md", "four_processes.md", "spaces.md"}]
SECTION = re.compile(r"^(?=## )", re.MULTILINE)
RUN = re.compile(r"counterexamples/(\w+)/README\.md#([\w-]+)")
COMMAND = re.compile(r"checker \w+ ([\w:]+)")
CODE = re.compile(r"`(?:\w+:)?([A-Z]\w*)`")
DESIGNER = "## What a designer should take away"
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
STEPS = re.compile(r"# violated in (\d+) steps?")
NO_RULE = {
    "Section 4": "a count of control messages",
    "Total 9/9 with a perfect failure detector": "the pages give no repair for processes that crash later",
    "4.2 to 4.5, A2 fails": "a claim about times where the assumption of the paper does not hold",
    "4.5": "likewise about order",
}
"""Claims that fail, and that no other rule of the protocol repairs."""
PART_OF_A_NAME = {"Votes"}
"""Code that is no class of its own on these pages."""


@cache
def classes(model: Path) -> dict[str, str]:
    """The classes of a model, by their names in the anchors of the gallery."""
    tree = ast.parse(model.read_text("utf-8"))
    return {node.name.lower(): node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def run(model: str, anchor: str) -> str:
    """The class of a run, as a command names it."""
    name = classes(ROOT / "models" / f"{model}.py").get(anchor.partition("-")[0])
    return model if name is None else f"{model}:{name}"


def without_command(section: str) -> set[str]:
    """The classes of the runs that a section links and of which it has no command."""
    return {run(*found) for found in RUN.findall(FENCE.sub("", section))} - set(COMMAND.findall(section))


def unnamed(page: str) -> set[str]:
    """The classes that a page names and none of its commands does, nor as votes or views (`toto:OwnTail` by
    `two_views:OwnTailViews`)."""
    every = {name for model in (ROOT / "models").glob("[!_]*.py") for name in classes(model).values()}
    commanded = {name.partition(":")[2] for name in COMMAND.findall(page)}
    commanded |= {name.removesuffix("Votes").removesuffix("Views") for name in commanded}
    return set(CODE.findall(FENCE.sub("", page))) & every - commanded - PART_OF_A_NAME


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_run_that_a_section_links_has_a_command_there(page: Path) -> None:
    """A reader repeats it without the gallery."""
    assert set().union(*map(without_command, SECTION.split(page.read_text("utf-8")))) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_class_that_a_page_names_has_a_command_there(page: Path) -> None:
    """So what the page says of the class is what a test has run."""
    assert unnamed(page.read_text("utf-8")) == set()


def designer(page: str) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """The rows of the first table, each with its cell of steps; and the commands of each row."""
    section = page.partition(DESIGNER)[2].partition("\n## ")[0]
    cells = [LINK.sub(r"\1", line).split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]
    block = section.partition("```sh\n# ")[2].partition("\n```")[0]
    parts = [part.partition("\n") for part in block.split("\n# ")]
    return [(cell[0].removeprefix("| "), cell[2]) for cell in cells], {head: commands for head, _, commands in parts}


FIRST = FINDINGS[0].read_text("utf-8")
ROWS, COMMANDS = designer(FIRST)


def test_each_row_for_designers_has_commands_of_the_violation_and_of_the_repair() -> None:
    """In the order of the table."""
    assert list(COMMANDS) == [row for row, _ in ROWS]
    assert [head for head, commands in COMMANDS.items() if not both(commands)] == []


def both(commands: str) -> bool:
    """One that shows a violation, or how late a message is, and one that holds."""
    return ("# violated in " in commands or "# at most " in commands) and "# holds: " in commands


def test_each_row_for_designers_says_how_long_its_runs_are() -> None:
    """The steps of its commands, in their order; a row about times has none."""
    assert [(row, cell) for row, cell in ROWS if cell != (", ".join(STEPS.findall(COMMANDS[row])) or "-")] == []


def untold(claims: str, told: str) -> list[str]:
    """The rows with a verdict that fails and no command of the violation that the first table has too."""
    found = []
    for source in sources(claims):
        commands = dict(source.commands)
        for row in source.rows:
            shown = [c for c in commands.get(row.name, ()) if re.search("# (violated|at most) ", c)]
            if re.search(r"\*\*(fail|loses)", row.verdict) and not any(c in told for c in shown):
                found.append(row.name)
    return found


def test_each_claim_that_fails_has_a_row_for_designers() -> None:
    """With a command of the same violation, unless it is a claim that no rule of the protocol repairs."""
    assert untold(CLAIMS, "\n".join(COMMANDS.values())) == list(NO_RULE)


def test_a_claim_without_a_row_for_designers_is_noticed() -> None:
    """Whether it has another command there, or none; a claim that holds needs no row."""
    table = "### S: x\n\n| line | claim | verdict | smallest |\n|---|---|---|---|\n| 2 | a | {} | 1, 1 |\n"
    block = "<summary>A command for each row</summary>\n\n```sh\n# 2\nchecker check a  # violated in 3 steps\n```\n"
    fails = table.format("**fails**") + block
    assert untold(fails, "checker check a  # violated in 3 steps") == []
    assert untold(fails, "checker check b  # violated in 3 steps") == untold(table.format("**fails**"), "") == ["2"]
    assert untold(table.format("holds") + block, "") == []


def test_what_has_no_command_is_noticed() -> None:
    """A run that only another class shows, and a class that only the text names."""
    linked = "## A\n\nIt fails ([run](../../counterexamples/toto/README.md#stricttail-prefixorder)).\n"
    assert without_command(linked + "\n`checker check toto`\n") == {"toto:StrictTail"}
    assert without_command(linked + "\n`checker check toto:StrictTail`\n") == set()
    assert unnamed("`toto:OwnTail` fails: `checker check toto:StrictTail`") == {"OwnTail"}
    assert unnamed("`toto:OwnTail` fails: `checker check two_views:OwnTailViews`") == set()
    assert not both("checker check a  # violated in 3 steps")
