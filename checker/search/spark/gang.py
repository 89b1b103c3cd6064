"""The exchange between workers: one barrier job for the whole search, candidates straight to their owners over TCP.

Spark starts all tasks at once. Each opens a port, reports to the driver, and learns the others' addresses; then, level
by level, it expands its states, sends candidates as they come, accepts those of others meanwhile, and tells the driver
what the level gave. The driver commits, and says whether to go on.

No wait can be for ever: whoever waits, for room in a connection or for the others to finish, keeps accepting what
arrives. Only the sending of more is held back, by the bytes that wait to be sent. A worker whose driver or neighbour
disappears ends with an error; Spark then ends the gang, and the driver starts another from the last committed level.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import asdict, define, field, frozen

from checker.search.source import States
from checker.search.spark.job import Ends, Expansion, Job, forget, shard_at, store_latest
from checker.search.spark.shard import Shard
from checker.search.spark.spent import Spent
from checker.search.spark.wire import DATA, END, Peer, authenticate, receive_message, send_message
from checker.search.workdir import Block

REPORT_SECONDS = 0.5
_BACKLOG = 128
_NOTHING: tuple[int, int, memoryview | None] = (0, 0, None)


@frozen
class Gang:
    """What each worker of a gang is told. window: bytes that may wait to be sent before a worker stops expanding."""

    job: Job
    driver: tuple[str, int]
    secret: bytes
    levels: int
    window: int = 8 << 20


@frozen
class WorkerReport:
    """What one worker did in a level. expansion: of the level before; states, shown: of the new level."""

    shard: int
    level: int
    rows: int
    states: tuple[Block, ...]
    shown: dict[int, int]
    expansion: Expansion
    sent: int
    spilled: int
    spent: Mapping[str, Spent]
    memory: int


def run_worker(gang: Gang, number: int) -> None:
    """Be worker `number` of a gang until the driver says that the search has ended."""
    with socket.create_connection(gang.driver, timeout=60) as control:
        authenticate(control, gang.secret, caller=True)
        worker = _Worker(gang, shard_at(gang.job, number, gang.levels), control)
        try:
            worker.meet()
            while worker.level():
                pass
        except BaseException as error:
            forget(gang.job, number)
            worker.explain(error)
            raise
        finally:
            worker.close()


@define(eq=False)
class _Worker:
    gang: Gang
    shard: Shard
    control: socket.socket
    peers: dict[int, Peer] = field(init=False, factory=dict)
    selector: selectors.BaseSelector = field(init=False, factory=selectors.DefaultSelector)
    ended: set[int] = field(init=False, factory=set)
    sent: int = field(init=False, default=0)
    told: float = field(init=False, factory=time.monotonic)

    # ---- meeting the others

    def meet(self) -> None:
        """Report to the driver, then connect to every other worker: the larger number calls."""
        number = self.shard.number
        host = self.control.getsockname()[0]
        with socket.create_server((host, 0), backlog=_BACKLOG) as server:
            self._tell({"hello": number, "host": host, "process": os.getpid(), "port": server.getsockname()[1]})
            addresses = json.loads(receive_message(self.control))["workers"]
            for other in range(number):
                connection = socket.create_connection(tuple(addresses[other]), timeout=60)
                authenticate(connection, self.gang.secret, caller=True)
                connection.sendall(number.to_bytes(4, "little"))
                self._join(other, connection)
            server.settimeout(60)
            while len(self.peers) < self.gang.job.shards - 1:
                connection, _ = server.accept()
                try:
                    authenticate(connection, self.gang.secret, caller=False)
                    other = int.from_bytes(connection.recv(4, socket.MSG_WAITALL), "little")
                except Exception:  # noqa: BLE001 - a stranger; those who belong here are still waited for
                    connection.close()
                    continue
                self._join(other, connection)

    def _join(self, other: int, connection: socket.socket) -> None:
        self.peers[other] = Peer(connection, self.shard.router.take_back)
        self.selector.register(connection, selectors.EVENT_READ, other)

    def _tell(self, message: dict[str, Any]) -> None:
        send_message(self.control, json.dumps(message).encode())
        self.told = time.monotonic()

    def explain(self, error: BaseException) -> None:
        """Tell the driver why this worker ends, before the others notice that it is gone."""
        try:
            self._tell({"failed": f"{type(error).__module__}.{type(error).__name__}: {error}"})
        except OSError:
            pass  # the driver is gone, too

    def close(self) -> None:
        """Close all connections."""
        for peer in self.peers.values():
            peer.connection.close()
        self.selector.close()

    # ---- a level

    def level(self) -> bool:
        """Expand a level, exchange, report; whether to go on."""
        shard, job = self.shard, self.gang.job
        self.sent = 0
        self.ended.clear()
        ends = Ends(job, shard)
        counters, found = shard.expand(self._send, ends.add)
        expansion = Expansion(tuple(int(n) for n in counters), found, ends.close())
        for peer in self.peers.values():
            peer.put(END, shard.level)
        while len(self.ended) < len(self.peers) or any(peer.waiting for peer in self.peers.values()):
            self._pump(wait=True)
        shard.advance()
        report = WorkerReport(
            shard.number, shard.level, shard.rows, store_latest(job, shard), shard.check(), expansion,
            self.sent, shard.spilled, shard.watch.take(), shard.nbytes,
        )  # fmt: skip
        self._tell({"report": asdict(report)})
        with shard.watch("driver"):
            return bool(json.loads(receive_message(self.control))["go"])

    def _send(self, owner: int, states: States) -> None:
        if owner == self.shard.number:
            self.shard.accept(states, routed=True)
            self.shard.router.take_back(states)
        else:
            self.peers[owner].put(DATA, self.shard.level, states)
            self.sent += states.nbytes
        self._pump(wait=False)
        while sum(peer.waiting for peer in self.peers.values()) > self.gang.window:
            self._pump(wait=True)

    def _pump(self, wait: bool) -> None:
        """Send and accept what is possible; with `wait`, if there is nothing to send, wait for something to accept."""
        for other, peer in self.peers.items():
            if peer.waiting:
                with self.shard.watch("send"):
                    wait = not peer.write() and wait
            if bool(peer.waiting) != peer.watched:
                peer.watched = bool(peer.waiting)
                events = selectors.EVENT_READ | (selectors.EVENT_WRITE if peer.watched else 0)
                self.selector.modify(peer.connection, events, other)
        with self.shard.watch("wait" if wait else "receive"):
            ready = self.selector.select(REPORT_SECONDS if wait else 0)
        for key, events in ready:
            if events & selectors.EVENT_READ:
                self._receive(int(key.data))
        if time.monotonic() - self.told > REPORT_SECONDS:
            shard = self.shard
            self._tell({"alive": shard.number, "level": shard.level, "rows": shard.count, "memory": shard.nbytes})

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
