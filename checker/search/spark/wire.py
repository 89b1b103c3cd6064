"""Connections between the processes of one search: authenticated, framed, and never a cause to wait for each other.

Both sides prove that they know the search's secret, which reaches tasks with the job, by answering a challenge with
HMAC-SHA256; the parties' roles are part of the answer, so it cannot be sent back. Nothing is encrypted here: who can
read the network can read states, unless the connection is one of `tls`. A frame is a byte for its kind, the level and
the length of what follows.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from attrs import define, field
from numpy.typing import NDArray

from checker.search.spark.tls import Connection, pending

HEADER = struct.Struct("<BIQ")
DATA, END, MESSAGE = 0, 1, 2
_CHALLENGE = 32
_HANDSHAKE_SECONDS = 30.0
_FRAMES_AT_ONCE = 4
_GONE = "another worker of the search is gone"


class Unauthenticated(Exception):
    """The other side does not know the secret, or is no part of a search."""


def _answer(secret: bytes, role: bytes, challenge: bytes, other: bytes) -> bytes:
    return hmac.new(secret, role + challenge + other, hashlib.sha256).digest()


def authenticate(connection: Connection, secret: bytes, caller: bool) -> None:
    """Prove to each other that both know the secret. Raises Unauthenticated or OSError."""
    connection.settimeout(_HANDSHAKE_SECONDS)
    mine = os.urandom(_CHALLENGE)
    connection.sendall(mine)
    theirs = receive_exactly(connection, _CHALLENGE)
    roles = (b"caller", b"called") if caller else (b"called", b"caller")
    connection.sendall(_answer(secret, roles[0], theirs, mine))
    if not hmac.compare_digest(receive_exactly(connection, 32), _answer(secret, roles[1], mine, theirs)):
        raise Unauthenticated("the other side does not know the secret of this search")
    connection.settimeout(None)


def receive_exactly(connection: Connection, size: int) -> bytes:
    """So many bytes. ConnectionError if the other side closes first."""
    data = bytearray()
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise ConnectionError("the other side closed the connection")
        data += part
    return bytes(data)


def send_message(connection: Connection, message: bytes) -> None:
    """Send a message, waiting as long as it takes."""
    connection.sendall(HEADER.pack(MESSAGE, 0, len(message)) + message)


def receive_message(connection: Connection) -> bytes:
    """Wait for a message."""
    kind, _, size = HEADER.unpack(receive_exactly(connection, HEADER.size))
    if kind != MESSAGE:
        raise ConnectionError("a message was expected")
    return receive_exactly(connection, size)


@define(eq=False)
class Peer:
    """A non-blocking connection to another worker: frames out wait in a queue, frames in are put together.

    sent: called with each array that has been sent, which may be changed from then on.
    """

    connection: Connection
    sent: Callable[[NDArray[Any]], None] = lambda _: None
    waiting: int = 0
    watched: bool = False  # whether someone waits for room in the connection
    _out: deque[tuple[memoryview, NDArray[Any] | None]] = field(init=False, factory=deque)
    _header: bytearray = field(init=False, factory=bytearray)
    _size: int | None = field(init=False, default=None)
    _filled: int = field(init=False, default=0)
    _room: bytearray = field(init=False, factory=bytearray)

    def __attrs_post_init__(self) -> None:
        self.connection.setblocking(False)
        if self.connection.family in (socket.AF_INET, socket.AF_INET6):
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def put(self, kind: int, level: int, data: NDArray[Any] | None = None) -> None:
        """Queue a frame. The data, contiguous, must not change until it is sent."""
        size = 0 if data is None else data.nbytes
        self._out.append((memoryview(HEADER.pack(kind, level, size)), None))
        self.waiting += HEADER.size + size
        if data is not None and size:
            self._out.append((data.data.cast("B"), data))

    def write(self) -> int:
        """Send what the network takes; returns bytes."""
        before = self.waiting
        while self._out:
            try:
                sent = self.connection.sendmsg([view for view, _ in islice(self._out, 16)])
            except BlockingIOError:
                break
            self.waiting -= sent
            while sent:
                view, array = self._out.popleft()
                if sent < view.nbytes:
                    self._out.appendleft((view[sent:], array))
                    break
                sent -= view.nbytes
                if array is not None:
                    self.sent(array)
        return before - self.waiting

    def read(self) -> Iterator[tuple[int, int, memoryview]]:
        """The frames (kind, level, data) that have arrived in full, at most a few. The data stands until the next one.

        ConnectionError at the end.
        """
        frames = 0
        while frames < _FRAMES_AT_ONCE or pending(self.connection):
            frames += 1
            try:
                size = self._read_header() if self._size is None else self._size
                while self._filled < size:
                    count = self.connection.recv_into(memoryview(self._room)[self._filled : size])
                    if not count:
                        raise ConnectionError(_GONE)
                    self._filled += count
            except BlockingIOError:
                return
            kind, level, _ = HEADER.unpack(self._header)
            self._header, self._size = bytearray(), None
            yield kind, level, memoryview(self._room)[:size]

    def _read_header(self) -> int:
        """The size of the next frame, for which there is room then."""
        while len(self._header) < HEADER.size:
            part = self.connection.recv(HEADER.size - len(self._header))
            if not part:
                raise ConnectionError(_GONE)
            self._header += part
        size = int(HEADER.unpack(self._header)[2])
        self._size, self._filled = size, 0
        if size > len(self._room):
            self._room = bytearray(size)
        return size
