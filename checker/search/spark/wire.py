"""Connections between the processes of one search: authenticated, framed, and never a cause to wait for each other.

Both sides prove that they know the search's secret, which reaches tasks with the job, by answering a challenge with
HMAC-SHA256; the parties' roles are part of the answer, so it cannot be sent back. Nothing is encrypted: who can read
the network can read states. A frame is a byte for its kind, the level and the length of what follows.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import socket
import struct
from collections import deque
from itertools import islice

from attrs import define, field

HEADER = struct.Struct("<BIQ")
DATA, END, MESSAGE = 0, 1, 2
_CHALLENGE = 32
_HANDSHAKE_SECONDS = 30.0


class Unauthenticated(Exception):
    """The other side does not know the secret, or is no part of a search."""


def _answer(secret: bytes, role: bytes, challenge: bytes, other: bytes) -> bytes:
    return hmac.new(secret, role + challenge + other, hashlib.sha256).digest()


def authenticate(connection: socket.socket, secret: bytes, caller: bool) -> None:
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


def receive_exactly(connection: socket.socket, size: int) -> bytes:
    """So many bytes. ConnectionError if the other side closes first."""
    data = bytearray()
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise ConnectionError("the other side closed the connection")
        data += part
    return bytes(data)


def send_message(connection: socket.socket, message: bytes) -> None:
    """Send a message, waiting as long as it takes."""
    connection.sendall(HEADER.pack(MESSAGE, 0, len(message)) + message)


def receive_message(connection: socket.socket) -> bytes:
    """Wait for a message."""
    kind, _, size = HEADER.unpack(receive_exactly(connection, HEADER.size))
    if kind != MESSAGE:
        raise ConnectionError("a message was expected")
    return receive_exactly(connection, size)


@define(eq=False)
class Peer:
    """A non-blocking connection to another worker: frames out wait in a queue, frames in are put together."""

    connection: socket.socket
    waiting: int = 0
    watched: bool = False  # whether someone waits for room in the connection
    _out: deque[memoryview] = field(init=False, factory=deque)
    _header: bytearray = field(init=False, factory=bytearray)
    _body: bytearray | None = field(init=False, default=None)
    _filled: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.connection.setblocking(False)
        if self.connection.family in (socket.AF_INET, socket.AF_INET6):
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def put(self, kind: int, level: int, data: memoryview | None = None) -> None:
        """Queue a frame. The data must not change until it is sent."""
        size = 0 if data is None else data.nbytes
        self._out.append(memoryview(HEADER.pack(kind, level, size)))
        self.waiting += HEADER.size + size
        if data is not None and size:
            self._out.append(data.cast("B"))

    def write(self) -> int:
        """Send what the network takes; returns bytes."""
        before = self.waiting
        while self._out:
            try:
                sent = self.connection.sendmsg(list(islice(self._out, 16)))
            except BlockingIOError:
                break
            self.waiting -= sent
            while sent:
                if sent < self._out[0].nbytes:
                    self._out[0] = self._out[0][sent:]
                    break
                sent -= self._out.popleft().nbytes
        return before - self.waiting

    def read(self) -> list[tuple[int, int, bytearray]]:
        """The frames (kind, level, data) that have arrived in full, at most a few. ConnectionError at the end."""
        frames: list[tuple[int, int, bytearray]] = []
        while len(frames) < 4:
            try:
                if self._body is None:
                    part = self.connection.recv(HEADER.size - len(self._header))
                    if not part:
                        raise ConnectionError("another worker of the search is gone")
                    self._header += part
                    if len(self._header) < HEADER.size:
                        continue
                    self._body, self._filled = bytearray(HEADER.unpack(self._header)[2]), 0
                if self._filled < len(self._body):
                    count = self.connection.recv_into(memoryview(self._body)[self._filled :])
                    if not count:
                        raise ConnectionError("another worker of the search is gone")
                    self._filled += count
            except BlockingIOError:
                break
            if self._filled == len(self._body):
                kind, level, _ = HEADER.unpack(self._header)
                frames.append((kind, level, self._body))
                self._header, self._body = bytearray(), None
        return frames
