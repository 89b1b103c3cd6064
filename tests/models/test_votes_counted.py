"""The early delivery rules on vote vectors, decided by counting: no model, no interpreter, no compiled code.

A rule that depends on nothing but votes depends on nothing but how many processors have cast which vote. So all vote
vectors of eight processors are some 13,000 multisets, and a rule is stable if no further vote changes what it delivers
early. What `vote_vectors` finds by its search is the same, and each edit is decided here for two to eight processors.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

import pytest
from attrs import evolve, frozen

from checker.analysis.check import check
from checker.models import vote_vectors

Vote = int  # a bit for each candidate; 0: not cast yet


@frozen
class Rule:
    """What an early delivery rule asks; the default is S-ToTo."""

    source: str = "unbeatable"
    internal: str = "lost"
    unseen: int | None = None  # how many votes less than phi may be unseen: 0 is Ntail(G) >= n - phi
    votes: int = 0  # by how much fewer votes suffice for external stability
    wins: int = 0  # by how much fewer votes win
    default: str = "all"


S_TOTO = Rule()
G_TOTO = Rule(source="or many votes", internal="hopeless and lost", unseen=0)
RULES = {
    "SToToVotes": S_TOTO,
    "PhiVotesVotes": evolve(S_TOTO, votes=1),
    "PhiVotesWinVotes": evolve(S_TOTO, wins=1),
    "NoInternalTestVotes": evolve(S_TOTO, internal="nothing"),
    "NoExternalTestVotes": evolve(S_TOTO, votes=99),
    "NobodyWonYetVotes": evolve(S_TOTO, source="not beaten"),
    "DefaultForSourcesVotes": evolve(S_TOTO, default="sources"),
    "DefaultFirstVotes": evolve(S_TOTO, default="first"),
    "GToToVotes": G_TOTO,
    "MoreThanNMinusPhiVotes": evolve(G_TOTO, unseen=1),
    "BelowPhiVotes": evolve(G_TOTO, internal="below phi and lost"),
    "OneMoreUnseenVotes": evolve(G_TOTO, unseen=-1),
    "UnseenIgnoredVotes": evolve(G_TOTO, unseen=None),
    "LosersMayGrowVotes": evolve(G_TOTO, internal="lost"),
    "HopelessIsEnoughVotes": evolve(G_TOTO, internal="hopeless"),
    "PhiVotesMinorityVotes": evolve(G_TOTO, source="or phi votes", votes=1),
    "NoVotesForSourcesVotes": evolve(G_TOTO, source="unbeatable"),
}
UNSTABLE = {  # for n = 2 to 8 the phi with which the rule is not stable
    "SToToVotes": [[0], [0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3]],
    "PhiVotesVotes": [list(range(n)) for n in range(2, 9)],
    "PhiVotesWinVotes": [[0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3]],
    "NoInternalTestVotes": [[0], [0], [0, 1], *(list(range(n - 2)) for n in range(5, 9))],
    "NoExternalTestVotes": [list(range(n + 1)) for n in range(2, 9)],
    "NobodyWonYetVotes": [[0], [0], [0, 1], *(list(range(n - 2)) for n in range(5, 9))],
    "DefaultForSourcesVotes": [[0], [0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3]],
    "DefaultFirstVotes": [list(range(n - 1)) for n in range(2, 9)],
    "GToToVotes": [[]] * 7,
    "MoreThanNMinusPhiVotes": [[]] * 7,
    "BelowPhiVotes": [[], [1], [1], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3]],
    "OneMoreUnseenVotes": [[0], [0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3]],
    "UnseenIgnoredVotes": [[0], [0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3]],
    "LosersMayGrowVotes": [[], [], [1], [1], [1, 2], [1, 2], [1, 2, 3]],
    "HopelessIsEnoughVotes": [[], [], [], [], [3], [3, 4], [3, 4, 5]],
    "PhiVotesMinorityVotes": [list(range(1, n)) for n in range(2, 9)],
    "NoVotesForSourcesVotes": [[]] * 7,
}
BUILD = 5  # processors in each build


def vectors(n: int) -> Iterator[tuple[int, tuple[Vote, ...]]]:
    """Every number of candidates, with every multiset of votes of the others."""
    for candidates in range(1, n + 1):
        for votes in combinations_with_replacement(range(2**candidates), n - candidates):
            yield candidates, votes


def batches(rule: Rule, n: int, phi: int, candidates: int, votes: tuple[Vote, ...]) -> tuple[frozenset[int], ...]:
    """What the early rule delivers, and what is delivered in all."""
    cast = [1 << i for i in range(candidates)] + [v for v in votes if v]
    unseen, everybody, wins = n - len(cast), range(candidates), phi - rule.wins

    def lead(a: int, b: int) -> int:
        return sum(1 for v in cast if v >> a & 1 and not v >> b & 1)

    def beaten(i: int, hidden: int) -> bool:
        return any(lead(j, i) + hidden > wins for j in everybody if j != i)

    own = [sum(v >> i & 1 for v in cast) for i in everybody]
    sources = {
        i
        for i in everybody
        if not beaten(i, unseen if rule.source != "not beaten" else 0)
        or (rule.source == "or many votes" and own[i] > phi)
        or (rule.source == "or phi votes" and own[i] >= phi)
    }

    def settled(i: int) -> bool:
        lost = any(lead(s, i) > wins for s in sources)
        hopeless = own[i] + unseen <= phi
        return {
            "nothing": True,
            "lost": lost,
            "hopeless": hopeless,
            "hopeless and lost": hopeless and lost,
            "below phi and lost": own[i] + unseen < phi and lost,
        }[rule.internal]

    stable = (
        all(settled(i) for i in everybody if i not in sources)
        and any(own[s] > phi - rule.votes for s in sources)
        and (rule.unseen is None or len(cast) >= n - phi + rule.unseen)
    )
    early = frozenset(sources if stable else ())
    late = frozenset[int]()
    if unseen == 0:
        late = frozenset(sources if rule.default == "sources" and sources else everybody)
    return early, (late or early if rule.default == "first" else early or late)


def stable(rule: Rule, n: int, phi: int) -> bool:
    """No further vote changes what is delivered early; one vote after another is enough to look at."""

    @cache
    def found(candidates: int, votes: tuple[Vote, ...]) -> tuple[frozenset[int], ...]:
        return batches(rule, n, phi, candidates, votes)

    for candidates, votes in vectors(n):
        early, _ = found(candidates, votes)
        if len(early) == 0 or 0 not in votes:
            continue
        rest = votes[1:]  # without one that is not cast
        later = [(candidates, tuple(sorted((*rest, vote)))) for vote in range(1, 2**candidates)]
        if any(found(*after)[1] != early for after in [*later, (candidates + 1, rest)]):
            return False
    return True


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n", [*range(2, BUILD + 1), *(pytest.param(n, marks=pytest.mark.thorough) for n in (6, 7, 8))])
def test_each_rule_is_decided_for_two_to_eight_processors(name: str, n: int) -> None:
    """The thresholds with which the early rule is not stable are those stated, for every phi from 0 to n."""
    assert [phi for phi in range(n + 1) if not stable(RULES[name], n, phi)] == UNSTABLE[name][n - 2]


@pytest.mark.parametrize(
    ("name", "n", "phi"),
    [
        ("SToToVotes", 4, 1),
        ("SToToVotes", 4, 2),
        ("BelowPhiVotes", 3, 1),
        ("LosersMayGrowVotes", 4, 1),
        ("HopelessIsEnoughVotes", 6, 2),
        ("HopelessIsEnoughVotes", 6, 3),
        ("NobodyWonYetVotes", 5, 2),
    ],
)
def test_counting_and_searching_agree(name: str, n: int, phi: int) -> None:
    """The search of the model finds the rule stable or not, as the count does."""
    cls = getattr(vote_vectors, name)
    report = check(cls, name, {"workload": (1,) * n, "phi": phi}, only=["stable"], traces=False)
    assert (report.properties[0].verdict == "holds") == stable(RULES[name], n, phi)
