"""A function in a process of its own: limits on its time and memory, directories of its own, and its answer as text.

The process is a fork of this one, which has imported libraries but nothing of the program: what is imported and cached
there dies there.
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

MEMORY = 4 << 30
"""Bytes in memory: more is no end either.  Reserved addresses do not count, of which a search takes many."""


@frozen
class Ended:
    """How it ended: its answer; or None, and why there is none."""

    answer: str | None
    reason: str
    seconds: float


def forked(work: Callable[[Path], str], seconds: float, patience: float = 8) -> Ended:
    """Run `work` on a private directory; `seconds`: of the processor.  By the clock it may take `patience` times
    that."""
    begun = time.monotonic()
    place = Path(tempfile.mkdtemp(prefix="mutation-"))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _inside(work, place, write, seconds)
    os.close(write)
    try:
        text = _answer(read, child, begun + seconds * patience)
        if text is None:
            os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        return Ended(text or None, _reason(text, status), time.monotonic() - begun)
    finally:
        os.close(read)
        shutil.rmtree(place, ignore_errors=True)


def _inside(work: Callable[[Path], str], place: Path, write: int, seconds: float) -> None:
    """Never returns."""
    try:
        os.setsid()
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for name in ("XDG_CACHE_HOME", "TMPDIR"):
            (place / name).mkdir()
            os.environ[name] = str(place / name)
        tempfile.tempdir = None
        os.environ.update(PYTHONDONTWRITEBYTECODE="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
        try:
            text = work(place)
        except BaseException:
            text = "failed\n" + traceback.format_exc()
        with os.fdopen(write, "w") as pipe:
            pipe.write(text)
    finally:
        os._exit(0)


def _answer(read: int, child: int, deadline: float) -> str | None:
    """What was written until the end; None at the deadline, or beyond the memory allowed."""
    parts: list[bytes] = []
    while time.monotonic() < deadline and _memory(child) < MEMORY:
        if select.select([read], [], [], 0.5)[0]:
            part = os.read(read, 1 << 16)
            if not part:
                return b"".join(parts).decode()
            parts.append(part)
    return None


def _memory(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _reason(text: str | None, status: int) -> str:
    if text is None:
        return "time"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return "time" if number in (signal.SIGXCPU, signal.SIGKILL) else f"signal {signal.Signals(number).name}"
    return "" if text else "ended without an answer"
