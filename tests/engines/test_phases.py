"""What holds until a step that happens once: models in each of which one condition of it matters.

`say` is possible once for p1 and p2, and writes what belongs to the message that it sends.  `hear` reads that of all it
has heard of.  So `say` of one and `hear` of the other have nothing to do with each other, unless the model says
otherwise.
"""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from checker.catalogue import find
from checker.engines.reduced import reduction
from checker.frontend.lower import lower
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.build import BOOL
from checker.ir.footprints.effects import Write
from checker.ir.footprints.instances import Instances, Kind
from checker.ir.footprints.knowledge import UNKNOWN, Knowledge, Value
from checker.ir.footprints.phases import initial_facts, keeps
from checker.ir.footprints.places import ANY, At, Member, Part
from checker.ir.footprints.shapes import FALSE
from checker.ir.stubborn.reduction import Reduction
from checker.ir.visit import walk
from checker.language import (
    Bool,
    Int,
    Map,
    Network,
    Process,
    Record,
    Seq,
    Set,
    Union,
    action,
    anything,
    initial,
    invariant,
    on,
    require,
    var,
)
from checker.language.define import define
from checker.language.distributed import Distributed
from tests.engines.full_and_reduced import at_rest, shown
from tests.engines.stubborn_oracle import Oracle, bits
from tests.engines.test_reduction import both

THREE = {"processes": 3}


class Attribute(Distributed):
    """What `say` writes is read by those that heard of it."""

    Wire = Union(Say=Record(who=Process))
    net = var(Network[Process, Wire])
    said = var(Map[Process, Int(0, 2)], 0)
    mark = var(Map[Process, Int(0, 4)], 0)
    known = var(Map[Process, Set[Process]])
    sum = var(Int(0, 8), 0)
    other = var(Bool, False)

    @action
    def say(self, p: Process):
        require(p != self.Process[2] and self.said[p] == 0)
        self.told(p)
        self.mark[p] = 1 + p.index
        self.net.send(p, self.Process[2], self.Wire.Say(p))

    def told(self, p):
        self.said[p] += 1

    @on(net, Wire.Say)
    def hear(self, p, q, who):
        self.known[p].add(who)
        self.sum = self.added(p)

    def added(self, p):
        return sum(self.mark[w] for w in self.known[p])


class Removed(Attribute):
    """What was heard is forgotten again: until something is said, nothing is heard for all that."""

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        self.known[p].add(who)
        batch = {w for w in self.known[p] if w == who}
        while len(batch) > 0:
            self.sum = self.added(p)
            self.known[p] -= batch
            batch = {w for w in self.known[p] if w == who}


class Logged(Attribute):
    """A log instead of a set."""

    log = var(Map[Process, Seq[Process, 3]])

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        self.log[p].append(who)
        self.sum = sum(self.mark[w] for w in self.log[p])


class Cleared(Attribute):
    """A step that empties the set."""

    @action
    def clear(self):
        require(not self.other)
        self.other = True
        self.known[self.Process[2]] = set()


class Falls(Attribute):
    """The number falls again, so it may be said a second time."""

    @action
    def back(self, p: Process):
        require(self.said[p] == 1 and not self.other)
        self.other = True
        self.said[p] = 0


class Perhaps(Attribute):
    """It may be said again unless something else happened."""

    tries = var(Map[Process, Int(0, 2)], 0)

    def told(self, p):
        require(self.tries[p] < 2)
        self.tries[p] += 1
        if self.other:
            self.said[p] += 1


class AnotherSays(Attribute):
    """Another step needs the number at the same value, and does not raise it."""

    @action
    def shout(self, p: Process):
        require(p == self.Process[1] and self.said[p] == 0 and not self.other)
        self.other = True
        self.net.send(p, self.Process[2], self.Wire.Say(p))


class HeardFromTheStart(Attribute):
    """p3 has heard of p2 before."""

    @initial
    def begin(self):
        self.known[self.Process[2]].add(self.Process[1])


class SentFromTheStart(Attribute):
    """What p2 says is on its way before it says it."""

    @initial
    def begin(self):
        self.net.send(self.Process[1], self.Process[2], self.Wire.Say(self.Process[1]))


class AnyStart(Attribute):
    """Nobody knows what p3 has heard before."""

    known = var(Map[Process, Set[Process]], anything)


