"""Which expectations of the shipped models the tests of each build verify; the others are thorough tests.

`checker verify` verifies all of them, and `.ci/run` calls it: what it compiles and searches the tests need not search a
second time.  They verify what shows at once that a model file no longer says anything: of each file the first
expectation that violates a property, or, where a file has none, the first with which all properties hold.  Where this
one is LONG, the next takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from checker.results.verified import Case

LONG = frozenset(
    [
        "optimistic_multicast_2 workload=1,1 groups=1,1 ticks=1 delivery=drained",
        "optimistic_multicast_2:LooseBarrierAsPrinted workload=1,1 ticks=1 delivery=drained",
        "optimistic_multicast_3 workload=2,2,0,0 groups=1,2,3,3 destinations=3,3,3,3",
        "optimistic_requests workload=1,0,0 groups=1,2,2 senders_to=12,12 ticks=1 crashes=1",
        "s_toto workload=1,1,1,1 phi=1",
        "toto workload=1,1,1,1",
        "two_views workload=1,1,1,1 phi=1",
    ]
)
"""Searches of two seconds and more, as `checker verify` labels the cases, of which a shorter one is an example too."""


def each_build(cases: Iterable[Case]) -> list[Case]:
    """Those of the cases that the tests of each build verify."""
    chosen: dict[Path, Case] = {}
    for case in cases:
        if not case.expectation.thorough and case.label not in LONG:
            known = chosen.setdefault(case.file, case)
            if case.expectation.violated and not known.expectation.violated:
                chosen[case.file] = case
    return list(chosen.values())
