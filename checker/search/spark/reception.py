"""Who may come in at a listening socket: each caller proves that it knows the secret, all of them at the same time.

Anyone who reaches the address can connect. A handshake runs in a thread of its own and has SECONDS in all, not for each
read, so that a caller who is silent, slow or sends garbage delays nobody. At most MOST handshakes run at once; when one
more calls, the oldest of them is cut off, since those of our own workers take milliseconds. What is let in has proved
itself and is trusted from then on.

Where it stops: who can send more connections than this machine accepts keeps everybody out, as with any service. The
address is the one of an interface that is stated (`Tasks.interface`), the loopback interface for a master on this
machine.
"""

from __future__ import annotations

import queue
import socket
import threading
import time
from contextlib import suppress
from typing import Self

from attrs import define, field

from checker.search.spark.tls import Certificate, Connection, secured
from checker.search.spark.wire import authenticate

SECONDS = 10.0
MOST = 64
_BACKLOG = 128
_POLL = 0.1


def listening(interface: str) -> socket.socket:
    """A socket that listens at an address of this machine, "" for all of them; also at all if the address is none of
    this machine (it is then translated on the way)."""
    try:
        return socket.create_server((interface, 0), backlog=_BACKLOG)
    except OSError:
        return socket.create_server(("", 0), backlog=_BACKLOG)


@define(eq=False)
class _Caller:
    """A connection whose handshake is under way."""

    connection: socket.socket
    deadline: float


@define(eq=False)
class Reception:
    """Lets callers in who know the secret. Use as a context manager: leaving it ends all handshakes and stops
    listening."""

    server: socket.socket
    secret: bytes = field(repr=False)
    certificate: Certificate | None = None
    seconds: float = SECONDS
    most: int = MOST
    _callers: list[_Caller] = field(init=False, factory=list)
    _lock: threading.Lock = field(init=False, factory=threading.Lock)
    _admitted: queue.SimpleQueue[Connection] = field(init=False, factory=queue.SimpleQueue)
    _closed: bool = field(init=False, default=False)

    def __enter__(self) -> Self:
        self.server.settimeout(_POLL)
        threading.Thread(target=self._receive, name="reception", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        with self._lock:
            for caller in self._callers:
                _cut(caller.connection)
        self.server.close()

    @property
    def callers(self) -> int:
        """Handshakes under way."""
        with self._lock:
            return len(self._callers)

    def admitted(self, patience: float) -> Connection | None:
        """The next connection that was let in; None if there is none within so many seconds."""
        try:
            return self._admitted.get(timeout=patience)
        except queue.Empty:
            return None

    def _receive(self) -> None:
        while not self._closed:
            try:
                connection, _ = self.server.accept()
            except TimeoutError:
                connection = None
            except OSError:
                if self._closed:
                    return
                time.sleep(_POLL)  # no file descriptor is left, for example
                continue
            self._cut_late(room_for=connection is not None)
            if connection is not None:
                caller = _Caller(connection, time.monotonic() + self.seconds)
                with self._lock:
                    self._callers.append(caller)
                threading.Thread(target=self._greet, args=(caller,), name="handshake", daemon=True).start()

    def _cut_late(self, room_for: bool) -> None:
        """End the handshakes whose time is over, and the oldest if there would be too many."""
        now = time.monotonic()
        with self._lock:
            over = [c for c in self._callers if now >= c.deadline]
            over += [c for c in self._callers if c not in over][
                : max(0, len(self._callers) - len(over) + room_for - self.most)
            ]
            for caller in over:
                self._callers.remove(caller)
                _cut(caller.connection)  # its thread wakes up with an error

    def _greet(self, caller: _Caller) -> None:
        try:
            secure = secured(caller.connection, self.certificate, called=True)
            authenticate(secure, self.secret, caller=False)
        except Exception:  # noqa: BLE001 - a stranger, whatever it sent
            secure = None
        with self._lock:
            here = caller in self._callers  # else it was cut off
            if here:
                self._callers.remove(caller)
        if secure is not None and here and not self._closed:
            self._admitted.put(secure)
        else:
            caller.connection.close()


def _cut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


__all__ = ["MOST", "SECONDS", "Reception", "listening"]