class Guessed(Attribute):
    """p3 hears of p2 without a message."""

    @action
    def guess(self):
        require(not self.other)
        self.other = True
        self.known[self.Process[2]].add(self.Process[1])


class Replaced(Attribute):
    """The set is replaced by one with p2."""

    @action
    def replace(self):
        require(not self.other)
        self.other = True
        self.known[self.Process[2]] = {self.Process[1]}


class Relayed(Attribute):
    """What p1 says makes p1 say it of p2, too."""

    @action
    def say(self, p: Process):
        require(p != self.Process[2] and self.said[p] == 0)
        self.told(p)
        self.mark[p] = 1 + p.index
        self.net.send(p, self.Process[2], self.Wire.Say(p))
        self.net.send(p, p, self.Wire.Say(p))

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        if q == p:
            self.net.send(p, self.Process[2], self.Wire.Say(self.Process[1]))
        else:
            self.known[p].add(who)
            self.sum = self.added(p)


class RelayedBack(Attribute):
    """p3 tells p1 what it heard, and p1 says it of p2."""

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        if p != self.Process[2]:
            self.net.send(p, self.Process[2], self.Wire.Say(self.Process[1]))
            return
        self.known[p].add(who)
        self.sum = self.added(p)
        if who == self.Process[0]:
            self.net.send(p, self.Process[0], self.Wire.Say(who))


class Unlocked(Attribute):
    """Once it is unlocked, everything is read."""

    @action
    def unlock(self):
        require(not self.other)
        self.other = True

    def added(self, p):
        return sum(self.mark[w] for w in self.Process) if self.other else 0


class LoggedUnheard(Logged):
    """A step puts p2 into the log."""

    @action
    def guess(self):
        require(not self.other)
        self.other = True
        self.log[self.Process[2]].append(self.Process[1])


class Absent(Attribute):
    """Everything is read that is not known, and p2 is forgotten."""

    @initial
    def begin(self):
        self.known[self.Process[2]].add(self.Process[1])

    @action
    def forget(self):
        require(not self.other)
        self.other = True
        self.known[self.Process[2]].discard(self.Process[1])

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        self.sum = sum(self.mark[w] for w in self.Process if w not in self.known[p])


class Itself(Attribute):
    """Hearing puts p2 into some set, perhaps into the one that it reads."""

    whose = var(Process, anything)

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        self.known[self.whose].add(self.Process[1])
        self.sum = self.added(p)


class RoundByRound(Attribute):
    """A loop goes from one to the next: whom the first round names, the second one reads."""

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        at = self.Process[0]
        for w in {w for w in self.Process if w != who and w not in self.known[p]}:
            self.sum = self.mark[at]
            at = w


class SaidTwice(Attribute):
    """p2 marks itself anew when it has been heard of, perhaps: the phase before that has what it said first."""

    said = var(Map[Process, Int(0, 2)], 0)

    @action
    def again(self, p: Process):
        require(p == self.Process[1] and self.said[p] == 1)
        self.said[p] += 1
        self.mark[p] = 4


class NotHeardOf(Attribute):
    """Who hears reads everything of whom it has not heard, and p2 is one of these."""

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        require(self.Process[1] not in self.known[p])
        self.sum = sum(self.mark[w] for w in self.Process if w not in self.known[p])


class PerhapsMarks(Attribute):
    """Hearing marks p2, unless something else happened."""

    @action
    def happen(self):
        require(not self.other)
        self.other = True

    @on(Attribute.net, Attribute.Wire.Say)
    def hear(self, p, q, who):
        if not self.other:
            self.mark[self.Process[1]] = 4


def between(found: Reduction, model: Any) -> bool:
    """Whether `say` of p2 and `hear` of what p1 said depend on each other, in either way."""
    names = [a.name for a in model.actions]
    instances = found.tables.instances
    say = [n for n, i in enumerate(instances) if names[i.head.action] == "say" and i.head.arguments == (1,)]
    hear = [
        n
        for n, i in enumerate(instances)
        if isinstance(kind := i.head.opening, Kind)
        and dict(kind.identities)["target",] == 2
        and dict(kind.identities)["body", "who"] == 0
    ]
    assert say and hear
    return any(found.tables.depends[a] >> b & 1 for a, b in [*((a, b) for a in say for b in hear)]) or any(
        found.tables.depends[b] >> a & 1 for a in say for b in hear
    )


