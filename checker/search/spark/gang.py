"""The exchange between workers: one barrier job for the whole search, candidates straight to their owners over TCP.

Spark starts all tasks at once. Each opens a port, reports to the driver, and learns the others' addresses; then, level
by level, it expands its states, sends candidates as they come, accepts those of others meanwhile, and tells the driver
what the level gave. The driver says whether to go on. A level is written to disk while the next is expanded; its files
are named in the report of the next, or in the last one, and then the driver commits it.

No wait can be for ever: whoever waits, for room in a connection or for the others to finish, keeps accepting what
arrives. Only the sending of more is held back, by the bytes that wait to be sent. A worker whose driver or neighbour
disappears ends with an error; Spark then ends the gang, and the driver starts another from the last committed level.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import threading
from typing import Any

import numpy as np
from attrs import asdict, define, field, frozen

from checker.contract import States
from checker.search.spark.alive import Beacon, alive
from checker.search.spark.job import Expansion, Job, Keeper, Report, ends_of, forget, shard_at
from checker.search.spark.reception import Reception, listening
from checker.search.spark.shard import Shard
from checker.search.spark.tls import Certificate, Connection, pending, secured
from checker.search.spark.wire import DATA, END, Peer, authenticate, receive_exactly, receive_message, send_message
from checker.stored.errors import StoredFileError

WAIT_SECONDS = 5.0
_MEET_SECONDS = 60.0
_NOTHING: tuple[int, int, memoryview | None] = (0, 0, None)
_DRIVER = -1


@frozen
class Gang:
    """What each worker of a gang is told. window: bytes that may wait to be sent before a worker stops expanding.
    certificate: for connections to be encrypted."""

    job: Job
    driver: tuple[str, int]
    secret: bytes
    levels: int
    certificate: Certificate | None = None
    window: int = 8 << 20


@frozen
class WorkerReport(Report):
    """What one worker did in a level. expansion: of the level before; rows, shown: of the new level; files: of the
    level before, if it was begun by this gang."""


class Stopped(Exception):
    """The driver wants no more of the level under way."""


def run_worker(gang: Gang, number: int) -> None:
    """Be worker `number` of a gang until the driver says that the search has ended."""
    with socket.create_connection(gang.driver, timeout=60) as connection:
        control = secured(connection, gang.certificate, called=False)
        authenticate(control, gang.secret, caller=True)
        worker = _Worker(gang, number, control)
        try:
            with worker, Beacon(worker.say_alive):
                worker.work()
        except BaseException as error:
            forget(gang.job, number)
            worker.explain(error)
            raise


@define(eq=False)
class _Worker:
    gang: Gang
    number: int
    control: Connection
    built: Shard | None = None
    peers: dict[int, Peer] = field(init=False, factory=dict)
    selector: selectors.BaseSelector = field(init=False, factory=selectors.DefaultSelector)
    keeper: Keeper = field(init=False)
    ended: set[int] = field(init=False, factory=set)
    sent: int = field(init=False, default=0)
    _speaking: threading.Lock = field(init=False, factory=threading.Lock)

    def __enter__(self) -> None:
        self.keeper = Keeper(self.gang.job)

    def __exit__(self, *_: object) -> None:
        with self.keeper:
            for peer in self.peers.values():
                peer.connection.close()
            self.selector.close()

    @property
    def shard(self) -> Shard:
        assert self.built is not None
        return self.built

    def work(self) -> None:
        """From the stored levels to the end."""
        self.built = shard_at(self.gang.job, self.number, self.gang.levels)
        self.meet()
        self.shard.watch.take()  # of levels alone
        try:
            while self.level():
                pass
        except Stopped:
            forget(self.gang.job, self.number)
        files = self.keeper.kept()
        self._tell({"last": {"level": self.shard.level, "files": asdict(files)}})
        receive_message(self.control)  # the others may still have to be told: who closes first seems to have failed

    # ---- talking to the driver

    def _tell(self, message: dict[str, Any]) -> None:
        with self._speaking:
            send_message(self.control, json.dumps(message).encode())

    def say_alive(self) -> None:
        """Tell the driver how far this worker is."""
        self._tell({"alive": asdict(alive(self.number, self.built))})

    def explain(self, error: BaseException) -> None:
        """Tell the driver why this worker ends, before the others notice that it is gone."""
        try:
            stored, consequence = isinstance(error, StoredFileError), isinstance(error, ConnectionError)
            self._tell({"failed": str(error) or type(error).__name__, "stored": stored, "consequence": consequence})
        except OSError:
            pass  # the driver is gone, too

    # ---- meeting the others

    def meet(self) -> None:
        """Report to the driver, then connect to every other worker: the larger number calls."""
        host = self.control.getsockname()[0]
        with Reception(listening(host), self.gang.secret, self.gang.certificate) as reception:
            port = reception.server.getsockname()[1]
            self._tell({"hello": self.number, "host": host, "process": os.getpid(), "port": port})
            addresses = json.loads(receive_message(self.control))["workers"]
            for other in range(self.number):
                called = socket.create_connection(tuple(addresses[other]), timeout=_MEET_SECONDS)
                connection = secured(called, self.gang.certificate, called=False)
                authenticate(connection, self.gang.secret, caller=True)
                connection.sendall(self.number.to_bytes(4, "little"))
                self._join(other, connection)
            while len(self.peers) < self.gang.job.shards - 1:
                caller = reception.admitted(_MEET_SECONDS)
                if caller is None:
                    raise TimeoutError(f"not all workers have called within {_MEET_SECONDS:.0f} s")
                self._join(int.from_bytes(receive_exactly(caller, 4), "little"), caller)
        self.selector.register(self.control, selectors.EVENT_READ, _DRIVER)

    def _join(self, other: int, connection: Connection) -> None:
        self.peers[other] = Peer(connection, self.shard.router.take_back)
        self.selector.register(connection, selectors.EVENT_READ, other)

    # ---- a level

    def level(self) -> bool:
        """Expand a level, exchange, report; whether to go on."""
        shard = self.shard
        self.sent = 0
        self.ended.clear()
        for other, peer in self.peers.items():
            if pending(peer.connection):  # came along with the handshake
                self._receive(other)
        ends = ends_of(self.gang.job, shard)
        expansion = Expansion.of(*shard.expand(self._send, ends.write))
        for peer in self.peers.values():
            peer.put(END, shard.level)
        while len(self.ended) < len(self.peers) or any(peer.waiting for peer in self.peers.values()):
            self._pump(wait=True)
        shard.advance()
        with shard.watch("store"):
            files = self.keeper.kept()
        self.keeper.keep(shard, ends)
        shown = shard.check()
        self._tell({"report": asdict(WorkerReport.of(shard, shown, expansion, files, self.sent))})
        with shard.watch("driver"):
            return bool(json.loads(receive_message(self.control))["go"])

    def _send(self, owner: int, states: States) -> None:
        if owner == self.number:
            self.shard.accept(states, routed=True)
            self.shard.router.take_back(states)
        else:
            self.peers[owner].put(DATA, self.shard.level, states)
            self.sent += states.nbytes
        self._pump(wait=False)
        while sum(peer.waiting for peer in self.peers.values()) > self.gang.window:
            self._pump(wait=True)

    def _pump(self, wait: bool) -> None:
        """Send and accept what is possible; with `wait`, if there is nothing to send, wait for something to accept.

        Raises Stopped.
        """
        for other, peer in self.peers.items():
            if peer.waiting:
                with self.shard.watch("send"):
                    wait = not peer.write() and wait
            if bool(peer.waiting) != peer.watched:
                peer.watched = bool(peer.waiting)
                events = selectors.EVENT_READ | (selectors.EVENT_WRITE if peer.watched else 0)
                self.selector.modify(peer.connection, events, other)
        with self.shard.watch("wait" if wait else "receive"):
            ready = self.selector.select(WAIT_SECONDS if wait else 0)
        if pending(self.control) or any(key.data == _DRIVER for key, _ in ready):
            receive_message(self.control)
            raise Stopped
        for key, events in ready:
            if events & selectors.EVENT_READ:
                self._receive(int(key.data))

    def _receive(self, other: int) -> None:
        frames = self.peers[other].read()
        while True:
            with self.shard.watch("receive"):
                kind, level, data = next(frames, _NOTHING)
            if data is None:
                return
            if level != self.shard.level:
                raise ConnectionError(f"worker {other} is at level {level}, this one at {self.shard.level}")
            if kind == END:
                self.ended.add(other)
            else:
                self.shard.accept(np.frombuffer(data, dtype=np.uint64).reshape(-1, self.shard.source.words))
