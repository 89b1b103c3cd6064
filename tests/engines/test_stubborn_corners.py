"""Small models in each of which one condition of stubborn sets matters: taken away, an order of two steps is lost, and
with it a state at rest."""

from __future__ import annotations

from typing import Any

import pytest

from checker.backends.native.kernel import compile_model
from checker.engines.reduced import reduction
from checker.frontend.lower import lower
from checker.language import (
    Bool,
    Int,
    Map,
    Network,
    Process,
    Record,
    Set,
    Union,
    action,
    anything,
    initial,
    on,
    require,
    var,
)
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.search.breadth_first import search
from tests.engines.full_and_reduced import at_rest, shown
from tests.engines.stubborn_oracle import Oracle
from tests.engines.test_reduction import both

TWO = {"processes": 2}


class _Cells(Distributed):
    """Steps that happen once, on one shared number and a cell for each process."""

    once = var(Map[Int(0, 3), Bool], False)
    x = var(Int(0, 3), 0)
    y = var(Int(0, 3), 0)
    cell = var(Map[Process, Int(0, 3)], 0)

    def first_time(self, n):
        require(not self.once[n])
        self.once[n] = True


class ReadAndWrite(_Cells):
    """One writes x, the other copies it: it copies the old value or the new one."""

    @action
    def write(self):
        self.first_time(0)
        self.x = 1

    @action
    def copy(self):
        self.first_time(1)
        self.y = self.x


class CopyFirst(_Cells):
    """The same, declared the other way round."""

    @action
    def copy(self):
        self.first_time(1)
        self.y = self.x

    @action
    def write(self):
        self.first_time(0)
        self.x = 1


class TwoWriters(_Cells):
    """Who writes last decides."""

    @action
    def one(self):
        self.first_time(0)
        self.x = 1

    @action
    def two(self):
        self.first_time(1)
        self.x = 2


class NotYet(_Cells):
    """What is not possible yet may still come first: `late` waits for `allow`."""

    @action
    def soon(self):
        self.first_time(0)
        self.x = 1

    @action
    def late(self):
        require(self.y == 1)
        self.first_time(1)
        self.x = 2

    @action
    def allow(self):
        self.first_time(2)
        self.y = 1


class NotYetInFlight(_Cells):
    """The same where `late` waits until something is in flight."""

    net = var(Network[Process, Bool])

    @action
    def soon(self):
        self.first_time(0)
        self.x = 1

    @action
    def late(self):
        require(len(self.net.between(self.Process[0], self.Process[1])) > 0)
        self.first_time(1)
        self.x = 2

    @action
    def allow(self):
        self.first_time(2)
        self.net.send(self.Process[0], self.Process[1], True)


class Rewrites(_Cells):
    """What `allow` writes first lets `late` happen, what it may write then would keep it from that."""

    @action
    def soon(self):
        self.first_time(0)
        self.x = 1

    @action
    def late(self):
        require(self.y == 1)
        self.first_time(1)
        self.x = 2

    @action
    def allow(self):
        self.first_time(2)
        self.y = 1
        if self.cell[self.Process[0]] > 0:
            self.y = 2


class UnknownCell(_Cells):
    """Whose cell is written is known only in the state."""

    who = var(Process, anything)

    @action
    def there(self):
        self.first_time(0)
        self.cell[self.who] = 1

    @action
    def first(self):
        self.first_time(1)
        self.cell[self.Process[0]] = 2


class EitherCell(_Cells):
    """Whose cell is written depends on a branch that nothing tells apart."""

    @action
    def there(self):
        self.first_time(0)
        q = self.Process[0]
        if self.x == 0:
            q = self.Process[1]
        self.cell[q] = 1

    @action
    def change(self):
        self.first_time(1)
        self.x = 1

    @action
    def first(self):
        self.first_time(2)
        self.cell[self.Process[0]] = 2


class TwoCases(_Cells):
    """A step that sends in one case writes in the other."""

    Wire = Union(Hint=Record(who=Process))
    net = var(Network[Process, Wire])

    @action
    def either(self, p: Process):
        require(p == self.Process[0])
        self.first_time(0)
        if self.y == 0:
            self.net.send(p, p, self.Wire.Hint(p))
        else:
            self.x = 2

    @action
    def other(self):
        self.first_time(1)
        self.x = 1

    @action
    def switch(self):
        self.first_time(2)
        self.y = 1

    @on(net, Wire.Hint)
    def hint(self, p, q, who):
        self.cell[p] = 1


class Numbers(_Cells):
    """Two messages of one kind that differ in their number; the one received last stays.  Receiving the first is the
    smallest set, were it not for the second."""

    Wire = Union(Say=Record(n=Int(0, 3)))
    net = var(Network[Process, Wire])

    @on(net, Wire.Say)
    def hear(self, p, q, n):
        self.cell[p] = n

    @action
    def say(self, n: Int(1, 2)):
        require(n == 1 or self.once[1])
        self.first_time(n)
        self.y = self.x
        self.net.send(self.Process[0], self.Process[1], self.Wire.Say(n))

    @action
    def tick(self):
        self.first_time(0)
        self.x = 1


class CountedNumbers(Numbers):
    """The same where counters show that each of the two is sent once."""

    times = var(Map[Int(0, 3), Int(0, 1)], 0)

    def first_time(self, n):
        require(self.times[n] == 0)
        self.times[n] += 1

    @action
    def say(self, n: Int(1, 2)):
        require(n == 1 or self.times[1] == 1)
        self.first_time(n)
        self.y = self.x
        self.net.send(self.Process[0], self.Process[1], self.Wire.Say(n))


