"""Strangers at the ports of a search: they get in nowhere, and delay nobody who belongs there."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, cast

import pytest

from checker.search import Source, search
from checker.search.spark import rendezvous as meeting
from checker.search.spark.reception import Reception, listening
from checker.search.spark.tls import Certificate, secured
from checker.search.spark.wire import Unauthenticated, authenticate
from tests.search.graphs import GraphSource, counting
from tests.search.spark.test_shards import run
from tests.search.test_breadth_first import random_graph

SECRET = bytes(range(32))
Sockets = list[socket.socket]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Closes everything."""
    with ExitStack() as closing:
        yield closing


def received(stack: ExitStack, **options: Any) -> Reception:
    """A reception on the loopback interface."""
    return stack.enter_context(Reception(listening("127.0.0.1"), SECRET, **options))


def call(stack: ExitStack, reception: Reception, sent: bytes = b"") -> socket.socket:
    """A connection that sends this and then waits."""
    caller = stack.enter_context(socket.create_connection(reception.server.getsockname(), timeout=10))
    caller.sendall(sent)
    return caller


def is_open(caller: socket.socket) -> bool:
    """Whether the other side has not closed the connection: what there is to read is its challenge."""
    readable, _, _ = select.select([caller], [], [], 0)
    return not readable or caller.recv(1, socket.MSG_PEEK) != b""


def strangers(stack: ExitStack, reception: Reception) -> Sockets:
    """Silent ones, and such that send the beginning of what is expected."""
    begun = b"\x16\x03\x01\x02\x00" if reception.certificate else os.urandom(16)
    return [call(stack, reception, sent) for sent in (b"", begun) for _ in range(20)]


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that other threads bring about."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("encrypt", [False, True])
def test_a_worker_is_let_in_while_silent_strangers_are_still_connected(stack: ExitStack, encrypt: bool) -> None:
    """Forty handshakes that do not go on are under way at the moment in which the worker's has ended."""
    certificate = Certificate.make() if encrypt else None
    reception = received(stack, certificate=certificate, seconds=3600.0)
    waiting = strangers(stack, reception)
    until(lambda: reception.callers == len(waiting))
    worker = secured(call(stack, reception), certificate, called=False)
    authenticate(worker, SECRET, caller=True)
    assert reception.admitted(10) is not None
    assert reception.callers == len(waiting)
    assert all(map(is_open, waiting))


@pytest.mark.parametrize(
    "sent", [bytes(64), b"GET / HTTP/1.1\r\n\r\n" * 10, os.urandom(200)], ids=["zeros", "http", "random"]
)
@pytest.mark.parametrize("encrypt", [False, True])
def test_garbage_is_shown_out_at_once(stack: ExitStack, sent: bytes, encrypt: bool) -> None:
    """No time has to pass; nothing is let in."""
    reception = received(stack, certificate=Certificate.make() if encrypt else None, seconds=3600.0)
    callers = [call(stack, reception, sent) for _ in range(20)]
    until(lambda: not any(map(is_open_after_reading, callers)) and not reception.callers)
    assert (reception.callers, reception.admitted(0.0)) == (0, None)


def is_open_after_reading(caller: socket.socket) -> bool:
    """Whether the connection is open once all that was sent is read."""
    try:
        while select.select([caller], [], [], 0)[0]:
            if not caller.recv(1 << 16):
                return False
    except ConnectionError:
        return False
    return True


def test_the_time_of_a_handshake_is_its_time_in_all(stack: ExitStack) -> None:
    """A stranger that sends a byte now and then, each in time, is cut off all the same."""
    reception = received(stack, seconds=0.5)
    slow = call(stack, reception)
    sent = 0
    with pytest.raises(OSError):
        while sent < 10_000:
            slow.sendall(b"x")
            sent += 1
            time.sleep(0.05)
    assert sent < 32  # the challenge was never whole
    assert reception.callers == 0


def test_more_strangers_than_there_is_room_for_make_room_for_the_next(stack: ExitStack) -> None:
    """The oldest handshake goes; the worker's, which is the youngest, does not."""
    reception = received(stack, seconds=3600.0, most=8)
    waiting = strangers(stack, reception)
    worker = call(stack, reception)
    authenticate(worker, SECRET, caller=True)
    assert reception.admitted(10) is not None
    assert reception.callers <= 8
    until(lambda: sum(map(is_open_after_reading, waiting)) <= 8)


def test_who_does_not_know_the_secret_is_not_let_in(stack: ExitStack) -> None:
    """And is told so by the end of the connection."""
    reception = received(stack)
    with pytest.raises((Unauthenticated, OSError)):
        authenticate(call(stack, reception), bytes(32), caller=True)
    assert reception.admitted(0.2) is None


def test_a_search_goes_on_among_strangers(monkeypatch: pytest.MonkeyPatch, stack: ExitStack) -> None:
    """Strangers wait at the driver's door before its own workers call, and stay until the search has ended; the counts
    are those of one process."""
    waiting: Sockets = []
    gather = meeting.Rendezvous.gather
    still_there = threading.Event()

    def crowded(self: meeting.Rendezvous, *arguments: Any) -> bool:
        assert self.address[0] == self._reception.server.getsockname()[0] == "127.0.0.1"
        waiting.extend(strangers(stack, self._reception))
        gathered = gather(self, *arguments)
        if all(map(is_open, waiting)):
            still_there.set()
        return gathered

    monkeypatch.setattr(meeting.Rendezvous, "gather", crowded)
    source = GraphSource(random_graph(500, 3), counting(500, 1))
    work, *_ = run(source, 2, "by_gang")
    whole = search(cast(Source, source))
    assert [level.rows for level in work.levels if level.rows] == list(whole.levels)
    assert still_there.is_set()


def test_only_a_stated_interface_is_listened_on() -> None:
    """Loopback for a master on this machine, in all its forms; else what Spark's driver was given."""
    from checker.search.spark.cluster import SparkTasks

    class Context:
        def __init__(self, master: str, **conf: str) -> None:
            self.master, self.conf = master, conf

        def getConf(self) -> dict[str, str]:
            return {name.replace("_", "."): value for name, value in self.conf.items()}

    class Session:
        def __init__(self, context: Context) -> None:
            self.sparkContext = context

    def interface(master: str, **conf: str) -> str:
        return SparkTasks(Session(Context(master, **conf)), None).interface()

    assert [
        interface(m, spark_driver_host="10.0.0.1")
        for m in ("local", "local[*]", "local[2,4]", "local-cluster[2,1,512]")
    ] == ["127.0.0.1"] * 4
    assert interface("spark://host:7077", spark_driver_host="10.0.0.1") == "10.0.0.1"
    assert (
        interface("spark://host:7077", spark_driver_host="10.0.0.1", spark_driver_bindAddress="10.0.0.2") == "10.0.0.2"
    )
    with listening("127.0.0.1") as here:
        assert here.getsockname()[0] == "127.0.0.1"
