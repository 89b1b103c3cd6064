"""Which expectations of the shipped models are verified in each build; the others are thorough tests.

Of the expectations of a class that name the same violated properties (or none), the first is verified, with its numbers
of states; where it is LONG, the next.  What they state for other constants is a fact of `checker verify`, which
`.ci/run` calls, and of thorough runs: the tests of each build do not search all of that a second time.
"""

from __future__ import annotations

from collections.abc import Iterable

from checker.results.verified import Case

LONG = frozenset(
    [
        "causal_broadcast:Retested workload=2,1,1",
        "causal_broadcast:Retested workload=2,1,1 channels=fifo",
        "causal_broadcast:WaitFirst workload=2,1,1",
        "causal_broadcast:WaitFirst workload=2,1,1 channels=fifo",
        "causal_broadcast:WithoutLines2And8 workload=2,1,1",
        "g_toto workload=1,1,1,1 phi=1",
        "g_toto workload=1,1,1,1 phi=2",
        "g_toto workload=1,1,1,1 phi=3",
        "g_toto:HopelessIsEnough workload=1,1,1,1 phi=1",
        "g_toto:MoreThanNMinusPhi workload=1,1,1,1 phi=1",
        "g_toto:MoreThanNMinusPhi workload=1,1,1,1 phi=2",
        "g_toto:NoVotesForSources workload=1,1,1,1 phi=1",
        "gl_toto workload=1,1,1,1 phi=1",
        "gl_toto workload=1,1,1,1 phi=2",
        "gl_toto:StopAtNonSources workload=1,1,1,1 phi=2",
        "s_toto workload=1,1,1,1",
        "s_toto:DefaultForSources workload=1,1,1,1",
        "s_toto:DirectVotes workload=1,1,1,1",
        "s_toto:LatestVote workload=1,1,1,1",
        "s_toto:NobodyWonYet workload=1,1,1,1",
        "s_toto:NoInternalTest workload=1,1,1,1",
        "s_toto:PhiVotesWin workload=1,1,1,1",
        "toto:OwnTail workload=1,1,1,1",
        "toto:SourcesByDefault workload=1,1,1,1",
        "toto:TailOfGraph workload=1,1,1,1",
        "toto:VotersInTails workload=1,1,1,1",
        "two_views workload=1,1,1,1,2",
        "two_views:GLToToViews workload=1,1,1,1,2 phi=1",
        "two_views:GLToToViews workload=1,1,1,1,2 phi=3",
        "two_views:GLToToViews workload=1,1,1,1,2 phi=4",
        "two_views:GToToViews workload=1,1,1,1,2 phi=1",
        "two_views:GToToViews workload=1,1,1,1,2 phi=3",
        "two_views:GToToViews workload=1,1,1,1,2 phi=4",
        "two_views:HopelessIsEnoughViews workload=1,1,1,1,2 phi=1",
        "two_views:NoVotesForSourcesViews workload=1,1,1,1,2 phi=1",
        "wait_for_all workload=1,1,1,1",
        "wait_for_all:OneRoot workload=1,1,1,1",
    ]
)
"""Searches of seconds, as the cases are labelled in `checker verify`: most are complete searches of 400,000 to 900,000
states, early delivery with a message of each of four processors, two views of five processors with six messages, causal
broadcast with four messages of three processes."""


def each_build(cases: Iterable[Case]) -> list[Case]:
    """Those of the cases that each build verifies."""
    chosen: list[Case] = []
    stated = set()
    for case in cases:
        expected = case.expectation
        if not expected.thorough and case.label not in LONG:
            if (case.cls, expected.violated) not in stated:
                chosen.append(case)
            stated.add((case.cls, expected.violated))
    return chosen
