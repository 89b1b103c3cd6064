"""Where a search runs and where it stores levels: in this process or on Spark, with a work directory or without."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checker.frozen import frozen
from checker.language.errors import UsageError

if TYPE_CHECKING:
    from checker.search.folders import Folder

HANDOVER = 100_000


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _nothing(_: Any) -> None:
    pass


@frozen
class Spill:
    """Where a search in this process stores states beyond memory: a directory (None: the work directory, else that of
    temporary files), and the largest number of bytes.
    """

    directory: Path | None = None
    most: int | None = None

    @classmethod
    def at(cls, directory: Path | str | None, most: int | None = None) -> Spill:
        """As a user gives it.  Raises UsageError for an empty name, which Python takes for the working directory."""
        if directory is not None and not str(directory).strip():
            raise UsageError(
                "the name of the directory for states beyond memory is empty", remedy="`.` is the directory you are in."
            )
        return cls(None if directory is None else Path(directory), most)


@frozen
class Placement:
    """workdir: where finished levels are stored, a path, a URL or a folder; resume: resume the search in it; spill:
    what to do with states beyond memory (None: the search ends); again: how the user resumes the search, if not by
    `checker resume`; temporary: workdir is removed when the command ends.

    For the engine "spark": master; partitions (0: as many as tasks can run at once); handover: Spark is used from the
    first level with this many states; worker_memory: bytes for states and tables of a task's process (None: its share
    of the free memory of its machine); say: called with messages for the user; note: called with the Outcome of a
    search on Spark.
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
    temporary: bool = False

    def resumed(self, work: object) -> str:
        """The command with which the user resumes the search in a work directory."""
        return self.again or f"checker resume {shlex.quote(str(work))}"
