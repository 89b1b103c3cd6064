"""A model whose search never ends where a constant is large, and which notes the processes that look at it: for what
becomes of commands with several processes that are interrupted or killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ENDLESS = '''"""Counts to a number, or for ever; says which process looks at which number."""

import os
from pathlib import Path

from checker.language import Int, Model, Seq, action, const, invariant, require, var


class Endless(Model):
    """Writes zeroes and ones until the list is full."""

    length = const(1, "digits")
    digits = var(Seq[Int(0, 1), length])

    @classmethod
    def complete(cls, given):
        Path(f"{os.getpid()}-{given.get('length')}").touch()
        return {}

    @action
    def write(self, digit: Int(0, 1)):
        require(len(self.digits) < self.length)
        self.digits.append(digit)

    @invariant
    def short(self) -> bool:
        return len(self.digits) < 3
'''
PATIENCE = 120.0  # seconds after which something hangs, on whatever machine


@contextmanager
def running(here: Path, *words: str, model: str = ENDLESS) -> Iterator[subprocess.Popen[str]]:
    """A command under way, in a process group of its own; the model is endless.py."""
    (here / "endless.py").write_text(model, encoding="utf-8")
    ran = subprocess.Popen(
        [sys.executable, "-m", "checker", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield ran
    finally:
        for pid in [ran.pid, *workers(here, ran.pid)]:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
        ran.communicate()


def workers(here: Path, parent: int, length: int | None = None) -> set[int]:
    """The processes that have looked at a model (of this length), other than the one that was started."""
    found = {tuple(map(int, f.name.split("-"))) for f in here.iterdir() if f.name.replace("-", "").isdigit()}
    return {pid for pid, n in found if pid != parent and length in (None, n)}


def alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(condition: object) -> None:
    """Wait for a condition; it fails if it never comes true."""
    deadline = time.monotonic() + PATIENCE
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.01)
