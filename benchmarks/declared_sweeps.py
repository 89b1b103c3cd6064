"""The sweeps that docs/sweeps.json declares: runs those without a result, stores what came of them, and counts all of
them for the table of docs/sweeps.md.

`python -m benchmarks.declared_sweeps` runs what has no result yet; `python -m benchmarks.declared_sweeps --again isis`
all that begin with `checker sweep isis` once more.  A result is what `checker sweep` prints below its table, without
times.  The file is written after each sweep, so one that is interrupted loses nothing but itself.
"""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import click
from attrs import asdict, evolve, frozen

from checker.cli.program import run
from checker.report.tables import Right, markdown_table

DOCS = Path(__file__).resolve().parents[1] / "docs"
FILE, PAGE = DOCS / "sweeps.json", DOCS / "sweeps.md"
TABLE = re.compile(r"^\| \| sweeps .*?\n\n", re.MULTILINE | re.DOTALL)
OUTCOMES = "violated|holds|implied|vacuous|not decided"
EVERY_DISTRIBUTION = re.compile(r"workload='1\.\.4 over (2\.\.)?4")
"""Of one to four messages over two to four processes, or what another command leaves of it: the places of the senders
among four."""


@frozen
class Declared:
    """One sweep: what it is about, the command, and the lines that it gave, None if it has not been run."""

    about: str
    command: str
    result: tuple[str, ...] | None

    @property
    def configurations(self) -> int:
        """How many were searched, as the last line says."""
        return number(self.result[-1].split()[0]) if self.result else 0


@frozen
class Protocol:
    """The sweeps of one protocol."""

    protocol: str
    sweeps: tuple[Declared, ...]


def declared(text: str) -> list[Protocol]:
    """All sweeps of a file."""
    return [
        Protocol(
            entry["protocol"],
            tuple(
                Declared(s["about"], s["command"], None if s["result"] is None else tuple(s["result"]))
                for s in entry["sweeps"]
            ),
        )
        for entry in json.loads(text)
    ]


def as_text(protocols: Iterable[Protocol]) -> str:
    """The file of these sweeps."""
    return json.dumps([asdict(p) for p in protocols], indent=1, ensure_ascii=False) + "\n"


def summary(printed: str) -> list[str]:
    """The lines below the table of a sweep: what became of each property, and how many configurations there were; no
    times."""
    lines = printed.splitlines()
    kept = [
        line
        for line in lines
        if re.search(r" (is first violated at|holds in|vacuous in|not decided in|violated in) ", line)
    ]
    return [*kept, re.sub(r" in [\d.]+ s$", "", lines[-1])]


def result(command: str) -> tuple[str, ...]:
    """What a command gives now.  RuntimeError if it is refused."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = run([*shlex.split(command)[1:], "--brief"])
    if not printed.getvalue().strip():
        raise RuntimeError(f"{command}\nends with exit code {code}, and prints nothing")
    return tuple(summary(printed.getvalue()))


def with_result(protocols: Iterable[Protocol], command: str, lines: tuple[str, ...]) -> list[Protocol]:
    """The sweeps with the result of the command that gave it."""
    return [
        evolve(p, sweeps=tuple(evolve(s, result=lines) if s.command == command else s for s in p.sweeps))
        for p in protocols
    ]


# The table


@frozen
class Counted:
    """A row of the table.  distributions: of its sweeps, how many take every distribution of up to four messages over
    two to four processes, None where there are no messages to distribute; decided and undecided: verdicts on a property
    in a configuration."""

    name: str
    sweeps: int
    distributions: int | None
    configurations: int
    decided: int
    undecided: int

    @property
    def cells(self) -> tuple[str, ...]:
        """As a row of the table."""
        numbers = (self.sweeps, self.distributions, self.configurations, self.decided, self.undecided)
        return self.name, *("" if n is None else f"{n:,}" for n in numbers)


def counted(protocols: Iterable[Protocol]) -> Iterator[Counted]:
    """Each protocol, counted."""
    for p in protocols:
        swept = [s for s in p.sweeps if s.result is not None]
        verdicts = sum(s.configurations * (len(s.result or ()) - 1) for s in swept)
        undecided = sum(
            number(n) for s in swept for n in re.findall(r"not decided in ([\d,]+)", "\n".join(s.result or ()))
        )
        every = (
            sum(EVERY_DISTRIBUTION.search(s.command) is not None for s in swept)
            if any("workload=" in s.command for s in swept)
            else None
        )
        configurations = sum(s.configurations for s in swept)
        yield Counted(p.protocol, len(swept), every, configurations, verdicts - undecided, undecided)


def table(protocols: Iterable[Protocol]) -> str:
    """The table of all protocols, and their sum."""
    rows = list(counted(protocols))
    names = ("sweeps", "distributions", "configurations", "decided", "undecided")
    total = Counted("**All**", *(sum(getattr(row, name) or 0 for row in rows) for name in names))
    head = ("sweeps", "over every distribution", "configurations", "decided", "not decided")
    return markdown_table(["", *map(Right, head)], [row.cells for row in (*rows, total)])


def number(text: str) -> int:
    """A number as it is printed."""
    return int(text.replace(",", ""))


@click.command()
@click.option("--again", metavar="MODEL", help="Also those of this model that have a result.")
def main(again: str | None) -> None:
    """Run the declared sweeps that have no result yet."""
    protocols = declared(FILE.read_text("utf-8"))
    for sweep in [s for p in protocols for s in p.sweeps]:
        if sweep.result is None or (again is not None and sweep.command.startswith(f"checker sweep {again}")):
            click.echo(sweep.command, err=True)
            protocols = with_result(protocols, sweep.command, result(sweep.command))
            FILE.write_text(as_text(protocols), "utf-8")
    PAGE.write_text(TABLE.sub(lambda _: table(protocols) + "\n\n", PAGE.read_text("utf-8"), count=1), "utf-8")


if __name__ == "__main__":
    main()
