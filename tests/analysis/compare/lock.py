"""A lock that processes take and give back, and edits of it: small enough to know every first forbidden step by
heart."""

from __future__ import annotations

from enum import Enum

from checker.language import (
    Bool,
    Ids,
    Int,
    Map,
    Model,
    Optional,
    Set,
    action,
    const,
    derived,
    initial,
    invariant,
    quiescent,
    require,
    rule,
    var,
)

MOST = 1


class Lock(Model):
    """Who holds the lock works inside; everybody works at most once."""

    processes = const(2, "number of processes")
    Process = Ids("p", processes)
    holder = var(Optional[Process])
    done = var(Set[Process])
    inside = var(Set[Process])
    outcome = ("done",)

    @action
    def take(self, p: Process):
        require(self.may_take(p))
        self.holder = p
        self.inside.add(p)

    @action
    def give(self, p: Process):
        require(p in self.inside)
        self.inside.remove(p)
        self.holder = None
        self.done.add(p)

    @rule
    def may_take(self, p: Process) -> bool:
        """The lock is free, and p has not worked yet."""
        return self.holder is None and p not in self.done

    @rule
    def next_in_line(self, p: Process) -> Process:
        """Whom p lets go first: itself."""
        return p

    @invariant
    def exclusion(self) -> bool:
        return len(self.inside) <= 1

    @quiescent
    def everybody_worked(self) -> bool:
        return len(self.done) == len(self.Process)


class NoGuard(Lock):
    """EDIT: take the lock without looking."""

    @rule
    def may_take(self, p):
        return p not in self.done and p not in self.inside


class FirstOnly(Lock):
    """EDIT: only p1 may take the lock."""

    @rule
    def may_take(self, p):
        return self.holder is None and p not in self.done and p == self.Process[0]


class OneWorks(Lock):
    """EDIT: the lock is taken once."""

    @rule
    def may_take(self, p):
        return self.holder is None and len(self.done) == 0


class Swapped(Lock):
    """EDIT: the lock is free for p1, taken for p2."""

    @rule
    def may_take(self, p):
        return p not in self.done and (self.holder is None) == (p == self.Process[0])


class Cautious(Lock):
    """EDIT: who is inside may not take the lock, even were it free."""

    @rule
    def may_take(self, p):
        return self.holder is None and p not in self.done and p not in self.inside


class Same(Lock):
    """EDIT: the same in other words."""

    @rule
    def may_take(self, p):
        return not (p in self.done or self.holder is not None)


class Polite(Lock):
    """EDIT: the lock is given back by whom nobody is to go before."""

    @action
    def give(self, p):
        require(p in self.inside and self.next_in_line(p) == p)
        self.inside.remove(p)
        self.holder = None
        self.done.add(p)


class OtherParameters(Lock):
    """EDIT: whom p lets go first depends on a number too."""

    Process = Lock.Process

    @rule
    def next_in_line(self, p: Process, n: Int(0, 1)) -> Process:
        return p if n == 0 else self.Process[0]

    @action
    def give(self, p):
        require(p in self.inside and self.next_in_line(p, 0) == p)
        self.inside.remove(p)
        self.holder = None
        self.done.add(p)


class Watched(Lock):
    """EDIT: one more property."""

    @invariant
    def few(self) -> bool:
        return len(self.done) <= 2


class Shade(Enum):
    """How a door stands."""

    open = 0
    shut = 1


class Door(Model):
    """A door whose rules say in words how it stands."""

    Key = Ids("k", 2)
    stands = var(Shade, Shade.open)
    key = var(Optional[Key])

    @action
    def move(self):
        self.stands = self.after(self.stands)

    @rule
    def after(self, stands):
        return Shade.shut if stands == Shade.open else Shade.open

    @invariant
    def known(self) -> bool:
        return self.after(self.stands) != self.stands


class Stuck(Door):
    """EDIT: it stays as it is."""

    @rule
    def after(self, stands):
        return Shade.shut


class Repeated(Lock):
    """EDIT: none; the rule is repeated as it stands."""

    @rule
    def may_take(self, p):
        """The same text, another docstring."""
        return self.holder is None and p not in self.done


class Unsafe(Lock):
    """EDIT: ask the holder, though there may be none."""

    @rule
    def may_take(self, p):
        return p not in self.done and self.holder.index != p.index


class Counted(Lock):
    """EDIT: count the takes, and take without looking the second time."""

    taken = var(Int(0, 4), 0)

    @action
    def take(self, p):
        require(self.may_take(p) or self.taken == 1 and p not in self.inside and p not in self.done)
        self.taken += 1
        self.holder = p
        self.inside.add(p)


class CountedRule(Lock):
    """EDIT: the lock may be taken as long as few have."""

    taken = var(Int(0, 4), 0)

    @rule
    def may_take(self, p):
        return self.taken < 2 and p not in self.done

    @action
    def take(self, p):
        require(self.may_take(p))
        self.taken += 1
        self.holder = p
        self.inside.add(p)


class TakenBack(Lock):
    """EDIT: who has worked may work again."""

    @action
    def give(self, p):
        require(p in self.inside)
        self.inside.remove(p)
        self.holder = None


class Forgetful(Lock):
    """EDIT: who takes the lock does not go inside."""

    @action
    def take(self, p):
        require(self.may_take(p))
        self.holder = p


class Open(Lock):
    """EDIT: the lock starts as taken by p1, who is not inside."""

    @initial
    def start(self):
        self.holder = self.Process[0]

    @rule
    def may_take(self, p):
        return p not in self.inside


class Asking(Model):
    """A base that remembers more: who asked.  Its takes are those of a lock, but only after asking."""

    Process = Ids("p", 2)
    asked = var(Map[Process, Bool])
    holder = var(Optional[Process])
    inside = var(Set[Process])

    @action
    def ask(self, p: Process):
        self.asked[p] = True

    @action
    def take(self, p: Process):
        require(self.asked[p] and self.holder is None)
        self.asked[p] = False
        self.holder = p
        self.inside.add(p)


class Stranger(Model):
    """A model that shares nothing with a lock."""

    count = var(Int(0, 2), 0)

    @action
    def tick(self):
        require(self.count < 2)
        self.count += 1


class Limited(Model):
    """How far x goes is said by a constant, a derived value, a type and an attribute."""

    limit = const(2, "how far x goes")
    half = derived(lambda c: c.limit // 2)
    Small = Int(0, limit)
    FEW = MOST
    x = var(Int(0, 5), 0)

    @rule
    def to_the_limit(self) -> bool:
        return self.x < self.limit

    @rule
    def below_half(self) -> bool:
        return self.x < self.half

    @rule
    def smaller(self) -> Int(0, 6):
        return sum(1 for n in self.Small if n < self.x)

    @rule
    def few(self) -> bool:
        return self.x < self.FEW

    @action
    def up(self):
        require(self.to_the_limit() and (self.few() or self.below_half() or self.smaller() > 0))
        self.x += 1

    @invariant
    def bounded(self) -> bool:
        return self.x <= 4


class OtherDefault(Limited):
    """EDIT: another default"""

    limit = const(3, "how far x goes")


class OtherDerived(Limited):
    """EDIT: another derived value"""

    half = derived(lambda c: c.limit)


class OtherType(Limited):
    """EDIT: another type"""

    Small = Int(1, Limited.limit)


class OtherAttribute(Limited):
    """EDIT: another attribute"""

    FEW = MOST + 1
