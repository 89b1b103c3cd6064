"""Limits of a search.

Depth and number of states are exact and the same for any number of threads. Seconds and memory are tested between
batches of states, so the states covered by a search that they stop differ from run to run; the result states how many
there were. Seconds count from one moment in every engine: when the work on the model began, with reading and compiling
it (`begun`). `deadline` interrupts the work before the first batch of states.
"""

from __future__ import annotations

import time

from attrs import evolve

from checker.bound import LIMITS, Bound
from checker.frozen import frozen
from checker.wording import size_of


@frozen
class Limits:
    """What a search may use; None is no limit.

    max_depth    transitions from an initial state: states further away are not generated.
    max_states   distinct states stored. The search ends before the first state (in order of discovery) whose
                 expansion would exceed this; of its successors none is kept.
    max_seconds  wall-clock time since `began`.
    max_memory   bytes of the search's own structures, in all its processes. None: nine tenths of what the machine has
                 free at the start.
    given        how a user gave a limit: its name, its value, and the words for both ("--max-states 20").
    whole_process  max_memory counts all memory of the process: an engine deducts what is not for the search.
    began        when the seconds begin to count, as time.perf_counter() gives it; None: when the search begins.
    """

    max_depth: int | None = None
    max_states: int | None = None
    max_seconds: float | None = None
    max_memory: int | None = None
    began: float | None = None
    whole_process: bool = False
    given: tuple[tuple[str, float, str], ...] = ()

    def words(self, bound: Bound | None) -> str:
        """The number behind a bound, as the user gave it, or else as it is; "" if it has none."""
        name = f"max_{bound}"
        value = getattr(self, name, None) if bound in LIMITS else None
        if value is None:
            return ""
        as_given = next((words for n, v, words in self.given if n == name and v == value), None)
        return as_given or (size_of(value) if bound is Bound.MEMORY else f"{value:,.10g}")

    def begun(self) -> Limits:
        """The same limits, with seconds counting from now unless they count already."""
        return self if self.began is not None or self.max_seconds is None else evolve(self, began=time.perf_counter())

    def left(self) -> float | None:
        """Seconds that are left, at least 0; None: no limit."""
        if self.max_seconds is None:
            return None
        return self.max_seconds if self.began is None else max(0.0, self.began + self.max_seconds - time.perf_counter())

    def reached(self, interrupted: bool, memory: int = 0, distinct: int = -1) -> Bound | None:
        """What ends the search between two batches: Ctrl-C, or a limit; None if it goes on.  distinct: how many states
        are stored, where that is tested here."""
        if interrupted:
            return Bound.INTERRUPTED
        if self.max_states is not None and distinct >= self.max_states:
            return Bound.STATES
        if self.max_memory is not None and memory > self.max_memory:
            return Bound.MEMORY
        return Bound.SECONDS if self.left() == 0 else None


NO_LIMITS = Limits()