APART = [Attribute, Removed, Logged, Cleared, SaidTwice]
TOGETHER = [
    Falls,
    Perhaps,
    AnotherSays,
    HeardFromTheStart,
    SentFromTheStart,
    AnyStart,
    Guessed,
    Replaced,
    Relayed,
    RelayedBack,
    Unlocked,
    LoggedUnheard,
    Absent,
    Itself,
    RoundByRound,
    PerhapsMarks,
    NotHeardOf,
]


@pytest.mark.parametrize("cls", [*APART, *TOGETHER])
def test_steps_depend_on_each_other_unless_no_run_lets_them(cls: type[Any]) -> None:
    """What a message writes when it is sent is read only by those that received it, if that is so."""
    model = lower(define(cls, THREE))
    found = reduction(model)
    assert between(found, model) == (cls in TOGETHER)


@pytest.mark.parametrize("cls", [*APART, *TOGETHER])
def test_no_end_is_lost_in_a_phase(cls: type[Any]) -> None:
    """States at rest are those of the full graph, and chosen sets are stubborn by their definition."""
    model = lower(define(cls, THREE))
    full, reduced, circular = both(model)
    assert not circular and at_rest(reduced) == at_rest(full) != set()
    oracle = Oracle(model)
    states = list(oracle.reachable(reduced=False))
    assert [text for state in states[:: max(1, len(states) // 40)] if (text := oracle.broken(state, 120))] == []


# -- what mends an invariant


class Created(Attribute):
    """Only what was said is heard."""

    @invariant
    def said_before(self) -> bool:
        return all(self.said[w] > 0 for p in self.Process for w in self.known[p])


class CreatedByGuessing(Guessed):
    """The same where p3 guesses: a violation, which p2 mends by saying it."""

    @invariant
    def said_before(self) -> bool:
        return all(self.said[w] > 0 for p in self.Process for w in self.known[p])


class InFlight(Attribute):
    """Something is in flight to p3: sending mends that."""

    @invariant
    def on_its_way(self) -> bool:
        return len(self.net.between(self.Process[1], self.Process[2])) > 0


class Marked(Attribute):
    """Who is marked: saying it mends that, whatever was heard."""

    @invariant
    def marked(self) -> bool:
        return self.mark[self.Process[1]] > 0


class MarkedOrNot(Attribute):
    """What is true before and after is not mended, although the number is read."""

    @invariant
    def below(self) -> bool:
        return self.said[self.Process[1]] <= 1 or self.other


class Dividing(Attribute):
    """An invariant that fails before something is said, and says the same whatever it divides by."""

    @invariant
    def shared(self) -> bool:
        return (2 if 8 // self.said[self.Process[1]] > 9 else 2) > 1


@pytest.mark.parametrize(
    ("cls", "mended"),
    [
        (Created, False),
        (CreatedByGuessing, True),
        (InFlight, True),
        (Marked, True),
        (MarkedOrNot, False),
        (Dividing, True),
    ],
)
def test_a_step_mends_what_it_may_make_true(cls: type[Any], mended: bool) -> None:
    """Whether `say` of p2 may turn the invariant from false to true; and violations are found."""
    model = lower(define(cls, THREE))
    found = reduction(model)
    names = [a.name for a in model.actions]
    mending = {i for some in found.mending.values() for i in some}
    says = {
        n for n, i in enumerate(found.tables.instances) if names[i.head.action] == "say" and i.head.arguments == (1,)
    }
    assert bool(mending & says) == mended
    assert bool(says & set(bits(found.keyed))) != (mended and not found.beside)
    full, reduced, _ = both(model)
    assert shown(reduced) == shown(full)


class Arrived(Attribute):
    """Nothing that p2 said is in flight: hearing it mends that, and changes nothing else that is read."""

    @invariant
    def nothing_on_its_way(self) -> bool:
        return len(self.net.between(self.Process[1], self.Process[2])) == 0


def test_a_receipt_mends_what_it_may_make_true() -> None:
    """Each receipt takes a message from the network; sending changes what is read, too."""
    model = lower(define(Arrived, THREE))
    found = reduction(model)
    names = [model.actions[i.head.action].name for i in found.tables.instances]
    assert {names[n] for n in found.mending["nothing_on_its_way"]} == {"say", "hear"}
    full, reduced, _ = both(model)
    assert shown(reduced) == shown(full) != set()


# -- facts


def test_a_fact_ends_with_what_may_change_it() -> None:
    whole, inside, other = (Part("known", (At(2), *rest)) for rest in ((), (Member(1),), (Member(0),)))

    def write(part: Part, way: str, raw: Any = None, put: Part | None = None) -> Write:
        return Write(part, way, 0, raw is not None, raw, put=put)

    assert keeps(write(other, "grows", 1), inside, 0) and not keeps(write(inside, "grows", 1), inside, 0)
    assert keeps(write(inside, "grows", 1), inside, 1) and not keeps(write(inside, "falls", 0), inside, 1)
    assert keeps(write(whole, "falls"), inside, 0) and not keeps(write(whole, "falls"), inside, 1)
    assert keeps(write(whole, "grows"), inside, 1) and not keeps(write(whole, "grows"), inside, 0)
    assert keeps(write(whole, "set", frozenset()), inside, 0) and not keeps(write(whole, "set"), inside, 0)
    assert not keeps(write(whole, "set", frozenset({1})), inside, 0)
    assert keeps(write(whole, "grows", put=other), inside, 0) and not keeps(
        write(whole, "grows", put=inside), inside, 0
    )
    assert not keeps(write(whole, "grows"), whole, 0)


def test_facts_begin_with_what_is_there() -> None:
    """Members one by one."""
    found = Instances.of(lower(define(Attribute, THREE)))
    found.start["known"] = (frozenset(), frozenset(), frozenset({1}))
    facts = initial_facts(found)
    assert [facts[Part("known", (At(2), Member(raw)))] for raw in range(3)] == [0, 1, 0]


def test_of_a_set_that_is_replaced_it_is_known_what_may_be_in_it() -> None:
    known, whole = Knowledge(before={Part("known", (At(2), Member(0))): 0}), Part("known", (At(2),))
    assert known.members(whole, range(3)) == {1, 2}
    known.write_members(whole, range(3), frozenset({1}))
    assert known.members(whole, range(3)) == {1}


def test_what_a_step_may_have_written_is_no_longer_known() -> None:
    part = Part("known", (At(2), Member(0)))
    known = Knowledge(before={part: 0})
    assert known.of(part) == Value(FALSE)
    known.write(Part("known", (At(ANY), Member(0))), UNKNOWN)
    assert known.of(part) == UNKNOWN


def test_what_only_one_of_several_runs_begins_with_is_no_fact() -> None:
    """A model has one run to its initial states as long as no condition there is one of a state before."""
    model = lower(define(Attribute, THREE))
    send = next(x for a in model.actions for x in walk(a.body) if isinstance(x, s.BagAdd))
    split = s.If(0, e.Variable(BOOL, "other"), (send,), ())
    begun = evolve(model, initial=evolve(model.initial, body=(split, *model.initial.body)))
    assert Instances.of(model).start["known"] == (frozenset(),) * 3
    assert Instances.of(begun).start == {}


# -- subsets


class Needs(Distributed):
    """`late` waits until everything needed is there; p3 is not needed, and never there."""

    need = var(Set[Process])
    have = var(Set[Process])
    x = var(Int(0, 2), 0)
    first = var(Bool, False)
    second = var(Bool, False)

    @initial
    def begin(self):
        self.need.add(self.Process[1])

    @action
    def soon(self):
        require(not self.first)
        self.first = True
        self.x = 1

    @action
    def late(self):
        require(self.need <= self.have and not self.second)
        self.second = True
        self.x = 2

    @action
    def give(self):
        require(self.Process[1] not in self.have)
        self.have.add(self.Process[1])


def test_what_is_wanting_for_a_subset_is_what_is_needed() -> None:
    """`late` may come first, since what it needs may be given before."""
    model = lower(define(Needs, THREE))
    full, reduced, _ = both(model)
    assert at_rest(reduced) == at_rest(full) and len(at_rest(full)) == 2
    oracle = Oracle(model)
    assert [text for state in oracle.reachable(reduced=False) if (text := oracle.broken(state))] == []


def test_a_subset_is_wanting_item_by_item() -> None:
    """A message waits for each message of its past; of these one is followed, not whatever else arrives."""
    model = lower(define(find("s_toto").cls, {"workload": (1, 1, 1)}, ["PrefixOrder"]))
    tables = reduction(model).tables
    receipts = [o for i, o in zip(tables.instances, tables.options) if isinstance(i.head.opening, Kind)]
    assert all(len(options) == 4 for options in receipts)
    assert all(o.enabling.bit_count() <= 2 for options in receipts for o in options)
