"""A search in which candidates come faster than one worker takes them, and what its workers saw of it.

Of the nodes a tenth has many successors, nearly all of them states of shard 0, which is slow to accept; its own states
lead back to the tenth. Connections have small buffers, and few bytes may wait to be sent. So the others must be held
back again and again, while shard 0 has to send to them.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from attrs import frozen

from checker.search import Source, search
from checker.search.checkpoint import Checkpoint
from checker.search.limits import Limits
from checker.search.progress import Progress
from checker.search.spark import driver as driver_module
from checker.search.spark import gang as gang_module
from checker.search.spark import partition as partition_module
from checker.search.spark.cluster import connect
from checker.search.spark.driver import Driver, Plan
from checker.search.spark.gang import Gang, run_worker
from checker.search.spark.job import Job
from checker.search.spark.partition import Partition
from checker.search.spark.shard import Shard
from checker.search.spark.wire import Peer
from checker.search.workdir import WorkDirectory, read_block
from tests.search.graphs import Graph, GraphSource, counting

WORDS = 8
WINDOW = 1 << 12
BLOCK = 1 << 14  # the least there is for states of eight words
# a receiver that has no room for one segment of the loopback interface, 64 KB, waits for timers
SEND_BUFFER, RECEIVE_BUFFER = 1 << 11, 1 << 16
PAUSE_SECONDS = 1.0
_SOURCES, _SINKS, _DEGREE = 2_000, 18_000, 50


@cache
def funnel(shards: int) -> GraphSource:
    """The graph: node 0 and those after it are of the tenth, all others of shard 0."""
    random = np.random.default_rng(7)
    states = counting(4 * shards * (_SOURCES + _SINKS), WORDS)
    partition = Partition(WORDS, shards)
    others = np.concatenate([partition.owned(states, shard)[:_SOURCES] for shard in range(1, shards)])
    encoding = np.concatenate([others[random.permutation(len(others))[:_SOURCES]], partition.owned(states, 0)[:_SINKS]])
    outward = random.integers(_SOURCES, _SOURCES + _SINKS, (_SOURCES, _DEGREE)).tolist()
    inward = random.integers(0, _SOURCES, _SINKS).tolist()
    return GraphSource(
        Graph([*([(0, target) for target in row] for row in outward), *([(1, target)] for target in inward)], [0]),
        encoding,
    )


@frozen
class Funnel:
    """Makes the source in a task."""

    shards: int

    def __call__(self) -> Source:
        return cast(Source, funnel(self.shards))


def run_pressed_worker(gang: Gang, number: int) -> None:
    """A worker of the gang with little room on the way to others; writes what it saw beside the work directory."""
    saw = {"peak": 0, "held_back": 0, "paused": 0}
    accept, put, pump, secured = Shard.accept, Peer.put, gang_module._Worker._pump, gang_module.secured
    peers: set[Peer] = set()

    def accept_slowly(self: Shard, *arguments: Any, **options: Any) -> int:
        time.sleep(0.0005)
        if self.known > 5_000 and not saw["paused"]:
            saw["paused"] = 1
            pause()
        return accept(self, *arguments, **options)

    def put_and_note(self: Peer, *arguments: Any) -> None:
        put(self, *arguments)
        peers.add(self)
        saw["peak"] = max(saw["peak"], sum(peer.waiting for peer in peers))

    def pump_and_note(self: Any, wait: bool) -> None:
        saw["held_back"] += wait and sum(peer.waiting for peer in peers) > gang.window
        pump(self, wait)

    def with_little_room(connection: Any, *arguments: Any, **options: Any) -> Any:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        return secured(connection, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:  # the process goes on to other tasks
        if number == 0:
            patch.setattr(Shard, "accept", accept_slowly)
        patch.setattr(Peer, "put", put_and_note)
        patch.setattr(gang_module._Worker, "_pump", pump_and_note)
        patch.setattr(gang_module, "secured", with_little_room)
        patch.setattr(partition_module, "BLOCK_BYTES", BLOCK)
        run_worker(gang, number)
    Path(f"{gang.job.folder}-saw-{number}").write_text(json.dumps(saw), encoding="utf-8")


def pause() -> None:
    """Stop this process, threads and all, for a while."""
    subprocess.Popen(["sh", "-c", f"sleep {PAUSE_SECONDS}; kill -CONT {os.getpid()}"])
    os.kill(os.getpid(), signal.SIGSTOP)


def narrow(job: Job, *arguments: Any) -> Gang:
    """What the driver tells workers, but for the window."""
    return Gang(job, *arguments, window=WINDOW)


def pressed(master: str, shards: int, memory: int | None, encrypt: bool) -> dict[str, Any]:
    """Search on a master; what came out, and what each worker saw."""
    source = cast(Source, funnel(shards))
    told: list[Progress] = []
    with tempfile.TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver_module, "INTERVAL", 0.0)
        patch.setattr(driver_module, "Gang", narrow)
        patch.setattr(driver_module, "run_worker", run_pressed_worker)
        path = Path(directory) / "work"
        with WorkDirectory.create(path, {}) as work:
            search(source, checkpoint=Checkpoint(work, WORDS, 0))
            tasks = connect(master, partitions=shards)
            job = Job(directory, Funnel(shards), path, shards, memory, alone=True)
            outcome = Driver(work, job, tasks, Plan(source.findings, Limits(), False, told.append, encrypt)).by_gang()
            levels = [
                sorted(row.tobytes() for block in level.files for row in read_block(work.data, block, WORDS))
                for level in work.levels
            ]
            transitions = sum(level.counters[-3] for level in work.levels)
        saw = [json.loads(Path(f"{path}-saw-{number}").read_text(encoding="utf-8")) for number in range(shards)]
    whole = search(source)
    return {
        "levels": [len(states) for states in levels],
        "whole": list(whole.levels),
        "same": levels[: len(whole.levels)]
        == [sorted(row.tobytes() for row in states) for states in whole.iterate_levels()],
        "transitions": [transitions, whole.transitions],
        "sent": outcome.sent,
        "spilled": outcome.spilled,
        "restarts": outcome.restarts,
        "spent": sorted(outcome.spent),
        "progress": [{"level": p.level, "distinct": p.distinct, "skew": p.skew, "spilled": p.spilled} for p in told],
        "saw": saw,
    }


if __name__ == "__main__":
    from tests.search.spark import pressure

    print(json.dumps(pressure.pressed(sys.argv[1], int(sys.argv[2]), None, False)))
