"""What docs/findings/smallest.json lists: each configuration that the findings call smallest, and the searches of all
that are smaller.

A configuration is smaller than another if it has no more processes, messages, faults, acceptors and learners, and fewer
of one of them; all other constants are the same.  Every distribution of the messages and, where the model has groups,
every division of the processes counts.  `below` gives the sweeps; none of them may violate the property, nor leave it
undecided.

`python -m benchmarks.smallest` searches what has no result yet; `--again isis` searches for all models whose name
begins with isis once more.  The file is written after each configuration.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations as combinations_of
from itertools import product
from pathlib import Path
from typing import Any

import click
from attrs import asdict, evolve, frozen

from benchmarks.declared_sweeps import result
from benchmarks.spaces import value
from checker.analysis.sweep.choices import choices_of, combinations
from checker.catalogue import find
from checker.language.define import define
from checker.language.distributed import BUDGETS
from checker.language.errors import UsageError
from checker.language.model import Model

FILE = Path(__file__).resolve().parents[1] / "docs" / "findings" / "smallest.json"
STATES = 1_000_000
VARIED = {"processes", "workload", "groups", "destinations", "senders_to", *BUDGETS}
"""Constants that make a configuration smaller or larger; groups are divided in every way."""
LEAST = {"acceptors": 1, "learners": 1, "places": 1, "messages": 1}
"""Constants besides processes, messages of a workload and faults of which a smaller configuration has fewer, and the
fewest."""
ONE_FOR_EACH = "places"
"""A constant that says how many values other constants have."""
ROUTES = ("destinations", "senders_to")
"""Constants of which a smaller configuration has every value, if the command sets them: for which groups each message
is, and which groups may multicast to each group."""


@frozen
class Searched:
    """A sweep of smaller configurations, and the lines that it gave."""

    command: str
    result: tuple[str, ...]


@frozen
class Smallest:
    """A sentence or the row of a table on a page, the command that shows its smallest configuration, the property that
    is violated there, and the searches of what is smaller, None if they have not been made."""

    page: str
    sentence: str
    check: str
    violated: str
    smaller: tuple[Searched, ...] | None

    @cached_property
    def model(self) -> str:
        """The model of the command, with its class."""
        return shlex.split(self.check)[2]

    @cached_property
    def given(self) -> Mapping[str, Any]:
        """The constants that the command sets."""
        words = shlex.split(self.check)
        return combinations(choices_of([w for before, w in zip(words, words[1:]) if before == "-D"]))[0]


def listed(text: str) -> list[Smallest]:
    """All entries of a file."""
    return [
        Smallest(
            **{name: entry[name] for name in ("page", "sentence", "check", "violated")},
            smaller=None
            if entry["smaller"] is None
            else tuple(Searched(s["command"], tuple(s["result"])) for s in entry["smaller"]),
        )
        for entry in json.loads(text)
    ]


def as_text(found: Iterable[Smallest]) -> str:
    """The file of these entries."""
    return json.dumps([asdict(s) for s in found], indent=1, ensure_ascii=False) + "\n"


# What is smaller


@cache
def class_of(model: str) -> type[Model]:
    """The class of a shipped model, found once for all configurations."""
    return find(model).cls


def below(one: Smallest) -> list[str]:
    """The sweeps of all smaller configurations."""
    constants = define(class_of(one.model), one.given).constants
    parts = {name: n for name in (*BUDGETS, *LEAST) if (n := constants.get(name, 0)) > LEAST.get(name, 0)}
    if "workload" not in constants:
        return [swept(one, fewer) for fewer in counted(one.given, parts)]
    workload = constants["workload"]
    kept = {name: v for name, v in one.given.items() if name not in parts and (name not in VARIED or v == 0)}
    routes = [name for name in ROUTES if name in one.given]
    commands = []
    least = {name: LEAST.get(name, 0) for name in parts}
    for processes in range(1, len(workload) + 1):
        if not accepted(one, {"workload": (1, *(0,) * (processes - 1)), **least}, kept):
            continue
        most = sum(workload) - (processes == len(workload))
        every = {name: up_to(LEAST.get(name, 0), n) for name, n in parts.items()}
        for split in arranged(processes, 1, most, "groups" in constants, routes):
            commands.append(swept(one, {**split, **every, **kept}))
    for name in parts:
        fewer = {other: up_to(LEAST.get(other, 0), n - (other == name)) for other, n in parts.items()}
        for split in arranged(len(workload), sum(workload), sum(workload), "groups" in constants, routes):
            commands.append(swept(one, {**split, **fewer, **kept}))
    return commands


def accepted(one: Smallest, constants: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """The model has a configuration with these constants and those that are kept: no threshold is too large for so few
    processes."""
    try:
        define(class_of(one.model), {**kept, **constants})
    except UsageError:
        return False
    return True


def counted(given: Mapping[str, Any], parts: Mapping[str, int]) -> Iterator[dict[str, str]]:
    """Constants of all configurations with fewer of one part; what has a value for each place loses some of them."""
    kept = {name: v for name, v in given.items() if name not in parts}
    for name in parts:
        fewer = {other: up_to(LEAST.get(other, 0), n - (other == name)) for other, n in parts.items()}
        if ONE_FOR_EACH not in parts:
            yield {**fewer, **{other: value(v) for other, v in kept.items()}}
            continue
        for places in range(1, parts[ONE_FOR_EACH] + (name != ONE_FOR_EACH)):
            yield {**fewer, ONE_FOR_EACH: str(places), **{other: shortened(v, places) for other, v in kept.items()}}


def shortened(of: object, places: int) -> str:
    """Every choice of so many of the values of a constant, in their order; a single value stays."""
    if not isinstance(of, tuple):
        return value(of)
    return "|".join(dict.fromkeys(value(some) for some in combinations_of(of, places)))


def arranged(processes: int, least: int, most: int, grouped: bool, routes: Sequence[str]) -> Iterator[dict[str, str]]:
    """Constants of all distributions of so many messages over the processes, with every division into groups and every
    value of the routes."""
    if most < least:
        return
    if not routes:
        divided = {"groups": "|".join(divisions(processes))} if grouped else {}
        yield {"workload": f"{up_to(least, most)} over {processes}", **divided}
        return
    for messages, groups in product(range(least, most + 1), divisions(processes)):
        several = {"destinations": (messages, 1), "senders_to": (len(set(groups.split(",")) - {""}), 0)}
        ways = {name: "|".join(sets(len(set(groups.split(",")) - {""}), *several[name])) for name in routes}
        yield {"workload": f"{messages} over {processes}", "groups": groups, **ways}


def sets(groups: int, places: int, least: int) -> list[str]:
    """Every tuple of so many sets of at least so many groups, as models write them: 12 are the groups 1 and 2."""
    names = [str(g + 1) for g in range(groups)]
    each = ["".join(some) or "0" for n in range(least, groups + 1) for some in combinations_of(names, n)]
    return [",".join(some) + ("," if places == 1 else "") for some in product(each, repeat=places)]


def up_to(least: int, most: int) -> str:
    """A range as `-D` reads it."""
    return str(most) if least == most else f"{least}..{most}"


def divisions(processes: int) -> list[str]:
    """Every division of so many processes into groups, the groups in the order of their first processes."""
    found: list[tuple[int, ...]] = [(1,)]
    for _ in range(processes - 1):
        found = [(*groups, g) for groups in found for g in range(1, max(groups) + 2)]
    return [value(groups) for groups in found]


def swept(one: Smallest, constants: Mapping[str, Any]) -> str:
    """A command; a search of more than STATES states decides nothing."""
    options = " ".join(f"-D {name}={written(v)}" for name, v in constants.items())
    return f"checker sweep {one.model} {options} --property {one.violated} --max-states {STATES}"


def written(constant: object) -> str:
    """A value, or several, as a shell takes it."""
    text = constant if isinstance(constant, str) else value(constant)
    return f"'{text}'" if "|" in text or " " in text else text


@click.command()
@click.option("--again", metavar="MODEL", help="Also for the models that begin so and have a result.")
def main(again: str | None) -> None:
    """Search what is smaller than the smallest configurations that have no result yet."""
    found = listed(FILE.read_text("utf-8"))
    searched = cache(lambda command: Searched(command, result(command)))
    for n, one in enumerate(found):
        if one.smaller is None or (again is not None and one.model.startswith(again)):
            click.echo(one.check, err=True)
            found[n] = evolve(one, smaller=tuple(map(searched, below(one))))
            FILE.write_text(as_text(found), "utf-8")


if __name__ == "__main__":
    main()
