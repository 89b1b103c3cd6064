"""A page served to one browser of the user of this machine, and the answers to the questions of its script.

A client that may ask questions could run searches and evaluate predicates as the user.  The server therefore listens on
127.0.0.1 alone; every address begins with a random token, which no other page and no other user of the machine knows;
the Host must be this server, against names that are made to resolve to 127.0.0.1 (DNS rebinding); and a question must
come from this page: it has the page's Origin, and the content type JSON, which no form can send.  The server sends its
page and answers, and reads no file.

Threads read requests, and the main thread answers them one by one, because the interpreter has one state, and signals
(a limit on time, Ctrl-C) reach only the main thread.  A request must be small, and a silent connection is closed.

Where it stops: whoever can read the memory of the user's processes, or the history of the user's browser, finds the
token.
"""

from __future__ import annotations

import hmac
import json
import secrets
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from typing import Any

from attrs import define, field

from checker.language.errors import UsageError
from checker.search.deadline import OutOfTime

LARGEST = 1 << 16
"""Bytes of a question."""
IDLE = 30.0
"""Seconds after which a connection that sends nothing is closed."""
MOST_CONNECTIONS = 32
LOCAL = "127.0.0.1"
Answers = Mapping[str, Callable[[dict[str, Any]], Any]]


class Refused(Exception):
    """A request that is refused: the HTTP status, the reason, and headers with details."""

    def __init__(self, status: int, why: str, **headers: str) -> None:
        super().__init__(why)
        self.status, self.headers = status, headers


@define(eq=False)
class Served:
    """A page and the questions that it may ask: `page` is made with the nonce of its script, `answers` by name from the
    fields of a question.
    """

    page: Callable[[str], str]
    answers: Answers
    port: int = 0
    token: str = field(init=False, factory=lambda: secrets.token_urlsafe(24))
    _server: _Server = field(init=False)
    _questions: SimpleQueue[tuple[str, dict[str, Any], Future[Any]] | None] = field(init=False, factory=SimpleQueue)

    def __attrs_post_init__(self) -> None:
        try:
            self._server = _Server((LOCAL, self.port), _Handler)
        except OSError as error:
            raise UsageError(
                f"--port {self.port}: cannot listen there: {error.strerror}",
                remedy="Choose another one, or none: a free one is then taken.",
            ) from None
        self._server.served = self
        self.port = self._server.server_address[1]

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{LOCAL}:{self.port}/{self.token}/"

    def serve(self) -> None:
        """Answer until `stop` or Ctrl-C (KeyboardInterrupt)."""
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()
        try:
            while (asked := self._questions.get()) is not None:
                name, fields, future = asked
                try:
                    future.set_result(self.answers[name](fields))
                except BaseException as error:
                    future.set_exception(error)
                    if isinstance(error, KeyboardInterrupt):
                        raise
        finally:
            self._server.shutdown()
            self._server.server_close()

    def stop(self) -> None:
        """End `serve`, from another thread."""
        self._questions.put(None)

    def ask(self, name: str, fields: dict[str, Any]) -> Any:
        """The answer of the main thread.  Raises Refused if the question is invalid, or takes too long."""
        future: Future[Any] = Future()
        self._questions.put((name, fields, future))
        try:
            return future.result()
        except UsageError as error:
            raise Refused(400, str(error)) from None
        except OutOfTime as late:
            raise Refused(400, str(late)) from None
        except (KeyboardInterrupt, MemoryError, RecursionError) as error:
            raise Refused(503, f"not answered: {type(error).__name__}") from None
        except Exception as error:
            print(f"checker explore: internal error: {type(error).__name__}: {error}", file=sys.stderr)
            raise Refused(500, f"internal error: {type(error).__name__}: {error}") from None


class _Server(ThreadingHTTPServer):
    """A thread for each connection, up to a maximum number."""

    daemon_threads = True
    served: Served

    def __init__(self, *given: Any) -> None:
        self.room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(*given)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self.room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore an error of a connection: a browser may close it at any time."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "checker", ""
    timeout = IDLE
    server: _Server

    def do_GET(self) -> None:
        """The page."""
        self._guarded(self._page)

    def do_POST(self) -> None:
        """A question."""
        self._guarded(self._question)

    def _guarded(self, answer: Callable[[], None]) -> None:
        try:
            answer()
        except Refused as refused:
            self._refuse(refused)

    def _page(self) -> None:
        name = self._name()
        if name in self.server.served.answers:
            raise Refused(405, "questions are sent by POST", Allow="POST")
        if name:
            raise Refused(404, "there is nothing at this address")
        nonce = secrets.token_urlsafe(16)
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; connect-src 'self'; "
            "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        page = self.server.served.page(nonce).encode("utf-8")
        self._send(200, "text/html; charset=utf-8", page, {"Content-Security-Policy": policy})

    def _question(self) -> None:
        name, served = self._name(), self.server.served
        if not name:
            raise Refused(405, "the page is read by GET", Allow="GET")
        if name not in served.answers:
            raise Refused(404, "there is nothing at this address")
        if self.headers.get("Origin", f"http://{self.headers['Host']}") not in self._origins():
            raise Refused(403, "the question does not come from this page")
        if self.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise Refused(403, "the question does not come from this page")
        if self.headers.get_content_type() != "application/json":
            raise Refused(415, "a question is JSON")
        self._send_json(200, served.ask(name, self._fields()))

    def _name(self) -> str:
        """The address behind the token.  Raises Refused if the token or the host is wrong."""
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or f"http://{hosts[0]}" not in self._origins():
            raise Refused(403, "this server has another name")
        first, _, name = self.path.split("?")[0].removeprefix("/").partition("/")
        if not hmac.compare_digest(first.encode("utf-8", "replace"), self.server.served.token.encode()):
            raise Refused(403, "the address has not the token of this server")
        return name

    def _origins(self) -> tuple[str, ...]:
        return tuple(f"http://{host}:{self.server.served.port}" for host in (LOCAL, "localhost"))

    def _fields(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdigit()):
            raise Refused(411, "a question says how long it is")
        if len(length) > 9 or int(length) > LARGEST:
            raise Refused(413, f"a question has at most {LARGEST} bytes")
        try:
            found = json.loads(self.rfile.read(int(length)).decode("utf-8"))
        except (ValueError, RecursionError):
            raise Refused(400, "the question is not JSON") from None
        if not isinstance(found, dict):
            raise Refused(400, "a question is a JSON object")
        return found

    # What is sent

    def _refuse(self, refused: Refused) -> None:
        self.close_connection = True  # what was sent may not have been read
        self._send_json(refused.status, {"error": str(refused)}, refused.headers)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request as the library does: an unreadable request, or an unknown method."""
        if code == 501:
            self._refuse(Refused(405, "only GET and POST are answered", Allow="GET, POST"))
        else:
            self._refuse(Refused(code, message or "the request cannot be read"))

    def _send_json(self, status: int, data: Any, headers: Mapping[str, str] = {}) -> None:
        self._send(status, "application/json", json.dumps(data, ensure_ascii=False).encode("utf-8"), headers)

    def _send(self, status: int, kind: str, body: bytes, headers: Mapping[str, str]) -> None:
        always = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            **({"Connection": "close"} if self.close_connection else {}),
        }
        self.send_response(status)
        for name, value in {**always, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing: the terminal is the user's."""
