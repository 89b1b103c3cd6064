"""A limit on the memory of the whole process, as the command line gives it, in terms of the search's own structures.

When a search begins, the process already holds the program, LLVM and results of earlier searches.  A part is reserved
for validation, the report and advice after the search; only the rest is for states.  The labelled graph, for leads-to
properties, is made after the search if it fits.
"""

from __future__ import annotations

from typing import NoReturn

from attrs import evolve

from checker.language.errors import Undecided, UsageError
from checker.search.limits import Limits
from checker.search.memory import resident
from checker.wording import counted, size_of

LEAST, RESERVED = 16 << 20, 32 << 20
"""Bytes without which no search begins; bytes for what follows a search."""
GRAPH = 80
"""Bytes for each transition of a labelled graph, at the peak, while it is made and decided."""


def within_process(limits: Limits) -> Limits:
    """The limits of a search that begins now.  Raises UsageError if the process has too much memory already."""
    if limits.max_memory is None or not limits.whole_process:
        return limits
    base = resident()
    room = limits.max_memory - base - RESERVED
    if room < LEAST:
        what = f"--max-memory {size_of(limits.max_memory)}: the process takes {megabytes(base)} before the search"
        raise UsageError(what, remedy=f"Give at least {megabytes(limits.max_memory - room + LEAST)}.")
    return evolve(limits, max_memory=room, whole_process=False)


def require_graph_room(limits: Limits, transitions: int, held: int) -> None:
    """Raise Undecided if the labelled graph of a search does not fit beside its states.  held: bytes of the states."""
    if limits.max_memory is None:
        return
    used = resident() if limits.whole_process else held
    graph = GRAPH * transitions
    if used + graph > limits.max_memory:
        size = counted(transitions, "transition")
        what = f"leads-to properties: the graph of {size} needs {megabytes(graph)} beside the states"
        raise Undecided(what, remedy="Raise --max-memory, or lower the constants.")


def beyond_memory(what: str) -> NoReturn:
    """Raise the error of a question that needs more states in memory than there is room for."""
    raise Undecided(f"{what}: all states must be in memory", remedy="Raise --max-memory, or lower the constants.")


def megabytes(size: int) -> str:
    """As on the command line, rounded up."""
    return f"{-(-size >> 20)}M"
