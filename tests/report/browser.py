"""One Chromium without a window for all tests of a process, driven by its DevTools protocol over two pipes.

To start a browser takes a second of processor time; to open a page in one that runs takes a twentieth.  Each page has a
context of its own, so it shares no storage with another.  Timers of a page run in virtual time: nobody waits for them.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from select import select
from typing import Any

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")
PATIENCE = 120.0
"""Seconds for one answer of the browser."""
VIRTUAL = 20_000
"""Milliseconds of virtual time of each page."""
PHONE = 390, 844
START = """import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""A program that makes two ends of pipes the descriptors that Chromium reads (3) and writes (4)."""

Message = dict[str, Any]


class Browser:
    """A running Chromium.  Messages are JSON, each followed by a zero byte."""

    def __init__(self) -> None:
        its_input, self._to = os.pipe()
        self._from, its_output = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (its_input, its_output)]  # not 3 or 4, which it replaces
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-c", START, *map(str, ends), str(CHROMIUM), *FLAGS]
            + [f"--user-data-dir={self._profile.name}"],
            pass_fds=ends,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (its_input, its_output, *ends):
            os.close(end)
        self._asked = 0
        self._unread = b""
        self._events: list[Message] = []

    def close(self) -> None:
        """End it."""
        self._send("Browser.close")
        self._process.wait(PATIENCE)
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def document(self, url: str, *, phone: bool = False, media: str = "", width: int = 0) -> str:
        """The document at that address after its scripts have run; an exception that no script caught, or a breach of
        the page's security policy, is an AssertionError.  phone: on a screen of the width of a phone; media: as on
        paper, for "print"; width: of the window in pixels."""
        context = self._ask("Target.createBrowserContext")["browserContextId"]
        try:
            created = self._ask("Target.createTarget", url="about:blank", browserContextId=context)
            session = self._ask("Target.attachToTarget", targetId=created["targetId"], flatten=True)["sessionId"]
            if phone:
                screen = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 2, "mobile": True}
                self._ask("Emulation.setDeviceMetricsOverride", session, **screen)
            if width:
                screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
                self._ask("Emulation.setDeviceMetricsOverride", session, **screen)
            if media:
                self._ask("Emulation.setEmulatedMedia", session, media=media)
            return self._read_page(url, session)
        finally:
            self._ask("Target.disposeBrowserContext", browserContextId=context)

    def _read_page(self, url: str, session: str) -> str:
        self._events.clear()
        for domain in ("Runtime", "Log", "Page"):
            self._ask(f"{domain}.enable", session)
        self._ask("Page.navigate", session, url=url)
        self._until(lambda: self._seen("Page.loadEventFired"))
        policy = {"policy": "pauseIfNetworkFetchesPending", "budget": VIRTUAL}
        self._ask("Emulation.setVirtualTimePolicy", session, **policy)
        self._until(lambda: self._seen("Emulation.virtualTimeBudgetExpired"))
        found = self._ask("Runtime.evaluate", session, expression="document.documentElement.outerHTML")
        errors = [*self._seen("Runtime.exceptionThrown")]
        errors += [e for e in self._seen("Log.entryAdded") if e["params"]["entry"]["source"] == "security"]
        assert not errors, errors
        return str(found["result"]["value"])

    def _seen(self, event: str) -> list[Message]:
        return [message for message in self._events if message.get("method") == event]

    def _ask(self, method: str, session: str | None = None, **parameters: Any) -> Message:
        """The result of a method of the protocol."""
        number, answers = self._send(method, session, **parameters), list[Message]()

        def answered() -> bool:
            answers.extend(m for m in self._events if m.get("id") == number)
            return bool(answers)

        self._until(answered)
        self._events = [m for m in self._events if "id" not in m]
        assert "result" in answers[0], f"{method}: {answers[0]}"
        result: Message = answers[0]["result"]
        return result

    def _send(self, method: str, session: str | None = None, **parameters: Any) -> int:
        self._asked += 1
        message: Message = {"id": self._asked, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        return self._asked

    def _until(self, done: Callable[[], object]) -> None:
        """Read messages until this is so."""
        while not done():
            ready, _, _ = select([self._from], [], [], PATIENCE)
            data = os.read(self._from, 1 << 20) if ready else b""
            assert data, f"Chromium gave no answer within {PATIENCE:.0f} s" if not ready else "Chromium has ended"
            *whole, self._unread = (self._unread + data).split(b"\0")
            self._events += map(json.loads, whole)
