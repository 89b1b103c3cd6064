"""Tasks in this process: the search on shards without Spark, to find its faults quickly."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

from attrs import define

from checker.search.folders import Folder
from checker.search.spark.recurring import _Watch


def stopping(_: object, number: int) -> None:
    """A task whose process stops itself."""
    os.kill(os.getpid(), signal.SIGSTOP)


@define
class HereStages:
    """A stage that runs again and again."""

    tasks: HereTasks
    function: Callable[[Any, Any, int], Any]
    fixed: Any
    count: int

    def run(self, argument: Any, exchange: Folder, listener: Any) -> list[Any] | None:
        with _Watch(exchange, listener, 60.0, lambda: self.count, bool) as watch:
            found = self.tasks.run(lambda fixed, n: self.function(fixed, argument, n), self.fixed, self.count)
        return None if watch.over else found


@define
class HereTasks:
    """Tasks one after the other."""

    def run(self, function: Callable[[Any, int], Any], argument: Any, count: int, _: Folder | None = None) -> list[Any]:
        return [function(argument, number) for number in range(count)]

    def recurring(self, function: Callable[[Any, Any, int], Any], fixed: Any, count: int, silence: float) -> HereStages:
        return HereStages(self, function, fixed, count)
