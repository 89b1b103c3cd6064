"""A small process beside a task that ends the task's process when it no longer runs, where there is no shared folder
for the task's reports (`alive`).

Spark waits for ever for a Python process that is stopped. A thread of the task therefore writes a pulse into a pipe,
and the guard, a child on the same machine, reads it. After `seconds` without a pulse the guard kills its parent: then
Spark notices, and begins the task again elsewhere. The guard ends with the pipe.

It counts reads, not time: a machine that was suspended, or a guard that was itself stopped, has missed one read. Where
it stops: only Spark notices that a machine is disconnected; a thread that holds Python's lock for this long counts as
stopped.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from checker.search.spark.alive import Beacon

LOOKS = 12
GUARD = f"""
import os, select, signal, sys

parent, seconds = int(sys.argv[1]), float(sys.argv[2])
missed = 0
while missed < {LOOKS}:
    if select.select([0], [], [], seconds / {LOOKS})[0]:
        if not os.read(0, 4096):
            sys.exit()
        missed = 0
    else:
        missed += 1
if os.getppid() == parent:
    os.kill(parent, signal.SIGKILL)
"""
"""The program of the guard: it imports nothing of this package and no library, so it takes some 10 MB."""


def guarded(given: tuple[Callable[[Any, int], Any], Any, float], number: int) -> Any:
    """function(argument, number), in a process that is killed if it gives no pulse for this many seconds."""
    function, argument, seconds = given
    command = [sys.executable, "-I", "-S", "-c", GUARD, str(os.getpid()), str(seconds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0) as guard:
        assert guard.stdin is not None
        pulse = guard.stdin.fileno()
        with Beacon(lambda: (os.write(pulse, b"."), None)[1]):
            return function(argument, number)
