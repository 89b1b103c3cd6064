"""Progress reports of workers within a level: each worker states its progress twice a second, from a separate thread.

The thread shows that the process runs, also while its main thread is in one long call; a process that is stopped, or
disconnected, reports nothing.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self

from attrs import asdict, astuple, define, field, fields, frozen

from checker.search.folder_errors import WorkDirectoryError, folder_errors
from checker.search.folders import Folder
from checker.search.spark.shard import Shard
from checker.stored.shape import parsed, record, whole

SECONDS = 0.5
STEM = "alive-"


@frozen
class Alive:
    """The progress of a shard. rows: a lower bound of its distinct states; expanded: states of this level that are
    expanded; transitions: of this level so far; memory, spilled: bytes.
    """

    shard: int
    rows: int = 0
    expanded: int = 0
    transitions: int = 0
    memory: int = 0
    spilled: int = 0


_ALIVE = record(Alive, {f.name: whole(0) for f in fields(Alive)})


def alive(number: int, shard: Shard | None) -> Alive:
    """The progress of a shard now; zeros while it is being built."""
    if shard is None:
        return Alive(number)
    return Alive(number, shard.known, shard.expanded, shard.transitions, shard.nbytes, shard.spilled)


@frozen
class Together:
    """The progress of all shards at one moment."""

    rows: int
    expanded: int
    transitions: int
    memory: int
    spilled: int
    skew: float

    @classmethod
    def of(cls, shards: Sequence[Alive]) -> Self:
        """Sums, and the size of the largest shard divided by the mean."""
        rows, expanded, transitions, memory, spilled = (sum(c) for c in list(zip(*map(astuple, shards)))[1:])
        skew = max(shard.rows for shard in shards) * len(shards) / rows if rows else 1.0
        return cls(rows, expanded, transitions, memory, spilled, skew)


class Listener(Protocol):
    """Gets the progress while a level is under way, and decides whether to continue."""

    def hear(self, shards: Sequence[Alive]) -> None: ...

    def over(self) -> bool: ...


class Unheard:
    """A listener for tasks that only have to go on."""

    def hear(self, shards: Sequence[Alive]) -> None:
        """Ignore the progress."""

    def over(self) -> bool:
        """There is no limit."""
        return False


@define
class Beacon:
    """Calls `tell` twice a second from another thread. Use as a context manager: leaving it waits for the thread, so
    that it makes no report about a task that has ended.

    An error of `tell` ends only the thread: the silence is noticed.
    """

    tell: Callable[[], None]
    _ended: threading.Event = field(init=False, factory=threading.Event)
    _thread: threading.Thread = field(init=False)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._shine, name="beacon", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _shine(self) -> None:
        while not self._ended.wait(SECONDS):
            try:
                self.tell()
            except WorkDirectoryError:
                return


@define(eq=False)
class Said:
    """A task's progress reports, in files of the exchange directory: each replaces the one before."""

    exchange: Folder
    number: int
    attempt: str = field(factory=lambda: uuid.uuid4().hex[:8])
    count: int = 0

    def say(self, alive: Alive) -> None:
        """Report the progress of the task. Raises WorkDirectoryError."""
        former, self.count = self._name, self.count + 1
        with folder_errors(self.exchange):
            file = self.exchange.create(self._name)
            file.write(json.dumps(asdict(alive)).encode())
            self.exchange.finish(file, durable=False)
            if self.count > 1:
                self.exchange.remove(former)

    @property
    def _name(self) -> str:
        return f"{STEM}{self.number:03}-{self.attempt}-{self.count}"

    def forget(self) -> None:
        """The task has ended."""
        self.exchange.remove(self._name)


def said(exchange: Folder) -> dict[str, Alive]:
    """The present reports of tasks, by the names of the files."""
    found = {}
    for name in exchange.names():
        if name.startswith(STEM):
            try:
                found[name] = _ALIVE(parsed(exchange.read(name)))
            except (OSError, ValueError, WorkDirectoryError):
                continue  # not yet whole, or gone already
    return found


def spoken(given: tuple[Callable[[Any, int], Any], Any, Folder], number: int) -> Any:
    """function(argument, number) in a task, which reports meanwhile that it runs."""
    function, argument, exchange = given
    voice = Said(exchange, number)
    voice.say(Alive(number))
    try:
        with Beacon(lambda: voice.say(Alive(number))):
            return function(argument, number)
    finally:
        voice.forget()
