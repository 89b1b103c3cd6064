"""Text of models in which one thing makes a verdict depend on a budget of faults: what `checker sweep --implied` must
not take for the same model."""

from __future__ import annotations

ASKING = '''"""Models that ask for a budget by another name: `go` is possible only where nothing may be lost, or no process may crash."""

from checker.language import Bool, Distributed, Int, Invariant, LeadsTo, Network, Process, action, const, constraint, derived, invariant, on, quiescent, require, step_invariant, var


class Asking(Distributed):
    """x becomes 1 where `may` says so."""

    x = var(Int(0, 3), 0)

    def may(self) -> bool:
        return False

    @action
    def go(self):
        require(self.may())
        self.x = 1

    @invariant
    def never(self) -> bool:
        return self.x == 0


class Left(Asking):
    """Through the language's own method."""

    def may(self) -> bool:
        return not self.budget_left() and len(self.crashed) == 0


class Derived(Asking):
    """Through what the class derives."""

    few = derived(lambda c: c.losses == 0)

    def may(self) -> bool:
        return self.few


class Allows(Invariant):
    """x may be 1 where something may be lost."""

    limit = derived(lambda c: c.losses)

    def holds(self) -> bool:
        return self.x <= self.limit


class OfProperty(Asking):
    """Through what a property derives."""

    properties = [Allows]

    def may(self) -> bool:
        return True


class Follows(Distributed):
    """More crashes where less may be lost, if only losses are given."""

    x = var(Int(0, 1), 0)

    @classmethod
    def complete(cls, given):
        return super().complete(given) | {"crashes": 2 - given.get("losses", 0)}

    @invariant
    def few(self) -> bool:
        return len(self.crashed) < 2


class ByDefault(Distributed):
    """The same by a default."""

    x = var(Int(0, 1), 0)
    crashes = const(2 - Distributed.losses, "more where less may be lost")

    @invariant
    def few(self) -> bool:
        return len(self.crashed) < 2


class Recovers(Distributed):
    """Crashed processes come back, so with a budget of one more than one crashes in the end."""

    both = var(Bool, False)
    first = var(Bool, False)

    @action
    def recover(self, p: Process):
        require(p not in self.crashed and len(self.crashed) > 0)
        if self.first:
            self.both = True
        self.first = True
        self.crashed = set()

    @invariant
    def once(self) -> bool:
        return not self.both


class Kills(Distributed):
    """A fault of the model's own puts processes into `crashed`, beyond the budget."""

    x = var(Int(0, 1), 0)

    @action(fault=True)
    def kill(self, q: Process):
        require(q not in self.crashed and len(self.crashed) < 2)
        self.crashed.add(q)

    @invariant
    def few(self) -> bool:
        return len(self.crashed) < 2


class Parameter(Distributed):
    """A fault of the model's own has a parameter whose type follows from the budget."""

    x = var(Int(0, 3), 0)

    @action(fault=True)
    def poison(self, k: Int(Distributed.losses, 3)):
        self.x = k

    @invariant
    def not_one(self) -> bool:
        return self.x != 1


class Cut(Distributed):
    """What is violated lies outside the constraint, so it is not among the states."""

    x = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.x < 3)
        self.x += 1

    @constraint
    def inside(self) -> bool:
        return self.x < 2

    @invariant
    def small(self) -> bool:
        return self.x < 2


class Asserts(Distributed):
    """An assertion is violated with every budget."""

    x = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.x < 3)
        assert self.x < 2
        self.x += 1

    @invariant
    def small(self) -> bool:
        return self.x <= 3


class Breaks(Distributed):
    """A property of steps is violated at once with every budget; an assertion only after a crash."""

    x = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.x < 3)
        assert len(self.crashed) == 0
        self.x += 1

    @step_invariant
    def still(self) -> bool:
        return self.x == self.before.x


class Errs(Distributed):
    """A property goes wrong after a crash, and is violated nowhere."""

    x = var(Int(0, 3), 0)

    @invariant
    def fine(self) -> bool:
        return 6 // (1 - len(self.crashed)) != 5


class LooksLikeACrash(Distributed):
    """p1 sends and is then refused, in a branch that puts p3 into `crashed` and ends the step: with a crash allowed it crashes on the way."""

    net = var(Network[Process, Bool])
    x = var(Int(0, 1), 0)

    @action
    def go(self, p: Process):
        require(p == self.Process[0])
        self.net.send(p, self.Process[1], True)
        if self.x == 0:
            self.crashed.add(self.Process[2])
            require(self.x == 1)
            return

    @on(net)
    def receive(self, p, q, body):
        pass

    @quiescent
    def some_crash(self) -> bool:
        return len(self.crashed) > 0


class Partitioned(Asking):
    """Reads what is not there without partitions."""

    def may(self) -> bool:
        return len(self.apart) == 0


class Either(Distributed):
    """What is derived decides what the process does: with one loss allowed it gives up once it has sent, else it never does."""

    sent = var(Bool, False)
    patient = derived(lambda c: c.losses == 1)
    net = var(Network[Process, Bool])

    @action
    def go(self, p: Process):
        require(p == self.Process[0] and not self.sent)
        self.net.send(p, p, True)
        if self.patient:
            require(self.sent)
        self.sent = True

    @on(net)
    def receive(self, p, q, body):
        pass

    @quiescent
    def never_quiet(self) -> bool:
        return len(self.crashed) > 0


class OnceLost(Distributed):
    """p2 refuses the first message once one was lost: where nothing may be lost, its guard is always met.  On a FIFO channel the second is held up."""

    heard = var(Bool, False)
    sent = var(Bool, False)
    net = var(Network[Process, Int(0, 1)])

    @action
    def go(self, p: Process):
        require(p == self.Process[0] and not self.sent)
        self.sent = True
        for body in (0, 1, 1):
            self.net.send(p, self.Process[1], body)

    @on(net)
    def receive(self, p, q, body):
        require(self.lost < 1 or body == 1)
        self.heard = True

    @quiescent
    def something_is_heard(self) -> bool:
        return self.heard or not self.sent


class Divided(LeadsTo):
    """Never comes true, and cannot be evaluated once a process has crashed."""

    def then(self) -> bool:
        return 6 // (1 - len(self.crashed)) > 7


class WrongAfterACrash(Distributed):
    """Its one property is violated without faults; with a crash the model is wrong as written."""

    x = var(Int(0, 1), 0)
    properties = [Divided]

    @action
    def go(self):
        self.x = 1 - self.x


class About(Distributed):
    """Claims something about the members of a set that is always empty."""

    x = var(Int(0, 1), 0)
    nobody = var(Bool, False)

    @action
    def go(self):
        self.x = 1

    @invariant
    def about(self) -> bool:
        if self.x == 1:
            return all(p not in self.crashed for p in self.Process if self.nobody)
        return True
'''  # noqa: E501
