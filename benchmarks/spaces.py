"""The spaces of docs/findings/spaces.json: for each claim and repair that holds, an ordered list of configurations, how
many of them from the first on are decided by searches of at most a stated number of states, and the first that is not.

`python -m benchmarks.spaces` decides the spaces without a result; `--again isis` decides those of all models whose name
begins with isis once more.  The command writes the file after each space, and then the table of
docs/findings/spaces.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from attrs import asdict, evolve, frozen

from checker.analysis.check import examine
from checker.analysis.sweep.choices import choices_of, combinations
from checker.catalogue import find
from checker.language.errors import UsageError
from checker.report.tables import markdown_table
from checker.results.checked import Report
from checker.results.verdict import Verdict
from checker.search.limits import Limits

FINDINGS = Path(__file__).resolve().parents[1] / "docs" / "findings"
FILE, PAGE = FINDINGS / "spaces.json", FINDINGS / "spaces.md"
HEAD = ("claim or repair that holds", "space", "decided", "first not decided")
NAMED = 4
"""So many configurations of an incomplete number of messages are named; of more the page gives the count."""

Configuration = Mapping[str, Any]


@frozen
class Reached:
    """Where the searches of a space ended.  decided: how many configurations from the first on; first: the constants of
    the next configuration as on a command line; property: one that the full search leaves undecided there; both None if
    every configuration is decided."""

    decided: int
    first: str | None = None
    property: str | None = None


@frozen
class Space:
    """A claim, the model that states it, its configurations as the values of `-D` in parts that follow each other, and
    the properties (None: all of the model); states: the limit of each search; result: None if the space has not been
    searched."""

    claim: str
    model: str
    space: tuple[tuple[str, ...], ...]
    properties: str | None
    states: int
    result: Reached | None

    @property
    def configurations(self) -> list[Configuration]:
        """In order: the first constant of a part changes last."""
        return [c for part in self.space for c in combinations(choices_of(part))]


def spaces(text: str) -> list[Space]:
    """All spaces of a file."""
    return [
        Space(
            entry["claim"],
            entry["model"],
            tuple(tuple(part) for part in entry["space"]),
            entry["properties"],
            entry["states"],
            None if entry["result"] is None else Reached(**entry["result"]),
        )
        for entry in json.loads(text)
    ]


def as_text(found: Iterable[Any]) -> str:
    """The file of these rows."""
    return json.dumps([asdict(s) for s in found], indent=1, ensure_ascii=False) + "\n"


# What is decided


def reached(space: Space) -> Reached:
    """Search the configurations in order, until one is not decided.

    RuntimeError if a property is violated: the claim does not hold in its space.
    """
    for n, configuration in enumerate(space.configurations):
        wanted = None if space.properties is None else space.properties.split(",")
        left = undecided(space, configuration, wanted, reduce=False)
        if left and undecided(space, configuration, left, reduce=True):
            alone = (p for p in left if undecided(space, configuration, [p], reduce=False))
            return Reached(n, " ".join(f"-D {name}={value(v)}" for name, v in configuration.items()), next(alone, None))
    return Reached(len(space.configurations))


def undecided(space: Space, at: Configuration, wanted: list[str] | None, *, reduce: bool) -> list[str]:
    """The properties that a search does not decide: all of them where a reduced search is refused."""
    try:
        return left_open(examined(space.model, at, wanted, space.states, reduce=reduce))
    except UsageError:
        if reduce and wanted:
            return wanted
        raise


def examined(model: str, at: Configuration, wanted: list[str] | None, states: int, *, reduce: bool) -> Report:
    """The report of one search of at most so many states.  RuntimeError if a property is violated."""
    how: dict[str, Any] = {"reduce": True} if reduce else {}
    limits = Limits(max_states=states)
    report = examine(
        find(model).cls, model, dict(at), only=wanted, limits=limits, traces=False, count_outcomes=False, **how
    ).report
    broken = [p.name for p in report.properties if p.verdict is Verdict.VIOLATED]
    if broken:
        raise RuntimeError(f"{model} at {dict(at)} violates {', '.join(broken)}")
    return report


def left_open(report: Report) -> list[str]:
    """The properties that the search did not decide."""
    return [p.name for p in report.properties if p.verdict in (Verdict.UNKNOWN, Verdict.INCONCLUSIVE)]


def value(of: object) -> str:
    """A constant as `-D` reads it."""
    if isinstance(of, tuple):
        return ",".join(map(value, of)) + ("," if len(of) == 1 else "")
    return str(of).lower() if isinstance(of, bool) else str(of)


# The page


def described(space: Space) -> str:
    """What is decided, in words."""
    if space.result is None:
        return "not searched"
    every = space.configurations
    n = space.result.decided
    if n == len(every):
        return f"all {n}"
    counted = f"{n} of {len(every)}"
    return f"{counted}: {', '.join(_parts(every, n))}" if "workload" in every[0] else counted


def _parts(every: Sequence[Configuration], decided: int) -> Iterator[str]:
    """Processes that are decided whole, numbers of messages that are, and what is beyond them."""
    numbered = [(len(c["workload"]), sum(c["workload"]), n < decided, c) for n, c in enumerate(every)]
    for processes, some in groupby(numbered, key=lambda row: row[0]):
        of_these = list(some)
        if all(row[2] for row in of_these):
            yield _plural(processes, "process")
            continue
        whole = [k for k, rows in groupby(of_these, key=lambda row: row[1]) if all(row[2] for row in rows)]
        if whole:
            yield f"{_plural(processes, 'process')} up to {_plural(whole[-1], 'message')}"
        further = [row for row in of_these if row[2] and row[1] not in whole]
        if len(further) > NAMED:
            of = sum(row[1] == further[0][1] for row in of_these)
            yield f"{len(further)} of {of} with {_plural(further[0][1], 'message')}"
        elif further:
            yield " and ".join(_named(row[3]) for row in further)
        return


def _named(configuration: Configuration) -> str:
    """A configuration by its workload, and its groups if it has any."""
    groups = configuration.get("groups")
    return value(configuration["workload"]) + ("" if groups is None else f" in groups {value(groups)}")


def _plural(number: int, noun: str) -> str:
    several = noun + ("es" if noun.endswith("s") else "s")
    return f"{number} {noun if number == 1 else several}"


def searched(space: Space) -> str:
    """The space as constants of the command line."""
    parts = (" ".join(f"-D {_quoted(option)}" for option in part) for part in space.space)
    chosen = "" if space.properties is None else f" --property {space.properties}"
    return "; ".join(f"`{space.model} {part}{chosen}`" for part in parts)


def _quoted(option: str) -> str:
    name, _, values = option.partition("=")
    return f"{name}='{values}'" if " " in values or "|" in values else option


def command(space: Space) -> str:
    """The full search of the first configuration that is not decided."""
    result = space.result
    if result is None or result.first is None:
        return "none"
    chosen = "" if result.property is None else f" --property {result.property}"
    return f"`checker check {space.model} {result.first}{chosen} --max-states {space.states}  # not decided`"


def table(found: Iterable[Space]) -> str:
    """A row for each space."""
    return markdown_table(HEAD, [(s.claim, searched(s), described(s), command(s)) for s in found])


def with_table(page: str, made: str) -> str:
    """The page with this table: a table ends the page."""
    return page.partition("\n| ")[0] + "\n" + made + "\n"


def complete(found: list[Any], again: str | None, result_of: Callable[[Any], Any], file: Path) -> None:
    """Search the rows without a result, and those of models whose name begins with `again`; write the file after each
    of them."""
    for n, row in enumerate(found):
        if row.result is None or (again is not None and row.model.startswith(again)):
            click.echo(f"{row.model}: {row.claim}", err=True)
            found[n] = evolve(row, result=result_of(row))
            file.write_text(as_text(found), "utf-8")


@click.command()
@click.option("--again", metavar="MODEL", help="Also the spaces of this model that have a result.")
def main(again: str | None) -> None:
    """Search the declared spaces that have no result yet."""
    found = spaces(FILE.read_text("utf-8"))
    complete(found, again, reached, FILE)
    PAGE.write_text(with_table(PAGE.read_text("utf-8"), table(found)), "utf-8")


if __name__ == "__main__":
    main()
