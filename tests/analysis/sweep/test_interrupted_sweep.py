"""Ctrl-C in a sweep: what is done is printed, nothing hangs, and no process is left; nor if the sweep is killed."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from checker.analysis.workers import each_done
from checker.language.errors import Undecided
from checker.results.exit_codes import INCONCLUSIVE, INTERRUPTED, VIOLATED
from tests.analysis.endless import PATIENCE, alive, running, until, workers


def sweeping(here: Path, *options: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """A sweep under way; two of its configurations never end."""
    lengths = "length=1|2|3|60|61|4"
    return running(here, "sweep", "endless.py", "-D", lengths, "--all", "--json", "-", *options)


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
        done = [r for r in json.loads(out).get("rows", []) if r["verdict"] != "not reached"] if out else []
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


class Odd(ValueError):
    """Cannot be sent from one process to another."""

    def __init__(self, number: int, what: str) -> None:
        super().__init__(f"{number} is {what}")


def _halved(number: int) -> int:
    if number == 9:
        raise Odd(number, "odd")
    if number % 2:
        raise ValueError(f"{number} is odd")
    if number in (100, 200):
        faulthandler.disable()  # pytest's would print where the crash was
        os.kill(os.getpid(), signal.SIGKILL if number == 100 else signal.SIGSEGV)
    return number // 2


def _done(given: Mapping[str, int], jobs: int) -> dict[str, int]:
    return {name: result for name, result, _ in each_done(_halved, given, jobs)}


def test_each_result_comes_with_its_name() -> None:
    """However many processes there are."""
    given = {str(n): 2 * n for n in range(20)}
    assert _done(given, 1) == _done(given, 3) == _done(given, 50) == {str(n): n for n in range(20)}
    assert _done({}, 2) == {}


@pytest.mark.parametrize(
    ("number", "error", "message"),
    [
        (7, ValueError, "7 is odd"),
        (9, RuntimeError, "Odd: 9 is odd"),
        (100, Undecided, "ended from outside"),
        (200, RuntimeError, "ended with SIGSEGV"),
    ],
    ids=["exception", "exception that cannot be sent", "killed", "crashed"],
)
def test_what_goes_wrong_in_a_process_is_raised(number: int, error: type[Exception], message: str) -> None:
    """An exception of its own, whatever it holds; a process that is killed is no fault of the program, one that crashes
    is."""
    with pytest.raises(error, match=message):
        _done({**{str(n): 2 * n for n in range(20)}, "x": number}, 2)
