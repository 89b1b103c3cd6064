"""Keys that may mend an invariant: their sets contain the steps that may violate it, conjunct by conjunct."""

from __future__ import annotations

from typing import Any

import pytest

from checker.catalogue import find
from checker.engines.reduced import reduction
from checker.frontend.lower import lower
from checker.ir.model import Model as Lowered
from checker.ir.stubborn import conjuncts
from checker.language import Bool, Int, Map, Network, Process, Record, Set, Union, action, invariant, on, require, var
from checker.language.define import define
from checker.language.distributed import Distributed
from tests.engines.full_and_reduced import Pair, distances, full_and_reduced, judged, shown
from tests.engines.stubborn_oracle import Oracle

TWO = {"processes": 2}


def reduced(model: Lowered, beside: bool = True) -> Pair:
    """Both searches, which show the same; beside: keys may mend each invariant that steps mend."""
    pair, made = full_and_reduced(model), reduction(model)
    assert distances(pair.reduced) == distances(pair.full)
    assert not pair.cyclic and shown(pair.reduced) == shown(pair.full)
    assert set(made.beside) == {name for name, some in made.mending.items() if some} if beside else not made.beside
    return pair


class _Once(Distributed):
    """Each process takes each of its two steps once, in any order."""

    first = var(Map[Process, Int(0, 1)], 0)
    second = var(Map[Process, Int(0, 1)], 0)

    @action
    def later(self, p: Process):
        require(self.second[p] == 0)
        self.second[p] += 1

    @action
    def sooner(self, p: Process):
        require(self.first[p] == 0)
        self.first[p] += 1


class Ordered(_Once):
    """`later` is the first step in the model's order, and would hide what `sooner` violates."""

    @invariant
    def never_first_alone(self) -> bool:
        return all(self.first[p] - self.second[p] != 1 for p in self.Process)


class Together(_Once):
    """The same as one conjunct of two that a condition of the round leaves."""

    @invariant
    def never_first_alone(self) -> bool:
        return all(self.second[p] == 1 or self.first[q] == 0 for p in self.Process for q in self.Process if p == q)


class Conditional(_Once):
    """The same as a condition of the state."""

    @invariant
    def never_first_alone(self) -> bool:
        return all(self.first[p] == 0 for p in self.Process if self.second[p] == 0)


class Choosing(_Once):
    """The same as an item that the state may leave out."""

    @invariant
    def never_first_alone(self) -> bool:
        return all(self.first[p] == 0 for p in {self.Process[0]} & {q for q in self.Process if self.second[q] == 0})


class Unphased(Ordered):
    """The same without a phase: the number may be set again."""

    @action
    def later(self, p: Process):
        require(self.second[p] == 0)
        self.second[p] = 1


class Argument(_Once):
    """The same in a function of a value of the state."""

    @invariant
    def never_first_alone(self) -> bool:
        return all(self.differ(p, self.second[p]) for p in self.Process)

    def differ(self, p, n) -> bool:
        return self.first[p] - n != 1


class Called(_Once):
    """The same in a function, beside another conjunct."""

    @invariant
    def never_first_alone(self) -> bool:
        return len(self.Process) > 0 and all(self.fine(p) for p in self.Process)

    def fine(self, p) -> bool:
        return self.first[p] - self.second[p] != 1


class Shared(_Once):
    """The steps of all processes: any of them may violate it."""

    @invariant
    def never_first_alone(self) -> bool:
        return sum(self.first[p] for p in self.Process) - sum(self.second[p] for p in self.Process) != 1


VIOLATED = [Ordered, Together, Conditional, Choosing, Unphased, Argument, Called, Shared]


@pytest.mark.parametrize("model", VIOLATED)
def test_a_step_that_mends_is_taken_with_all_that_violate(model: type[Distributed]) -> None:
    """Each step may mend the invariant; a violation needs one order of two of them."""
    pair = reduced(lower(define(model, TWO)))
    assert shown(pair.full) and pair.reduced.distinct <= pair.full.distinct


@pytest.mark.parametrize("model", [Ordered, Together, Conditional, Called])
def test_processes_are_independent_where_a_conjunct_speaks_of_one(model: type[Distributed]) -> None:
    """The steps of one process are taken together, those of the others later."""
    found = reduced(lower(define(model, {"processes": 3})))
    assert (found.full.distinct, found.reduced.distinct) == (64, 10)