class Peeking(_Cells):
    """One sends what nobody receives, the other looks whether it is in flight."""

    net = var(Network[Process, Bool])

    @action
    def say(self):
        self.first_time(0)
        self.net.send(self.Process[0], self.Process[1], True)

    @action
    def peek(self):
        self.first_time(1)
        self.x = len(self.net.between(self.Process[0], self.Process[1]))


class PeekFirst(Peeking):
    """The same, declared the other way round."""

    @action
    def say(self):
        self.first_time(1)
        self.x = len(self.net.between(self.Process[0], self.Process[1]))

    @action
    def peek(self):
        self.first_time(0)
        self.net.send(self.Process[0], self.Process[1], True)


class Lossy(_Cells):
    """A message is received or lost."""

    Wire = Union(Say=Record(who=Process))
    net = var(Network[Process, Wire])

    @action
    def say(self):
        self.first_time(0)
        self.net.send(self.Process[0], self.Process[1], self.Wire.Say(self.Process[0]))

    @on(net, Wire.Say)
    def hear(self, p, q, who):
        self.cell[p] = 1


class FaultAside(_Cells):
    """A fault that has to do with nothing else may happen or not."""

    @action(fault=True)
    def fault(self):
        self.first_time(0)
        self.x = 1

    @action
    def one(self):
        self.first_time(1)
        self.y = 1

    @action
    def two(self):
        self.first_time(2)
        self.cell[self.Process[0]] = 1


class TwoHandlers(_Cells):
    """Who receives a message first has taken it."""

    Wire = Union(Say=Record(who=Process))
    net = var(Network[Process, Wire])

    @on(net, Wire.Say)
    def hear(self, p, q, who):
        self.cell[p] = 1

    @on(net, Wire.Say)
    def ignore(self, p, q, who):
        self.x = 1

    @action
    def say(self):
        self.first_time(0)
        self.net.send(self.Process[0], self.Process[1], self.Wire.Say(self.Process[0]))


CORNERS: list[tuple[type[Any], dict[str, Any], int]] = [
    (ReadAndWrite, TWO, 2),
    (CopyFirst, TWO, 2),
    (TwoWriters, TWO, 2),
    (NotYet, TWO, 2),
    (NotYetInFlight, TWO, 2),
    (Rewrites, TWO, 2),
    (UnknownCell, TWO, 3),
    (EitherCell, TWO, 3),
    (TwoCases, TWO, 3),
    (Numbers, TWO, 4),
    (CountedNumbers, TWO, 4),
    (Peeking, TWO, 2),
    (PeekFirst, TWO, 2),
    (FaultAside, TWO, 2),
    (TwoHandlers, TWO, 2),
    (Lossy, {**TWO, "losses": 1}, 2),
]


@pytest.mark.parametrize(("model", "constants", "ends"), CORNERS)
def test_no_end_is_lost(model: type[Any], constants: dict[str, Any], ends: int) -> None:
    """The states at rest are those of the full graph, and chosen sets are stubborn by their definition."""
    found = lower(define(model, constants))
    full, reduced, circular = both(found)
    assert not circular and at_rest(reduced) == at_rest(full) and len(at_rest(full)) == ends
    oracle = Oracle(found)
    assert [text for state in oracle.reachable(reduced=False) if (text := oracle.broken(state))] == []


class Before(Distributed):
    """A receipt may be an error although its guard is false: `fix` prevents the error, and the guard stays false."""

    net = var(Network[Process, Bool])
    said = var(Bool, False)
    done = var(Set[Process])
    bad = var(Bool, True)
    n = var(Int(0, 3), 0)

    @initial
    def begin(self):
        self.done.add(self.Process[1])

    @action
    def fix(self):
        require(self.bad)
        self.bad = False
        self.n = 1

    @action
    def say(self):
        require(not self.said)
        self.said = True
        self.net.send(self.Process[0], self.Process[1], True)

    @on(net)
    def hear(self, q, p, yes):
        assert not self.bad
        require(q not in self.done)
        self.done.add(q)


class BeforeInAGuard(Before):
    """The same in one guard."""

    @on(Before.net)
    def hear(self, q, p, yes):
        require(6 // self.n > 2 and q not in self.done)
        self.done.add(q)


class BeforeANever(Before):
    """The same before a guard that is never true."""

    @on(Before.net)
    def hear(self, q, p, yes):
        assert not self.bad
        require(q == self.Process[0])


class BeforeDropping(Before):
    """The receipt that is an error later is never possible, and another one changes nothing."""

    bad = var(Bool, False)
    seen = var(Set[Process])

    @action
    def fix(self):
        require(not self.bad and self.Process[1] in self.seen)
        self.bad = True

    @on(Before.net)
    def see(self, q, p, yes):
        if q not in self.seen:
            self.seen.add(q)

    @action
    def mark(self, q: Process):
        require(q not in self.seen)
        self.seen.add(q)


class OutsideItsPhase(_Cells):
    """`late` needs x at 0 and raises it, but is an error after that, while y is 0; `fix` prevents the error."""

    @action
    def fix(self):
        self.first_time(0)
        self.y = 1

    @action
    def late(self):
        assert self.x == 0 or self.y == 1
        require(self.x == 0)
        self.x += 1


@pytest.mark.parametrize("model", [Before, BeforeInAGuard, BeforeANever, BeforeDropping, OutsideItsPhase])
@pytest.mark.parametrize("drop", [False, True])
def test_an_error_before_a_false_guard_is_kept(model: type[Any], drop: bool) -> None:
    """Errors are those of the full graph."""
    found = lower(define(model, TWO))
    full = search(compile_model(found, quick=True), stop_at_first=False)
    reduced = search(compile_model(found, quick=True, reduction=reduction(found, drop)), stop_at_first=False)
    assert shown(reduced) == shown(full) and len(shown(full)) == 1
