"""A lock that workers take and give back, and the edit that forgets to look whether it is free."""

from checker.language import (
    Ids,
    LeadsTo,
    Model,
    Optional,
    Seq,
    Set,
    action,
    const,
    holds,
    invariant,
    of,
    require,
    rule,
    var,
    violates,
)


class Served(LeadsTo):
    """A worker that waits enters later."""

    def when(self, w: of("Worker")) -> bool:
        return w in self.waiting

    def then(self, w: of("Worker")) -> bool:
        return w in self.inside


class Lock(Model):
    """A worker waits, takes the lock, works inside, and gives the lock back."""

    workers = const(2, "how many workers")
    Worker = Ids("w", workers)
    waiting = var(Set[Worker])
    inside = var(Set[Worker])
    holder = var(Optional[Worker])

    @action(fair=False)
    def ask(self, w: Worker):
        require(w not in self.waiting and w not in self.inside)
        self.waiting.add(w)

    @action
    def take(self, w: Worker):
        require(w in self.waiting and self.may_enter(w))
        self.waiting.remove(w)
        self.holder = w
        self.inside.add(w)

    @action
    def give(self, w: Worker):
        require(w in self.inside)
        self.inside.remove(w)
        self.holder = None

    @rule
    def may_enter(self, w: Worker) -> bool:
        return self.holder is None

    @invariant
    def exclusion(self) -> bool:
        """At most one worker is inside."""
        return len(self.inside) <= 1

    properties = [Served]
    expect = [holds(only=["exclusion"]), violates(Served)]


class Careless(Lock):
    """EDIT: enter without looking whether the lock is free."""

    @rule
    def may_enter(self, w):
        return True

    expect = violates("exclusion", steps=4, only=["exclusion"])


class InTurn(Lock):
    """EDIT: the lock goes to the worker that has waited longest."""

    queue = var(Seq[Lock.Worker, Lock.workers])

    def ask(self, w):
        super().ask(w)
        self.queue.append(w)

    def take(self, w):
        super().take(w)
        self.queue.pop(0)

    @rule
    def may_enter(self, w):
        return self.holder is None and self.queue[0] == w

    expect = [holds(), holds(at={"workers": 3})]
