"""OM(2) in the model's staged form decides what the recursive algorithm decides, for every behaviour of the traitors;
seven generals withstand two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest

from checker.analysis.check import check, outcomes
from checker.models.oral_messages_2 import OralMessages2

Path = tuple[int, ...]


def majority(values: list[bool]) -> bool:
    """More than half are True; no majority counts as False."""
    return 2 * sum(values) > len(values)


class Recursive:
    """The algorithm as printed in 1982: OM(m, commander, lieutenants); a traitor's messages are looked up, or recorded
    where there is none yet."""

    def __init__(self, disloyal: frozenset[int], script: list[bool]) -> None:
        self.disloyal, self.script, self.said = disloyal, script, 0

    def say(self, sender: int, receiver: int, value: bool) -> bool:
        if sender not in self.disloyal or receiver in self.disloyal:
            return value  # what traitors tell each other changes nothing: they say what they like anyway
        self.said += 1
        if self.said > len(self.script):
            self.script.append(False)
        return self.script[self.said - 1]

    def om(self, m: int, commander: int, lieutenants: list[int], value: bool) -> dict[int, bool]:
        """What each lieutenant takes as the commander's value."""
        direct = {i: self.say(commander, i, value) for i in lieutenants}
        if m == 0:
            return direct
        told = {i: self.om(m - 1, i, [j for j in lieutenants if j != i], direct[i]) for i in lieutenants}
        return {i: majority([direct[i], *(told[j][i] for j in lieutenants if j != i)]) for i in lieutenants}


def decisions(n: int, disloyal: frozenset[int], order: bool) -> Iterator[tuple[bool, ...]]:
    """The decisions of the loyal lieutenants, for every script of the traitors."""
    script: list[bool] = []
    while True:
        run = Recursive(disloyal, script)
        found = run.om(2, 0, list(range(1, n)), order)
        yield tuple(found[i] for i in range(1, n) if i not in disloyal)
        while script and script[-1]:
            script.pop()
        if not script:
            return
        script[-1] = True


def modelled(n: int, traitors: int) -> dict[tuple[frozenset[int], bool], set[tuple[bool, ...]]]:
    """The outcomes of the model, by traitors and order."""
    result: dict[tuple[frozenset[int], bool], set[tuple[bool, ...]]] = {}
    for found in outcomes(OralMessages2, {"processes": n, "traitors": traitors, "symmetric": False}):
        disloyal = frozenset(int(str(p)[1:]) - 1 for p in found["disloyal"])
        decided = [v for p, v in found["decision"].items() if v is not None]
        result.setdefault((disloyal, found["order"]), set()).add(tuple(decided))
    return result


@pytest.mark.parametrize(("n", "traitors"), [(4, 1), (4, 2), (5, 1)])
def test_the_model_decides_what_the_recursive_algorithm_decides(n: int, traitors: int) -> None:
    """Every set of traitors, every order, every message they may send: the same decisions are possible."""
    found = modelled(n, traitors)
    for count, order in product(range(traitors + 1), (False, True)):
        for disloyal in map(frozenset, combinations(range(n), count)):
            assert found[disloyal, order] == set(decisions(n, disloyal, order)), (sorted(disloyal), order)


def test_seven_generals_withstand_two_traitors() -> None:
    """Agreement and integrity hold whoever the two are and whatever they say; N > 3 f."""
    report = check(OralMessages2, "oral_messages_2", {"symmetric": False})
    assert (report.verdict, report.distinct) == ("holds", 377_398)


@pytest.mark.parametrize("constants", [{"processes": 6}, {"traitors": 3}, {"processes": 4, "traitors": 1}])
def test_fewer_generals_or_more_traitors_break_it(constants: dict[str, int]) -> None:
    """Six with two, seven with three; and four with one, for which OM(1) would do."""
    report = check(OralMessages2, "oral_messages_2", constants, stop_at_first=False, traces=False)
    assert {p.name for p in report.properties if p.verdict == "violated"} == {"agreement", "integrity"}
