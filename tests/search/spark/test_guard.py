"""A task beside which a guard stands: it is killed when its process stands still, and only then."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.search.spark.processes import running

PROGRAM = """
import os, signal, sys, time
from checker.search.spark import alive, guard

alive.SECONDS = 0.02

def task(argument, number):
    exec(argument)
    return number

print(guard.guarded((task, sys.argv[1], float(sys.argv[2])), 7), os.getpid())
"""


def guarded(task: str, seconds: float) -> tuple[int, str]:
    """The exit code and the output of a process that executes a task with a guard."""
    asked = [sys.executable, "-c", PROGRAM, task, str(seconds)]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout


@pytest.mark.parametrize("task", ["time.sleep(2.5)", "for _ in range(30_000_000): pass"])
def test_a_task_that_takes_longer_ends_by_itself(task: str) -> None:
    """Waiting or at work: it goes on, and its guard ends with it."""
    code, said = guarded(task, 1.5)
    assert (code, said.split()[0]) == (0, "7")
    assert [p for p in running() if p.parent == int(said.split()[1])] == []


def test_a_process_that_stands_still_is_killed() -> None:
    """SIGSTOP: nobody else would ever end it."""
    assert guarded("os.kill(os.getpid(), signal.SIGSTOP)", 1.5) == (-signal.SIGKILL, "")


def test_a_task_that_fails_fails_as_it_does_alone() -> None:
    """With its own error."""
    asked = [sys.executable, "-c", PROGRAM, "1 / 0", "30"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr
