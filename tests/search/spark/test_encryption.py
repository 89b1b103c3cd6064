"""Encrypted connections: what is sent arrives, nobody else can read it, and nobody without the certificate can join."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from checker.search.spark.tls import Certificate, Connection, secured
from checker.search.spark.wire import DATA, Peer, Unauthenticated, authenticate

pytest.importorskip("cryptography")

SECRET = b"s" * 32


def both(caller: Callable[[], Any], called: Callable[[], Any]) -> list[Any]:
    """Results, or errors, of two functions that run at the same time."""
    results: list[Any] = [None, None]

    def run(place: int, function: Callable[[], Any]) -> None:
        try:
            results[place] = function()
        except Exception as error:  # noqa: BLE001 - compared by the test
            results[place] = error

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate((caller, called))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def joined(
    sockets: tuple[socket.socket, socket.socket], certificates: tuple[Certificate | None, Certificate | None]
) -> list[Any]:
    """Both ends after the handshake, or the errors."""

    def end(place: int) -> Connection:
        connection = secured(sockets[place], certificates[place], called=bool(place))
        try:
            authenticate(connection, SECRET, caller=not place)
        except BaseException:
            connection.close()
            raise
        return connection

    return both(lambda: end(0), lambda: end(1))


def test_frames_arrive_both_ways_at_once_and_cannot_be_read_on_the_way() -> None:
    """20 MB each way over connections that take little at a time, through a relay that keeps a copy."""
    certificate = Certificate.make()
    (a, near), (far, b) = socket.socketpair(), socket.socketpair()
    seen: dict[socket.socket, bytearray] = {near: bytearray(), far: bytearray()}

    def relay(source: socket.socket, target: socket.socket) -> None:
        while data := source.recv(1 << 16):
            seen[source] += data
            target.sendall(data)

    for pair in ((near, far), (far, near)):
        threading.Thread(target=relay, args=pair, daemon=True).start()
    ends = joined((a, b), (certificate, certificate))
    peers = [Peer(end) for end in ends]
    blocks = [np.arange(i, i + 250_000, dtype=np.uint64) for i in range(10)]
    arrived: list[list[bytes]] = [[], []]
    for peer in peers:
        for i, block in enumerate(blocks):
            peer.put(DATA, i, block)
    for _ in range(200_000):
        if all(len(some) == len(blocks) for some in arrived) and not any(peer.waiting for peer in peers):
            break
        for place, peer in enumerate(peers):
            peer.write()
            arrived[place] += [bytes(data) for _, _, data in peer.read()]
    assert arrived == [[block.tobytes() for block in blocks]] * 2
    for copy in seen.values():
        assert len(copy) > 20_000_000
        assert blocks[3][1000:1010].tobytes() not in copy


@pytest.mark.parametrize("which", ["another certificate", "no encryption"])
def test_who_has_not_got_the_certificate_cannot_join(which: str) -> None:
    """Even with the secret: the side that has it ends the connection."""
    mine, theirs = Certificate.make(), Certificate.make() if which == "another certificate" else None
    for certificates in (mine, theirs), (theirs, mine):
        results = joined(socket.socketpair(), certificates)
        assert all(isinstance(result, OSError | Unauthenticated) for result in results)


def test_the_key_is_not_in_texts() -> None:
    """Nothing that prints a job prints the key."""
    assert "PRIVATE" not in repr(Certificate.make())
