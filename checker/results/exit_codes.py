"""Exit codes: small, distinct, and a failure of the program never looks like a verdict.

A search that Ctrl-C ends has a report and is inconclusive; any other interrupted work has no report, and the exit code
of shells for an interruption.
"""

from __future__ import annotations

from collections.abc import Iterable

HOLDS, VIOLATED, USAGE, VACUOUS, INCONCLUSIVE, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 70, 130
FROM_WORST = (INTERNAL, USAGE, VIOLATED, INCONCLUSIVE, VACUOUS, HOLDS)


def worst(codes: Iterable[int]) -> int:
    """The worst of several exit codes; 0 of none."""
    return min(codes, key=FROM_WORST.index, default=HOLDS)
