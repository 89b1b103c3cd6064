"""Early delivery rules over vote vectors: what z3 says of all of them is what going through all of them says.

The rules are written here once more, from the paper, over counts of votes; candidates are 0..k-1, and a vote is a set
of them as bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

import pytest
from attrs import frozen

from checker.analysis.compare.family import compare_family
from checker.analysis.compare.side import Side
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.models.vote_vectors import GToToVotes, SToToVotes, ToToVotes
from checker.report.compare.family_table import family_lines
from checker.report.lines import plain
from checker.results.rules import Family, RuleComparison
from tests.analysis.compare import lock

RULES = ("early", "eligible", "fires")


@frozen
class Profile:
    """Votes of n processors: k candidates for themselves, the others as given, the rest not seen."""

    n: int
    k: int
    others: tuple[int, ...]

    @property
    def unseen(self) -> int:
        """Processors that have not voted."""
        return self.n - self.k - len(self.others)

    @property
    def size(self) -> int:
        """Votes, and how often somebody stands in a tail: what is not empty in a state."""
        votes = self.k + sum(v.bit_count() for v in self.others)
        return 2 * votes - self.k

    def nvt(self, m: int) -> int:
        """Votes for m."""
        return 1 + sum(v >> m & 1 for v in self.others)

    def votes(self, a: int, b: int) -> int:
        """Votes for a and not for b."""
        return 1 + sum(v >> a & 1 and not v >> b & 1 for v in self.others)


def profiles(n: int) -> Iterator[Profile]:
    """All of them, but for the names of processors."""
    for k in range(n + 1):
        for seen in range(n - k + 1):
            for others in combinations_with_replacement(range(1, 1 << k), seen):
                yield Profile(n, k, others)


def s_sources(x: Profile, phi: int) -> set[int]:
    """No other candidate can win over it."""
    return {i for i in range(x.k) if all(x.votes(j, i) + x.unseen <= phi for j in range(x.k) if j != i)}


def s_toto(x: Profile, phi: int) -> set[int]:
    """Section 3, the simplified rule."""
    sources = s_sources(x, phi)
    inside = all(any(x.votes(s, m) > phi for s in sources) for m in set(range(x.k)) - sources)
    return sources if inside and any(x.nvt(s) > phi for s in sources) else set()


def toto(x: Profile, phi: int) -> set[int]:
    """Section 3, with the condition on tails; the sender of a message is not in its tail."""
    found = s_toto(x, phi)
    return found if all(x.nvt(s) - 1 >= x.n - phi for s in found) else set()


def g_toto(x: Profile, phi: int) -> set[int]:
    """Section 4."""
    sources = s_sources(x, phi) | {i for i in range(x.k) if x.nvt(i) > phi}
    inside = all(
        x.nvt(m) + x.unseen <= phi and any(x.votes(s, m) > phi for s in sources) for m in set(range(x.k)) - sources
    )
    return sources if inside and x.n - x.unseen >= x.n - phi and any(x.nvt(s) > phi for s in sources) else set()


Rule = Callable[[Profile, int], set[int]]


def eligible(rule: Rule, x: Profile, phi: int) -> set[int]:
    """The early rule, else all candidates once everybody has voted."""
    return rule(x, phi) or (set(range(x.k)) if x.unseen == 0 else set())


def by_enumeration(before: Rule, after: Rule, n: int, phi: int) -> dict[str, tuple[str, set[int]]]:
    """For each rule the relation, and the least size of a profile for each way in which the two differ."""
    least: dict[tuple[str, str], int] = {}
    for x in profiles(n):
        a, b = before(x, phi), after(x, phi)
        ways = [("early", "different")] * (a != b) + [("eligible", "different")] * (
            eligible(before, x, phi) != eligible(after, x, phi)
        )
        ways += [("fires", "weaker")] * (not a and bool(b)) + [("fires", "stronger")] * (bool(a) and not b)
        for way in ways:
            least[way] = min(least.get(way, x.size), x.size)
    found = {}
    for name in RULES:
        kinds = {kind: size for (rule, kind), size in least.items() if rule == name}
        found[name] = ("incomparable" if len(kinds) == 2 else next(iter(kinds), "equivalent"), set(kinds.values()))
    return found


def family(after: type[Model], sizes: tuple[int, ...], thresholds: tuple[int, ...]) -> Family:
    """S-ToTo against another rule."""
    each = [("workload", tuple((1,) * n for n in sizes)), ("phi", thresholds)]
    return compare_family(
        Side(SToToVotes, "s_toto"), Side(after, "other"), {}, each, assuming="well_formed()", only=RULES, seconds=900
    )


def size(rule: RuleComparison) -> int:
    """What is not empty in the states that tell the rules apart."""
    return min(
        sum(len(part) for name in ("voted", "following") for part in x.state.get(name, {}).values())
        for x in rule.examples
    )


MODELS: dict[str, tuple[type[Model], Rule]] = {"ToTo": (ToToVotes, toto), "G-ToTo": (GToToVotes, g_toto)}


@pytest.mark.parametrize(
    ("name", "n"),
    [
        pytest.param(name, n, marks=() if (name, n) == ("G-ToTo", 3) else pytest.mark.thorough)
        for name in MODELS
        for n in (3, 4, 5, 6, 7, 8)
    ],
)
def test_z3_agrees_with_going_through_all_vote_vectors(name: str, n: int) -> None:
    """The same relation for every threshold, and no vector that tells two rules apart is smaller than the one shown."""
    after, rule = MODELS[name]
    for member in family(after, (n,), tuple(range(n + 1))).members:
        expected = by_enumeration(s_toto, rule, n, member.constants["phi"])
        for found in member.rules:
            relation, sizes = expected[found.name]
            assert found.relation == relation, (found.name, member.constants)
            if found.examples and "following" in found.examples[0].state:
                assert size(found) == min(sizes), (found.name, member.constants)
        assert {r.name for r in member.rules} == set(RULES)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_what_the_paper_says_of_thresholds_above_one_half(n: int) -> None:
    """Section 4: above n/2 G-ToTo reduces to S-ToTo.  Section 3 calls the tail condition redundant: of what is
    delivered that is so from n - 2 on."""
    for phi in range(n + 1):
        generalized, full = by_enumeration(s_toto, g_toto, n, phi), by_enumeration(s_toto, toto, n, phi)
        if 2 * phi > n:
            assert generalized["eligible"][0] == "equivalent"
        assert (full["eligible"][0] == "equivalent") == (phi >= n - 2 and (n, phi) != (3, 1))
        assert (full["fires"][0] == "equivalent") == (phi >= n - 1)


def test_combinations_that_the_model_refuses_are_left_out_with_the_reason() -> None:
    """A threshold is a number of processors; if there is no other combination, that is an error."""
    lines = [plain(line) for line in family_lines(family(ToToVotes, (3, 4), (2, 4)))]
    assert "1 combination left out: a threshold for 3 processors is from 0 to 3" in lines
    assert any(text.split() == ["1x3", "same", "."] for text in lines)
    with pytest.raises(UsageError, match="a threshold for 3 processors"):
        family(ToToVotes, (3,), (7,))


def test_rules_with_other_parameters_cannot_be_asked_for() -> None:
    """The name and the reason are told; also where no other rule could be compared."""
    sides = Side(lock.Polite, "Polite"), Side(lock.OtherParameters, "OtherParameters")
    with pytest.raises(UsageError, match="next_in_line cannot be compared: its parameters differ"):
        compare_family(*sides, {}, [], only=["next_in_line"])
    with pytest.raises(UsageError, match="next_in_line cannot be compared: its parameters differ"):
        compare_family(*sides, {}, [])


def test_models_without_a_common_rule_are_refused() -> None:
    """A lock and a door: that no rule differs would say nothing."""
    with pytest.raises(UsageError, match="a and b have no rule in common"):
        compare_family(Side(lock.Lock, "a"), Side(lock.Door, "b"), {}, [])


def test_a_rule_that_does_not_differ_cannot_be_asked_for() -> None:
    """The name is told."""
    with pytest.raises(UsageError, match="no rule nvt that both models have"):
        compare_family(Side(SToToVotes, "a"), Side(ToToVotes, "b"), {}, [], only=["nvt"])
