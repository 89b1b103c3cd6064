"""Kills a process of a search when one is at a phase for the n-th time, once.

STRIKE in the environment says it: the phase, the number, whom to kill, and a file that is made when it was done.  Every
Python process of the search reads it when it starts (`sitecustomize`), since workers are started by others.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

WORKERS = {
    "expansion": ("checker.search.spark.partition", "Router.route"),
    "exchange, writing": ("checker.search.spark.job", "Outbox.close"),
    "exchange, reading": ("checker.search.spark.stages", "read_block"),
    "merge": ("checker.search.runs", "Runs._merge"),
    "files of a level": ("checker.search.spark.stages", "_keep"),
}
"""Phases of a worker, by the function that is about to be called."""
DRIVERS = {"commit": ("checker.search.workdir", "WorkDirectory.commit")}
NATIVE = {
    "expansion": ("checker.search.batch", "Batches.expand"),
    "comparison": ("checker.search.out_of_core", "_Search._compare"),
    "merge": ("checker.search.runs", "Runs._merge"),
    "files of a level": ("checker.search.out_of_core", "write_blocks"),
    "commit": ("checker.search.workdir", "WorkDirectory.commit"),
}
DAEMON = "checker.search.spark.daemon"
PROGRAM = """
import os, sys
os.environ["STRIKE_DRIVER"] = str(os.getpid())
from tests.search.spark import striking
striking.install()
from checker.cli.program import run
sys.exit(run(sys.argv[1:]))
"""


def struck(place: str, number: int, victim: str, mark: Path) -> dict[str, str]:
    """The environment of a search: at a phase (`worker: merge`), for the n-th time, kill the worker, the driver or
    Java."""
    return {"STRIKE": f"{place}|{number}|{victim}|{mark}"}


def install() -> None:
    """Strike in this process, if it is one that should."""
    if "STRIKE" not in os.environ:
        return
    place, number, victim, mark = os.environ["STRIKE"].split("|")
    who, phase = place.split(": ")
    if (who == "worker") == (DAEMON in sys.orig_argv):
        module, name = {"worker": WORKERS, "driver": DRIVERS, "native": NATIVE}[who][phase]
        owner: Any = import_module(module)
        *path, last = name.split(".")
        for part in path:
            owner = getattr(owner, part)
        if who == "native":
            process: Any = import_module("checker.engines.whole_process")
            process.resident, process.RESERVED, process.LEAST = lambda: 0, 0, 1
        setattr(owner, last, _striking(getattr(owner, last), int(number), victim, Path(mark)))


def _striking(original: Callable[..., Any], number: int, victim: str, mark: Path) -> Callable[..., Any]:
    calls = [0]

    def called(*arguments: Any, **options: Any) -> Any:
        calls[0] += 1
        if calls[0] == number and not mark.exists():
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return original(*arguments, **options)
            os.kill(_victim(victim), signal.SIGKILL)
        return original(*arguments, **options)

    return called


def _victim(who: str) -> int:
    if who == "driver":
        return int(os.environ["STRIKE_DRIVER"])
    if who == "java":  # which started the daemon, of which this process is a fork
        return int(Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])
    return os.getpid()
