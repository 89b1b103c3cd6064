"""The driver's end of a gang: workers report here, learn each other's addresses, and wait for its word to go on.

It listens on one interface, and strangers who connect are kept apart until they have proved that they know the secret
(`reception`).

A gang has failed when a connection closes, when its job ends before the search does, or when some worker says nothing
for too long (it may be stopped, or cut off from the network); then all of it is ended.
"""

from __future__ import annotations

import json
import selectors
import time
from collections.abc import Callable
from typing import Any, Protocol, Self

from attrs import define, field

from checker.search.spark.alive import Alive, Listener
from checker.search.spark.failures import TasksFailed
from checker.search.spark.gang import WorkerReport
from checker.search.spark.job import Expansion, Files
from checker.search.spark.reception import Reception, listening
from checker.search.spark.spent import Spent
from checker.search.spark.tls import Certificate
from checker.search.spark.wire import Peer, send_message
from checker.search.workdir import Block, WorkDirectoryError

MEET_SECONDS = 120.0
SILENCE_SECONDS = 60.0
_POLL = 0.2
_AFTERMATH_SECONDS = 5.0


class GangFailed(Exception):
    """A gang ended before its search, or has to be ended. consequence: because a worker missed another one, which
    failed first."""

    def __init__(self, message: str, consequence: bool = False) -> None:
        super().__init__(message)
        self.consequence = consequence


class Running(Protocol):
    """A gang of tasks under way."""

    def failure(self) -> TasksFailed | None:
        """Why it ended, if it did with an error. Raises it if another attempt would end in the same way."""

    def done(self) -> bool:
        """Whether it has ended."""

    def cancel(self) -> None:
        """End it, and wait until it has."""


