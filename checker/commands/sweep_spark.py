"""A sweep as tasks on Spark: each configuration a native search in one task, its row the same as here.

Tasks get the text of the model's file, so executors need not have it; what it imports from `models` and `properties` travels with the checker.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from checker.catalogue import find
from checker.commands.sweep import Configuration, Row, Sweep, Task, search_one
from checker.commands.verify import written
from checker.language.errors import UsageError
from checker.search.spark.cluster import SparkUnavailable, connect
from checker.search.spark.driver import TasksFailed

Run = Callable[[Callable[[Any, int], Any], Any, int], list[Any]]


@frozen
class Shipped:
    """A sweep on its way: the model's file, and what is to be searched. Configurations are what the command line gave, and all constants."""

    file: str
    text: str
    class_name: str
    task: Task
    configurations: tuple[tuple[dict[str, Any], dict[str, Any]], ...]


def on_spark(master: str) -> Callable[[Task, dict[int, Configuration], int], Iterator[tuple[int, Row, list[Configuration]]]]:
    """How a sweep searches its configurations on a master.  UsageError if Spark cannot be used."""
    try:
        return partial(searched, connect(master).run)
    except SparkUnavailable as error:
        raise UsageError(str(error)) from None


def searched(run: Run, task: Task, waiting: dict[int, Configuration], jobs: int) -> Iterator[tuple[int, Row, list[Configuration]]]:
    """Rows with their places, all when the last is done; `run` calls a function for each number, anywhere.  `jobs` is Spark's business."""
    entry = find(task.reference)
    shipped = Shipped(
        entry.file.name, entry.file.read_text(encoding="utf-8"), entry.cls.__name__, evolve(task, engine="native"),
        tuple((dict(c.given), dict(c.constants)) for c in waiting.values()),
    )  # fmt: skip
    try:
        rows = run(search_shipped, shipped, len(waiting))
    except (SparkUnavailable, TasksFailed) as error:
        raise UsageError(f"the tasks of the sweep fail: {str(error).strip().splitlines()[-1]}") from None
    for (place, configuration), row in zip(waiting.items(), rows):
        yield place, evolve(row, configuration=configuration), []


def search_shipped(shipped: Shipped, number: int) -> Row:
    """One configuration, in a process that may not have the model."""
    with tempfile.TemporaryDirectory(prefix="checker-") as directory:
        file = Path(directory) / shipped.file
        file.write_text(shipped.text, encoding="utf-8")
        return search_one(evolve(shipped.task, reference=f"{file}:{shipped.class_name}"), Configuration(*shipped.configurations[number]))


def frame(session: Any, swept: Sweep) -> Any:
    """The rows of a sweep as a Spark DataFrame: constants as text, broken properties as a map to the steps it takes."""
    names = list(dict.fromkeys(n for row in swept.rows for n in row.configuration.given))
    data = [
        (*_texts(names, row.configuration.given), row.verdict, row.distinct, row.transitions, row.depth, {p.name: p.steps for p in row.violated}, row.seconds)
        for row in swept.rows
    ]
    columns = [*(f"{name} string" for name in names), "verdict string", "distinct long", "transitions long", "depth int", "broken map<string,int>", "seconds double"]
    return session.createDataFrame(data, ", ".join(columns))


def _texts(names: Sequence[str], given: Mapping[str, Any]) -> list[str | None]:
    return [written(given[n]) if n in given else None for n in names]
