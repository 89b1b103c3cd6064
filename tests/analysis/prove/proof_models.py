"""Small models for proofs: what is inductive, what is so only with help, what is false."""

from __future__ import annotations

from checker.language import (
    Bool,
    Ids,
    Int,
    LeadsTo,
    Map,
    Model,
    Network,
    Optional,
    action,
    anything,
    constraint,
    invariant,
    on,
    quiescent,
    require,
    rule,
    step_invariant,
    var,
)
from checker.language.distributed import Distributed, Process


class answered(LeadsTo):
    """What is open is closed sooner or later."""

    def then(self) -> bool:
        return not self.open


class Turns(Model):
    """One of two is inside at a time."""

    Process = Ids("p", 2)
    inside = var(Map[Process, Bool])

    @action
    def enter(self, p: Process):
        require(not any(self.inside[q] for q in self.Process))
        self.inside[p] = True

    @action
    def leave(self, p: Process):
        require(self.inside[p])
        self.inside[p] = False

    @invariant
    def exclusion(self) -> bool:
        return not all(self.inside[p] for p in self.Process)


class TwoTurns(Turns):
    """EDIT: enter without looking."""

    @action
    def enter(self, p):
        self.inside[p] = True


class Evens(Model):
    """Counts 0, 2, 4, 6, 8 and stays: seven is never reached, but follows from five."""

    count = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.count < 8)
        self.count += 2

    @invariant
    def never_seven(self) -> bool:
        return self.count != 7

    @invariant
    def even(self) -> bool:
        return self.count % 2 == 0

    @step_invariant
    def rising(self) -> bool:
        return self.count > self.before.count


class Hollow(Evens):
    """EDIT: an invariant that cannot fail, and an action that cannot happen."""

    @action
    def jump(self):
        require(self.count > 7 and self.count < 3)
        self.count = 0

    @invariant
    def not_negative(self) -> bool:
        return self.count >= 0 or self.count == 5


class Idle(Evens):
    """EDIT: guards of which one part implies the other, or contradicts it, and a rule that the types imply."""

    @action
    def up(self):
        require(self.count < 8)
        require(self.count < 9)
        self.count += 2

    @action
    def down(self):
        require(self.count < 3 or self.within(7))
        require(self.count < 5)
        require(self.count > 5)
        self.count = 0

    @rule
    def within(self, n: Int(0, 9)) -> bool:
        return self.count <= 9 or self.count == n


class Late(Model):
    """Counts by two to eight, and says something of eight only."""

    count = var(Int(0, 9), 0)
    steps = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.count < 8)
        self.count += 2
        self.steps += 1

    @invariant
    def late(self) -> bool:
        return self.count != 8 or self.steps == 4


class Asked(Model):
    """Something is asked, and answered in the end."""

    open = var(Bool)

    @action
    def ask(self):
        self.open = not self.open

    properties = [answered]


class Hourglass(Model):
    """Sand runs from one side to the other, one grain a step, and a step takes too much once."""

    top = var(Int(0, 5), 5)
    bottom = var(Int(0, 5), 0)

    @action
    def fall(self):
        require(self.top > 0)
        grains = 2 if self.top == 3 else 1
        self.top -= grains
        self.bottom += 1

    @step_invariant
    def one_grain(self) -> bool:
        return self.before.top - self.top == 1


class Overflowing(Model):
    """A counter that leaves its type at the fourth step."""

    count = var(Int(0, 3), 0)

    @action
    def up(self):
        self.count += 1

    @invariant
    def small(self) -> bool:
        return self.count < 10


class Talk(Distributed):
    """Processes send numbers to each other without end."""

    net = var(Network[Process, Int(0, 1)])
    heard = var(Bool)

    @action
    def say(self, p: Process):
        require(len(self.net) < 3)
        self.net.send(p, p, 1)

    @on(net)
    def hear(self, p, q, n):
        self.heard = n == 1

    @invariant
    def silence_or_one(self) -> bool:
        return True if self.heard else not self.heard


class Fenced(Model):
    """A counter that is not to be followed beyond three, where the next step would leave its type."""

    count = var(Int(0, 4), 0)

    @action
    def up(self):
        self.count += 1

    @constraint
    def near(self) -> bool:
        return self.count < 4

    @invariant
    def small(self) -> bool:
        return self.count < 5


class Held(Model):
    """A place that may be empty; a property that asks who is there fails in no state in which it is false."""

    Process = Ids("p", 2)
    at = var(Optional[Process])

    @action
    def come(self, p: Process):
        require(self.at is None)
        self.at = p

    @invariant
    def first_only(self) -> bool:
        return True if self.at is None else self.at.index == 0


class Post(Distributed):
    """Each of two sends a number to the other, once; whoever gets it has heard."""

    net = var(Network[Process, Int(0, 1)])
    sent = var(Map[Process, Bool])
    heard = var(Map[Process, Bool])

    @action
    def say(self, p: Process):
        require(not self.sent[p])
        self.sent[p] = True
        for q in self.Process:
            if q != p:
                self.net.send(p, q, 1)

    @on(net)
    def hear(self, p, q, n):
        self.heard[p] = n == 1

    @quiescent
    def both_heard(self) -> bool:
        return all(self.heard[p] for p in self.Process)


class Deaf(Post):
    """EDIT: the first does not listen."""

    @on(Post.net)
    def hear(self, p, q, n):
        self.heard[p] = p != self.Process[0]


class LeavesEarly(Model):
    """Leaves an action early: what follows happens only to those that have not left."""

    first = var(Bool, anything)
    second = var(Bool, anything)
    n = var(Int(0, 2), 0)

    @action
    def act(self):
        require(self.n == 0)
        if self.first:
            self.n = 1
            return
        if self.second:
            self.n = 2

    @invariant
    def never_one(self) -> bool:
        return not (self.first and self.second and self.n == 1)

    @invariant
    def never_two(self) -> bool:
        return not (self.first and self.second and self.n == 2)


class LoopsForever(Model):
    """A loop without a condition, left from within: sooner than it is unrolled, or later."""

    n = var(Int(0, 100), anything)
    found = var(Int(0, 100), 0)

    @action
    def search(self):
        i = 0
        while True:
            if i == self.n:
                break
            i += 1
        self.found = i

    @invariant
    def right(self) -> bool:
        return self.found in (0, self.n)


class Detour(Model):
    """Seven can only be reached from a loop that is itself reached from nowhere."""

    n = var(Int(0, 7), 0)

    @action
    def stay(self):
        require(self.n == 0)
        self.n = 0

    @action
    def turn(self):
        require(1 <= self.n <= 2)
        self.n = 3 - self.n

    @action
    def leave(self):
        require(self.n == 2)
        self.n = 7

    @invariant
    def never_seven(self) -> bool:
        return self.n != 7

    @invariant
    def never_beyond(self) -> bool:
        return self.n <= 2 or self.n == 7
