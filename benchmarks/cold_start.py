"""How long a small check takes from nothing: a new process, an empty kernel cache, imports, compilation, search,
verdict.

That is what a designer waits for after an edit, so it is measured as a whole, from outside.  Python's own bytecode is
in its cache, as after any first run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from benchmarks.models import path_of

REPEATED = 3
SMALL = (
    ("two_phase_commit", {"managers": 3}),
    ("isis", {"workload": (1, 1)}),
    ("causal_broadcast", {"workload": (1, 1, 0)}),
)


@frozen
class ColdStart:
    """Seconds from the start of the process to its end, the least of several runs."""

    model: str
    constants: dict[str, Any]
    seconds: float


def cold_starts() -> tuple[ColdStart, ...]:
    """The checks of SMALL, each from an empty kernel cache."""
    return tuple(
        ColdStart(model, dict(constants), min(_seconds(model, constants) for _ in range(REPEATED)))
        for model, constants in SMALL
    )


def _seconds(model: str, constants: Mapping[str, Any]) -> float:
    from checker.language.constants import written

    options = [part for name, value in constants.items() for part in ("-D", f"{name}={written(value)}")]
    with tempfile.TemporaryDirectory() as cache:
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "checker", "check", path_of(model), *options, "--json", "-"],
            env={**os.environ, "XDG_CACHE_HOME": cache},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return time.perf_counter() - started