@define(eq=False)
class Rendezvous:
    """Listens for `count` workers that know the secret. Use as a context manager: leaving it closes all connections.

    host: the address by which workers reach this process; interface: the one to listen on, "" for all.
    """

    host: str
    secret: bytes
    count: int
    silence: float
    certificate: Certificate | None = None
    interface: str = "127.0.0.1"
    processes: dict[int, tuple[str, int]] = field(init=False, factory=dict)  # host and process of each worker
    _reception: Reception = field(init=False)
    _workers: dict[int, Peer] = field(init=False, factory=dict)
    _heard: dict[int, float] = field(init=False, factory=dict)
    _alive: dict[int, Alive] = field(init=False, factory=dict)
    _early: dict[int, WorkerReport] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._reception = Reception(listening(self.interface), self.secret, self.certificate)

    @property
    def address(self) -> tuple[str, int]:
        """Where workers call."""
        return self.host, int(self._reception.server.getsockname()[1])

    def __enter__(self) -> Self:
        self._reception.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        for peer in self._workers.values():
            peer.connection.close()
        self._reception.__exit__()

    def gather(self, running: Running, over: Callable[[], bool] = lambda: False) -> bool:
        """Wait for all workers and introduce them to each other; False if it was `over` before. Raises GangFailed."""
        deadline = time.monotonic() + MEET_SECONDS
        nameless: list[Peer] = []
        addresses: dict[int, tuple[str, int]] = {}
        while len(addresses) < self.count:
            self._watch(running)
            if over():
                return False
            if time.monotonic() > deadline:
                raise GangFailed(f"only {len(addresses)} of {self.count} workers have started")
            connection = self._reception.admitted(_POLL)
            if connection is not None:
                nameless.append(Peer(connection))
            for caller in list(nameless):
                for message in self._messages(caller):
                    deadline = time.monotonic() + MEET_SECONDS  # it lives; it may be reading what is stored
                    if "hello" not in message:
                        continue
                    number = message["hello"]
                    self._workers[number], self._heard[number] = caller, time.monotonic()
                    addresses[number] = (message["host"], message["port"])
                    self.processes[number] = (message["host"], message["process"])
                    nameless.remove(caller)
        self.tell({"workers": [addresses[number] for number in range(self.count)]})
        return True

    def _messages(self, peer: Peer) -> list[Any]:
        try:
            messages = [json.loads(bytes(data)) for _, _, data in peer.read()]
        except OSError as error:
            raise GangFailed(f"a worker is gone: {error}", consequence=True) from error
        for message in messages:
            if "failed" in message:
                if message["stored"]:
                    raise WorkDirectoryError(message["failed"])
                raise GangFailed(message["failed"], message["consequence"])
        return messages

    def reason(self, failure: GangFailed, running: Running) -> GangFailed:
        """The failure that led to this one: the first worker to fail says so before others miss it, or Spark does for
        it."""
        for peer in self._workers.values():
            try:
                self._messages(peer)
            except GangFailed as other:
                if failure.consequence:
                    failure = other
        if failure.consequence:
            self.wait(running, _AFTERMATH_SECONDS)
            told = running.failure() if running.done() else None
            return failure if told is None or told.consequence else GangFailed(str(told))
        return failure

    def _watch(self, running: Running) -> None:
        if running.done():
            raise GangFailed(str(running.failure() or "the workers have ended before the search"))

    def reports(self, running: Running, listener: Listener) -> list[WorkerReport] | None:
        """Wait for everyone's report of a level; None if the listener wants no more of it. Raises GangFailed."""
        for number in self._workers:
            self._alive.setdefault(number, Alive(number))
        reports: dict[int, WorkerReport] = {}
        self._early = reports

        def take(number: int, message: dict[str, Any]) -> None:
            if "report" in message:
                reports[number] = _report(message["report"])
            elif "alive" in message:
                self._alive[number] = Alive(**message["alive"])
                listener.hear(list(self._alive.values()))

        over = self._listen(running, take, lambda: len(reports) == self.count, listener.over)
        return None if over else [reports[number] for number in range(self.count)]

    def end(self, running: Running, level: int) -> list[Files]:
        """The files of the last level that all workers have reached, once they were told to stop; then let them go.

        No files, if that level was the one they began with. Raises GangFailed.
        """
        # told with a report that is not asked for
        files = {number: report.files for number, report in self._early.items()}
        last: set[int] = set()

        def take(number: int, message: dict[str, Any]) -> None:
            if "report" in message:
                files[number] = _report(message["report"]).files
            elif "last" in message:
                last.add(number)
                if message["last"]["level"] == level:
                    files[number] = _files(message["last"]["files"])

        self._listen(running, take, lambda: len(last) == self.count, lambda: False)
        self.tell({"go": False})
        return [files.get(number, Files()) for number in range(self.count)]

    def _listen(
        self,
        running: Running,
        take: Callable[[int, dict[str, Any]], None],
        done: Callable[[], bool],
        over: Callable[[], bool],
    ) -> bool:
        """Take messages until all is said; whether it was over before. A worker that says nothing has failed."""
        for number in self._workers:
            self._heard[number] = time.monotonic()
        with selectors.DefaultSelector() as selector:
            for number, peer in self._workers.items():
                selector.register(peer.connection, selectors.EVENT_READ, number)
            while not done():
                for key, _ in selector.select(_POLL):
                    for message in self._messages(self._workers[key.data]):
                        self._heard[key.data] = time.monotonic()
                        take(key.data, message)
                self._watch(running)
                if over():
                    return True
                silent = [n for n, t in self._heard.items() if time.monotonic() - t > self.silence]
                if silent:
                    host, process = self.processes[silent[0]]
                    raise GangFailed(
                        f"worker {silent[0]} (process {process} on {host}) has said nothing for {self.silence:.0f} s"
                    )
        return False

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to all workers."""
        for peer in self._workers.values():
            try:
                peer.connection.settimeout(self.silence)
                send_message(peer.connection, json.dumps(message).encode())
                peer.connection.setblocking(False)
            except OSError as error:
                raise GangFailed(f"a worker is gone: {error}", consequence=True) from error

    def wait(self, running: Running, seconds: float = 30.0) -> None:
        """Wait until the workers, told to stop, have."""
        deadline = time.monotonic() + seconds
        while not running.done() and time.monotonic() < deadline:
            time.sleep(0.005)


def _report(data: dict[str, Any]) -> WorkerReport:
    told = {
        "shown": _found(data["shown"]),
        "expansion": Expansion(tuple(data["expansion"]["counters"]), _found(data["expansion"]["found"])),
        "files": _files(data["files"]),
        "spent": {phase: Spent(**seconds) for phase, seconds in data["spent"].items()},
    }
    return WorkerReport(**{**data, **told})


def _files(data: dict[str, Any]) -> Files:
    return Files(*(tuple(Block(**block) for block in data[name]) for name in ("states", "quiescent")))


def _found(data: dict[str, int]) -> dict[int, int]:
    return {int(number): steps for number, steps in data.items()}
