"""Ctrl-C in a sweep: what is done is printed, nothing hangs, and no process is left; nor if the sweep is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from checker.analysis.workers import each_done
from checker.results.exit_codes import INCONCLUSIVE, INTERRUPTED, VIOLATED

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
def sweeping(here: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A sweep under way, in a process group of its own; two of its configurations never end."""
    (here / "endless.py").write_text(ENDLESS, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "checker",
        "sweep",
        "endless.py",
        "-D",
        "length=1|2|3|60|61|4",
        "--all",
        "--json",
        "-",
        *options,
    ]
    ran = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a shell may have switched it off for what runs in the background
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
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


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
@pytest.mark.parametrize("options", [(), ("--implied",)], ids=["", "implied"])
def test_what_is_done_is_printed_and_no_process_is_left(here: Path, options: tuple[str, ...]) -> None:
    """Ctrl-C, twice and to all processes as terminals and `timeout` send it, once both workers are at what never ends:
    the three before are done, the last was not reached."""
    with sweeping(here, "--jobs", "2", *options) as ran:
        until(lambda: workers(here, ran.pid, 60) and workers(here, ran.pid, 61))
        os.killpg(ran.pid, signal.SIGINT)
        os.kill(ran.pid, signal.SIGINT)
        out, err = ran.communicate(timeout=PATIENCE)
        assert (ran.returncode, err) == (VIOLATED, "")
        found = json.loads(out)
        assert [(r["constants"]["length"], r["verdict"]) for r in found["rows"]][:3] == [
            (1, "holds"),
            (2, "holds"),
            (3, "violated"),
        ]
        assert {r["verdict"] for r in found["rows"][3:]} == {"not reached"} and found["not_reached"] == 3
        until(lambda: not any(map(alive, workers(here, ran.pid))))


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
@pytest.mark.parametrize("moment", range(6))
def test_ctrl_c_at_any_moment_ends_the_sweep(here: Path, moment: int) -> None:
    """While processes start, while they search, while one hands over a result: with what is done, or with 130 if
    nothing is."""
    with sweeping(here, "--jobs", "2") as ran:
        until(
            lambda: workers(here, ran.pid) if moment else any(f.name.startswith(f"{ran.pid}-") for f in here.iterdir())
        )
        time.sleep(0.03 * moment)
        os.killpg(ran.pid, signal.SIGINT)
        out, _ = ran.communicate(timeout=PATIENCE)
        done = [r for r in json.loads(out)["rows"] if r["verdict"] != "not reached"] if out else []
        broken = any(r["verdict"] == "violated" for r in done)
        assert ran.returncode == (VIOLATED if broken else INCONCLUSIVE if done else INTERRUPTED)
        until(lambda: not any(map(alive, workers(here, ran.pid))))


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
def test_workers_end_with_a_sweep_that_is_killed(here: Path) -> None:
    """It has no time to end them: they see it themselves, in the middle of a search."""
    with sweeping(here, "--jobs", "2") as ran:
        until(lambda: workers(here, ran.pid, 60) and workers(here, ran.pid, 61))
        ran.kill()
        until(lambda: not any(map(alive, workers(here, ran.pid))))


def test_one_process_prints_what_is_done_too(here: Path) -> None:
    """The search under way is the sweep's own process."""
    with sweeping(here, "--jobs", "1", "--markdown", "t.md") as ran:
        endless, last = here / f"{ran.pid}-60", here / f"{ran.pid}-4"
        # all are looked at first, then searched
        until(lambda: last.exists() and endless.stat().st_mtime_ns > last.stat().st_mtime_ns)
        os.kill(ran.pid, signal.SIGINT)
        out, _ = ran.communicate(timeout=PATIENCE)
        assert ran.returncode == VIOLATED and json.loads(out)["not_reached"] == 3
        assert "* interrupted: 3 configurations not reached" in (here / "t.md").read_text(encoding="utf-8")


# The processes alone


def _halved(number: int) -> int:
    if number % 2:
        raise ValueError(f"{number} is odd")
    if number == 100:
        os.kill(os.getpid(), signal.SIGKILL)
    return number // 2


def _done(given: Mapping[str, int], jobs: int) -> dict[str, int]:
    return {name: result for name, result, _ in each_done(_halved, given, jobs)}


def test_each_result_comes_with_its_name() -> None:
    """However many processes there are; an exception of one is raised here; one that is killed is told."""
    given = {str(n): 2 * n for n in range(20)}
    assert _done(given, 1) == _done(given, 3) == _done(given, 50) == {str(n): n for n in range(20)}
    assert _done({}, 2) == {}
    with pytest.raises(ValueError, match="7 is odd"):
        _done({**given, "x": 7}, 2)
    with pytest.raises(RuntimeError, match="ended from outside"):
        _done({**given, "x": 100}, 2)
