"""The next larger constants than those that were compared: one process more, as an option of a sweep has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def most_processes(compared: Sequence[Mapping[str, Any]]) -> int:
    """The largest number of processes of these constants; 0 if none has a number of them."""
    numbers = (n for c in compared if isinstance(n := c.get("processes"), int))
    lengths = (len(w) for c in compared if isinstance(w := c.get("workload"), tuple))
    return max([0, *numbers, *lengths])


def larger(compared: Sequence[Mapping[str, Any]]) -> str:
    """The constants with one process more than any of these; "" if the models have no number of processes."""
    if not isinstance(compared[-1].get("processes"), int):
        return ""
    most, workload = most_processes(compared), compared[-1].get("workload")
    if isinstance(workload, tuple):
        return f"workload='{max(sum(workload), 1)} over {most}..{most + 1}'"
    return f"processes={most + 1}"
