"""Where a search runs and what it leaves behind: this process or Spark, and a work directory or none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checker.frozen import frozen

if TYPE_CHECKING:
    from checker.search.folders import Folder

HANDOVER = 100_000


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _nothing(_: Any) -> None:
    pass


@frozen
class Spill:
    """Where a search in this process puts states that are more than memory: a directory (None: the work directory, else
    that of temporary files), and how many bytes at most."""

    directory: Path | None = None
    most: int | None = None


@frozen
class Placement:
    """workdir: where finished levels are kept, a path, a URL or a folder; resume: go on with the search it holds;
    spill: what to do with states that are more than memory (None: the search ends); again: what the user does to go on
    with a search, if not `checker resume`.

    For the engine "spark": master; partitions (0: as many as tasks can run at once); handover, the states of a level
    from which on Spark is used; worker_memory, bytes for states and tables of a task's process (None: its share of the
    memory that is free on its machine); say, called with what the user should know; note, with how a search on Spark
    went, an Outcome.
    """

    workdir: Path | str | Folder | None = None
    resume: bool = False
    master: str = "local[*]"
    partitions: int = 0
    handover: int = HANDOVER
    worker_memory: int | None = None
    say: Callable[[str], None] = _say
    note: Callable[[Any], None] = _nothing
    spill: Spill | None = None
    again: str | None = None

    def resumed(self, work: object) -> str:
        """How the user goes on with the search in a work directory."""
        return self.again or f"checker resume {work}"
