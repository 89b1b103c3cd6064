"""A sweep as tasks on Spark: each configuration is a native search in one task, with the same row as a local search.

Tasks get the text of the model's file and of the files that it imports from its folder or beside its package, so
executors need not have these files; shipped models and properties are part of the checker.  Where it stops: a model
that reads other files, or imports modules from elsewhere.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from checker.analysis.sweep.sweep import Found, Search, Task, search_one
from checker.catalogue import find
from checker.importing import loaded_below, places_of
from checker.language.errors import UsageError
from checker.replay.disagreement import Disagreement
from checker.results.sweep import Configuration, Row
from checker.search.spark.cluster import connect
from checker.search.spark.failures import TasksFailed
from checker.search.spark.session import SparkUnavailable

Run = Callable[[Callable[[Any, int], Any], Any, int], list[Any]]


@frozen
class Shipped:
    """A sweep to be sent to executors: the model's file among the texts of all files by path, and what to search.
    Configurations have the constants of the command line, all constants, the properties to check if not all, and the
    smaller budgets whose verdicts are to be read off.
    """

    file: str
    texts: Mapping[str, str]
    class_name: str
    task: Task
    configurations: tuple[tuple[Any, ...], ...]


def on_spark(master: str) -> Search:
    """How a sweep searches its configurations on a master.  Raises UsageError if Spark cannot be used."""
    try:
        return partial(searched, connect(master).run)
    except SparkUnavailable as error:
        raise UsageError(str(error)) from None


def searched(run: Run, task: Task, waiting: dict[int, Configuration], jobs: int) -> Found:
    """Rows with their places, returned when the last is done.  `run` calls a function for each number, in any process.
    `jobs` has no effect: Spark schedules the tasks.
    """
    entry = find(task.reference)
    shipped = Shipped(
        *_texts_of(entry.file.resolve()),
        entry.cls.__name__,
        evolve(task, engine="native"),
        tuple((dict(c.given), dict(c.constants), c.only, c.fewer) for c in waiting.values()),
    )
    try:
        rows = run(search_shipped, shipped, len(waiting))
    except (SparkUnavailable, TasksFailed) as error:
        raise UsageError(f"the tasks of the sweep fail: {error}") from None
    for (place, configuration), row in zip(waiting.items(), rows):
        if isinstance(row, Disagreement):
            raise row
        yield place, evolve(row, configuration=configuration), []


def _texts_of(file: Path) -> tuple[str, dict[str, str]]:
    """The path of the model's file (which has been read) in the folder where its imports begin; and, by path from
    there, its text and the texts of loaded modules that it may import.
    """
    places = places_of(file)
    root = places[-1]
    packages = [d / "__init__.py" for d in file.parents if d.is_relative_to(root) and d != root]
    files = [file, *(p for p in packages if p.exists())]
    for name, module in list(sys.modules.items()):
        found = Path(getattr(module, "__file__", None) or "/")
        for place in places if name.split(".")[0] != "checker" else ():
            # not of an environment that lies there too
            if place in found.parents and found.relative_to(place).with_suffix("").parts[0] == name.split(".")[0]:
                files += [found] if found.suffix == ".py" else []
    texts = {found.relative_to(root).as_posix(): found.read_text(encoding="utf-8") for found in dict.fromkeys(files)}
    return file.relative_to(root).as_posix(), texts


def search_shipped(shipped: Shipped, number: int) -> Row | Disagreement:
    """Search one configuration, in a process that may not have the model, and may have had another of its name.  A
    difference between engines is returned, not raised: Spark would try a failed task again.
    """
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
    """Remove a directory from the import path, with the modules imported from it."""
    sys.path[:] = [place for place in sys.path if not Path(place).is_relative_to(directory)]
    for name in loaded_below(directory):
        del sys.modules[name]
