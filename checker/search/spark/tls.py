"""Encrypted connections between the processes of one search: TLS 1.3 with a certificate made for this search alone.

The driver makes a key and a certificate signed with it; both go to the workers with the job, as the secret does. Each
side shows the certificate and takes no other, so that whoever has not got the job can neither read nor join. The job
travels over Spark's own connections: who can change what passes there is kept out only if Spark encrypts them too
(spark.network.crypto.enabled).

`Encrypted` behaves like a socket, blocking or not, as far as the search uses one. Two threads may use it, if one only
reads and the other only writes. What it has decrypted and not handed out, no selector sees; see `pending`.
"""

from __future__ import annotations

import datetime
import socket
import ssl
import tempfile
import threading
from collections.abc import Sequence
from functools import cache

from attrs import define, field, frozen

_PART = 1 << 18
_HANDSHAKE_SECONDS = 30.0


@frozen
class Certificate:
    """A certificate and its key, both as PEM."""

    certificate: bytes
    key: bytes = field(repr=False)

    @classmethod
    def make(cls) -> Certificate:
        """A new one, valid for a year. ImportError without the package cryptography."""
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a search")])
        now = datetime.datetime.now(datetime.UTC)
        signed = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=365))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(key, hashes.SHA256())
        )
        plain = serialization.NoEncryption()
        return cls(
            signed.public_bytes(serialization.Encoding.PEM),
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain),
        )


@cache
def _context(certificate: Certificate, called: bool) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if called else ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # the certificate stands for the search, not for a machine
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=certificate.certificate.decode())
    if called:
        context.num_tickets = 0
    with tempfile.NamedTemporaryFile() as file:  # ssl reads keys from files only; this one only its owner can read
        file.write(certificate.certificate + certificate.key)
        file.flush()
        context.load_cert_chain(file.name)
    return context


@define(eq=False)
class Encrypted:
    """A TCP connection under TLS. What is to be sent must stay as it is until it was sent, as the caller of `sendmsg`
    is told."""

    connection: socket.socket
    _object: ssl.SSLObject
    _incoming: ssl.MemoryBIO
    _outgoing: ssl.MemoryBIO
    _lock: threading.Lock = field(init=False, factory=threading.Lock)
    _unsent: memoryview = field(init=False, default=memoryview(b""))
    _plain: int = field(init=False, default=0)  # bytes that the unsent ones stand for

    @classmethod
    def over(cls, connection: socket.socket, certificate: Certificate, called: bool) -> Encrypted:
        """Agree on keys with the other side. OSError, and the connection is closed, if it does not have the
        certificate, or nothing of the kind."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        made = cls(
            connection,
            _context(certificate, called).wrap_bio(incoming, outgoing, server_side=called),
            incoming,
            outgoing,
        )
        connection.settimeout(_HANDSHAKE_SECONDS)
        try:
            made._shake_hands()
        except OSError:
            connection.close()
            raise
        connection.settimeout(None)
        return made

    def _shake_hands(self) -> None:
        while True:
            try:
                self._object.do_handshake()
                self._flush()
                return
            except ssl.SSLWantReadError:
                self._flush()
                self._fill()
            except ssl.SSLError:
                self._flush()  # the alert that says why not
                raise

    def _flush(self) -> None:
        self.connection.sendall(self._outgoing.read())

    def _fill(self) -> bool:
        """Take what the network has, waiting for it if the connection blocks; whether it has not ended."""
        data = self.connection.recv(_PART)
        if not data:
            self._incoming.write_eof()
        with self._lock:
            self._incoming.write(data)
        return bool(data)

    @property
    def pending(self) -> bool:
        """Whether something has arrived that no selector tells."""
        return bool(self._incoming.pending or self._object.pending())

    @property
    def family(self) -> int:
        """The kind of addresses."""
        return self.connection.family

    def recv_into(self, buffer: memoryview) -> int:
        """Read into a buffer; 0 at the end. BlockingIOError, OSError."""
        while True:
            try:
                with self._lock:
                    return self._object.read(len(buffer), buffer)  # type: ignore[arg-type, return-value]
            except ssl.SSLWantReadError:
                if not self._fill():
                    return 0
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                return 0

    def recv(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        buffer = bytearray(size)
        return bytes(buffer[: self.recv_into(memoryview(buffer))])

    def _encrypt(self, data: memoryview) -> bytes:
        with self._lock:
            self._object.write(data)  # type: ignore[arg-type]
            return self._outgoing.read()

    def sendall(self, data: bytes) -> None:
        """Send, waiting as long as it takes."""
        rest = memoryview(data)
        while rest:
            self.connection.sendall(self._encrypt(rest[:_PART]))
            rest = rest[_PART:]

    def sendmsg(self, buffers: Sequence[memoryview]) -> int:
        """Begin or go on to send the buffers; how many of their bytes are sent. BlockingIOError if there is no room for
        more."""
        if not self._plain:
            data, room = [], _PART
            for buffer in buffers:
                data.append(buffer[:room])
                room -= data[-1].nbytes
            whole = data[0] if len(data) == 1 or not room and data[0].nbytes == _PART else memoryview(b"".join(data))
            self._unsent, self._plain = memoryview(self._encrypt(whole)), whole.nbytes
        while self._unsent:
            self._unsent = self._unsent[self.connection.send(self._unsent) :]
        sent, self._plain = self._plain, 0
        return sent

    def fileno(self) -> int:
        return self.connection.fileno()

    def getsockname(self) -> tuple[str, int]:
        return self.connection.getsockname()[:2]

    def setsockopt(self, level: int, name: int, value: int) -> None:
        self.connection.setsockopt(level, name, value)

    def settimeout(self, seconds: float | None) -> None:
        self.connection.settimeout(seconds)

    def setblocking(self, flag: bool) -> None:
        self.connection.setblocking(flag)

    def close(self) -> None:
        self.connection.close()


Connection = socket.socket | Encrypted


def secured(connection: socket.socket, certificate: Certificate | None, called: bool) -> Connection:
    """The connection, encrypted if there is a certificate. OSError."""
    return connection if certificate is None else Encrypted.over(connection, certificate, called)


def pending(connection: Connection) -> bool:
    """Whether something has arrived on a connection that no selector tells."""
    return isinstance(connection, Encrypted) and connection.pending


__all__ = ["Certificate", "Connection", "Encrypted", "pending", "secured"]
