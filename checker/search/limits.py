"""Bounds on a search, and the name of the one that ended it.

Depth and number of states are exact and the same for any number of threads. Seconds and memory are looked at between
batches of states, so what a search stopped by them has covered differs from run to run; the result says what it was.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

Bound = Literal["depth", "states", "seconds", "memory", "interrupted", "handover"]


@frozen
class Limits:
    """What a search may use; None is no limit.

    max_depth    transitions from an initial state: states further away are not generated.
    max_states   distinct states stored. The search ends before the first state (in order of discovery) whose
                 expansion would exceed this; of its successors none is kept.
    max_seconds  wall-clock time.
    max_memory   bytes of the search's own structures. None: nine tenths of what the machine has free at the start.
    """

    max_depth: int | None = None
    max_states: int | None = None
    max_seconds: float | None = None
    max_memory: int | None = None


NO_LIMITS = Limits()
