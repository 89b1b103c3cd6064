"""A sweep as tasks on Spark: each configuration a native search in one task, its row the same as here.

Tasks get the text of the model's file and of the neighbours it imports, so executors need not have them; what it
imports from `models` and `properties` travels with the checker.  Stops being true for a model that reads other files,
or imports what lies elsewhere.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from checker.analysis.sweep.sweep import Found, Search, Task, search_one
from checker.catalogue import find
from checker.language.constants import written
from checker.language.errors import UsageError
from checker.replay.disagreement import Disagreement
from checker.results.sweep import Configuration, Row, Sweep
from checker.search.spark.cluster import SparkUnavailable, connect
from checker.search.spark.driver import TasksFailed, last_error

_TRAVELLING = ("checker", "models", "properties")
"""Packages that executors get with every job."""

Run = Callable[[Callable[[Any, int], Any], Any, int], list[Any]]


@frozen
class Shipped:
    """A sweep on its way: the model's file among the texts of all files by name, and what is to be searched.
    Configurations are what the command line gave, all constants, the properties to check if not all, smaller budgets to
    tell of."""

    file: str
    texts: Mapping[str, str]
    class_name: str
    task: Task
    configurations: tuple[tuple[Any, ...], ...]


def on_spark(master: str) -> Search:
    """How a sweep searches its configurations on a master.  UsageError if Spark cannot be used."""
    try:
        return partial(searched, connect(master).run)
    except SparkUnavailable as error:
        raise UsageError(str(error)) from None


def searched(run: Run, task: Task, waiting: dict[int, Configuration], jobs: int) -> Found:
    """Rows with their places, all when the last is done; `run` calls a function for each number, anywhere.  `jobs` is
    Spark's business."""
    entry = find(task.reference)
    shipped = Shipped(
        entry.file.name,
        _texts_of(entry.file.resolve()),
        entry.cls.__name__,
        evolve(task, engine="native"),
        tuple((dict(c.given), dict(c.constants), c.only, c.fewer) for c in waiting.values()),
    )
    try:
        rows = run(search_shipped, shipped, len(waiting))
    except (SparkUnavailable, TasksFailed) as error:
        raise UsageError(f"the tasks of the sweep fail: {last_error(str(error))}") from None
    for (place, configuration), row in zip(waiting.items(), rows):
        if isinstance(row, Disagreement):
            raise row
        yield place, evolve(row, configuration=configuration), []


def _texts_of(file: Path) -> dict[str, str]:
    """The model's file, which has been read, and the modules beside it that are loaded, with their packages."""
    texts = {file.name: file.read_text(encoding="utf-8")}
    for name, module in list(sys.modules.items()):
        place = Path(getattr(module, "__file__", None) or "/")
        if file.parent in place.parents and place.suffix == ".py" and name.split(".")[0] not in _TRAVELLING:
            relative = place.relative_to(file.parent)
            if relative.with_suffix("").parts[0] == name.split(".")[0]:  # not of an environment that lies there too
                texts[relative.as_posix()] = place.read_text(encoding="utf-8")
    return texts


def search_shipped(shipped: Shipped, number: int) -> Row | Disagreement:
    """One configuration, in a process that may not have the model, and may have had another of that name.  That engines
    differ is an answer: a task that failed would be tried again."""
    with tempfile.TemporaryDirectory(prefix="checker-") as name:
        directory = Path(name).resolve()
        for file, text in shipped.texts.items():
            (directory / file).parent.mkdir(parents=True, exist_ok=True)
            (directory / file).write_text(text, encoding="utf-8")
        try:
            reference = f"{directory / shipped.file}:{shipped.class_name}"
            return search_one(evolve(shipped.task, reference=reference), Configuration(*shipped.configurations[number]))
        except Disagreement as error:
            return error
        finally:
            _forget(directory)


def _forget(directory: Path) -> None:
    """Let nothing be imported from a directory any more."""
    sys.path[:] = [place for place in sys.path if place != str(directory)]
    for name, module in list(sys.modules.items()):
        if directory in Path(getattr(module, "__file__", None) or "/").parents:
            del sys.modules[name]


def frame(session: Any, swept: Sweep) -> Any:
    """The rows of a sweep as a Spark DataFrame: constants as text, broken properties as a map to the steps it takes."""
    names = list(dict.fromkeys(n for row in swept.rows for n in row.configuration.given))
    data = [
        (
            *_texts(names, row.configuration.given),
            row.verdict,
            row.distinct,
            row.transitions,
            row.depth,
            {p.name: p.steps for p in row.violated},
            row.seconds,
        )
        for row in swept.rows
    ]
    columns = [
        *(f"{name} string" for name in names),
        "verdict string",
        "distinct long",
        "transitions long",
        "depth int",
        "broken map<string,int>",
        "seconds double",
    ]
    return session.createDataFrame(data, ", ".join(columns))


def _texts(names: Sequence[str], given: Mapping[str, Any]) -> list[str | None]:
    return [written(given[n]) if n in given else None for n in names]
