"""The next larger constants than those that were compared, as an option of a sweep has them: one process more; for a
model without a number of processes one more of another number, or one fault more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from checker.language.distributed import BUDGETS


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


def next_larger(compared: Sequence[Mapping[str, Any]], accepted: Callable[[str], bool]) -> str:
    """The first larger constants that both models accept; "" if there are none."""
    return next(filter(accepted, _candidates(compared)), "")


def _candidates(compared: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if processes := larger(compared):
        yield processes
    numbers = [
        n for n, v in compared[-1].items() if isinstance(v, int) and not isinstance(v, bool) and n != "processes"
    ]
    for name in sorted(numbers, key=BUDGETS.__contains__):
        yield f"{name}={max(c[name] for c in compared if isinstance(c.get(name), int)) + 1}"