def test_a_conjunct_that_takes_too_much_work_reads_whole_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then a set has the steps of all processes."""
    monkeypatch.setattr(conjuncts, "MOST_WORK", 1)
    assert shown(reduced(lower(define(Shared, TWO))).full)


class Passes(Distributed):
    """A process is between two values for one step, of which the other process takes the second."""

    x = var(Map[Process, Int(0, 2)], 0)

    @action
    def end(self, p: Process, q: Process):
        require(p != q and self.x[p] == 1)
        self.x[p] = 2

    @action
    def start(self, p: Process):
        require(self.x[p] == 0)
        self.x[p] = 1

    @invariant
    def never_both(self) -> bool:
        return not all(self.x[p] == 1 for p in self.Process)


def test_a_conjunct_about_several_processes_keeps_their_steps_together() -> None:
    """Both are between the values in one state of the full graph only."""
    assert shown(reduced(lower(define(Passes, TWO))).full)


class Wide(Distributed):
    """A message that is too long is sent unless its sender has been told before; its receipt ends that."""

    Wire = Union(Mail=Record(n=Int(0, 1)))
    net = var(Network[Process, Wire])
    told = var(Map[Process, Bool], False)
    got = var(Map[Process, Set[Process]])

    @action
    def tell(self, p: Process):
        require(not self.told[p])
        self.told[p] = True

    @action
    def post(self, p: Process):
        require(p not in self.got[p])
        self.got[p].add(p)
        for q in self.Process:
            if q != p:
                self.net.send(p, q, self.Wire.Mail(0 if self.told[p] else 1))

    @on(net, Wire.Mail)
    def take(self, p, q, n):
        self.got[p].add(q)

    @invariant
    def short(self) -> bool:
        return all(x != self.Wire.Mail(1) for p in self.Process for q in self.Process for x in self.net.between(p, q))


def test_messages_are_judged_one_by_one() -> None:
    """A receipt ends no violation but one that was there before: it is taken alone."""
    model = lower(define(Wide, TWO))
    found = reduced(model)
    made = reduction(model)
    receipts = [i for i, x in enumerate(made.tables.instances) if x.takes]
    assert set(receipts) <= set(made.mending["short"])
    assert all(made.seeds[i] == 1 << i and made.keyed >> i & 1 for i in receipts)
    assert shown(found.full) and found.reduced.distinct < found.full.distinct


class Counted(Wide):
    """An invariant that compares messages in flight has no conjuncts: nothing that mends it is a key."""

    @invariant
    def short(self) -> bool:
        return len(self.net.between(self.Process[0], self.Process[1])) == 0 or not self.told[self.Process[0]]


class Excused(Wide):
    """Nor has one that reads something else beside each message."""

    @invariant
    def short(self) -> bool:
        return all(
            x != self.Wire.Mail(1) or self.told[p]
            for p in self.Process
            for q in self.Process
            for x in self.net.between(p, q)
        )


class Fails(_Once):
    """Nor has one whose evaluation may be an error."""

    @invariant
    def fine(self) -> bool:
        return all(2 // (self.first[p] - self.second[p] + 1) < 2 for p in self.Process)


@pytest.mark.parametrize("model", [Counted, Excused, Fails])
def test_what_has_no_conjuncts_is_mended_by_no_key(model: type[Distributed]) -> None:
    reduced(lower(define(model, TWO)), beside=False)


SHIPPED: list[tuple[str, dict[str, Any], list[str] | None, int, int]] = [
    ("causal_broadcast:Retested", {"workload": (1, 1, 0)}, None, 206, 61),
    ("s_toto", {"workload": (1, 1)}, ["DeliveredOnceAllVoted"], 37, 23),
]


@pytest.mark.parametrize(("reference", "constants", "only", "full", "fewer"), SHIPPED)
def test_shipped_models_are_reduced_with_properties_that_steps_mend(
    reference: str, constants: dict[str, Any], only: list[str] | None, full: int, fewer: int
) -> None:
    """Without the steps beside a key every step of these models was taken in every state."""
    found = reduced(judged(lower(define(find(reference).cls, constants, only))))
    assert (found.full.distinct, found.reduced.distinct) == (full, fewer)


@pytest.mark.parametrize("model", [Ordered, Shared, Wide])
def test_chosen_sets_are_stubborn_by_their_definition(model: type[Distributed]) -> None:
    """The seeds make them larger, and the definition remains (D1, D2)."""
    oracle = Oracle(lower(define(model, TWO)))
    assert [text for state in oracle.reachable(reduced=True) if (text := oracle.broken(state))] == []
