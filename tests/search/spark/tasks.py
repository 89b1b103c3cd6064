"""Tasks in threads of this process: the search on shards without Spark, to find its faults quickly."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field

from checker.search.spark.failures import TasksFailed


@define
class InThread:
    """A gang in threads."""

    threads: list[threading.Thread] = field(factory=list)
    failures: list[TasksFailed] = field(factory=list)

    def failure(self) -> TasksFailed | None:
        return self.failures[0] if self.failures else None

    def done(self) -> bool:
        return bool(self.failures) or not any(t.is_alive() for t in self.threads)

    def cancel(self) -> None:
        for thread in self.threads:
            thread.join(10)


@define
class HereStages:
    """A stage that runs again and again."""

    tasks: HereTasks
    function: Callable[[Any, Any, int], Any]
    fixed: Any
    count: int

    def run(self, argument: Any, exchange: Path, listener: Any) -> list[Any] | None:
        return self.tasks.run(lambda fixed, number: self.function(fixed, argument, number), self.fixed, self.count)


@define
class HereTasks:
    """Tasks one after the other, a gang in threads."""

    def run(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> list[Any]:
        return [function(argument, number) for number in range(count)]

    def recurring(self, function: Callable[[Any, Any, int], Any], fixed: Any, count: int, silence: float) -> HereStages:
        return HereStages(self, function, fixed, count)

    def start(self, function: Callable[[Any, int], Any], argument: Any, count: int) -> InThread:
        gang = InThread()

        def work(number: int) -> None:
            try:
                function(argument, number)
            except BaseException as error:  # noqa: BLE001 - the driver looks at it
                gang.failures.append(TasksFailed(str(error), isinstance(error, ConnectionError)))

        gang.threads = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(count)]
        for thread in gang.threads:
            thread.start()
        return gang

    def address(self) -> str:
        return "127.0.0.1"

    def interface(self) -> str:
        return "127.0.0.1"
