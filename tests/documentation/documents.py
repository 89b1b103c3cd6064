"""Documents of this repository as data: the fenced blocks of a page, and a page followed as a reader follows it.

A block's info string is its language and, for a file that the reader is to make, the file's name:

    python counter.py    the whole file
    diff counter.py      lines to replace (`-`), lines to put there (`+`), lines around them
    console              `$ command`, then what it prints

In the expected output a line `...` stands for any number of lines and `...` inside a line for any text; times and
amounts of memory are not compared.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
FINDINGS = [ROOT / "docs" / "findings.md", *sorted((ROOT / "docs" / "findings").glob("*.md"))]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *FINDINGS[1:]]
FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
VARIES = re.compile(r"\b\d+(\.\d+)? (s|MB)\b")
AMOUNTS = re.compile(r"VARIES(?: \((?:\w+ VARIES(?:, )?)*\))?")


@frozen
class Block:
    """A fenced block: its language, the file it belongs to (or nothing), its text, and the line of its fence."""

    language: str
    name: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(*(found[2].strip() + " ").split(" ")[:2], found[3], text[: found.start()].count("\n") + 1)
        for found in FENCE.finditer(text)
    ]


def prose(page: Path) -> str:
    """A page without its fenced blocks; lines keep their numbers."""
    return FENCE.sub(lambda found: "\n" * found[0].count("\n"), page.read_text(encoding="utf-8"))


def follow(page: Path, folder: Path) -> Iterator[tuple[Block, str, str, str]]:
    """Make the files of a page in a folder and run its commands there: the block, command, expected and real output."""
    code = 0
    for block in blocks(page):
        target = folder / block.name
        if block.language == "console":
            for command, expected in commands(block):
                ran = run(command, folder, code)
                code = ran.returncode
                yield block, command, expected, ran.stdout
        elif block.name and block.language == "diff":
            target.write_text(replaced(target.read_text(encoding="utf-8"), block.text), encoding="utf-8")
        elif block.name:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output below it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected.rstrip("\n")


def run(command: str, folder: Path, code: int) -> subprocess.CompletedProcess[str]:
    """Run a command in bash, after one that ended with a code; `checker` and `pytest` are those of this Python."""
    tools = "".join(f'{name}() {{ "{sys.executable}" -m {module} "$@"; }}\n' for name, module in TOOLS.items())
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    script = f"{tools}(exit {code})\n{command}\n"
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


TOOLS = {"checker": "checker", "pytest": "pytest -p no:cacheprovider"}


def replaced(text: str, diff: str) -> str:
    """A file after a diff without line numbers.  What the diff replaces must be in the file once."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    assert text.count(before) == 1, f"{text.count(before)} places fit\n{before}"
    return text.replace(before, after)


def same(expected: str, printed: str) -> bool:
    """Whether what was printed is what the page shows."""
    pattern = ""
    for line in masked(expected).splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(map(re.escape, line.split("..."))) + r"\n"
    return re.fullmatch(pattern, masked(printed)) is not None


def masked(text: str) -> str:
    """Without times, amounts of memory and spaces at ends of lines."""
    lines = [AMOUNTS.sub("VARIES", VARIES.sub("VARIES", line.rstrip())) for line in text.splitlines()]
    return "".join(line + "\n" for line in "\n".join(lines).strip("\n").splitlines())
