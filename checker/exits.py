"""Exit codes: small, distinct, and a failure of the program never looks like a verdict."""

from __future__ import annotations

from collections.abc import Iterable

HOLDS, VIOLATED, USAGE, VACUOUS, INCONCLUSIVE, INTERNAL = 0, 1, 2, 3, 4, 70
FROM_WORST = (INTERNAL, USAGE, VIOLATED, INCONCLUSIVE, VACUOUS, HOLDS)


def worst(codes: Iterable[int]) -> int:
    """The worst of several exit codes; 0 of none."""
    return min(codes, key=FROM_WORST.index, default=HOLDS)
