"""Receipts that commute although they write the same: in each model one condition of that matters; taken away, a state
at rest or a violation is lost, or receipts that do commute depend on each other again."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from checker.engines.reduced import reduction
from checker.frontend.lower import lower
from checker.ir.footprints.instances import Kind
from checker.ir.model import Model as Lowered
from checker.language import (
    Bool,
    Int,
    Map,
    Network,
    Optional,
    Process,
    Record,
    Set,
    Union,
    action,
    initial,
    on,
    require,
    rule,
    var,
)
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.properties import Invariant
from tests.engines.full_and_reduced import at_rest, distances, shown
from tests.engines.random_collecting import random_collecting
from tests.engines.stubborn_oracle import Oracle
from tests.engines.test_reduction import both, lowered
from tests.language.test_random_models import load

THREE = {"processes": 3}


class _Told(Distributed):
    """Each process tells the first one a number once; the first one collects them."""

    Wire = Union(Tell=Record(value=Int(0, 3)))
    net = var(Network[Process, Wire])
    told = var(Map[Process, Int(0, 1)], 0)
    count = var(Int(0, 3), 0)
    best = var(Int(0, 3), 0)
    x = var(Int(0, 3), 0)
    y = var(Int(0, 3), 0)
    got = var(Set[Process])
    looked = var(Bool, False)

    @action
    def tell(self, p: Process):
        require(self.told[p] == 0)
        self.told[p] += 1
        self.net.send(p, self.Process[0], self.Wire.Tell(1 + p.index))

    @on(net, Wire.Tell)
    def hear(self, p, q, value):
        self.collect(q, value)

    def collect(self, q, value):
        """What the first process does with a number."""

    @rule
    def wanted(self):
        return len(self.Process)


class Counted(_Told):
    """The greatest is known when all are there."""

    def collect(self, q, value):
        self.count += 1
        self.best = max(self.best, value)
        if self.count == self.wanted():
            self.x = self.best


class OneLess(Counted):
    """Who is the last of two decides; the third is not heard."""

    @rule
    def wanted(self):
        return len(self.Process) - 1


class LastOne(_Told):
    """The last number is kept."""

    def collect(self, q, value):
        self.x = value


class FirstOne(_Told):
    """The first number is received: the guard of the others is false then."""

    def collect(self, q, value):
        require(self.count == 0)
        self.count += 1
        self.best = max(self.best, value)


class Unless(_Told):
    """The last number is kept unless it is too early, which is decided elsewhere."""

    def collect(self, q, value):
        if self.looked:
            self.x = value

    @action
    def look(self):
        require(not self.looked)
        self.looked = True


class Numbered(_Told):
    """Each is answered by how many were there before."""

    Wire = Union(Tell=Record(value=Int(0, 3)), Answer=Record(number=Int(0, 3)))
    net = var(Network[Process, Wire])
    answer = var(Map[Process, Int(0, 3)], 0)

    def collect(self, q, value):
        self.net.send(self.Process[0], q, self.Wire.Answer(self.count))
        self.count += 1

    @on(net, Wire.Answer)
    def answered(self, p, q, number):
        self.answer[p] = number


class Twice(_Told):
    """The second and the third tell two numbers each: who is the second that is heard completes the count."""

    told = var(Map[Process, Int(0, 2)], 0)
    heard = var(Int(0, 4), 0)

    @action
    def tell(self, p: Process):
        require(p != self.Process[0] and self.told[p] == 0)
        self.told[p] += 1
        self.net.send(p, self.Process[0], self.Wire.Tell(1))

    @action
    def again(self, p: Process):
        require(p != self.Process[0] and self.told[p] == 1)
        self.told[p] += 1
        self.net.send(p, self.Process[0], self.Wire.Tell(2))

    def collect(self, q, value):
        self.heard += 1
        self.best = max(self.best, value)
        if self.heard == 2:
            self.x = self.best


class Completes(_Told):
    """`look` is possible when the third was heard, and looks whether the second was, too."""

    Wire = Union(Tell=Record(value=Int(0, 3)), Done=Record(who=Process))
    net = var(Network[Process, Wire])

    @action
    def tell(self, p: Process):
        require(p != self.Process[0] and self.told[p] == 0)
        self.told[p] += 1
        self.net.send(p, self.Process[0], self.Wire.Tell(1))

    def collect(self, q, value):
        self.count += 1
        self.got.add(q)
        if self.count == 2:
            self.both_there()

    def both_there(self):
        self.x = 1
        self.net.send(self.Process[0], self.Process[1], self.Wire.Done(self.Process[0]))

    @on(net, Wire.Done)
    def done(self, p, q, who):
        self.best = 1

    @action
    def look(self):
        require(self.Process[2] in self.got and not self.looked)
        self.looked = True
        self.y = self.x


class LookedEarly(Invariant):
    """Nobody looks before both are there; that both are there makes good for it."""

    def holds(self) -> bool:
        return not self.looked or self.x == 1


class Early(Completes):
    """`look` reads nothing that a receipt writes but that the third was heard; an invariant tells if it was too
    early."""

    properties = [LookedEarly]

    @action
    def look(self):
        require(self.Process[2] in self.got and not self.looked)
        self.looked = True


class Waited(_Told):
    """All but those that are waited for are left out; the greatest is known when nobody is waited for."""

    waiting = var(Set[Process])

    @action
    def tell(self, p: Process):
        require(self.told[p] == 0)
        self.told[p] += 1
        self.waiting.add(p)
        self.net.send(p, self.Process[0], self.Wire.Tell(1 + p.index))

    def collect(self, q, value):
        if q in self.waiting:
            self.best = max(self.best, value)
            self.waiting.remove(q)
            if len(self.waiting) == 0:
                self.x = self.best


class Emptied(Waited):
    """The number of who empties the set is kept, also of who was not in it."""

    def collect(self, q, value):
        if q in self.waiting:
            self.count += 1
        self.waiting.discard(q)
        if len(self.waiting) == 0:
            self.x = value


class Least(_Told):
    """The least, written as a choice of the two; and the greater one of what is no number."""

    least = var(Int(0, 3), 3)
    who = var(Process)

    @initial
    def begin(self):
        self.who = self.Process[0]

    def collect(self, q, value):
        self.least = value if value < self.least else self.least
        self.who = q if q >= self.who else self.who


class Mixed(_Told):
    """The second lowers what the others raise."""

    def collect(self, q, value):
        if q == self.Process[1]:
            self.x = value if value < self.x else self.x
        else:
            self.x = value if value >= self.x else self.x


class MixedAgain(_Told):
    """The same, compared the other way."""

    def collect(self, q, value):
        if q == self.Process[1]:
            self.x = value if value <= self.x else self.x
        else:
            self.x = value if value > self.x else self.x


class Clamped(_Told):
    """Raised by the number, and lowered to a limit of its own."""

    def collect(self, q, value):
        self.x = min(max(self.x, value), 3 - value)


class Unlike(_Told):
    """Not the greatest: what is compared is not what is kept."""

    def collect(self, q, value):
        self.x = 3 - value if self.x >= value else self.x


class Overflows(_Told):
    """An error if two are there."""

    small = var(Int(0, 1), 0)

    def collect(self, q, value):
        self.small += 1


class Asserts(_Told):
    """The same, as an assertion."""

    def collect(self, q, value):
        self.count += 1
        assert self.count < 2


class Removes(_Told):
    """The same, as taking out what is not there."""

    @action
    def tell(self, p: Process):
        require(self.told[p] == 0)
        self.told[p] += 1
        self.got.add(self.Process[0])
        self.net.send(p, self.Process[0], self.Wire.Tell(1))

    def collect(self, q, value):
        self.got.remove(self.Process[0])


class Divides(_Told):
    """An error if two are there."""

    def collect(self, q, value):
        self.count += 1
        self.x = max(self.x, 3 // (2 - self.count))


class Opens(_Told):
    """An error while nothing is kept."""

    kept = var(Optional[Int(0, 3)])

    def collect(self, q, value):
        self.x = max(self.x, self.kept)

    @action
    def look(self):
        require(not self.looked)
        self.looked = True
        self.kept = 1


class Alternates(_Told):
    """The third is put in by its own number, and taken out by those of the others."""

    def collect(self, q, value):
        if q == self.Process[2]:
            self.got.add(q)
        else:
            self.got.discard(self.Process[2])


class Sees(_Told):
    """The third puts itself in, and the others see whether it is there."""

    def collect(self, q, value):
        if self.Process[2] in self.got:
            self.best = max(self.best, value)
        if q == self.Process[2]:
            self.got = self.got | {q}


class Completions(_Told):
    """Counts how often nobody is waited for; the third never is."""

    @action
    def tell(self, p: Process):
        require(self.told[p] == 0)
        self.told[p] += 1
        if p != self.Process[2]:
            self.got.add(p)
        self.net.send(p, self.Process[0], self.Wire.Tell(1))

    def collect(self, q, value):
        if q in self.got:
            self.best = 1
        self.got = self.got - {q}
        if len(self.got) == 0:
            self.x += 1


class CompletionsTold(Completions):
    """The same, told in messages."""

    Wire = Union(Tell=Record(value=Int(0, 3)), Done=Record(who=Process))
    net = var(Network[Process, Wire])

    def collect(self, q, value):
        if q in self.got:
            self.best = 1
        self.got = self.got - {q}
        if len(self.got) == 0:
            self.net.send(self.Process[0], self.Process[1], self.Wire.Done(self.Process[0]))

    @on(net, Wire.Done)
    def done(self, p, q, who):
        self.x += 1


class AllThere(_Told):
    """The greatest is known when each is there."""

    def collect(self, q, value):
        self.best = max(self.best, value)
        self.got.add(q)
        if all(p in self.got for p in self.Process):
            self.x = self.best


class NobodyMissing(_Told):
    """Counts how often nobody is missing."""

    def collect(self, q, value):
        self.got.add(q)
        if not any(p not in self.got for p in self.Process):
            self.x += 1


class InFlight(_Told):
    """How many are in flight is seen by each."""

    flying = var(Int(0, 16), 0)

    def collect(self, q, value):
        self.flying = len(self.net)


MODELS: dict[type[Any], int] = {
    Counted: 3,
    OneLess: 0,
    LastOne: 0,
    FirstOne: 0,
    Unless: 0,
    Numbered: 0,
    Twice: 0,
    Completes: 1,
    Early: 1,
    Waited: 3,
    Emptied: 0,
    Least: 3,
    Unlike: 0,
    Mixed: 1,
    MixedAgain: 1,
    Clamped: 0,
    Opens: 0,
    CompletionsTold: 0,
    NobodyMissing: 0,
    Overflows: 0,
    Asserts: 0,
    Removes: 0,
    Sees: 1,
    Completions: 0,
    AllThere: 3,
    InFlight: 0,
    Divides: 0,
    Alternates: 1,
}
"""How many pairs of receipts commute."""


def commuting(model: Lowered) -> int:
    """How many pairs of receipts of `hear` write the same and do not depend on each other."""
    tables = reduction(model).tables
    heads = [(i, x.head) for i, x in enumerate(tables.instances) if isinstance(x.head.opening, Kind)]
    heads = [(i, x) for i, x in heads if model.actions[x.action].name == "hear"]
    apart: dict[Any, bool] = {}
    for (i, a), (j, b) in combinations(heads, 2):
        if a != b:
            apart[a, b] = apart.get((a, b), True) and not (tables.depends[i] >> j & 1 or tables.depends[j] >> i & 1)
    return sum(apart.values())


@pytest.mark.parametrize(("model", "pairs"), MODELS.items())
def test_nothing_is_lost(model: type[Any], pairs: int) -> None:
    """Such receipts are found; states at rest, their distances and violations are those of the full graph, and chosen
    sets are stubborn by their definition."""
    found = lower(define(model, THREE))
    assert commuting(found) == pairs
    full, reduced, circular = both(found)
    assert not circular and distances(reduced) == distances(full) and shown(reduced) == shown(full)
    oracle = Oracle(found)
    assert [text for state in oracle.reachable(reduced=False) if (text := oracle.broken(state))] == []


@pytest.mark.parametrize(
    ("reference", "constants", "states"),
    [
        ("isis", {"workload": (1, 1, 0)}, 471),
        ("isis:SmallestProposal", {"workload": (1, 1)}, None),
        ("isis:OneProposalLess", {"workload": (1, 1, 0)}, None),
        ("isis:WaitForTheLiving", {"workload": (1, 1, 0)}, None),
        ("isis:NothingToItself", {"workload": (1, 1, 0)}, None),
    ],
)
def test_proposals_of_isis_commute(reference: str, constants: dict[str, Any], states: int | None) -> None:
    """Sums and maxima, and sets of those that are waited for; with the last but one of the proposals they do not."""
    full, reduced, _ = both(lowered(reference, constants))
    assert at_rest(reduced) == at_rest(full) and shown(reduced) == shown(full)
    assert states is None or reduced.distinct == states


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 300), marks=pytest.mark.thorough)], ids=str)
def test_random_collecting_is_reduced_soundly(tmp_path: Path, seeds: range) -> None:
    """Whatever is done with what was told: states at rest, their distances and violations of full searches."""
    pairs = 0
    for seed in seeds:
        model = lower(define(load(random_collecting(Random(seed)), tmp_path), {}))
        for some in (model, evolve(model, properties=())):
            full, reduced, circular = both(some)
            assert distances(reduced) == distances(full), seed
            assert circular or shown(reduced) == shown(full), seed
            pairs += commuting(some)
    assert pairs >= len(seeds) / 4
