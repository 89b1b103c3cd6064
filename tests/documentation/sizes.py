"""Sentences of the findings, and of the models, that speak of how large a configuration is, found by their words.

A sentence counts if it has a word that compares (WORD) and names a size: a number of messages, processes, faults, or a
workload (SIZE).  Text of links and of code does not count.  docs/findings/smallest.json lists the sentences of which
everything smaller was searched; docs/findings/not_searched.json lists the others, each with what it rests on.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attrs import frozen

from tests.documentation.documents import FENCE, FINDINGS, ROOT

FILE = ROOT / "docs" / "findings" / "not_searched.json"
OTHERWISE = {"examinations.md", "four_processes.md", "spaces.md"}
"""Pages about searches, which say where those ended."""
TABLES = "## What each source claims"
"""The section of the first page whose rows smallest.json lists by their commands."""

NUMBER = "one|two|three|four|five|six|seven|eight|no|any|a|each|fewer|single|\\d+"
NOUN = (
    "messages?|process(?:es)?|processors?|members?|generals?|acceptors?|learners?|senders?|groups?|crash(?:es)?|loss(?:es)?"
    "|duplicates?|cop(?:y|ies)|traitors?|leaders?|blockers?|repair"
)
SIZE = re.compile(
    rf"\b(?:{NUMBER}) (?:\w+ )?(?:{NOUN})\b|(?<![\w,.])\d(?:,\d)+(?![\w,])|\b(?:workload|fifth)\b", re.IGNORECASE
)
WORD = re.compile(
    r"\b(?:smallest|needs?|needed|fewer|fewest|least|suffic\w*|enough|(?:one|two) more|already|even (?:with|of)|nor"
    r"|no violation|not (?:with|one|two)|as few as|first (?:violated|fails?|with)|shows? (?:it|this))\b",
    re.IGNORECASE,
)
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
CODE = re.compile(r"`[^`]*`")
BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:\* |\||\d+\. ))")
END = re.compile(r"(?<=[.?!])\*{0,2}\)?\s+(?=[A-Z*`\[(])")


@frozen
class Other:
    """A sentence whose smaller configurations were not searched, and why: its words mean something else, or another
    test, command or argument decides it."""

    page: str
    sentence: str
    reason: str


def others() -> list[Other]:
    """The list of such sentences."""
    return [Other(**entry) for entry in json.loads(FILE.read_text("utf-8"))]


@cache
def texts() -> dict[str, str]:
    """The pages, without the tables that have a test of their own, and what each model says of itself."""
    pages = {p.name: p.read_text("utf-8") for p in FINDINGS if p.name not in OTHERWISE}
    first = FINDINGS[0].name
    before, _, rest = pages[first].partition(TABLES)
    pages[first] = before + "\n\n## " + rest.partition("\n## ")[2]
    pages["sweeps.md"] = (ROOT / "docs" / "sweeps.md").read_text("utf-8")
    return pages | {p.name: docstrings(p) for p in sorted((ROOT / "models").glob("*.py"))}


def docstrings(model: Path) -> str:
    """Of the module and of its classes."""
    tree = ast.parse(model.read_text("utf-8"))
    owners = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef)]
    return "\n\n".join(filter(None, map(ast.get_docstring, owners)))


def about_size(text: str) -> Iterator[str]:
    """The sentences of a text that speak of size, each with single spaces."""
    for block in BLOCK.split(FENCE.sub("\n\n", text)):
        line = " ".join(block.split())
        for sentence in [line] if line.startswith("|") else END.split(line):
            plain = CODE.sub("", LINK.sub(r"\1", sentence))
            if WORD.search(plain) and SIZE.search(plain):
                yield sentence


def apart(text: str, listed: set[str]) -> list[str]:
    """The sentences about size that overlap none of the listed ones."""
    line = " ".join(text.split())
    spans = [span for one in listed for span in places(line, one)]
    return [
        sentence
        for sentence in about_size(text)
        if not any(a < d and c < b for a, b in places(line, sentence) for c, d in spans)
    ]


def places(text: str, part: str) -> list[tuple[int, int]]:
    """Where a text has a part."""
    return [m.span() for m in re.finditer(re.escape(part), text)]
