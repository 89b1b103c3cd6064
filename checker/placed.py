"""The arguments of a search that a program gives besides the model: limits, and the place where it runs and keeps its
states.

The command line reads the same from its options (`checker/cli/searching.py`); both refuse an argument without effect.
"""

from __future__ import annotations

from pathlib import Path

from checker.engines.placement import HANDOVER, Placement, Spill
from checker.engines.registry import declared
from checker.language.errors import UsageError
from checker.search.limits import Limits
from checker.wording import bytes_of

LOCAL = "local[*]"
Size = int | str
"""Bytes, or a text as on the command line: "4G"."""


def limits_of(depth: int | None, states: int | None, seconds: float | None, memory: Size | None = None) -> Limits:
    """The limits of a search; None is no limit.  Raises UsageError."""
    for name, given in {"max_depth": depth, "max_states": states, "max_seconds": seconds}.items():
        if given is not None and given < 0:
            raise UsageError(f"{name}={given} is less than nothing")
    return Limits(max_depth=depth, max_states=states, max_seconds=seconds, max_memory=_bytes(memory))


def _bytes(given: Size | None) -> int | None:
    try:
        return None if given is None else bytes_of(given)
    except ValueError as wrong:
        raise UsageError(str(wrong)) from None


def placement_of(
    engine: str,
    memory: Size | None,
    spill: str | Path | None,
    workdir: str | Path | None,
    master: str,
    worker_memory: Size | None,
    handover: int | None,
    resume: bool = False,
) -> Placement:
    """Where a search runs, keeps its levels, and puts states beyond memory.  Raises UsageError for an argument without
    effect.
    """
    beyond = declared(engine).spilled_by is not None
    if spill is not None and not beyond:
        what = f"spill puts states on disk, and the engine {engine} keeps all in memory"
        raise UsageError(what, remedy="Leave it out, or choose another engine.")
    if not declared(engine).distributed and (master, worker_memory, handover) != (LOCAL, None, None):
        raise UsageError("master, worker_memory and handover are of the search on Spark", remedy='Add engine="spark".')
    place = Spill.at(spill) if beyond and (memory, spill) != (None, None) else None
    return Placement(
        workdir,
        resume,
        master,
        handover=HANDOVER if handover is None else handover,
        worker_memory=_bytes(worker_memory),
        spill=place,
        again=f"checker.resume({str(workdir)!r})",
    )
