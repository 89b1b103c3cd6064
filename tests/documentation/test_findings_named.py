"""What the pages of the findings name beside a verdict can be run: each run of the gallery that a section links, and
each class that a page names, has a command of the same section or page; `test_findings_page.py` runs the commands."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.documentation.documents import FENCE, FINDINGS, ROOT

PAGES = [page for page in FINDINGS if page.name not in {"examinations.md", "four_processes.md", "spaces.md"}]
SECTION = re.compile(r"^(?=## )", re.MULTILINE)
RUN = re.compile(r"counterexamples/(\w+)/README\.md#([\w-]+)")
COMMAND = re.compile(r"checker \w+ ([\w:]+)")
CODE = re.compile(r"`(?:\w+:)?([A-Z]\w*)`")
DESIGNER = "## What a designer should take away"
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


def test_each_row_for_designers_has_commands_of_the_violation_and_of_the_repair() -> None:
    """In the order of the table."""
    section = FINDINGS[0].read_text("utf-8").partition(DESIGNER)[2].partition("\n## ")[0]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in section.splitlines() if line.startswith("| ")][1:]
    block = section.partition("```sh\n# ")[2].partition("\n```")[0]
    parts = [part.splitlines() for part in block.split("\n# ")]
    assert [head for head, *_ in parts] == [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", row) for row in rows]
    assert [head for head, *commands in parts if not both("\n".join(commands))] == []


def both(commands: str) -> bool:
    """One that shows a violation, and one that holds."""
    return "# violated in " in commands and "# holds: " in commands


def test_what_has_no_command_is_noticed() -> None:
    """A run that only another class shows, and a class that only the text names."""
    linked = "## A\n\nIt fails ([run](../../counterexamples/toto/README.md#stricttail-prefixorder)).\n"
    assert without_command(linked + "\n`checker check toto`\n") == {"toto:StrictTail"}
    assert without_command(linked + "\n`checker check toto:StrictTail`\n") == set()
    assert unnamed("`toto:OwnTail` fails: `checker check toto:StrictTail`") == {"OwnTail"}
    assert unnamed("`toto:OwnTail` fails: `checker check two_views:OwnTailViews`") == set()
    assert not both("checker check a  # violated in 3 steps")
