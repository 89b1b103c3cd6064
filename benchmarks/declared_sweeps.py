"""The sweeps that docs/sweeps.md declares: gives those without a result, writes what came of them below each, and
counts all of them for the table at the top.

`python -m benchmarks.declared_sweeps` gives what has no result yet; `python -m benchmarks.declared_sweeps --again isis`
all that begin with `checker sweep isis` once more. A sweep is declared as a block of shell with one command; its result
is the block of text behind it: what `checker sweep` prints below its table, without times.  The page is written after
each sweep, so one that is interrupted loses nothing but itself.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import click
from attrs import frozen

from checker.cli import run

PAGE = Path(__file__).resolve().parents[1] / "docs" / "sweeps.md"
BLOCK = re.compile(r"^```sh\n(checker sweep [^\n]*)\n```\n(?:\n```text\n(.*?)\n```\n)?", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\| \| sweeps .*?\n\n", re.MULTILINE | re.DOTALL)
OUTCOMES = "violated|holds|implied|never put to the test|not decided"
EVERY_DISTRIBUTION = re.compile(r"workload='1\.\.4 over (2\.\.)?4")
"""Of one to four messages over two to four processes, or what another command leaves of it: the places of the senders
among four."""


def declared(text: str) -> list[tuple[str, str | None]]:
    """Each command, with its result if it has one."""
    return [(found[1], found[2]) for found in BLOCK.finditer(text)]


def summary(printed: str) -> list[str]:
    """The lines below the table of a sweep: what became of each property, and how many configurations there were; no
    times."""
    lines = printed.splitlines()
    kept = [
        line
        for line in lines
        if re.search(r" (is first violated at|holds in|never put to the test in|not decided in|violated " r"in) ", line)
    ]
    return [*kept, re.sub(r" in [\d.]+ s$", "", lines[-1])]


def result(command: str) -> str:
    """What a command gives now.  RuntimeError if it is refused."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = run([*shlex.split(command)[1:], "--brief"])
    if not printed.getvalue().strip():
        raise RuntimeError(f"{command}\nends with exit code {code}, and prints nothing")
    return "\n".join(summary(printed.getvalue()))


def with_result(text: str, command: str, lines: str) -> str:
    """The page with a result below the command that gave it."""
    return BLOCK.sub(
        lambda found: f"```sh\n{command}\n```\n\n```text\n{lines}\n```\n" if found[1] == command else found[0], text
    )


# The table


@frozen
class Counted:
    """A section of the page.  distributions: of its sweeps, how many take every distribution of up to four messages
    over two to four processes, None where there are no messages to distribute; decided and undecided: verdicts on a
    property in a configuration."""

    name: str
    sweeps: int
    distributions: int | None
    configurations: int
    decided: int
    undecided: int

    @property
    def line(self) -> str:
        """As a row of the table."""
        every = "" if self.distributions is None else self.distributions
        return (
            f"| {self.name} | {self.sweeps} | {every} | {self.configurations:,} | {self.decided:,} | "
            f"{self.undecided:,} |"
        )


def sections(text: str) -> Iterator[Counted]:
    """Each protocol of the page, counted."""
    for part in text.split("\n## ")[1:]:
        swept = [(command, lines.splitlines()) for command, lines in declared(part) if lines is not None]
        each = [number(lines[-1].split()[0]) for _, lines in swept]
        verdicts = sum(n * (len(lines) - 1) for n, (_, lines) in zip(each, swept))
        undecided = sum(
            number(n) for _, lines in swept for n in re.findall(r"not decided in ([\d,]+)", "\n".join(lines))
        )
        every = (
            sum(EVERY_DISTRIBUTION.search(command) is not None for command, _ in swept)
            if any("workload=" in command for command, _ in swept)
            else None
        )
        yield Counted(part.splitlines()[0], len(swept), every, sum(each), verdicts - undecided, undecided)


def table(text: str) -> str:
    """The table of all sections, and their sum."""
    rows = list(sections(text))
    total = Counted(
        "**All**",
        *(
            sum(getattr(row, name) or 0 for row in rows)
            for name in ("sweeps", "distributions", "configurations", "decided", "undecided")
        ),
    )
    head = [
        "| | sweeps | over every distribution | configurations | decided | not decided |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    return "\n".join([*head, *(row.line for row in (*rows, total))])


def with_table(text: str) -> str:
    """The page with its table as it should be."""
    return TABLE.sub(lambda _: table(text) + "\n\n", text, count=1)


def number(text: str) -> int:
    """A number as it is printed."""
    return int(text.replace(",", ""))


@click.command()
@click.option("--again", metavar="MODEL", help="Also those of this model that have a result.")
def main(again: str | None) -> None:
    """Give the declared sweeps that have no result yet."""
    for command, lines in declared(PAGE.read_text("utf-8")):
        if lines is None or (again is not None and command.startswith(f"checker sweep {again}")):
            click.echo(command, err=True)
            PAGE.write_text(with_result(PAGE.read_text("utf-8"), command, result(command)), "utf-8")
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
