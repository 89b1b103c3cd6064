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
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from checker.cli.program import run as checker

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
                code, printed = run(command, folder, code)
                yield block, command, expected, printed
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


def run(command: str, folder: Path, code: int) -> tuple[int, str]:
    """Run a command, after one that ended with a code: how it ends, and what it prints on standard output.  `checker`
    and `pytest` are those of this Python.  A command for a shell is run by bash, another one in a fork of this process,
    which has imported already what it needs."""
    if command.startswith("checker ") and not set(command) & set("|&;<>$*"):
        return _forked(shlex.split(command)[1:], folder)
    tools = "".join(f'{name}() {{ "{sys.executable}" -m {module} "$@"; }}\n' for name, module in TOOLS.items())
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    script = f"{tools}(exit {code})\n{command}\n"
    ran = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    return ran.returncode, ran.stdout


def _forked(arguments: list[str], folder: Path) -> tuple[int, str]:
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            code = 99
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
                os.chdir(folder)
                os.environ["COLUMNS"] = "120"
                code = checker(arguments)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        out.seek(0)
        return os.waitstatus_to_exitcode(status), out.read()


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
