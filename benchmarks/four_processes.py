"""The largest configurations of docs/findings/four_processes.json: four processes and four messages, for each claim and
repair that holds, without a fault and with some, decided or not by one reduced search of at most three million states.

`python -m benchmarks.four_processes` searches the rows without a result; `--again isis` those of all models whose name
begins with isis once more.  The command writes the file after each row, and then the table of
docs/findings/four_processes.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import click
from attrs import frozen

from benchmarks.spaces import FINDINGS, complete, examined, left_open, with_table
from checker.analysis.sweep.choices import choices_of, combinations
from checker.language.errors import UsageError
from checker.report.tables import Right, markdown_table

FILE, PAGE = FINDINGS / "four_processes.json", FINDINGS / "four_processes.md"
STATES = 3_000_000
WORKLOADS = ("4,0,0,0", "2,2,0,0", "2,1,1,0", "1,1,1,1")
HEAD = ("claim or repair that holds", "command", *map(Right, WORKLOADS))
FULL = " (full)"
"""Behind the number of states of a search that is not reduced."""


@frozen
class Cell:
    """What one search found: its states, None if it reached the limit; not reduced where that is refused."""

    states: int | None
    reduced: bool


@frozen
class Row:
    """A claim, the model that states it, constants besides the workload, and the properties (None: all of the model);
    result: a cell for each workload up to the first that is not decided, None if the row has not been searched."""

    claim: str
    model: str
    constants: tuple[str, ...]
    properties: str | None
    result: tuple[Cell, ...] | None


def rows(text: str) -> list[Row]:
    """All rows of a file."""
    return [
        Row(
            entry["claim"],
            entry["model"],
            tuple(entry["constants"]),
            entry["properties"],
            None if entry["result"] is None else tuple(Cell(**cell) for cell in entry["result"]),
        )
        for entry in json.loads(text)
    ]


def decided(row: Row, workload: str, states: int = STATES) -> Cell:
    """One search, reduced if the model allows it.  RuntimeError if a property is violated."""
    (at,) = combinations(choices_of((f"workload={workload}", *row.constants)))
    wanted = None if row.properties is None else row.properties.split(",")
    try:
        report, reduced = examined(row.model, at, wanted, states, reduce=True), True
    except UsageError:
        report, reduced = examined(row.model, at, wanted, states, reduce=False), False
    return Cell(None if left_open(report) else report.distinct, reduced)


def searched(row: Row, states: int = STATES) -> tuple[Cell, ...]:
    """The cells of a row, up to the first that is not decided."""
    found: list[Cell] = []
    for workload in WORKLOADS:
        found.append(decided(row, workload, states))
        if found[-1].states is None:
            break
    return tuple(found)


def command(row: Row) -> str:
    """The search of a cell of the row, without its workload."""
    constants = "".join(f" -D {constant}" for constant in row.constants)
    chosen = "" if row.properties is None else f" --property {row.properties}"
    return f"`{row.model}{constants}{chosen}`"


def shown(cell: Cell) -> str:
    """A cell as the page shows it."""
    return "not decided" if cell.states is None else f"{cell.states:,}" + ("" if cell.reduced else FULL)


def table(found: Iterable[Row]) -> str:
    """A line for each row that has been searched."""
    return markdown_table(HEAD, [(r.claim, command(r), *_cells(r.result)) for r in found if r.result is not None])


def _cells(result: tuple[Cell, ...]) -> list[str]:
    """The cells, and nothing for the workloads that were not searched."""
    return [*map(shown, result), *("",) * (len(WORKLOADS) - len(result))]


@click.command()
@click.option("--again", metavar="MODEL", help="Also the rows of this model that have a result.")
def main(again: str | None) -> None:
    """Search the declared rows that have no result yet."""
    found = rows(FILE.read_text("utf-8"))
    complete(found, again, searched, FILE)
    PAGE.write_text(with_table(PAGE.read_text("utf-8"), table(found)), "utf-8")


if __name__ == "__main__":
    main()
