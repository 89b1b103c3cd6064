"""A small model with something of everything that validation compares: guards, branches, choices, several starts, a
constraint, a fault, an assertion, and a property of each kind."""

from __future__ import annotations

from checker.language import (
    Bool,
    Ids,
    Int,
    LeadsTo,
    Model,
    Optional,
    Set,
    action,
    anything,
    choose,
    const,
    constraint,
    holds,
    invariant,
    quiescent,
    reachable,
    require,
    rule,
    step_invariant,
    var,
)


class Jobs(Model):
    """Clients hand in jobs, at most `most` in all, and each is done in turn."""

    clients = const(2, "how many clients")
    most = const(3, "how many jobs")
    Client = Ids("c", clients)
    urgent = var(Bool, anything)
    waiting = var(Set[Client])
    last = var(Optional[Client])
    done = var(Int(0, 9), 0)
    outcome = ("done", "urgent")
    expect = holds()

    @action
    def ask(self, c: Client):
        require(self.may_ask(c))
        require(self.done < self.most)
        self.waiting.add(c)

    @action
    def serve(self):
        c = choose(self.waiting)
        assert self.done <= self.most
        self.waiting.remove(c)
        self.done = self.done + 1
        if self.urgent:
            self.last = c
        else:
            self.last = None

    @action(fault=True)
    def forget(self):
        require(self.last is not None)
        self.last = None

    @rule
    def may_ask(self, c: Client) -> bool:
        """Not who waits already."""
        return c not in self.waiting and self.last != c

    @constraint
    def in_time(self) -> bool:
        return self.done <= self.most

    @invariant
    def few(self) -> bool:
        return self.done <= self.most + self.clients

    @step_invariant
    def grows(self) -> bool:
        return self.done >= self.before.done

    @quiescent
    def all_served(self) -> bool:
        return len(self.waiting) == 0 or self.done >= self.most

    @reachable
    def busy(self) -> bool:
        return len(self.waiting) == self.clients


class Finished(LeadsTo):
    """Who waits is served in the end, or the day is over."""

    def when(self) -> bool:
        return len(self.waiting) > 0

    def then(self) -> bool:
        return len(self.waiting) == 0 or self.done >= self.most


class WholeRuns(Jobs):
    """The same without a constraint, so that whole runs are decided."""

    @constraint
    def in_time(self) -> bool:
        return True

    properties = [Finished]


class Hasty(Jobs):
    """EDIT: who was served may not ask again at once in any case."""

    @rule
    def may_ask(self, c):
        return c not in self.waiting
